// The name of a PTX instruction and what it works on, as C++.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simtcc/translate/ptx_instruction.h"

namespace simt::cc {

class PtxOperands {
 public:
  PtxOperands(std::string text, PtxScope& scope);

 protected:
  using Strings = std::vector<std::string>;

  // Of an operand: the C++ that has its value.
  std::optional<std::string> value(std::string text) const;
  // "[%1]", "[%1 + 16]"
  std::optional<std::string> address(std::string text, const std::string& type) const;
  // The same of an instruction whose name says where it is: shared memory has addresses of its own.
  std::optional<std::string> placeOf(const std::string& text, const std::string& type) const;
  // "{%0, %1}"
  static Strings elements(const std::string& operand);
  // Names are made C++'s own: those of PTX may have $ and %.
  static std::string registerOf(const std::string& name);
  // Whether it may take a result; and the code that puts it there.
  bool isPlace(const std::string& text) const;
  std::optional<std::string> setTo(const std::string& operand, const std::string& code) const;
  // The operand of this number as a value of this type, or "".
  std::string valueAs(size_t i, const std::string& type) const;

  Strings parts_, operands_;  // of the name, between points; and what it works on
  std::string condition_;     // p or !p of a predicate
  PtxScope& scope_;
};

// ld and st, atom and red, cp.async.
class PtxMemory : public PtxOperands {
 protected:
  using PtxOperands::PtxOperands;

  std::optional<std::string> access(const std::string& type) const;
  std::optional<std::string> atomic(const std::string& type) const;
  std::optional<std::string> copy() const;
};

// mma.sync, ldmatrix, mbarrier, and what is calculated with 16 bits.
class PtxMatrices : public PtxMemory {
 protected:
  using PtxMemory::PtxMemory;

  std::optional<std::string> multiply() const;
  std::optional<std::string> moveMatrices() const;
  std::optional<std::string> variableBarrier() const;
  std::optional<std::string> ofSixteenBits() const;

 private:
  std::optional<std::string> registersOf(const std::string& operand, const std::string& type,
                                         const std::string& name) const;
  std::optional<std::string> setAll(const std::string& operand, const std::string& name) const;
};

}  // namespace simt::cc
