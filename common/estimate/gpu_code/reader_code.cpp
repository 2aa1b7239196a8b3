// What stands in functions.
#include <cstring>

#include "estimate/gpu_code/matrices.h"
#include "estimate/gpu_code/reader_state.h"

namespace estimate::gpu_code {

uint32_t Reader::blockOf(const std::string& label) {
  const auto [known, isNew] = labels_.try_emplace(label, uint32_t(function_->blocks.size()));
  if (isNew) function_->blocks.emplace_back();
  return known->second;
}

void Reader::beginBlock() {
  order_.push_back(uint32_t(function_->blocks.size()));
  function_->blocks.emplace_back();
}

void Reader::readBody() {
  beginBlock();
  for (int depth = 1; depth > 0;) {
    if (atEnd()) throw Unsupported("PTX that ends in a function");
    const Word word = peek();
    if (accept("{")) {
      ++depth;
      scopes_.emplace_back();
    } else if (accept("}")) {
      if (--depth > 0) scopes_.pop_back();
    } else if (accept(";") || accept("\n")) {
    } else if (accept(".loc")) {
      readLocation();
    } else if (accept(".reg")) {
      readRegisters();
    } else if (accept(".param")) {
      std::string name;
      Parameter p = readParameter(&name);
      p.place = uint32_t(align(function_->paramBytes, std::max(p.align, 1u)));
      function_->paramBytes = p.place + p.bytes;
      declare(name, {false, 0, Space::param, p.place});
      accept(";");
    } else if (word == ".shared" || word == ".local") {
      next();
      Variable v = readVariable(word == ".shared" ? Space::shared : Space::local);
      if (v.space == Space::shared) {
        placeShared(v, order_.size() == 1 && !hasShared_ ? sharedStart : v.align);
        hasShared_ = true;
      } else {
        v.place = align(function_->localBytes, v.align);
        function_->localBytes = uint32_t(v.place + v.bytes);
      }
      declare(v.name, {false, 0, v.space, v.place, v.bytes});
      accept(";");
    } else if (word.starts_with(".")) {
      next();
      if (word == ".pragma") {
        function_->blocks[order_.back()].staysRolled = peek().find("nounroll") != Word::npos;
        skipStatement();
      } else
        throw Unsupported("PTX with " + std::string(word));
    } else if (peek(1) == ":") {
      const std::string label(next());
      next();
      if (accept(".branchtargets")) {
        do branchTargets_[label].push_back(blockOf(std::string(next())));
        while (accept(","));
        expect(";");
      } else if (peek() == ".callprototype") {
        skipStatement();
      } else if (targets_.contains(label)) {  // others are the debugger's
        const uint32_t block = blockOf(label);
        if (function_->blocks[order_.back()].code.empty() && !isLabelled(order_.back()))
          order_.back() = block;
        else
          order_.push_back(block);
      }
    } else {
      readInstruction();
    }
  }
}

Operand Reader::constant(uint64_t bits) {
  const auto [known, isNew] = constants_.try_emplace(bits, uint32_t(module_.constants.size()));
  if (isNew) {
    std::vector<uint8_t> pool(constantBytes);
    uint8_t* at = pool.data();
    for (const size_t bytes : {1, 2, 4, 8})
      for (int lane = 0; lane < 32; ++lane, at += bytes) std::memcpy(at, &bits, bytes);
    module_.constants.push_back(std::move(pool));
  }
  Operand o;
  o.kind = Operand::Kind::constant;
  o.place = known->second;
  o.offset = int64_t(bits);
  return o;
}

// The address of a variable, as a number that the machine adds where its space begins.
Operand Reader::symbol(Word name) {
  Operand o;
  o.kind = Operand::Kind::address;
  o.reg = UINT32_MAX;
  if (const Name* known = find(name)) {
    o.space = known->space;
    o.offset = int64_t(known->place);
    if (o.space == Space::shared) usedShared_[known->place] = known->bytes;
    return o;
  }
  const auto variable = module_.variables.find(name);
  if (variable == module_.variables.end())
    throw Unsupported("PTX with the unknown name " + std::string(name));
  o.space = variable->second.space;
  o.offset = int64_t(variable->second.place);
  if (o.space == Space::shared) usedShared_[variable->second.place] = variable->second.bytes;
  return o;
}

// What the launch gives lies apart from what functions declare.
void Reader::placeShared(Variable& v, uint64_t alignment) {
  if (v.bytes == 0) {
    v.place = dynamicSharedPlace;
    return;
  }
  v.place = align(module_.sharedEnd, alignment);
  module_.sharedEnd = v.place + v.bytes;
  if (module_.sharedEnd > dynamicSharedPlace)
    throw Unsupported("too much shared memory in one file");
}

Operand Reader::readAddress(Instruction& instruction) {
  Operand o;
  if (peek().starts_with("%") || (find(peek()) && find(peek())->isRegister)) {
    const Name* known = find(next());
    if (!known || !known->isRegister) throw Unsupported("PTX with an unknown register");
    const Register& r = function_->registers[known->number];
    o = {Operand::Kind::address, false, r.bytes, r.place, known->number, 0, instruction.space};
  } else if (peek() == "-" || std::isdigit(static_cast<unsigned char>(peek()[0]))) {
    o.kind = Operand::Kind::address;
    o.reg = UINT32_MAX;
    o.offset = int64_t(readNumber());
    o.space = instruction.space;
  } else {
    o = symbol(next());
  }
  if (accept("+")) o.offset += int64_t(readNumber());
  expect("]");
  return o;
}

// One, or those in braces.
std::vector<Operand> Reader::readOperand(Instruction& instruction) {
  std::vector<Operand> all;
  if (accept("{")) {
    while (!accept("}")) {
      for (Operand& o : readOperand(instruction)) all.push_back(o);
      accept(",");
    }
    return all;
  }
  if (accept("[")) return {readAddress(instruction)};
  const bool negated = accept("!");
  if (accept("_")) return {Operand{}};
  const Word word = peek();
  if (word == "-" || std::isdigit(static_cast<unsigned char>(word[0])))
    return {constant(readNumber())};
  if (word == "WARP_SZ") return next(), std::vector<Operand>{constant(32)};
  next();
  const Name* known = find(word);
  if (known && known->isRegister) {
    const Register& r = function_->registers[known->number];
    return {{Operand::Kind::reg, negated, r.bytes, r.place, known->number, 0, Space::generic}};
  }
  if (word.starts_with("%")) throw Unsupported("the register " + std::string(word) + " of PTX");
  Operand o = symbol(word);
  if (accept("+")) o.offset += int64_t(readNumber());
  return {o};
}

// call (retval0), name, (param0, param1);
void Reader::readCall(Instruction& i) {
  const auto params = [&](std::vector<Operand>& all) {
    if (!accept("(")) return false;
    while (!accept(")")) {
      all.push_back(symbol(next()));
      accept(",");
    }
    return true;
  };
  if (params(i.to)) expect(",");
  if (peek().starts_with("%")) throw Unsupported("calls through pointers");
  i.name = next();
  if (accept(",")) params(i.from_);
  if (accept(",")) next();
}

// A predicate of its own, behind what is written: see carries.cpp.
void Reader::addCarry(Instruction& i) {
  constexpr char name[] = "%carry";
  const Name* known = find(name);
  const uint32_t number = known ? known->number : addRegister(name, 0);
  if (!known) scopes_.front()[name] = {true, number, Space::local, 0};  // of the whole function
  const Operand carry{Operand::Kind::reg, false, 0, function_->registers[number].place, number, 0,
                      Space::generic};
  if (i.name[3] == 'c') i.from_.push_back(carry);
  if (i.name.find(".cc.") != std::string::npos) i.to.push_back(carry);
}

void Reader::readInstruction() {
  BasicBlock* block = &function_->blocks[order_.back()];
  Instruction i;
  i.line = line_;
  const char* const begin = peek().data();
  if (accept("@")) {
    const bool negated = accept("!");
    i.guard = readOperand(i).at(0);
    i.guard.negated = negated;
  }
  const Word name = next();
  try {
    readName(i, name);
  } catch (const Unsupported& problem) {
    function_->problem = problem.what();
    return skipStatement();
  }
  if (i.op == Op::call) {
    readCall(i);
  } else if (i.op == Op::bra) {
    i.targets.push_back(blockOf(std::string(next())));
  } else if (i.op == Op::brx) {
    i.from_ = readOperand(i);
    expect(",");
    i.targets = branchTargets_[std::string(next())];
  } else if (peek() != ";") {
    std::vector<std::vector<Operand>> all;
    do {
      all.push_back(readOperand(i));
      if (accept("|")) all.back().push_back(readOperand(i).at(0));
    } while (accept(","));
    const bool hasResult =
        !(i.op == Op::st || i.op == Op::red || i.op == Op::bar || i.op == Op::fence ||
          i.op == Op::cp || i.op == Op::prefetch || i.op == Op::nanosleep || storesMatrix(i)) ||
        name.starts_with("bar.red") || name.starts_with("barrier.red");
    for (size_t a = 0; a < all.size(); ++a)
      for (const Operand& o : all[a]) (a == 0 && hasResult ? i.to : i.from_).push_back(o);
    if (i.op == Op::carry) addCarry(i);
  }
  block = &function_->blocks[order_.back()];
  i.text = Word(begin, size_t(peek().data() - begin));
  expect(";");
  const bool ends = i.op == Op::bra || i.op == Op::brx || i.op == Op::ret || i.op == Op::exit;
  try {
    for (Instruction& request : requestsOfFragment(i)) block->code.push_back(std::move(request));
  } catch (const Unsupported& problem) {
    function_->problem = problem.what();
  }
  if (ends) beginBlock();
}

// Blocks in the order in which they are written, and where each goes on.
void Reader::finish(Function& f) {
  std::vector<uint32_t> places(f.blocks.size(), UINT32_MAX);
  std::vector<BasicBlock> blocks;
  for (const uint32_t old : order_) {
    places[old] = uint32_t(blocks.size());
    blocks.push_back(std::move(f.blocks[old]));
  }
  for (BasicBlock& block : blocks)
    for (Instruction& i : block.code)
      for (uint32_t& target : i.targets) {
        target = places[target];
        if (target == UINT32_MAX) throw Unsupported("PTX with a jump to nowhere");
      }
  f.blocks = std::move(blocks);
  for (const auto& [place, bytes] : usedShared_) f.sharedBytes += uint32_t(bytes);
}

}  // namespace estimate::gpu_code
