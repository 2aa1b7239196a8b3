// What is refused in one line: what nvcc refuses, and what the executor does not have.
#include <algorithm>
#include <set>

#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

// Functions of namespace std that CUDA has for kernels, too.
bool isDeviceFunctionOfStd(const std::string& name) {
  static const std::set<std::string> names = {
      "abs",       "acos",     "acosh",     "asin",     "asinh",
      "atan",      "atan2",    "atanh",     "cbrt",     "ceil",
      "copysign",  "cos",      "cosh",      "erf",      "erfc",
      "exp",       "exp2",     "expm1",     "fabs",     "fdim",
      "floor",     "fma",      "fmax",      "fmin",     "fmod",
      "frexp",     "hypot",    "ilogb",     "isfinite", "isinf",
      "isnan",     "isnormal", "labs",      "ldexp",    "lgamma",
      "llabs",     "llrint",   "llround",   "log",      "log10",
      "log1p",     "log2",     "logb",      "lrint",    "lround",
      "modf",      "nan",      "nearbyint", "pow",      "printf",
      "remainder", "remquo",   "nextafter", "rint",     "round",
      "scalbn",    "sin",      "sinh",      "signbit",  "sqrt",
      "tan",       "tanh",     "tgamma",    "trunc",    "move",
      "forward",   "declval",  "memcpy",    "memset",   "malloc",
      "free",      "scalbln",  "sqrtf",     "fabsf",    "initializer_list",
      "isgreater", "isless",   "nexttoward"};
  return names.contains(name) || name.ends_with("_t") || name.starts_with("is_");
}

// Those of std that no flag makes callable in a kernel.
bool isHostOnlyOfStd(const std::string& name) {
  static const std::set<std::string> names = {
      "vector",     "string",     "map",   "set",  "unordered_map", "list",      "deque",
      "cout",       "cerr",       "endl",  "sort", "rand",          "function",  "thread",
      "unique_ptr", "shared_ptr", "mutex", "stoi", "to_string",     "accumulate"};
  return names.contains(name);
}

// Functions of the C library that CUDA does not have for kernels.
const std::set<std::string>& hostOnlyOfC() {
  static const std::set<std::string> names = {
      "rand",      "srand",  "random",  "drand48", "time",    "gettimeofday", "sleep",
      "usleep",    "puts",   "putchar", "fprintf", "fputs",   "fflush",       "fopen",
      "fclose",    "fread",  "fwrite",  "scanf",   "sprintf", "sscanf",       "getenv",
      "snprintf",  "strlen", "strcpy",  "strcmp",  "strcat",  "strncpy",      "strncmp",
      "atoi",      "atof",   "strtol",  "strtod",  "qsort",   "bsearch",      "calloc",
      "realloc",   "signal", "raise",   "kill",    "system",  "fork",         "vfork",
      "execl",     "execv",  "execvp",  "waitpid", "longjmp", "setjmp",       "popen",
      "pclose",    "dlopen", "mmap",    "munmap",  "_exit",   "alarm",        "pthread_create",
      "quick_exit"};
  return names;
}

std::string callingHost(const std::string& name) {
  return "a kernel cannot call the host function " + name;
}

class Checker {
 public:
  Checker(const Job& job, bool constexprEverywhere)
      : job_(job), source_(job.source), constexprEverywhere_(constexprEverywhere) {
    std::set<std::string> onDevice;
    for (const Function& f : job.declarations.functions)
      if (f.runsOnDevice() || f.isMember || f.isConsteval || (f.isConstexpr && constexprEverywhere))
        onDevice.insert(f.name);
    for (const Function& f : job.declarations.functions)
      if (!onDevice.contains(f.name)) hostFunctions_.insert(f.name);
    for (const std::string& name : hostOnlyOfC())
      if (!onDevice.contains(name)) hostFunctions_.insert(name);
  }

  void check() {
    for (const Function& f : job_.declarations.functions) {
      if (f.body == Source::none || !f.runsOnDevice() || f.isHost) continue;
      for (size_t i = f.body; i < source_.partner[f.body]; ++i) {
        const bool isOfCuda = i >= 2 && source_.is(i - 1, "::") && source_.is(i - 2, "cuda");
        if (source_.is(i, "std") && source_.is(i + 1, "::") && !isOfCuda)
          standard(i + 2);
        else if (source_.isIdentifier(i))
          helper(f, i);
      }
    }
  }

 private:
  // The index of the "(" when the name at i is called, else none.
  size_t callAfter(size_t i) const {
    if (source_.is(i + 1, "(")) return i + 1;
    if (!source_.is(i + 1, "<")) return Source::none;
    const size_t after = source_.afterAngles(i + 1);
    return after > i + 1 && source_.is(after, "(") ? after : Source::none;
  }

  bool inConstant(size_t i) const {
    for (; i > 0 && !source_.is(i, ";") && !source_.is(i, "{") && !source_.is(i, "}"); --i)
      if (source_.is(i, "constexpr") || source_.is(i, "static_assert")) return true;
    return false;
  }

  void standard(size_t i) {
    const std::string name(source_.tokens[i].text);
    if (isHostOnlyOfStd(name)) return job_.refuse(i, callingHost("std::" + name));
    if (constexprEverywhere_) return;
    const size_t after = source_.is(i + 1, "<") ? source_.afterAngles(i + 1) : i;
    if (name == "numeric_limits" && source_.is(after, "::") &&
        callAfter(after + 1) != Source::none) {
      if (!inConstant(i))
        job_.refuse(
            i, callingHost("std::numeric_limits::" + std::string(source_.tokens[after + 1].text)) +
                   " (nvcc: only with --expt-relaxed-constexpr)");
      return;
    }
    if (callAfter(i) != Source::none && !isDeviceFunctionOfStd(name) && !inConstant(i))
      job_.refuse(i, callingHost("std::" + name) +
                         (name == "min" || name == "max" ? ": leave out std::" : ""));
  }

  void helper(const Function& function, size_t i) {
    const std::string name(source_.tokens[i].text);
    if (!hostFunctions_.contains(name) || callAfter(i) == Source::none) return;
    const std::string_view before = source_.tokens[i - 1].text;
    if (before == "." || before == "->" || before == "::" || before == "&") return;
    if (source_.isIdentifier(i - 1) && before != "return" && before != "else" && before != "do")
      return;                                   // the declaration of a variable
    for (size_t k = function.head; k < i; ++k)  // a variable or parameter of that name
      if (source_.is(k, name) &&
          (source_.is(k + 1, "=") || source_.is(k + 1, ",") || source_.is(k + 1, ")")))
        return;
    job_.refuse(i,
                callingHost(name) + (hostOnlyOfC().contains(name) ? "" : ": it lacks __device__"));
  }

  const Job& job_;
  const Source& source_;
  const bool constexprEverywhere_;
  std::set<std::string> hostFunctions_;
};

// Kernels that give something back, are called like functions, and functions that are launched.
class KernelUses {
 public:
  explicit KernelUses(const Job& job) : job_(job), source_(job.source) {
    for (const Function& f : job.declarations.functions)
      (f.isGlobal ? kernels_ : f.isMember ? members_ : functions_).insert(f.name);
  }

  void check() {
    for (const Function& f : job_.declarations.functions) {
      if (f.isGlobal && !isIn("void", f.head, f.parameters) && !isIn("auto", f.head, f.parameters))
        job_.refuse(f.parameters - 1, f.name + " is a kernel, whose type must be void");
      if (f.body == Source::none) continue;
      for (size_t i = f.body + 1; i < source_.partner[f.body]; ++i)
        if (source_.isIdentifier(i)) name(f, i);
    }
  }

 private:
  bool isIn(std::string_view word, size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i)
      if (source_.is(i, word)) return true;
    return false;
  }

  // Whether a variable has this name in the function.
  bool isVariable(const Function& function, std::string_view name) const {
    for (size_t i = function.parameters + 1; i < source_.partner[function.body]; ++i) {
      const std::string_view before = source_.tokens[i - 1].text;
      if (source_.is(i, name) &&
          (before == "*" || before == "&" || before == ">" || before == "[" ||
           (source_.isIdentifier(i - 1) && before != "return" && before != "else" &&
            before != "do")))
        return true;
    }
    return false;
  }

  void name(const Function& function, size_t i) {
    const std::string name(source_.tokens[i].text);
    const bool isLaunched = source_.is(i + 1, "<<") && source_.is(i + 2, "<");
    if (members_.contains(name) || isIn(name, function.head, function.parameters - 1)) return;
    if (isLaunched && functions_.contains(name) && !kernels_.contains(name) &&
        !isVariable(function, name))
      job_.refuse(i, name + " is launched and no kernel: it lacks __global__");
    const std::string_view before = source_.tokens[i - 1].text;
    if (source_.is(i + 1, "(") && kernels_.contains(name) && !functions_.contains(name) &&
        (before == ";" || before == "{" || before == "}" || before == ")" || before == "else") &&
        !isVariable(function, name))
      job_.refuse(i, name + " is a kernel, which is launched: " + name + "<<<grid, block>>>(...)");
  }

  const Job& job_;
  const Source& source_;
  std::set<std::string> kernels_, functions_, members_;
};

// Functions of CUDA's runtime that the headers here do not have: what is called like one of them,
// and never declared by the program.
void refuseUnknownRuntimeFunctions(const Job& job) {
  const Source& source = job.source;
  std::map<std::string_view, size_t> called;
  std::set<std::string_view> declared;
  for (size_t i = 1; i < source.tokens.size(); ++i) {
    const std::string_view name = source.tokens[i].text, before = source.tokens[i - 1].text;
    if (!name.starts_with("cuda") || name.size() < 5 || name[4] < 'A' || name[4] > 'Z' ||
        source.systemNames.contains(name))
      continue;
    const bool behindType =
        (source.isIdentifier(i - 1) && before != "return" && before != "else" && before != "do") ||
        before == "*" || before == "&" || before == ">" || before == "::" || before == "." ||
        before == "->";
    if (source.is(i + 1, "(") && !behindType)
      called.try_emplace(name, i);
    else
      declared.insert(name);
  }
  for (const auto& [name, i] : called)
    if (!declared.contains(name))
      job.refuse(i, std::string(name) +
                        " is not supported: leave the call out, or put an own function of that "
                        "name in its place");
}

}  // namespace

// In the names of kernels, functions and variables of the device, as nvcc does.
void refuseLetters(const Job& job, size_t name) {
  const std::string text = asWritten(job.source.tokens[name].text);
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    job.refuse(name, "the device's " + text + " has other letters in its name than ASCII's");
}

void refuseWhatCudaRefuses(const Job& job, bool constexprEverywhere) {
  for (const Function& f : job.declarations.functions)
    if (f.runsOnDevice() && job.source.isIdentifier(f.parameters - 1))
      refuseLetters(job, f.parameters - 1);
  Checker(job, constexprEverywhere).check();
  KernelUses(job).check();
}

void refuseWhatIsMissing(const Job& job) {
  static const std::map<std::string_view, std::string_view> missing = {
      {"cudaGraphConditionalHandle", "conditional nodes of graphs are"},
      {"cudaIpcMemHandle_t", "memory shared between processes (IPC) is"},
      {"cudaIpcGetMemHandle", "memory shared between processes (IPC) is"},
      {"cudaIpcGetEventHandle", "events shared between processes (IPC) are"},
      {"cudaGraphConditionalHandleCreate", "conditional nodes of graphs are"},
      {"cudaStreamGraphTailLaunch", "launches by kernels (dynamic parallelism) are"},
      {"cudaImportExternalMemory", "memory of other interfaces (graphics) is"},
      {"cudaGraphicsMapResources", "memory of other interfaces (graphics) is"},
      {"cuMemAddressReserve", "memory that is reserved and mapped by the driver interface is"},
      {"cuMemCreate", "memory that is reserved and mapped by the driver interface is"},
      {"CUmemGenericAllocationHandle",
       "memory that is reserved and mapped by the driver interface is"},
      {"cuModuleLoad", "code that is loaded while the program runs (the driver's modules) is"},
      {"cuModuleLoadData", "code that is loaded while the program runs (the driver's modules) is"},
      {"cuModuleLoadDataEx",
       "code that is loaded while the program runs (the driver's modules) is"},
      {"cuModuleGetFunction",
       "code that is loaded while the program runs (the driver's modules) is"},
      {"cuLaunchKernel",
       "a launch by the driver interface: kernel<<<grid, block>>>(...) is, in the same program; "
       "this is"},
      {"nvrtcProgram", "compilation at run time (NVRTC) is"}};
  static const std::map<std::string_view, std::string_view> maskless = {
      {"__ballot", "__ballot_sync"},    {"__any", "__any_sync"},
      {"__all", "__all_sync"},          {"__shfl", "__shfl_sync"},
      {"__shfl_up", "__shfl_up_sync"},  {"__shfl_down", "__shfl_down_sync"},
      {"__shfl_xor", "__shfl_xor_sync"}};
  const Source& source = job.source;
  std::set<std::string_view> told;
  // A program's own of that name.
  std::set<std::string> own;
  for (const Function& f : job.declarations.functions) own.insert(f.name);
  for (size_t i = 0; i + 1 < source.tokens.size(); ++i)
    if ((source.is(i, "struct") || source.is(i, "class")) && !source.is(i + 2, "*"))
      own.insert(std::string(source.tokens[i + 1].text));
  for (size_t i = 0; i < source.tokens.size(); ++i) {
    if (!source.isIdentifier(i)) continue;
    const std::string_view text = source.tokens[i].text;
    if (own.contains(std::string(text))) continue;
    if (const auto it = missing.find(text); it != missing.end() && told.insert(text).second)
      job.refuse(i, std::string(it->second) + " not supported (" + std::string(text) + ")");
    if (text == "texture" && source.is(i + 1, "<") && told.insert(text).second)
      job.refuse(i, "texture references are gone since CUDA 12: use cudaTextureObject_t");
    if (const auto it = maskless.find(text); it != maskless.end() && source.is(i + 1, "("))
      job.refuse(i, std::string(text) + " without a mask is gone since CUDA 9: use " +
                        std::string(it->second));
    if ((text == "throw" || text == "try") && job.declarations.onDevice[i] &&
        told.insert(text).second)
      job.refuse(i, "a kernel cannot have exceptions (" + std::string(text) + ")");
  }
  if (job.complaints.empty()) refuseUnknownRuntimeFunctions(job);
}

}  // namespace simt::cc
