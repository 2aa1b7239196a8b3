// PTX, the code that a GPU compiler makes of a kernel, as this folder keeps it: functions of basic
// blocks of instructions, with registers that lie in a warp's frame.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/warp_program.h"

namespace estimate::gpu_code {

constexpr uint32_t none = UINT32_MAX;  // of a place: there is no such thing

// One clear line: what cannot be read, or executed, and so has no estimate.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A kernel whose blocks do more than may be executed.
struct TooLong : Unsupported {
  using Unsupported::Unsupported;
};

enum class Type : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64
};
unsigned bytesOf(Type type);
bool isFloat(Type type);
bool isSigned(Type type);

enum class Space : uint8_t { generic, global, shared, local, param, constant };

// What an instruction does, by the first word of its name.
enum class Op : uint8_t {
  abs,
  activemask,
  add,
  and_,
  atom,
  bar,
  bfe,
  bfi,
  bfind,
  bra,
  brev,
  brx,
  call,
  carry,  // add, sub and mad of long integers: a part of one, and what the next gets
  clz,
  cnot,
  copysign,
  cos,
  cp,
  cvt,
  cvta,
  div,
  dp2a,
  dp4a,
  ex2,
  exit,
  fence,
  fma,
  isspacep,
  ld,
  lg2,
  lop3,
  mad,
  match,
  max,
  min,
  mma,
  mov,
  mul,
  nanosleep,
  neg,
  not_,
  or_,
  parts,  // sums, minima and maxima of halves, differences of halves and bytes
  popc,
  prefetch,
  prmt,
  rcp,
  red,
  redux,
  rem,
  ret,
  rsqrt,
  sad,
  selp,
  set,
  setp,
  shf,
  shfl,
  shl,
  shr,
  sin,
  slct,
  sqrt,
  st,
  sub,
  tanh,
  testp,
  trap,
  vote,
  wmma,
  xor_
};

inline bool isAnyOf(Op op, std::initializer_list<Op> ops) {
  return std::ranges::find(ops, op) != ops.end();
}

// The part of an operand that the executing warp looks up.
struct Operand {
  enum class Kind : uint8_t { none, reg, constant, address };
  Kind kind = Kind::none;
  bool negated = false;          // of a predicate
  uint8_t bytes = 0;             // of the register, each lane's; 0: a predicate
  uint32_t place = 0;            // of the register in the frame, or of the constant in its pool
  uint32_t reg = 0;              // the register's number, for what depends on what
  int64_t offset = 0;            // of an address: what is added to the register, or all of it
  Space space = Space::generic;  // of an address that is a symbol's
};

inline bool isRegister(const Operand& o) {
  return o.kind == Operand::Kind::reg || (o.kind == Operand::Kind::address && o.reg != none);
}

struct Machine;
struct WarpContext;
struct Instruction;
using Handler = void (*)(WarpContext& warp, const Instruction& instruction, uint32_t lanes);

// What ptxas makes of an instruction, as rules have it (costs.cpp).
struct Cost {
  float count = 1;             // instructions
  float chain = 1;             // of them, one after the other
  float special = 0;           // of them, for the unit for special functions
  UnitCycles unitCycles = {};  // as in Operation
  float before = 0;            // of an access: instructions that make its address
  float cycles = 0;            // until a warp by itself issues what follows, if ptxas said so
  float yields = 0;            // … and how many of them let other warps go first
  float registerCycles = 0;    // as in Operation
  float control = 0;           // of count, as in Operation
  float jump = 0, stay = 0;    // of a branch: cycles more of a warp that goes to its target, or on
  bool copies = false;         // only renames: who needs its result waits for what it copies
};

struct Instruction {
  Op op = Op::mov;
  Type type = Type::none, from = Type::none;  // of cvt, what is converted
  Space space = Space::generic;
  uint8_t vector = 1;
  bool wide = false, high = false, saturates = false, isVolatile = false, evictsFirst = false;
  bool isReadOnly = false;         // of a load: of memory that the kernel does not write
  uint8_t mode = 0;                // comparison, rounding, kind of shuffle, atomic, vote…
  uint8_t combine = 0;             // of setp: 0, and, or, xor
  Operand guard;                   // a predicate
  std::vector<Operand> to, from_;  // results and operands
  std::vector<uint32_t> targets;   // blocks
  std::string name;                // as it was written; of a call, whom
  std::string_view text;           // as it stands in the file; empty of one that is not in it
  uint32_t line = 0;               // place in Module::lines
  uint32_t order = UINT32_MAX;     // among what ptxas made of the function, if it is there
  // Loads from shared memory that become one: of the first of them, its bytes; of the others, the
  // first one's place in the block.
  uint8_t mergedBytes = 0;
  uint32_t mergedWith = UINT32_MAX;
  uint8_t turnsOfLoad = 1;    // turns of an unrolled loop that it loads for at once
  bool isPredicated = false;  // it was in an if
  bool isUniform = false;     // of a load of constants: ULDC
  bool isIndexed = false;     // … of a place that a register has
  float uniformReads = 0;     // … how many there are of it
  bool addsUpFirst = false;   // of an atomic: one lane does it for its warp
  bool countsLanes = false;   // … in shared memory: lanes with one address are one turn
  bool isUnread = false;      // of an exchange in global memory: nobody asks for what was there
  Cost cost;
  Handler run = nullptr;
  bool loadsConstant() const { return op == Op::ld && space == Space::constant; }
  bool isMemory() const { return op == Op::ld || op == Op::st || op == Op::atom || op == Op::red; }
};

struct BasicBlock {
  std::vector<Instruction> code;
  std::vector<uint32_t> next;   // blocks, the one that is jumped to first
  uint32_t meets = UINT32_MAX;  // the immediate post-dominator, or none: the end
  // The same of those that stay in the smallest loop around it, where some leave that before.
  uint32_t meetsInLoop = UINT32_MAX;
  bool isInLoop = false;
  // The largest loop that is left by going on to each of two.
  std::array<uint32_t, 2> leaves = {UINT32_MAX, UINT32_MAX};
  // Of a small block that one branch skips: issued with a predicate by all who reach the branch.
  bool isPredicated = false;
  bool staysRolled = false;    // as its loop's pragma says
  unsigned turns = 0;          // of the loop that it jumps back in, where they are known
  unsigned unrolledBy = 1;     // a loop of one block
  unsigned turnsTogether = 1;  // … with the loads of so many turns in front
  bool leavesParts = true;     // … and of those that are left over by eight, by four, and so on
  // … of whose turns those that are left over of so many come first, one by one; instructions of
  // each that are not of what it does, and of the loop's parts once.
  unsigned turnsApart = 1;
  float costApart = 0, costOfParts = 0;
};

struct Loop {
  std::vector<bool> has;        // of each block, whether it can come back to the first
  uint32_t meets = UINT32_MAX;  // where all meet who have left it
};

struct Register {
  std::string name;
  uint32_t place = 0;
  uint8_t bytes = 0;  // 0: a predicate
};

struct Parameter {
  uint32_t bytes = 0, align = 0, place = 0;
};

struct Variable {
  std::string name;
  Space space = Space::global;
  uint64_t bytes = 0, align = 1;
  uint64_t place = 0;  // in its space
  std::vector<uint8_t> initial;
  bool isExtern = false;
};

struct Function {
  std::string name;
  bool isKernel = false;
  std::vector<Parameter> parameters, results;
  std::vector<Register> registers;
  std::vector<BasicBlock> blocks;
  std::vector<Loop> loops;   // those within others first
  uint32_t frameBytes = 0;   // of registers
  uint32_t localBytes = 0;   // of each thread
  uint32_t paramBytes = 0;   // of what it is called with, and what it calls with
  uint32_t sharedBytes = 0;  // static
  uint32_t maxThreads = 0, minBlocks = 0;
  uint32_t neededRegisters = 0;  // where ptxas says so
  bool isAssembled = false;      // costs are ptxas's, not those of rules
  std::string problem;           // why it cannot be executed; empty where it can
};

// In the space of shared memory, where what the launch gives begins.
constexpr uint64_t constantsBytes = uint64_t(1) << 16;  // as many as a kernel may have
constexpr uint64_t dynamicSharedPlace = uint64_t(1) << 21;

struct Module {
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, Variable, std::less<>> variables;  // of the module; functions' own shared
  std::vector<std::string> lines = {""};                   // "file.cuh:12"
  std::vector<std::string> paths = {""};                   // and "/home/me/file.cuh"
  std::vector<std::vector<uint8_t>> constants;             // pools of a value for each lane
  uint64_t sharedEnd = 0;  // static shared memory that several functions use
};

// Reads what clang or nvcc wrote; the text outlives the module, whose instructions point into it.
// Throws Unsupported with one line.
Module readModule(std::string_view text);
Module readModule(std::string&& text) = delete;

// Copies of 16 bytes that are two in clang++'s code become one, as in nvcc's (joined_copies.cpp).
// Before bind().
void joinCopies(Function& function);

// Branches, by where their text begins, that ptxas left; nothing where it was not asked.
using BranchesLeft = std::optional<std::set<const char*>>;
// Puts ifs with little in them into the block around them (ifs.cpp); where ptxas was asked, those
// whose branch it has not left. Before findFlow().
void convertIfs(Function& function, const BranchesLeft& left);
// Blocks' successors, meeting places, and the registers that a thread needs (flow.cpp).
void findFlow(Function& function);
// Which loads read what the kernel does not write (schedule.cpp).
void findReadOnly(Function& function);
// Whether what is written behind a block may come next (flow.cpp).
bool fallsThrough(const BasicBlock& block);
// Puts loads in front of ifs that they are behind (moved_loads.cpp). After findCosts().
void moveLoads(Function& function);
// Puts loads where ptxas would: as early in their block as what they need allows (schedule.cpp).
void schedule(Function& function);
// costs.cpp
void findCosts(Function& function);
Cost costOfCall(const std::string& name);
float constantsOfCall(const std::string& name);
bool isMathematics(const std::string& function);
bool hasBranches(const std::string& function);  // … that is known to have some
// Finds what executes it: arithmetic.cpp and its neighbours. Throws Unsupported.
void bind(Instruction& instruction);

}  // namespace estimate::gpu_code
