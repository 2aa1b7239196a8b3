#include "sets.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "base/escape.h"
#include "base/format.h"
#include "base/table.h"
#include "base/text.h"
#include "estimate/card.h"
#include "record.h"
#include "report/result_file.h"

namespace estimate {
namespace {

// What the profiler counted on the H200: what is asked of memory, in bytes, and instructions.
struct Counts {
  double bytes = 0, instructions = 0;
};

std::map<std::string, Counts> countsOf(const std::string& set) {
  std::map<std::string, Counts> counts;
  std::ifstream file(fmt::format("{}/h200_{}_profile.csv", WORKSHOP_RESULTS, set));
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> cells = split(line, ";");
    if (cells.size() < 7 || cells[0] == "launch" || cells[0].starts_with("#")) continue;
    counts[cells[0]] = {32 * (std::stod(cells[5]) + std::stod(cells[6])), std::stod(cells[3])};
  }
  return counts;
}

// One launch: what was measured, and what each model says.
struct Judgement {
  std::string step, kind;
  double measured = 0;
  std::vector<double> said;
  double instructions = 0;  // the model's, over those that the profiler counted; 0: not counted
};

const std::vector<std::string> models = {"the model", "bytes asked for ÷ the roof",
                                         "instructions ÷ the issue rate", "the larger of both"};

// From clang++'s code, or from nvcc's ("_nvcc").
std::vector<Judgement> judgements(const std::string& set, const std::string& card,
                                  const std::string& code = "") {
  std::vector<Judgement> all;
  const std::string path =
      fmt::format("{}/{}_{}_estimated{}.csv", WORKSHOP_RESULTS, card, set, code);
  if (!std::filesystem::exists(path)) return all;
  const Card values = findCard(card);
  const std::map<std::string, Counts> counts = countsOf(set);
  for (const RecordedEstimate& e : readEstimates(path)) {
    Judgement j{e.step, e.where, measuredMs(e, WORKSHOP_RESULTS), {e.ms}};
    if (j.measured <= 0) continue;
    if (const auto known = counts.find(e.step); known != counts.end()) {
      const double start = 1e-3 * values.launchMicroseconds;
      const double bytes = 1e-6 * known->second.bytes / values.readGbps + start;
      const double rate = values.multiprocessors * values.schedulers * values.clockGhz * 1e6;
      const double instructions = known->second.instructions / rate + start;
      j.said.insert(j.said.end(), {bytes, instructions, std::max(bytes, instructions)});
      j.instructions = e.instructions / known->second.instructions;
    }
    all.push_back(std::move(j));
  }
  return all;
}

// "95 of 98": pairs of variants, which have the same words before a colon, that differ by more than
// 10 %, and how many of them a model has in order.
std::string orderOf(const std::vector<Judgement>& all, size_t model) {
  unsigned pairs = 0, right = 0;
  for (size_t a = 0; a < all.size(); ++a)
    for (size_t b = a + 1; b < all.size(); ++b) {
      const size_t colon = all[a].step.find(':');
      if (colon == std::string::npos || all[b].step.find(':') != colon ||
          all[a].step.compare(0, colon, all[b].step, 0, colon) != 0)
        continue;
      const double measured = all[a].measured / all[b].measured;
      if (std::max(measured, 1 / measured) <= 1.1) continue;
      ++pairs;
      right += (all[a].said[model] > all[b].said[model]) == (measured > 1);
    }
  return fmt::format("{} of {}", right, pairs);
}

std::vector<double> errorsOf(const std::vector<Judgement>& all, size_t model) {
  std::vector<double> errors;
  for (const Judgement& j : all) errors.push_back(std::abs(j.said[model] / j.measured - 1));
  std::ranges::sort(errors);
  return errors;
}

std::vector<double> errorsOfInstructions(const std::vector<Judgement>& all) {
  std::vector<double> errors;
  for (const Judgement& j : all)
    if (j.instructions > 0) errors.push_back(std::abs(j.instructions - 1));
  return errors;
}

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / double(std::max<size_t>(1, values.size()));
}

}  // namespace

void setsTable() {
  Table table;
  table.add({"set, card: model", "launches", "mean error", "median", "largest", "within 15 %",
             "within 30 %", "pairs in order", "instructions: mean error"});
  const auto add = [&](const std::string& name, const std::vector<Judgement>& all, size_t m) {
    const std::vector<double> errors = errorsOf(all, m);
    if (errors.empty()) return;
    const auto percent = [](double value) { return fmt::format("{:.1f} %", 100 * value); };
    const auto within = [&](double most) {
      const auto count = std::ranges::count_if(errors, [&](double e) { return e <= most; });
      return fmt::format("{:.0f} %", 100.0 * double(count) / double(errors.size()));
    };
    table.add({name, std::to_string(errors.size()), percent(meanOf(errors)),
               percent(errors[errors.size() / 2]), fmt::format("{:.0f} %", 100 * errors.back()),
               within(0.15), within(0.30), orderOf(all, m),
               m == 0 ? percent(meanOf(errorsOfInstructions(all))) : ""});
  };
  for (const char* set : {"frozen", "development"})
    for (const char* card : {"h200", "h100"}) {
      const std::string name = fmt::format("{}, {}: ", set, inCapitals(card));
      std::vector<Judgement> all = judgements(set, card);
      add(name + "the model, clang++'s code", all, 0);
      add(name + "the model, nvcc's code", judgements(set, card, "_nvcc"), 0);
      if (set == std::string("development")) continue;  // judged by it is the frozen set
      std::erase_if(all, [](const Judgement& j) { return j.said.size() < models.size(); });
      add(name + models.back(), all, models.size() - 1);
    }
  std::cout << table.markdown();
}

void kindsTable() {
  std::cout << "set,kind,launches,mean error in percent on the H200,on the H100\n";
  for (const char* set : {"frozen", "development"}) {
    std::map<std::string, std::map<std::string, std::vector<double>>> kinds;
    for (const char* card : {"h200", "h100"})
      for (const Judgement& j : judgements(set, card))
        kinds[j.kind][card].push_back(std::abs(j.said[0] / j.measured - 1));
    for (auto& [kind, errors] : kinds)
      std::cout << fmt::format("{},{},{},{:.1f},{:.1f}\n", set, csvField(kind),
                               errors["h200"].size(), 100 * meanOf(errors["h200"]),
                               100 * meanOf(errors["h100"]));
  }
}

}  // namespace estimate
