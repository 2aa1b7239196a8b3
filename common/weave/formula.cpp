#include "weave/formula.h"

#include <cmath>
#include <sstream>
#include <variant>
#include <vector>

#include "base/counts.h"
#include "base/errors.h"
#include "base/text.h"
#include "report/result_file.h"

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(exitUsage, why); }

std::string withThousands(double value) {
  std::string digits = fixed(value, 0);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string shortest(double value) {
  return fixed(value, std::abs(value - std::round(value)) < 1e-9 ? 0 : 1);
}

std::string formatted(double value, const std::string& format) {
  if (format == ",") return withThousands(value);
  if (format == "g") return shortest(value);
  if (format == "ms") return milliseconds(value);
  if (format.size() == 3 && format[0] == '.' && format[2] == 'f' && format[1] >= '0' &&
      format[1] <= '9')
    return fixed(value, format[1] - '0');
  refuse("'" + format + "' is no format");
}

}  // namespace

// One formula, from left to right.
class Parser {
 public:
  Parser(Records& records, std::string text) : records_(records), text_(std::move(text)) {}

  std::variant<double, std::string> all() {
    skip();
    // A text stands alone.
    const std::string name = word();
    if (name == "spread" || name == "spreadus" || name == "machine" || name == "driver" ||
        name == "cuda" || name == "size" || name == "counted") {
      const std::string result = textOf(name, arguments());
      end();
      return result;
    }
    at_ = 0;
    const double value = sum();
    end();
    return value;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void end() {
    skip();
    if (at_ < text_.size()) refuse("'" + text_.substr(at_) + "' does not belong in a formula");
  }
  std::string word() {
    skip();
    std::string word;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])))
      word += text_[at_++];
    return word;
  }
  std::vector<std::string> arguments() {
    if (!take('(')) refuse("a '(' is missing in '" + text_ + "'");
    const size_t close = text_.find(')', at_);
    if (close == std::string::npos) refuse("a ')' is missing in '" + text_ + "'");
    const std::string inside = text_.substr(at_, close - at_);
    at_ = close + 1;
    return split(inside, ";");
  }

  double sum() {
    double value = product();
    for (;;) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = factor();
    for (;;) {
      if (take('*'))
        value *= factor();
      else if (take('/'))
        value /= factor();
      else
        return value;
    }
  }
  double factor() {
    if (take('(')) {
      const double value = sum();
      if (!take(')')) refuse("a ')' is missing in '" + text_ + "'");
      return value;
    }
    skip();
    size_t length = 0;
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      const double value = std::stod(text_.substr(at_), &length);
      at_ += length;
      return value;
    }
    const std::string name = word();
    if (name.empty()) refuse("'" + text_.substr(at_) + "' is no number and no function");
    return numberOf(name, arguments());
  }

  const std::string& argument(const std::vector<std::string>& a, size_t i,
                              const std::string& name) {
    if (i >= a.size()) refuse(name + " needs another argument");
    return a[i];
  }
  const StepResult& step(const std::vector<std::string>& a, const std::string& name) {
    return records_.step(argument(a, 0, name), argument(a, 1, name), a.size() > 2 ? a[2] : "",
                         a.size() > 3 ? a[3] : "");
  }
  const StepResult& timed(const std::vector<std::string>& a, const std::string& name) {
    const StepResult& s = step(a, name);
    if (s.kernelMs.empty()) refuse("'" + s.name + "' was not timed in " + a[0]);
    return s;
  }

  std::string textOf(const std::string& name, const std::vector<std::string>& a) {
    if (name == "spread") return timeAndSpread(timed(a, name).kernelMs);
    if (name == "spreadus") return timeAndSpreadInMicroseconds(timed(a, name).kernelMs);
    if (name == "counted") {  // whole numbers as they are, averages with a digit
      const StepResult& s = records_.step(argument(a, 0, name), argument(a, 1, name));
      const double total = numberOf("count", {a[0], a[1], argument(a, 2, name)});
      return shortest(total / double(s.blocks));
    }
    const Report& report = records_.report(argument(a, 0, name));
    if (name == "machine") return report.machine.name;
    if (name == "driver") return report.machine.driver;
    if (name == "cuda") return report.machine.cuda;
    return countName(report.n);
  }

  double numberOf(const std::string& name, const std::vector<std::string>& a) {
    const auto report = [&]() -> const Report& { return records_.report(argument(a, 0, name)); };
    if (name == "ms") return spreadOf(timed(a, name).kernelMs).median;
    if (name == "min") return spreadOf(timed(a, name).kernelMs).min;
    if (name == "max") return spreadOf(timed(a, name).kernelMs).max;
    if (name == "answer") {
      const StepResult& s = step(a, name);
      if (s.answerMs.empty()) refuse("'" + s.name + "' has no answer in " + a[0]);
      return spreadOf(s.answerMs).median;
    }
    if (name == "gbps") return report().gbps(timed(a, name));
    if (name == "peak") return 100 * report().gbps(timed(a, name)) / report().machine.peakGbps;
    if (name == "blocks") return double(step(a, name).blocks);
    if (name == "n") return double(report().elements(step(a, name)));
    if (name == "geomean") {  // FILE; STEP; OTHER; cache: how much longer STEP takes, over all n
      double logs = 0, count = 0;
      for (const StepResult& s : report().steps) {
        if (s.name != argument(a, 1, name) || s.cache != argument(a, 3, name)) continue;
        const std::string n = std::to_string(report().elements(s));
        logs +=
            std::log(numberOf("ms", {a[0], a[1], n, a[3]}) / numberOf("ms", {a[0], a[2], n, a[3]}));
        count += 1;
      }
      if (count == 0) refuse("there is no step '" + a[1] + "' in " + a[0]);
      return std::exp(logs / count);
    }
    if (name == "samples") return report().samples;
    if (name == "peakgbps") return report().machine.peakGbps;
    if (name == "prof" || name == "profblocks")
      return records_.profile(argument(a, 0, name), argument(a, 1, name),
                              name == "prof" ? argument(a, 2, name) : "blocks",
                              a.size() > 3 || name == "profblocks" ? a.back() : "");
    if (name == "count") {
      const StepResult& s = records_.step(argument(a, 0, name), argument(a, 1, name));
      if (!s.counters) refuse("'" + s.name + "' was not counted in " + a[0]);
      if (argument(a, 2, name) == "active_lanes") return s.counters->activeLanes();
      for (const simt::CounterInfo& counter : simt::counterList)
        if (a[2] == counter.name) return double((*s.counters).*counter.member);
      refuse("'" + a[2] + "' is no counter");
    }
    refuse("'" + name + "' is no function");
  }

  Records& records_;
  std::string text_;
  size_t at_ = 0;
};

const Report& Records::report(const std::string& name) {
  const auto known = reports_.find(name);
  if (known != reports_.end()) return known->second;
  return reports_[name] = readResult(root_ + "/common/results/" + name + ".json");
}

const StepResult& Records::step(const std::string& name, const std::string& step,
                                const std::string& which1, const std::string& which2) {
  const Report& all = report(name);
  const auto fits = [&](const StepResult& s, const std::string& which) {
    if (which.empty()) return true;
    if (std::isdigit(static_cast<unsigned char>(which[0])))
      return all.elements(s) == parseCount("n", which);
    return s.cache == which;
  };
  for (const StepResult& s : all.steps)
    if (s.name == step && fits(s, which1) && fits(s, which2)) return s;
  refuse("there is no step '" + step + "' in " + name);
}

double Records::profile(const std::string& csv, const std::string& kernel,
                        const std::string& metric, const std::string& block) {
  if (!profiles_.contains(csv)) {
    const std::string path = csv == "profile"     ? "/common/simt/tests/profile.csv"
                             : csv == "profile09" ? "/09_mean_matvec/profile.csv"
                                                  : "/common/results/" + csv + ".csv";
    profiles_.emplace(csv, Profile(root_ + path));
  }
  const bool blocks = metric == "blocks";
  const unsigned threads = block.empty() ? 0 : unsigned(parseCount("block", block));
  const ProfileRow* const row = profiles_.at(csv).find(kernel, blocks ? "" : metric, threads);
  if (!row)
    refuse("there is no " + metric + " of " + kernel + " at block '" + block + "' in " + csv);
  return blocks ? row->blocks : row->value;
}

std::string Records::figure(const std::string& formula) {
  const size_t percent = formula.rfind('%');
  const std::string expression = trimmed(formula.substr(0, percent));
  const std::string format =
      percent == std::string::npos ? "g" : trimmed(formula.substr(percent + 1));
  const auto value = Parser(*this, expression).all();
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return formatted(std::get<double>(value), format);
}
