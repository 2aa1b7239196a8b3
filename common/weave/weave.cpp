#include "weave/weave.h"

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

#include "base/errors.h"
#include "base/text.h"
#include "compare/result_pages.h"
#include "weave/formula.h"

namespace {

using Lines = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& why) { throw Error(exitUsage, why); }

Lines linesOf(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string contentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The words of a mark; "several words" in quotes are one.
Lines wordsOf(const std::string& text) {
  Lines words;
  for (size_t at = 0; (at = text.find_first_not_of(" \n", at)) != std::string::npos;) {
    const bool quoted = text[at] == '"';
    const size_t begin = at + quoted;
    const size_t end = std::min(text.find_first_of(quoted ? "\"" : " \n", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    at = end + quoted;
  }
  return words;
}

// ---- Code

// The definition of a function in a source: from template<> or its first line to the closing brace.
Lines functionIn(const Lines& source, const std::string& path, const std::string& name) {
  const std::regex call("\\b" + name + "\\(");
  for (size_t i = 0; i < source.size(); ++i) {
    const std::string& line = source[i];
    const bool goesOn = i > 0 && source[i - 1].starts_with("__global__");
    if (line.empty() || (line[0] == ' ' && !goesOn) || line[0] == '/' || line[0] == '#' ||
        line[0] == '}' || !std::regex_search(line, call))
      continue;
    size_t open = i;  // a declaration ends before a brace opens
    while (open < source.size() && source[open].find_first_of("{;") == std::string::npos) ++open;
    if (open == source.size() || source[open].find('{') == std::string::npos) continue;
    size_t begin = i;
    while (begin > 0 && (source[begin - 1].starts_with("template") ||
                         source[begin - 1].starts_with("__global__") ||
                         source[begin - 1].starts_with("__launch_bounds__")))
      --begin;
    size_t end = open;
    while (end < source.size() && source[end] != "}" && !source[end].ends_with("{}")) ++end;
    if (source[open].ends_with("}")) end = open;
    if (end == source.size()) break;
    return {source.begin() + long(begin), source.begin() + long(end) + 1};
  }
  refuse("there is no function " + name + " in " + path);
}

// PATH FUNCTION [from TEXT] [to TEXT | before TEXT] [less COLUMNS]: the lines of a function, or of
// the part from the first line with one text to the next with another, with so many columns less.
Lines codeOf(const Lines& words, size_t first, const Repository& repository) {
  if (words.size() < first + 2) refuse("code: expected a file and a function");
  const std::string& path = words[first];
  Lines lines =
      functionIn(linesOf(contentsOf(repository.root + "/" + path)), path, words[first + 1]);
  const auto find = [&](size_t begin, const std::string& text) {
    for (size_t i = begin; i < lines.size(); ++i)
      if (lines[i].find(text) != std::string::npos) return i;
    refuse("'" + text + "' is not in " + words[first + 1]);
  };
  size_t begin = 0, end = lines.size(), less = 0;
  for (size_t w = first + 2; w + 1 < words.size(); w += 2) {
    if (words[w] == "from")
      begin = find(0, words[w + 1]);
    else if (words[w] == "to")
      end = find(begin, words[w + 1]) + 1;
    else if (words[w] == "before")
      end = find(begin, words[w + 1]);
    else if (words[w] == "less")
      less = std::stoul(words[w + 1]);
    else
      break;
  }
  while (end > begin && lines[end - 1].empty()) --end;
  Lines part(lines.begin() + long(begin), lines.begin() + long(end));
  for (std::string& line : part)
    if (line.find_first_not_of(' ') >= less && line.size() >= less) line.erase(0, less);
  return part;
}

// PATH FUNCTION PATH FUNCTION: how the body of the second differs from that of the first.
std::string diffOf(const Lines& words, const Repository& repository) {
  if (words.size() < 5) refuse("diff: expected a file and a function, twice");
  const auto body = [&](size_t first) {
    Lines lines = codeOf({"code", words[first], words[first + 1]}, 1, repository);
    for (std::string& line : lines)  // comments say something else in every lesson
      if (const size_t comment = line.find("  //"); comment != std::string::npos)
        line.erase(comment);
    size_t open = 0;
    while (open < lines.size() && lines[open].find('{') == std::string::npos) ++open;
    return joined({lines.begin() + long(std::min(open + 1, lines.size())), lines.end()});
  };
  return "```diff\n" + changedLines(body(1), body(3), true) + "```\n";
}

// ---- Programs

// Runs a program of the repository, as a page names it, and returns what it prints.
std::string outputOf(const std::string& command, const Repository& repository) {
  const std::string prefix = "build/cpu/";
  if (!command.starts_with(prefix)) refuse("output: expected a command that begins with " + prefix);
  const std::string real = "cd '" + repository.root + "' && '" + repository.programs + "/" +
                           replaced(command.substr(prefix.size()), " ", "' '") + "' 2>&1";
  FILE* const pipe = popen(real.c_str(), "r");
  if (!pipe) refuse(command + " could not be started");
  std::string output;
  std::array<char, 4096> piece;
  for (size_t count; (count = fread(piece.data(), 1, piece.size(), pipe)) > 0;)
    output.append(piece.data(), count);
  if (const int status = pclose(pipe); status != 0) refuse(command + " failed: " + output);
  output = std::regex_replace(output, std::regex(" +\n"), "\n");
  // What differs from machine to machine.
  output = std::regex_replace(
      output, std::regex("(No GPU here: the|The) kernels run on the CPU \\(.*\\) under"),
      "No GPU here: the kernels run on the CPU under");
  return std::regex_replace(
      output, std::regex("(CPU: one core) [0-9.]+ (ms, all cores) [0-9.]+ ms"), "$1 … $2 … ms");
}

// ---- Tables

// A template of lines and the keys it is repeated for. A key may be "shown=key": # stands for what
// is shown and $ for the key. A line with [[ ]] repeats what is inside for each key, another line
// with $ or # is repeated itself. {FORMULA} is a figure.
std::string grid(const Lines& lines, const std::string& keyList, Records& records) {
  struct Key {
    std::string shown, key;
  };
  std::vector<Key> keys;
  for (const std::string& key : split(keyList, ";")) {
    const size_t equals = key.find('=');
    if (equals == std::string::npos)
      keys.push_back({key, key});
    else
      keys.push_back({key.substr(0, equals), key.substr(equals + 1)});
  }
  const auto with = [](const std::string& text, const Key& key) {
    return replaced(replaced(text, "$", key.key), "#", key.shown);
  };
  Lines filled;
  for (const std::string& line : lines) {
    const size_t open = line.find("[["), close = line.find("]]");
    if (open != std::string::npos && close != std::string::npos) {
      std::string all = line.substr(0, open);
      for (const Key& key : keys) all += with(line.substr(open + 2, close - open - 2), key);
      filled.push_back(all + line.substr(close + 2));
    } else if (line.find_first_of("$#") != std::string::npos) {
      for (const Key& key : keys) filled.push_back(with(line, key));
    } else {
      filled.push_back(line);
    }
  }
  std::string text;
  for (const std::string& line : filled) {
    size_t at = 0;
    for (size_t open; (open = line.find('{', at)) != std::string::npos;) {
      const size_t close = line.find('}', open);
      if (close == std::string::npos) refuse("grid: a } is missing in '" + line + "'");
      text += line.substr(at, open - at) + records.figure(line.substr(open + 1, close - open - 1));
      at = close + 1;
    }
    text += line.substr(at) + '\n';
  }
  return text;
}

// FILE; STEP; STEP …, or all steps: times and what they are compared with.
std::string timesTable(const std::string& arguments, Records& records) {
  std::vector<std::string> steps = split(arguments, ";");
  const std::string name = steps.front();
  steps.erase(steps.begin());
  const Report& report = records.report(name);
  if (steps.empty())
    for (const StepResult& step : report.steps) steps.push_back(step.name);
  const bool real = report.find("cublasDgemv + cublasDgemm");
  const std::string base = real ? "CPU, all cores" : "neighbored";
  const std::string library = real ? "cublasDgemv + cublasDgemm" : "cub::DeviceReduce::Sum";
  const auto median = [&](const std::string& step) {
    return spreadOf(records.step(name, step).kernelMs).median;
  };
  const auto times = [&](const std::string& from, const std::string& to) {
    const double ratio = median(from) / median(to);
    return ratio < 0.005 ? std::string("< 0.01") : fixed(ratio, 2);
  };
  std::string text =
      std::string("| step | ") + (real ? "ms" : "kernel ms") +
      " (min–max) | GB/s | % of peak | × step before | × " +
      (real ? "CPU, all cores | × cuBLAS |\n" : "lesson 02 | × CUB | answer ms |\n") +
      (real ? "|---|---|---|---|---|---|---|\n" : "|---|---|---|---|---|---|---|---|\n");
  for (const std::string& step : steps) {
    const StepResult& s = records.step(name, step);
    if (s.kernelMs.empty()) refuse("'" + step + "' was not timed in " + name);
    const double gbps = report.gbps(s);
    text += "| " + step + " | " + timeAndSpread(s.kernelMs) + " | " +
            fixed(gbps, gbps < 100 ? 1 : 0) + " | " +
            fixed(100 * gbps / report.machine.peakGbps, 1) + " | " +
            (s.basedOn.empty() ? "" : times(s.basedOn, step)) + " | " + times(base, step) + " | " +
            times(library, step) + " |";
    if (!real) text += " " + milliseconds(spreadOf(s.answerMs).median) + " |";
    text += '\n';
  }
  return text;
}

// 512 or 512 per 1000; STEP=KERNEL; …: per block, or per 1,000 elements, counted by the executor
// (cpu_ladder) and by the profiler at as many elements. Rows that are 0 everywhere are left out.
std::string countsTable(const std::string& arguments, Records& records) {
  std::vector<std::string> steps = split(arguments, ";");
  const std::string block = "512", file = "cpu_ladder";
  const bool perThousand = steps.front() == "512 per 1000";
  if (steps.front() != "512" && !perThousand)
    refuse("counts: expected 512 or 512 per 1000, not '" + steps.front() + "'");
  steps.erase(steps.begin());
  struct Metric {
    std::string shown, counter, profiled;
  };
  const std::string lsu = "l1tex__t_", global = "_pipe_lsu_mem_global_op_";
  const std::string bank = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";
  const std::vector<Metric> metrics = {
      {"load requests", "load_requests", lsu + "requests" + global + "ld.sum"},
      {"load sectors", "load_sectors", lsu + "sectors" + global + "ld.sum"},
      {"store requests", "store_requests", lsu + "requests" + global + "st.sum"},
      {"store sectors", "store_sectors", lsu + "sectors" + global + "st.sum"},
      {"bank conflicts, loads", "shared_load_conflicts", bank + "ld.sum"},
      {"bank conflicts, stores", "shared_store_conflicts", bank + "st.sum"},
      {"divergent branches", "divergent_branches",
       "smsp__sass_branch_targets_threads_divergent.sum"},
      {"barriers", "barriers", ""},
      {"instructions", "", "smsp__inst_executed.sum"}};
  std::string text = std::string("| ") + (perThousand ? "per 1,000 elements" : "per block of 512") +
                     ", counted / profiler |";
  std::string rule = "|---|";
  for (const std::string& step : steps) {
    text += " " + step.substr(0, step.find('=')) + " |";
    rule += "---|";
  }
  text += '\n' + rule + '\n';
  for (const Metric& metric : metrics) {
    std::string row = "| " + metric.shown + " |";
    bool counted = metric.counter.empty();
    for (const std::string& step : steps) {
      const size_t equals = step.find('=');
      if (equals == std::string::npos) refuse("counts: expected STEP=KERNEL, not '" + step + "'");
      const std::string name = step.substr(0, equals), kernel = step.substr(equals + 1);
      std::string ours = "–", theirs = "–";
      const std::string of = file + ";" + name;
      const std::string parts = perThousand ? "n(" + of + ") * 1000 % .1f" : "blocks(" + of + ")";
      if (!metric.counter.empty()) {
        ours = records.figure("count(" + of + ";" + metric.counter + ") / " + parts);
        counted = counted || ours.find_first_not_of("0.") != std::string::npos;
      }
      const std::string blocks = "profblocks(profile;" + kernel + ";" + block + ")";
      if (!metric.profiled.empty())
        theirs = records.figure("prof(profile;" + kernel + ";" + metric.profiled + ";" + block +
                                ") / " + (perThousand ? "n(" + of + ") * 1000" : blocks) +
                                (metric.shown == "instructions" ? " % .0f"
                                 : perThousand                  ? " % .1f"
                                                                : ""));
      row += " " + ours + " / " + theirs + " |";
    }
    if (counted) text += row + '\n';
  }
  return text;
}

// ---- Marks

class Weaver {
 public:
  Weaver(std::string path, const Repository& repository)
      : path_(std::move(path)), repository_(repository), records_(repository.root) {}

  Woven page(const std::string& text) {
    const Lines lines = linesOf(text);
    Woven woven;
    for (size_t i = 0; i < lines.size(); ++i) {
      at_ = i + 1;
      const std::string open = "<!-- weave:", close = "<!-- end weave -->";
      if (!lines[i].starts_with(open)) {
        woven.text += sentence(lines[i]) + '\n';
        continue;
      }
      Lines mark;
      do {
        if (i == lines.size()) fail("the mark does not end with -->");
        mark.push_back(lines[i]);
        woven.text += lines[i] + '\n';
      } while (lines[i++].find("-->") == std::string::npos);
      while (i < lines.size() && lines[i] != close) {
        if (lines[i].starts_with(open)) fail("no " + close + " before the next mark");
        ++i;
      }
      if (i == lines.size()) fail("no " + close + " behind the mark");
      std::string inside = joined(mark).substr(open.size());
      inside = trimmed(inside.substr(0, inside.find("-->")));
      try {
        woven.text += filled(inside, woven.files) + close + '\n';
      } catch (const Error& error) {
        fail(error.what());
      }
    }
    return woven;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    refuse(path_ + ":" + std::to_string(at_) + ": " + why);
  }

  // <!--=FORMULA-->value<!--/--> anywhere in a line.
  std::string sentence(const std::string& line) {
    std::string text;
    size_t at = 0;
    for (size_t open; (open = line.find("<!--=", at)) != std::string::npos;) {
      const size_t value = line.find("-->", open), close = line.find("<!--/-->", open);
      if (value == std::string::npos || close == std::string::npos)
        fail("a figure ends with <!--/--> on its line");
      const std::string formula = line.substr(open + 5, value - open - 5);
      try {
        text += line.substr(at, value + 3 - at) + records_.figure(formula);
      } catch (const Error& error) {
        fail(error.what());
      }
      at = close;
    }
    return text + line.substr(at);
  }

  std::string filled(const std::string& mark, std::map<std::string, std::string>& files) {
    const std::string kind = mark.substr(0, mark.find_first_of(" \n"));
    const std::string rest = trimmed(mark.substr(kind.size()));
    const Lines words = wordsOf(mark);
    if (kind == "code") return "```cpp\n" + joined(codeOf(words, 1, repository_)) + "```\n";
    if (kind == "diff") return diffOf(words, repository_);
    if (kind == "times") return timesTable(rest, records_);
    if (kind == "counts") return countsTable(rest, records_);
    if (kind == "grid") {
      Lines lines = linesOf(rest);
      if (lines.size() < 2) refuse("grid: expected the keys and a template");
      const std::string keys = lines.front();
      lines.erase(lines.begin());
      return grid(lines, keys, records_);
    }
    if (kind == "output") return "```\n$ " + rest + "\n" + outputOf(rest, repository_) + "```\n";
    if (kind == "excerpt") {  // "TEXT" … : COMMAND: the lines of its output that begin so
      const auto colon = std::find(words.begin(), words.end(), ":");
      if (colon == words.end()) refuse("excerpt: expected texts, a colon and a command");
      std::string command, part;
      for (auto word = colon + 1; word != words.end(); ++word)
        command += (command.empty() ? "" : " ") + *word;
      const Lines output = linesOf(outputOf(command, repository_));
      for (auto text = words.begin() + 1; text != colon; ++text) {
        const auto line = std::find_if(output.begin(), output.end(), [&](const std::string& line) {
          return line.starts_with(*text);
        });
        if (line == output.end()) refuse("no line of " + command + " begins with '" + *text + "'");
        part += *line + '\n';
      }
      return "```\n" + part + "```\n";
    }
    if (kind == "picture") {  // FILE "what it shows": the ladder of a result file
      if (words.size() != 3) refuse("picture: expected a result file and what it shows");
      const std::string svg = "common/results/" + words[1] + ".svg";
      files[svg] = ladderSvg(records_.report(words[1]));
      return "![" + words[2] + "](" + fromPage(svg) + ")\n";
    }
    if (kind == "drawing") {  // FILE "what it shows" COMMAND: what a program draws with --svg
      if (words.size() < 4) refuse("drawing: expected a file, what it shows and a command");
      const std::string svg = std::filesystem::path(path_).parent_path() / words[1];
      const std::string place =
          (std::filesystem::temp_directory_path() / ("weave" + std::to_string(getpid()) + ".svg"))
              .string();
      std::string command;
      for (size_t i = 3; i < words.size(); ++i) command += words[i] + " ";
      outputOf(command + "--svg " + place, repository_);
      files[svg] = contentsOf(place);
      std::filesystem::remove(place);
      return "![" + words[2] + "](" + words[1] + ")\n";
    }
    refuse("'" + kind + "' is no kind of mark");
  }

  // A path from the root as a link on this page.
  std::string fromPage(const std::string& path) const {
    return std::filesystem::path(path).lexically_relative(
        std::filesystem::path(path_).parent_path().empty()
            ? "."
            : std::filesystem::path(path_).parent_path());
  }

  std::string path_;
  const Repository& repository_;
  Records records_;
  size_t at_ = 0;
};

}  // namespace

Woven weave(const std::string& text, const std::string& path, const Repository& repository) {
  return Weaver(path, repository).page(text);
}

std::string changedLines(const std::string& from, const std::string& to, bool context) {
  const Lines a = linesOf(from), b = linesOf(to);
  // Lengths of the longest common subsequences of what follows.
  std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::string text, stayed;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      if (!text.empty() && context) stayed += " " + a[i] + '\n';
      ++i, ++j;
      continue;
    }
    text += stayed;
    stayed.clear();
    if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1]))
      text += "-" + a[i++] + '\n';
    else
      text += "+" + b[j++] + '\n';
  }
  return text;
}
