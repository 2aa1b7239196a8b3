#include "report/counter_column.h"

#include <algorithm>

using simt::Counters;

std::vector<CounterColumn> counterColumns() {
  std::vector<CounterColumn> columns;
  for (const simt::CounterInfo& counter : simt::counterList) {
    if (counter.member == &Counters::shared_load_requests)
      columns.push_back({"shared requests", {counter.member, &Counters::shared_store_requests}});
    else if (counter.member == &Counters::shared_load_conflicts)
      columns.push_back({"bank conflicts", {counter.member, &Counters::shared_store_conflicts}});
    else if (counter.member != &Counters::shared_store_requests &&
             counter.member != &Counters::shared_store_conflicts)
      columns.push_back({counter.title, {counter.member}});
  }
  return columns;
}

std::vector<CounterColumn> usualColumns() {
  std::vector<CounterColumn> columns = counterColumns();
  const auto usual = {&Counters::load_requests,      &Counters::load_sectors,
                      &Counters::store_sectors,      &Counters::shared_load_conflicts,
                      &Counters::divergent_branches, &Counters::barriers};
  std::erase_if(columns, [&](const CounterColumn& column) {
    return std::ranges::find(usual, column.members.front()) == usual.end();
  });
  return columns;
}

std::vector<CounterColumn> seldomColumns() {
  const std::vector<CounterColumn> usual = usualColumns();
  std::vector<CounterColumn> columns;
  for (const simt::CounterInfo& counter : simt::counterList)
    if (std::ranges::none_of(usual, [&](const CounterColumn& column) {
          return column.members == std::vector{counter.member};
        }))
      columns.push_back({counter.title, {counter.member}});
  return columns;
}
