// The running program's own machine code, as objdump reads it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace estimate {

struct MachineInstruction {
  uint64_t address = 0;   // in the program's file
  uint32_t function = 0;  // those of one function have the same number
  std::string name;       // "lea"
  std::vector<std::string> operands;
  std::string comment;  // what objdump knows of an address: "<blockIdx>"
  uint64_t target = 0;  // of jumps and calls, where known
  // Of the compiler's check of an array's bounds: a GPU has nothing there.
  bool checksBounds = false;

  bool isCall() const { return name.starts_with("call"); }
  bool isJump() const { return name.starts_with("j"); }
  bool isConditional() const { return isJump() && name != "jmp"; }
};

class Disassembly {
 public:
  // Of the code around these places, which must be the beginnings of instructions. Throws Error
  // (exitUsage) where there is no objdump.
  explicit Disassembly(const std::vector<const void*>& places);
  // From objdump's own text: for tests.
  explicit Disassembly(std::string_view text);

  const std::vector<MachineInstruction>& instructions() const { return instructions_; }
  // The place in instructions() of the one at an address, or of the one that it lies in; -1 where
  // there is none.
  long indexAt(uint64_t address) const;
  // The address in the program's file.
  static uint64_t inFile(const void* place);

 private:
  void read(std::string_view text);
  void markBoundsChecks(size_t first);
  std::vector<MachineInstruction> instructions_;
  std::map<uint64_t, long> index_;
};

// The register that an operand names, without its width: "%r8d" and "%r8" are "r8", "%eax" and
// "%rax" are "ax". Empty where it names none.
std::string registerOf(std::string_view operand);
bool is64Bit(const MachineInstruction& instruction);
bool isMemory(std::string_view operand);

}  // namespace estimate
