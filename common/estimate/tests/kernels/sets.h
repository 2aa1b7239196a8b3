// The development set and the frozen one, as judged.h has the others.
#pragma once

#include "judged.h"

// The arrays must live as long as the launches. group: its name; record: the end of its file's.
inline std::vector<Judged> judgedSet(const std::string& group, const std::string& record,
                                     std::vector<Task> tasks) {
  std::vector<Judged> all;
  for (Task& task : tasks)
    all.push_back({.group = group,
                   .step = task.step.name,
                   .where = task.step.lesson.substr(task.step.lesson.find(' ') + 1),
                   .record = record,
                   .launch = std::move(task.run)});
  return all;
}
