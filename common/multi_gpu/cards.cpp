// What is the same for GPUs and for imagined ones.
#include "multi_gpu/cards.h"

#include <fmt/core.h>

#include <string_view>

namespace {

std::string nameOf(const std::vector<CardFacts>& cards, size_t card) {
  const bool elsewhere = std::string_view(cards[card].host) != cards[0].host;
  return fmt::format("GPU {}{}", card, elsewhere ? std::string(" on ") + cards[card].host : "");
}

void mustDiffer(const std::vector<CardFacts>& cards, size_t one, size_t other) {
  const std::string_view host = cards[one].host, id = cards[one].id;
  if (id.empty() || host != cards[other].host || id != cards[other].id) return;
  throw Error(exitUsage, fmt::format("processes {} and {} would share a GPU of {}: start no more "
                                     "processes there than it has GPUs",
                                     one, other, host));
}

}  // namespace

void checkCards(const std::vector<CardFacts>& cards) {
  const CardFacts& first = cards.front();
  for (size_t card = 1; card < cards.size(); ++card) {
    for (size_t before = 0; before < card; ++before) mustDiffer(cards, before, card);
    const CardFacts& other = cards[card];
    if (std::string_view(first.name) != other.name ||
        first.multiprocessors != other.multiprocessors)
      throw Error(exitUsage,
                  fmt::format("GPU 0 is an {} with {} multiprocessors and {} an {} with {}: choose "
                              "equal ones with CUDA_VISIBLE_DEVICES",
                              first.name, first.multiprocessors, nameOf(cards, card), other.name,
                              other.multiprocessors));
  }
}

std::string refusalOf(unsigned card, const std::string& reason) {
  return fmt::format("GPU {} cannot be used ({}): leave it out with CUDA_VISIBLE_DEVICES", card,
                     reason);
}

std::string Cards::description() const {
  std::string text = fmt::format("{} GPU{}", count_, count_ == 1 ? "" : "s");
  if (ranks_.several()) text += ", a process for each";
  if (ranks_.hosts() > 1) text += fmt::format(", on {} hosts", ranks_.hosts());
  return text;
}

void Cards::take(unsigned asked, unsigned all) {
  count_ = here_ = asked == 0 ? all : asked;
  if (!ranks_.several()) return;
  if (asked > 0 && asked != ranks_.count())
    throw Error(exitUsage, fmt::format("--gpus {}: mpirun has started {} processes, one for each "
                                       "GPU; with --gpus all these are all",
                                       asked, ranks_.count()));
  count_ = ranks_.count();
  first_ = ranks_.rank();
  here_ = 1;
}

void Cards::agree(std::vector<CardFacts> here, Machine& machine) {
  if (ranks_.several()) here = ranks_.exchange(here.front(), ranks_.count(), "comparing the GPUs");
  checkCards(here);
  for (const CardFacts& card : here) {
    machine.freeBytes = std::min(machine.freeBytes, card.freeBytes);
    machine.hostFreeBytes = std::min(machine.hostFreeBytes, card.hostFreeBytes);
  }
}

void Cards::meet(const char* what, double seconds, double milliseconds) {
  const auto all = ranks_.exchange(milliseconds, ranks_.count(), what, Ranks::Seconds(seconds));
  lastMs_ = *std::max_element(all.begin(), all.end());
}
