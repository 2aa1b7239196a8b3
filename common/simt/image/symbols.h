// Names for addresses, for the reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt {

std::string sourceOf(const void* pc);                     // "file.cuh:12", empty when unknown
std::string sourcePathOf(const void* pc);                 // "/home/me/file.cuh:12", likewise
void lookUpSources(const std::vector<const void*>& pcs);  // at once, for sourceOf() later
std::string at(const void* pc);                           // " at file.cuh:12", likewise
// All lines that the instruction belongs to: where functions were inlined, those of the calls, too.
std::string pathOf(const void* pc);
std::string functionAt(const void* address);
// "name<32u>" of "void name<32u>(int*)": without return type, parameters and unnamed namespaces,
// and with CUDA's names of types: "name<__half>".
std::string kernelNameOf(std::string function);

// The program's thread-local variables, of which its kernels' shared memory consists: those of the
// calling OS thread.
struct Variable {
  uintptr_t begin, end;
  std::string name;
};
const std::vector<Variable>& sharedVariables();  // sorted by address
// What the program has made of a variable template, "name<float>" and so on.
std::vector<Variable> variablesOfTemplate(const std::string& name);
struct Range {
  uintptr_t begin = 0, end = 0;
  bool contains(uintptr_t address) const { return address >= begin && address < end; }
  explicit operator bool() const { return end > begin; }
};
const Range& sharedRange();

// Constants of the program: strings, tables that the compiler made.
bool isConstant(uintptr_t address);

}  // namespace simt
