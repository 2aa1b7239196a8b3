#include "estimate/gpu_code/listing.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "base/escape.h"
#include "base/unicode.h"
#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {
namespace {

constexpr size_t mostColumns = 78, mostNamed = 4;

// What a line is about: memory, other warps, jumps, and arithmetic that programs ask for.
bool matters(const Instruction& i) {
  if (isAnyOf(i.op, {Op::ld, Op::st}) && i.space == Space::param) return false;
  if (i.op == Op::bra) return i.guard.kind != Operand::Kind::none;
  if (isAnyOf(i.op, {Op::mov, Op::cvta, Op::setp, Op::ret, Op::exit, Op::selp, Op::neg, Op::abs}))
    return false;
  if (isAnyOf(i.op, {Op::div, Op::rem, Op::sqrt, Op::rsqrt, Op::rcp})) return true;
  const bool isInteger =
      !isFloat(i.type) && isAnyOf(i.op, {Op::add, Op::sub, Op::mul, Op::mad, Op::and_, Op::or_,
                                         Op::xor_, Op::not_, Op::shl, Op::shr, Op::cvt, Op::min,
                                         Op::max, Op::bfe, Op::bfi, Op::shf, Op::lop3, Op::prmt});
  return !isInteger;
}

std::string nameOf(const Instruction& i) {
  std::string text(i.text.substr(0, i.text.find(';')));
  if (text.starts_with('@')) text = text.substr(std::min(text.find_first_of(" \t"), text.size()));
  text = text.substr(std::min(text.find_first_not_of(" \t\n"), text.size()));
  return text.substr(0, text.find_first_of(" \t\n"));
}

std::string onOneLine(std::string_view text) {
  std::string one;
  for (const char c : text)
    if (const bool blank = c == ' ' || c == '\t' || c == '\n'; !blank || !one.ends_with(' '))
      one += blank ? ' ' : c;
  return one.substr(0, one.find_last_not_of(' ') + 1);
}

// Files of source, each read once.
class Sources {
 public:
  // Of a place "file.cuh:12"; nothing where the file has no such line.
  std::string line(const std::string& path, const std::string& place) {
    const auto [known, isNew] = files_.try_emplace(path);
    std::vector<std::string>& lines = known->second;
    if (isNew) {
      std::ifstream file(path);
      for (std::string line; std::getline(file, line);) lines.push_back(line);
    }
    const size_t number = std::strtoul(place.substr(place.rfind(':') + 1).c_str(), nullptr, 10);
    if (number == 0 || number > lines.size()) return "";
    const std::string& line = lines[number - 1];
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

std::string shownLine(const std::string& text) {
  return cutToColumns(terminalText(text), mostColumns) + "\n";
}

// Like instructions of a line.
struct Row {
  std::string name, first;
  double times = 0;
  unsigned count = 1;
  bool isPredicated = false;
};

}  // namespace

void Listing::blockBegins(uint64_t number, unsigned warps) {
  warps_ += warps;
  next_.blockBegins(number, warps);
}

void Listing::count(const Instruction& i, bool isPredicated) {
  if (i.text.empty()) return;
  auto& [instruction, executed] = executed_[i.text.data()];
  instruction = &i;
  ++executed.times;
  executed.isPredicated = isPredicated;
}

void Listing::executed(unsigned warp, const Step& step) {
  count(*step.instruction, step.block->isPredicated || step.instruction->isPredicated);
  next_.executed(warp, step);
}

void Listing::passedBy(unsigned warp, const Function& function, const BasicBlock& block) {
  for (const Instruction& i : block.code) count(i, true);
  next_.passedBy(warp, function, block);
}

std::string Listing::text() const {
  std::vector<uint32_t> order;
  std::map<uint32_t, std::vector<Row>> rows;
  struct Folded {
    double times = 0;
    std::vector<std::string> names;
  };
  std::map<uint32_t, Folded> folded;
  for (const auto& [place, each] : executed_) {
    const auto& [instruction, executed] = each;
    const Instruction& i = *instruction;
    if (std::ranges::find(order, i.line) == order.end()) order.push_back(i.line);
    const double times = double(executed.times) / double(warps_);
    const std::string name = nameOf(i);
    if (!matters(i)) {
      Folded& of = folded[i.line];
      of.times += times;
      if (std::ranges::find(of.names, name) == of.names.end()) of.names.push_back(name);
      continue;
    }
    std::vector<Row>& all = rows[i.line];
    const auto same =
        std::ranges::find_if(all, [&, predicated = executed.isPredicated](const Row& row) {
          return row.name == name && row.isPredicated == predicated &&
                 std::abs(row.times / row.count - times) < 0.05;
        });
    if (same == all.end()) {
      all.push_back({name, onOneLine(i.text), times, 1, executed.isPredicated});
    } else {
      ++same->count;
      same->times += times;
    }
  }
  Sources sources;
  std::string text;
  for (const uint32_t line : order) {
    const std::string& place = module_.lines[line];
    text += shownLine(line == 0 ? "its beginning"
                                : place + "  " + sources.line(module_.paths[line], place));
    for (const Row& row : rows[line]) {
      const std::string what =
          row.count == 1 ? row.first : fmt::format("{} × {}", row.count, row.name);
      text += shownLine(
          fmt::format("{:10.1f}  {}{}", row.times, what, row.isPredicated ? "  (predicated)" : ""));
    }
    if (const auto of = folded.find(line); of != folded.end()) {
      std::string names;
      const auto& all = of->second.names;
      for (size_t i = 0; i < std::min(all.size(), mostNamed); ++i)
        names += (i > 0 ? ", " : "") + all[i];
      if (all.size() > mostNamed) names += ", …";
      text += shownLine(fmt::format("{:10.1f}  others: {}", of->second.times, names));
    }
  }
  return text;
}

}  // namespace estimate::gpu_code
