// How many warps are resident, by what a block takes of a multiprocessor.
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "draw/knobs/knobs.h"
#include "estimate/launch_time.h"

using nlohmann::json;

namespace knobs {

json occupancy(const std::vector<MeasuredCard>& cards) {
  const std::vector<unsigned> threads = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
  const std::vector<unsigned> registers = {16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 168, 255};
  const std::vector<unsigned> shared = {0, 1, 2, 4, 8, 16, 24, 32, 48, 64, 100, 164, 227};
  const std::vector<unsigned> loads = {1, 2, 4, 8};
  json all = json::array();
  for (const MeasuredCard& of : cards) {
    json blocks = json::array();  // in this order of the three, one after the other
    for (const unsigned t : threads)
      for (const unsigned r : registers)
        for (const unsigned s : shared) {
          estimate::Launch launch;
          launch.threads = t;
          launch.registers = r;
          launch.sharedBytes = s * 1024;
          try {
            blocks.push_back(estimate::residentBlocks(launch, of.card));
          } catch (const Error&) {
            blocks.push_back(0);
          }
        }
    all.push_back({{"name", of.card.name},
                   {"warps", of.card.warps},
                   {"roof", std::round(of.card.readGbps)},
                   {"points", readingPoints(of, loads, false)},
                   {"most", of.card.blocks},
                   {"blocks", blocks}});
  }
  return {{"warps", residentWarps}, {"loads", loads},   {"threads", threads},
          {"registers", registers}, {"shared", shared}, {"cards", all}};
}

}  // namespace knobs
