#include "simt/image/source_lines.h"

#include "simt/image/program_image.h"

#ifdef SIMT_HAS_LIBDW
#include <dwarf.h>
#include <pthread.h>
#include <signal.h>

#include <map>
#include <mutex>

namespace simt {
namespace {

struct Function {
  Dwarf_Addr end;
  Dwarf_Die entry, unit;
};
using Functions = std::map<Dwarf_Addr, Function>;  // by their first address

void addFunctions(Functions& functions, const Dwarf_Die& unit, const Dwarf_Die& parent) {
  forEachChild(parent, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) == DW_TAG_namespace) addFunctions(functions, unit, child);
    if (dwarf_tag(&child) != DW_TAG_subprogram) return;
    Dwarf_Addr base, begin, end;
    for (ptrdiff_t i = 0; (i = dwarf_ranges(&child, i, &base, &begin, &end)) > 0;)
      if (begin > 1) functions[begin] = {end, child, unit};  // else the linker has left it out
  });
}

// A file may be named from the folder on that was compiled in.
std::string lineOf(Dwarf_Die& unit, std::string file, int number) {
  Dwarf_Attribute attribute;
  const char* const folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  if (!file.starts_with("/") && folder) file = folder + ("/" + file);
  return file + ":" + (number > 0 ? std::to_string(number) : "?");
}

bool hasNoPlace(Dwarf_Die& entry) {
  return !dwarf_hasattr(&entry, DW_AT_low_pc) && !dwarf_hasattr(&entry, DW_AT_ranges);
}

// Puts the calls within the entry that were inlined and led to the address behind each other, the
// outermost first.
void addInlinedCalls(std::vector<Dwarf_Die>& calls, const Dwarf_Die& entry, Dwarf_Addr address) {
  const size_t before = calls.size();
  forEachChild(entry, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    const bool isBlock = tag == DW_TAG_lexical_block;
    if (calls.size() > before || (!isBlock && tag != DW_TAG_inlined_subroutine)) return;
    if (dwarf_haspc(&child, address) != 1 && !(isBlock && hasNoPlace(child))) return;
    if (!isBlock) calls.push_back(child);
    addInlinedCalls(calls, child, address);
  });
}

std::string lineOfCall(Dwarf_Die& call, Dwarf_Die unit) {
  const auto number = [&](unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(&call, name, &attribute), &value);
    return value;
  };
  Dwarf_Files* files = nullptr;
  size_t count;
  dwarf_getsrcfiles(&unit, &files, &count);
  const char* const file = dwarf_filesrc(files, number(DW_AT_call_file), nullptr, nullptr);
  return file ? lineOf(unit, file, int(number(DW_AT_call_line))) : "";
}

std::vector<std::string> linesAt(const Functions& functions, Dwarf_Addr address) {
  auto function = functions.upper_bound(address);
  if (function == functions.begin() || address >= (--function)->second.end) return {};
  Dwarf_Die unit = function->second.unit;
  Dwarf_Line* const row = dwarf_getsrc_die(&unit, address);
  const char* const file = dwarf_linesrc(row, nullptr, nullptr);
  if (!file) return {};
  int number = 0;
  dwarf_lineno(row, &number);
  std::vector<std::string> lines = {lineOf(unit, file, number)};
  std::vector<Dwarf_Die> calls;
  addInlinedCalls(calls, function->second.entry, address);
  for (auto call = calls.rbegin(); call != calls.rend(); ++call)
    lines.push_back(lineOfCall(*call, unit));
  return lines;
}

}  // namespace

std::vector<std::vector<std::string>> sourceLinesOf(const std::vector<uintptr_t>& addresses) {
  std::vector<std::vector<std::string>> found(addresses.size());
  auto look = [&] {
    static std::mutex mutex;
    const std::scoped_lock oneAtATime(mutex);
    static const Functions functions = [] {
      Functions all;
      forEachUnit([&](const Dwarf_Die& unit) { addFunctions(all, unit, unit); });
      return all;
    }();
    for (size_t i = 0; i < addresses.size(); ++i)
      found[i] = linesAt(functions, addresses[i] - programBegin());
  };
  // libdw needs more of a stack than a kernel's thread has, and perhaps the program's (ulimit -s);
  // and what signals mean is between the watchdog and the thread that runs kernels.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, size_t(8) << 20);
  pthread_t thread;
  const auto call = [](void* it) -> void* {
    return (*static_cast<decltype(look)*>(it))(), nullptr;
  };
  if (pthread_create(&thread, &large, call, &look) == 0) pthread_join(thread, nullptr);
  // else: no further thread, no names
  pthread_attr_destroy(&large);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return found;
}

}  // namespace simt
#else
namespace simt {
std::vector<std::vector<std::string>> sourceLinesOf(const std::vector<uintptr_t>& addresses) {
  return std::vector<std::vector<std::string>>(addresses.size());
}
}  // namespace simt
#endif
