// The softmax of rows of one length, to be measured: our way, and the straightforward one.
#pragma once

#include <functional>

#include "base/format.h"
#include "measure/measure.h"
#include "reference.h"
#include "softmax.h"

// Owns what they need beside the matrix and the room for the softmax, which are on the device.
class SoftmaxOfLength {
 public:
  // bits: the matrix on the host. All of it has to live as long.
  SoftmaxOfLength(const DeviceArray<__nv_bfloat16>& data, const uint16_t* bits,
                  DeviceArray<__nv_bfloat16>& out, size_t rows, size_t length)
      : rows_{data.data(), rows, length},
        bits_(bits),
        out_(out),
        got_(std::min<size_t>(rows * length, 1 << 20)),
        sums_(softmaxSumsOf(bits, rows, length)) {}

  std::vector<Task> tasks() {
    const SoftmaxShape shape = softmaxShape(rows_.length);
    std::vector<Task> tasks;
    tasks.push_back(taskFor("softmax, read twice", "", 256,
                            [this] { softmax_.readTwice(rows_, out_.data()); }));
    tasks.push_back(taskFor("softmax", "softmax, read twice", shape.threads,
                            [this] { softmax_(rows_, out_.data()); }));
    return tasks;
  }

  // Half a unit of the last place of eight bits, and a little for the exponential.
  static constexpr double tolerance = 0x1p-8 + 2e-4;

 private:
  // An element has four bytes: it is read once and written once, whatever a way reads besides.
  Task taskFor(const std::string& name, const std::string& basedOn, unsigned threads,
               std::function<void()> run) {
    return {.step = {.lesson = "09_mean_matvec",
                     .name = name,
                     .basedOn = basedOn,
                     .n = rows_.count * rows_.length,
                     .block = threads,
                     .elementBytes = 4,
                     .type = "bfloat16 in and out",
                     .cache = fmt::format("rows of {}", rows_.length)},
            .prepare = [this] { out_.poison(); },
            .run = std::move(run),
            .finish = [this] { fetch(); },
            .check = [this](StepResult& step) { check(step); }};
  }
  // A million elements from another place in each sample, where there are more; at first the last.
  void fetch() {
    const size_t n = rows_.count * rows_.length, places = n - got_.size() + 1;
    from_ = (places - 1 + samples_++ * 100000007) % places;
    copyToHost(got_.data(), reinterpret_cast<const uint16_t*>(out_.data()) + from_, got_.size());
  }
  void check(StepResult& step) const {
    const double error = softmaxError(got_.data(), bits_, from_, got_.size(), sums_, rows_.length);
    step.relativeError = std::max(step.relativeError.value_or(0), error);
    step.ok = step.ok && error <= tolerance;
  }

  const Rows rows_;
  const uint16_t* bits_;
  DeviceArray<__nv_bfloat16>& out_;
  RowSoftmax softmax_;
  std::vector<uint16_t> got_;
  std::vector<Pair> sums_;
  size_t samples_ = 0, from_ = 0;
};
