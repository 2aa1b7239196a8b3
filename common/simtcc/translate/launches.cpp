// kernel<<<grid, block, shared, stream>>>(arguments) becomes
//   ::simt::kernel("kernel", kernel).on(grid, block, shared, stream)(arguments)
// and where the kernel's template arguments or overload follow from the arguments of the call,
//   ::simt::deducedKernel("kernel", [](auto&&... a) { kernel(a...); }, finder).on(...)(arguments)
// The finder says which function that is: it calls simt_find_kernel, which is declared beside the
// kernel, with the same template parameters and parameters, and whose type has the function.
#include <algorithm>
#include <set>

#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

struct LaunchSyntax {
  size_t kernel;  // the first token of the expression before <<<
  size_t open;    // the "<<" of <<<
  size_t close;   // the ">>" of >>>
};

// Whether a parenthesis or bracket belongs to what stands before it: the function that it calls,
// the array.
bool isBehind(const Source& source, size_t open) {
  if (open == 0) return false;
  for (const char* word : {"return", "else", "if", "while", "for", "switch", "do"})
    if (source.is(open - 1, word)) return false;
  return source.isIdentifier(open - 1) || source.is(open - 1, ">") || source.is(open - 1, "]") ||
         (source.is(open, "[") && source.is(open - 1, ")"));
}

// The first token of the expression that ends before the token at end.
size_t beginOfKernel(const Source& source, size_t end) {
  size_t i = end;
  for (;;) {
    size_t last = i - 1;
    if (source.is(last, ">") || source.is(last, ">>")) {
      int depth = 0;
      for (;; --last) {
        const std::string_view text = source.tokens[last].text;
        if (text == ">") ++depth;
        if (text == ">>") depth += 2;
        if (text == "<") --depth;
        if ((text == ")" || text == "]" || text == "}") && source.partner[last] < last)
          last = source.partner[last];
        if (depth == 0 || last == 0) break;
      }
      i = last - 1;  // the name before the "<"
    } else if ((source.is(last, ")") || source.is(last, "]")) && source.partner[last] < last) {
      i = source.partner[last];
      if (isBehind(source, i)) i = beginOfKernel(source, i);
    } else {
      i = last;
    }
    if (i < 1) return i;
    const auto joins = [&](size_t t) {
      return source.is(t, "::") || source.is(t, ".") || source.is(t, "->");
    };
    if (source.is(i - 1, "template") && i > 1) --i;
    if (!joins(i - 1)) return i;
    --i;
    const bool qualified = i > 0 && (source.isIdentifier(i - 1) || source.is(i - 1, ">") ||
                                     source.is(i - 1, ")") || source.is(i - 1, "]"));
    const bool keyword = i > 0 && (source.is(i - 1, "return") || source.is(i - 1, "else"));
    if (!qualified || keyword) return i;
  }
}

// The ">>" of the ">>>(" that ends the configuration, or none.
size_t endOfConfiguration(const Source& source, size_t open) {
  for (size_t i = open + 2; i < source.tokens.size(); ++i) {
    const std::string_view text = source.tokens[i].text;
    if ((text == "(" || text == "[" || text == "{") && source.partner[i] != Source::none)
      i = source.partner[i];
    else if (text == ";" || text == "}" || text == ")")
      return Source::none;
    else if (text == ">>" && source.is(i + 1, ">") && source.is(i + 2, "("))  // also >> >(
      return i;
  }
  return Source::none;
}

// Commas between two tokens that are in no bracket of their own, plus one.
size_t countArguments(const Source& source, size_t from, size_t to) {
  size_t count = 1;
  for (size_t i = from; i < to; ++i) {
    if (source.is(i, "<") && source.isIdentifier(i - 1))
      i = std::max(source.afterAngles(i), i + 1) - 1;
    else if (source.partner[i] != Source::none && source.partner[i] > i)
      i = source.partner[i];
    else if (source.is(i, ","))
      ++count;
  }
  return count;
}

// Whether the kernel's address follows from its name and the template arguments beside it.
bool isOneFunction(const Job& job, size_t begin, size_t end) {
  const Source& source = job.source;
  size_t name = end - 1, given = 0;
  for (size_t i = begin; i < end; ++i)
    if (source.is(i, "<") && source.isIdentifier(i - 1) && source.afterAngles(i) == end) {
      name = i - 1;
      given = countArguments(source, i + 1, end - 1);
      break;
    }
  const auto entry = job.declarations.kernels.find(std::string(source.tokens[name].text));
  if (entry == job.declarations.kernels.end()) return true;  // a variable that holds a kernel
  const auto& declared = entry->second;
  const auto spelled = [&](const Function* f) {
    return source.spelling(f->parameters, source.partner[f->parameters]);
  };
  for (const Function* f : declared) {
    if (spelled(f) != spelled(declared[0]) || f->hasDefaults) return false;
    if (!f->isTemplate) continue;
    if (!source.is(f->head + 1, "<")) return false;
    const size_t after = source.afterAngles(f->head + 1);
    for (size_t i = f->head; i < after; ++i)
      if (source.is(i, ".")) return false;  // a parameter pack
    if (countArguments(source, f->head + 2, after - 1) != given) return false;
  }
  return true;
}

// The names of a template's parameters, as its arguments; nothing where one has no name.
std::string argumentsOf(const Source& source, size_t open) {
  const size_t close = source.afterAngles(open) - 1;
  std::string all;
  for (size_t i = open + 1; i < close;) {
    size_t name = Source::none, words = 0;
    bool isPack = false, named = false;
    for (; i < close && !source.is(i, ","); ++i) {
      if (source.is(i, "=")) named = true;
      if (source.is(i, "<") && source.isIdentifier(i - 1)) {
        i = std::max(source.afterAngles(i), i + 1) - 1;
        name = Source::none;
      } else if (source.partner[i] != Source::none && source.partner[i] > i) {
        i = source.partner[i];
      } else if (!named && source.is(i, ".")) {
        isPack = true;
      } else if (!named) {
        name = source.isIdentifier(i) ? i : Source::none;
        ++words;
      }
    }
    if (name == Source::none || words < 2) return "";
    all +=
        (all.empty() ? "" : ", ") + std::string(source.tokens[name].text) + (isPack ? "..." : "");
    ++i;
  }
  return all;
}

// Whether simt_find_kernel can be declared.
bool isFound(const Job& job, const Function& f) {
  const Source& source = job.source;
  if (f.isMember || source.is(f.head, "extern") || !source.isIdentifier(f.parameters - 1))
    return false;
  for (size_t i = f.head; i <= source.partner[f.parameters] + 1; ++i)
    if (source.is(i, "requires") || source.is(i, "auto") || source.is(i, "__grid_constant__"))
      return false;
  if (!f.isTemplate) return !source.is(f.head, "template");
  return source.is(f.head, "template") && source.is(f.head + 1, "<") &&
         !source.is(source.afterAngles(f.head + 1), "template") &&
         !argumentsOf(source, f.head + 1).empty();
}

bool areFound(const Job& job, const std::string& name) {
  const auto entry = job.declarations.kernels.find(name);
  return entry != job.declarations.kernels.end() &&
         std::ranges::all_of(entry->second, [&](const Function* f) { return isFound(job, *f); });
}

// Behind the kernel, which may be declared several times.
void declareFinder(const Job& job, const Function& f) {
  const Source& source = job.source;
  const size_t close = source.partner[f.parameters];
  size_t end = close;
  if (f.body != Source::none)
    end = source.partner[f.body];
  else
    while (end < source.tokens.size() && !source.is(end, ";")) ++end;
  if (end >= source.tokens.size()) return;
  const std::string parameters = source.spelling(f.parameters, close + 1);
  std::string types;  // without default values
  for (size_t i = f.parameters + 1, from = i; i <= close; ++i) {
    if (source.partner[i] != Source::none && source.partner[i] > i) i = source.partner[i];
    if (source.is(i, "<") && source.isIdentifier(i - 1))
      i = std::max(source.afterAngles(i), i + 1) - 1;
    if (source.is(i, "=")) {
      types += source.spelling(from, i);
      while (i < close && !source.is(i, ",")) {
        if (source.partner[i] != Source::none && source.partner[i] > i) i = source.partner[i];
        ++i;
      }
      from = i;
    }
    if (i >= close) types += source.spelling(from, close);
  }
  std::string head, kernel = f.name;
  if (f.isTemplate) {
    head = source.spelling(f.head, source.afterAngles(f.head + 1)) + " ";
    kernel += "<" + argumentsOf(source, f.head + 1) + ">";
  }
  const Token& last = source.tokens[end];
  job.edits.insert(last.offset + 1, " " + head + "::simt::Found<static_cast<void (*)(" + types +
                                        ")>(&" + kernel + ")> simt_find_" + f.name + parameters +
                                        ";");
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// Whether the name of a kernel might be taken for one of std, too: the program has a
// "using namespace", and the kernel belongs to none.
bool isBesideStd(const Job& job, size_t name) {
  const Source& source = job.source;
  const auto entry = job.declarations.kernels.find(std::string(source.tokens[name].text));
  if (entry == job.declarations.kernels.end()) return false;
  for (const Function* f : entry->second)
    if (f->inNamespace || f->isMember) return false;
  if (!source.is(name + 1, "<<") && !source.is(name + 1, "<")) return false;
  for (size_t i = 0; i < name; ++i)
    if (source.is(i, "using") && source.is(i + 1, "namespace")) return true;
  return false;
}

// found: the kernels of which it asks which function they are.
void rewrite(const Job& job, const LaunchSyntax& launch, std::set<std::string>& found) {
  const Source& source = job.source;
  const auto& tokens = source.tokens;
  const std::string name = quoted(source.spelling(launch.kernel, launch.open));
  const size_t begin = tokens[launch.kernel].offset, open = tokens[launch.open].offset;
  const char* const scope = isBesideStd(job, launch.kernel) ? "::" : "";
  if (isOneFunction(job, launch.kernel, launch.open)) {
    job.edits.insert(begin, " ::simt::kernel(" + name + ", " + scope);
    job.edits.insert(open, ").on(");
  } else {
    job.edits.insert(begin,
                     " ::simt::deducedKernel(" + name + ", [](auto&&... simtArguments) { " + scope);
    constexpr char passed[] = "(static_cast<decltype(simtArguments)>(simtArguments)...)";
    size_t last = launch.open - 1;  // of the kernel's name
    for (size_t i = launch.kernel; i < launch.open; ++i)
      if (source.is(i, "<") && source.isIdentifier(i - 1) && source.afterAngles(i) == launch.open)
        last = i - 1;
    std::string finder;
    if (const std::string kernel(tokens[last].text); areFound(job, kernel)) {
      found.insert(kernel);
      finder = std::string(", [](auto&&... simtArguments) -> decltype(") + scope +
               (last > launch.kernel ? source.spelling(launch.kernel, last) : "") + "simt_find_" +
               source.spelling(last, launch.open) + passed + ") { return {}; }";
    }
    job.edits.insert(open, passed + ("; }" + finder + ").on("));
  }
  for (const size_t i : {launch.open, launch.open + 1, launch.close, launch.close + 1})
    job.edits.remove(tokens[i]);
  job.edits.insert(tokens[launch.close].offset, ")");
}

}  // namespace

// __cluster_dims__(2, 1, 1) of a kernel becomes a note of it, behind its declaration.
void translateClusters(const Job& job) {
  const Source& source = job.source;
  for (const Function& f : job.declarations.functions)
    for (size_t i = f.head; i < f.parameters; ++i) {
      if (!source.is(i, "__cluster_dims__") || !source.is(i + 1, "(")) continue;
      if (f.isTemplate || f.isMember)
        return job.refuse(i, "__cluster_dims__ of a template is not supported");
      const size_t close = source.partner[i + 1];
      const std::string size = source.spelling(i + 2, close);
      for (size_t k = i; k <= close; ++k) job.edits.remove(source.tokens[k]);
      size_t end = source.partner[f.parameters];
      if (f.body != Source::none) end = source.partner[f.body];
      while (f.body == Source::none && !source.is(end, ";")) ++end;
      job.edits.insert(source.tokens[end].offset + 1,
                       " static const bool simtClusters" + std::to_string(i) +
                           " = ::simt::rememberClusters((const void*)&" + f.name + ", dim3(" +
                           size + "));");
    }
}

void translateLaunches(const Job& job) {
  const Source& source = job.source;
  std::set<std::string> found;
  for (size_t i = 1; i + 1 < source.tokens.size(); ++i) {
    if (!source.is(i, "<<") || !source.is(i + 1, "<")) continue;
    const size_t close = endOfConfiguration(source, i);
    if (close == Source::none) {
      job.refuse(i, "<<< without >>>( after it");
      continue;
    }
    rewrite(job, {beginOfKernel(source, i), i, close}, found);
  }
  for (const std::string& name : found)
    for (const Function* f : job.declarations.kernels.at(name)) declareFinder(job, *f);
}

}  // namespace simt::cc
