#include <charconv>
#include <cstring>

#include "estimate/gpu_code/assembled.h"
#include "estimate/gpu_code/reader_state.h"

namespace estimate::gpu_code {

const std::vector<std::string> specialRegisters = {"%tid.x",
                                                   "%tid.y",
                                                   "%tid.z",
                                                   "%ntid.x",
                                                   "%ntid.y",
                                                   "%ntid.z",
                                                   "%ctaid.x",
                                                   "%ctaid.y",
                                                   "%ctaid.z",
                                                   "%nctaid.x",
                                                   "%nctaid.y",
                                                   "%nctaid.z",
                                                   "%laneid",
                                                   "%warpid",
                                                   "%smid",
                                                   "%clock",
                                                   "%lanemask_eq",
                                                   "%lanemask_lt",
                                                   "%lanemask_le",
                                                   "%lanemask_gt",
                                                   "%lanemask_ge",
                                                   "%nsmid",
                                                   "%dynamic_smem_size",
                                                   "%clock64",
                                                   "%globaltimer"};

void Reader::skipBraces() {
  while (!atEnd() && !accept("{")) ++at_;
  for (int depth = 1; depth > 0 && !atEnd();) {
    const Word word = next();
    depth += word == "{" ? 1 : word == "}" ? -1 : 0;
  }
}
void Reader::skipLine() {
  while (!atEnd() && next() != "\n") {
  }
}
void Reader::skipStatement() {
  while (!atEnd() && next() != ";") {
  }
}

// .loc 1 12 3. Lines of headers that stand in for CUDA's belong to who called them.
void Reader::readLocation() {
  const Word path = files_[next()];
  const uint64_t line = readNumber();
  skipLine();
  const bool isOurs =
      path.find("/simt/") != Word::npos || path.find("/gpu_code/include/") != Word::npos ||
      path.find("/include/c++/") != Word::npos || path.find("__clang_cuda") != Word::npos;
  if (line == 0 || isOurs) return;
  const std::string text =
      std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(line);
  const auto [known, isNew] = lineNumbers_.try_emplace(text, uint32_t(module_.lines.size()));
  if (isNew) module_.lines.push_back(text), module_.paths.emplace_back(path);
  line_ = known->second;
}

uint64_t Reader::readNumber() {
  const bool negative = accept("-");
  const Word word = next();
  uint64_t value = 0;
  if (word.starts_with("0f") || word.starts_with("0F") || word.starts_with("0d") ||
      word.starts_with("0D"))
    std::from_chars(word.data() + 2, word.data() + word.size(), value, 16);
  else if (word.starts_with("0x") || word.starts_with("0X"))
    std::from_chars(word.data() + 2, word.data() + word.size(), value, 16);
  else if (word.empty() || !std::isdigit(static_cast<unsigned char>(word[0])))
    throw Unsupported("PTX has " + std::string(word) + " where a number was expected");
  else
    std::from_chars(word.data(), word.data() + word.size(), value);
  return negative ? -value : value;
}

const Reader::Name* Reader::find(Word name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto known = scope->find(name); known != scope->end()) return &known->second;
  return nullptr;
}

uint32_t Reader::addRegister(const std::string& name, unsigned bytes) {
  Function& f = *function_;
  const uint32_t number = uint32_t(f.registers.size());
  const uint32_t size = bytes == 0 ? 8 : 32 * bytes;
  f.frameBytes = uint32_t(align(f.frameBytes, std::min(size, 64u)));
  f.registers.push_back({name, f.frameBytes, uint8_t(bytes)});
  f.frameBytes += size;
  declare(name, {true, number, Space::local, 0});
  return number;
}

// .reg .b32 %r<15>, %x;
void Reader::readRegisters() {
  const Type type = typeNamed(next().substr(1));
  do {
    const std::string name(next());
    if (accept("<")) {
      const uint64_t count = readNumber();
      expect(">");
      for (uint64_t i = 0; i < count; ++i) addRegister(name + std::to_string(i), bytesOf(type));
    } else {
      addRegister(name, bytesOf(type));
    }
  } while (accept(","));
  expect(";");
}

// .align 4 .b8 name[16] = {1, 2}
Variable Reader::readVariable(Space space) {
  Variable v;
  v.space = space;
  unsigned elementBytes = 1, vector = 1;
  for (; peek().starts_with(".");) {
    const Word word = next();
    if (word == ".align")
      v.align = readNumber();
    else if (word == ".v2" || word == ".v4")
      vector = word == ".v2" ? 2 : 4;
    else if (const Type type = typeNamed(word.substr(1)); type != Type::none)
      elementBytes = bytesOf(type);
    else if (word == ".attribute")
      while (!accept(")")) ++at_;
  }
  v.name = next();
  v.bytes = uint64_t(elementBytes) * vector;
  v.align = std::max<uint64_t>(v.align, elementBytes);
  while (accept("[")) {
    v.bytes *= peek() == "]" ? 0 : readNumber();
    expect("]");
  }
  if (accept("=")) readInitial(v, elementBytes);
  return v;
}

void Reader::readInitial(Variable& v, unsigned elementBytes) {
  int depth = 0;
  do {
    if (accept("{")) {
      ++depth;
    } else if (accept("}")) {
      --depth;
    } else if (accept(",")) {
    } else if (peek() == "-" || std::isdigit(static_cast<unsigned char>(peek()[0]))) {
      const uint64_t value = readNumber();
      const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
      v.initial.insert(v.initial.end(), bytes, bytes + elementBytes);
    } else {  // an address: nobody can say here what it will be
      next();
      if (accept("(")) next(), expect(")");
      if (accept("+")) next();
      v.initial.resize(v.initial.size() + elementBytes);
    }
  } while (depth > 0 && !atEnd());
  v.initial.resize(v.bytes);
}

// .param .align 4 .b8 name[12], also ".param .u64 .ptr .global .align 4 name".
Parameter Reader::readParameter(std::string* name) {
  Parameter p{0, 1, 0};
  bool isPointer = false;
  while (peek().starts_with(".") || peek() == "\n") {
    const Word word = next();
    if (word == ".align") {
      const auto value = uint32_t(readNumber());
      if (!isPointer) p.align = value;
    } else if (word == ".ptr") {
      isPointer = true;
    } else if (const Type type = typeNamed(word.substr(1)); type != Type::none) {
      p.bytes = bytesOf(type);
      p.align = std::max(p.align, p.bytes);
    }
  }
  *name = next();
  if (accept("[")) {
    p.bytes *= uint32_t(readNumber());
    expect("]");
  }
  return p;
}

// Of a function, each lane's own, in the frame's room for parameters.
std::vector<Parameter> Reader::readParameters(const std::string&) {
  std::vector<Parameter> all;
  if (!accept("(")) return all;
  while (!accept(")")) {
    std::string name;
    Parameter p;
    if (peek() == ".reg") throw Unsupported("functions with registers as parameters");
    p = readParameter(&name);
    p.place = uint32_t(align(function_->paramBytes, std::max(p.align, 1u)));
    function_->paramBytes = p.place + p.bytes;
    declare(name, {false, 0, Space::param, p.place});
    all.push_back(p);
    accept(",");
  }
  return all;
}

void Reader::readFunction(bool isKernel) {
  Function function;
  function.isKernel = isKernel;
  function_ = &function;
  scopes_.assign(1, {});
  labels_.clear();
  order_.clear();
  branchTargets_.clear();
  usedShared_.clear();
  hasShared_ = false;
  for (const std::string& name : specialRegisters)
    addRegister(name, name == "%clock64" || name == "%globaltimer" ? 8 : 4);
  if (!isKernel && peek() == "(") function.results = readParameters("");
  function.name = next();
  function.parameters = readParameters(function.name);
  while (peek().starts_with(".")) {
    const Word word = next();
    if (word == ".maxntid" || word == ".reqntid") {
      function.maxThreads = uint32_t(readNumber());
      while (accept(",")) function.maxThreads *= uint32_t(readNumber());
    } else if (word == ".minnctapersm") {
      function.minBlocks = uint32_t(readNumber());
    } else if (word == ".maxnreg" || word == ".reqnctapercluster" || word == ".maxclusterrank") {
      do readNumber();
      while (accept(","));
    }
  }
  if (accept(";")) return;  // a declaration
  expect("{");
  line_ = 0;
  const size_t begin = at_;
  try {
    readBody();
    finish(function);
  } catch (const Unsupported& problem) {  // the others may be read
    function.problem = problem.what();
    function.blocks.clear();
    at_ = begin - 1;
    skipBraces();
  }
  module_.functions.insert_or_assign(function.name, std::move(function));
  function_ = nullptr;
}

Module Reader::read() {
  // Constants lie side by side, as they are declared: what alignment ptxas knows is that of a
  // place.
  uint64_t constants = 0, globals = constantsBytes;
  while (!atEnd()) {
    const Word word = next();
    if (word == ".file" || word == ".version" || word == ".target" || word == ".address_size") {
      skipLine();
    } else if (word == ".entry" || word == ".func") {
      readFunction(word == ".entry");
    } else if (word == ".shared" || word == ".global" || word == ".const") {
      Variable v = readVariable(word == ".shared"  ? Space::shared
                                : word == ".const" ? Space::constant
                                                   : Space::global);
      if (v.space == Space::shared) {
        placeShared(v, std::max<uint64_t>(v.align, 16));
      } else {
        const bool isConstant =
            v.space == Space::constant && align(constants, v.align) + v.bytes <= constantsBytes;
        uint64_t& end = isConstant ? constants : globals;
        v.place = align(end, isConstant ? v.align : std::max<uint64_t>(v.align, 256));
        end = v.place + std::max<uint64_t>(v.bytes, 1);
      }
      module_.variables.insert_or_assign(v.name, v);
      accept(";");
    } else if (word == ".section") {
      skipBraces();
    }
  }
  return std::move(module_);
}

Module readModule(std::string_view text) {
  Module module = Reader(text).read();
  for (auto& [name, function] : module.functions) {
    if (function.blocks.empty()) continue;  // it could not be read
    MachineCode machine = machineCodeOf(function.name, text);
    if (machine.code.empty()) joinCopies(function);
    for (BasicBlock& block : function.blocks)
      for (Instruction& i : block.code) try {
          bind(i);
        } catch (const Unsupported& problem) {
          function.problem = problem.what();
        }
    findReadOnly(function);
    convertIfs(function, branchesLeft(function, text, machine));
    findFlow(function);
    findCosts(function);
    takeAssembled(function, text, std::move(machine));
    moveLoads(function);
    schedule(function);
  }
  return module;
}

}  // namespace estimate::gpu_code
