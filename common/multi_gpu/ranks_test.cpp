// Several processes that work together, here threads that send each other texts: what they
// exchange, what they say when one fails, and that nobody waits for ever.
#include "multi_gpu/ranks.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <thread>

#include "test_support/host_testing.h"

using namespace std::chrono_literals;

namespace {

// The post of a number of processes.
struct Post {
  std::mutex mutex;
  std::map<std::pair<unsigned, unsigned>, std::deque<std::string>> fromTo;
  std::vector<int> aborts;
  unsigned left = 0;
};

struct Aborted {
  int exitCode;
};

class ThreadTransport : public Transport {
 public:
  ThreadTransport(Post& post, unsigned rank, unsigned count)
      : post_(post), rank_(rank), count_(count) {}
  unsigned rank() const override { return rank_; }
  unsigned count() const override { return count_; }
  void send(unsigned to, const std::string& text) override {
    const std::lock_guard lock(post_.mutex);
    post_.fromTo[{rank_, to}].push_back(text);
  }
  bool receive(unsigned from, std::string& text) override {
    const std::lock_guard lock(post_.mutex);
    if (!post_.aborts.empty()) throw Aborted{post_.aborts.front()};  // which ends them all
    auto& waiting = post_.fromTo[{from, rank_}];
    if (waiting.empty()) return false;
    text = waiting.front();
    waiting.pop_front();
    return true;
  }
  void leave() override {
    const std::lock_guard lock(post_.mutex);
    ++post_.left;
  }
  [[noreturn]] void abort(int exitCode) override {
    const std::lock_guard lock(post_.mutex);
    if (post_.aborts.empty()) post_.aborts.push_back(exitCode);
    throw Aborted{exitCode};
  }

 private:
  Post& post_;
  unsigned rank_, count_;
};

// What each of the processes ended with: what its body returned, or the error that it threw.
struct Endings {
  std::vector<std::string> texts;
  std::vector<int> codes, aborts = {};
  unsigned left = 0;
};

Endings runRanks(unsigned count, const std::function<std::string(Ranks&)>& body,
                 const std::function<std::string(unsigned)>& arguments = {},
                 const std::function<std::string(unsigned)>& host = {}) {
  Post post;
  Endings endings{.texts = std::vector<std::string>(count), .codes = std::vector<int>(count)};
  std::vector<std::thread> threads;
  for (unsigned rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      std::string& text = endings.texts[rank];
      try {
        Ranks ranks(std::make_unique<ThreadTransport>(post, rank, count), "08_shuffle",
                    arguments ? arguments(rank) : "", host ? host(rank) : "host");
        int code = exitRight;
        try {
          code = ranks.together([&] {
            text = body(ranks);
            return int(exitRight);
          });
        } catch (const Error& error) {
          text = error.what();
          code = error.code;
        }
        endings.codes[rank] = ranks.end(code);
      } catch (const Aborted& aborted) {
        endings.codes[rank] = aborted.exitCode;
      } catch (const Error& error) {
        text = error.what();
        endings.codes[rank] = error.code;
      }
    });
  for (std::thread& thread : threads) thread.join();
  endings.aborts = post.aborts;
  endings.left = post.left;
  return endings;
}

std::vector<std::string> times(unsigned count, const std::string& text) {
  return std::vector<std::string>(count, text);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + ';';
  return all;
}

}  // namespace

TEST(Ranks, AloneExchangeWithThemselves) {
  Ranks alone;
  EXPECT_EQ(alone.exchange(7, 1, "a number"), std::vector<int>{7});
  EXPECT_EQ(alone.together([] { return 3; }), 3);
  EXPECT_EQ(alone.end(2), 2);
  EXPECT_FALSE(alone.several());
}

TEST(Ranks, GiveEachOtherWhatTheyHave) {
  const Endings endings = runRanks(4, [](Ranks& ranks) {
    std::string text;
    for (const unsigned among : {4, 2, 1, 3, 4})
      if (ranks.rank() < among)
        for (const unsigned number : ranks.exchange(10 * ranks.rank(), among, "numbers"))
          text += std::to_string(number) + ' ';
    return text + joined(ranks.exchangeTexts(std::string(ranks.rank(), 'x'), 4, "texts"));
  });
  EXPECT_EQ(endings.texts[3], "0 10 20 30 0 10 20 30 ;x;xx;xxx;");
  EXPECT_EQ(endings.texts[1], "0 10 20 30 0 10 0 10 20 0 10 20 30 ;x;xx;xxx;");
  EXPECT_EQ(endings.codes, std::vector<int>(4, 0));
  EXPECT_EQ(endings.left, 4u);
}

TEST(Ranks, KnowTheirPlaceOnTheirHost) {
  const Endings endings = runRanks(
      4,
      [](Ranks& ranks) {
        return std::to_string(ranks.local()) + " of " + std::to_string(ranks.onThisHost()) +
               " on one of " + std::to_string(ranks.hosts());
      },
      {}, [](unsigned rank) { return rank == 2 ? "b" : "a"; });
  EXPECT_EQ(joined(endings.texts),
            "0 of 3 on one of 2;1 of 3 on one of 2;0 of 1 on one of 2;2 of 3 on one of 2;");
}

// Each of them, while the others are somewhere else.
TEST(Ranks, AllEndWithWhatOneFailedWith) {
  for (unsigned failing = 0; failing < 3; ++failing) {
    const Endings endings = runRanks(3, [&](Ranks& ranks) -> std::string {
      ranks.exchange(1, 3, "the beginning");
      if (ranks.rank() == failing) throw Error(exitNoDevice, "GPU 1 is gone");
      ranks.exchange(1, 3, "the sum");
      return "went on";
    });
    EXPECT_EQ(endings.texts, times(3, "GPU 1 is gone")) << failing;
    EXPECT_EQ(endings.codes, std::vector<int>(3, exitNoDevice)) << failing;
    EXPECT_TRUE(endings.aborts.empty()) << failing;
    EXPECT_EQ(endings.left, 3u) << failing;
  }
}

// The failure may come together with the last of what came before it.
TEST(Ranks, LeaveInOrderHoweverEarlyOneFails) {
  for (unsigned round = 0; round < 200; ++round) {
    const Endings endings = runRanks(3, [&](Ranks& ranks) -> std::string {
      if (ranks.rank() == round % 3) throw Error(exitUsage, "too many");
      ranks.exchange(1, 3, "the sum");
      return "went on";
    });
    ASSERT_EQ(endings.texts, times(3, "too many"));
    ASSERT_EQ(endings.left, 3u);
  }
}

// Also where the process goes on after it.
TEST(Ranks, GoOnWithNothingAfterAFailure) {
  const Endings endings = runRanks(2, [&](Ranks& ranks) -> std::string {
    if (ranks.rank() == 1) ranks.fail(Error(exitWrong, "a race"));
    ranks.exchange(1, 2, "the sum");
    return "went on";
  });
  EXPECT_EQ(endings.texts, times(2, "a race"));
}

TEST(Ranks, EndWithTheWorstExitCode) {
  Post post;
  std::vector<std::thread> threads;
  std::vector<int> codes(2);
  for (unsigned rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      Ranks ranks(std::make_unique<ThreadTransport>(post, rank, 2), "test", "", "host");
      codes[rank] = ranks.end(int(rank));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(codes, (std::vector<int>{1, 1}));
}

TEST(Ranks, RefuseToBeCalledDifferently) {
  const Endings endings = runRanks(
      3, [](Ranks&) -> std::string { return "went on"; },
      [](unsigned rank) { return rank == 1 ? "--gpus all --n 7" : "--gpus all"; });
  const std::string line =
      "process 1 of 3 was given other arguments than process 0: '--gpus all --n 7' and not '--gpus "
      "all'";
  EXPECT_EQ(endings.texts, times(3, line));
  EXPECT_EQ(endings.codes, std::vector<int>(3, exitUsage));
  EXPECT_EQ(endings.left, 3u);
}

// A process that hangs or was stopped: the others say so, rank 0 first.
TEST(Ranks, DoNotWaitForEver) {
  for (unsigned hanging = 0; hanging < 2; ++hanging) {
    testing::internal::CaptureStderr();
    const Endings endings = runRanks(2, [&](Ranks& ranks) -> std::string {
      if (ranks.rank() != hanging) ranks.exchange(1, 2, "the sum", 50ms);
      throw Aborted{9};
    });
    const std::string line = "08_shuffle: the sum took longer than " +
                             std::string(hanging == 0 ? "2.05" : "0.05") + " s: process " +
                             std::to_string(hanging) + " of 2 did not come back\n";
    EXPECT_EQ(testing::internal::GetCapturedStderr(), line);
    EXPECT_EQ(endings.aborts, std::vector<int>{exitWrong});
  }
}

// As a GPU does that waits in NCCL for another whose process has failed.
TEST(Ranks, AreEndedWhileTheyWaitForSomethingElse) {
  testing::internal::CaptureStderr();
  const Endings endings = runRanks(3, [&](Ranks& ranks) -> std::string {
    if (ranks.rank() == 1) throw Error(exitNoDevice, "GPU 1 is gone");
    while (true) {
      ranks.watch();
      std::this_thread::sleep_for(1ms);
    }
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "08_shuffle: GPU 1 is gone\n");
  EXPECT_EQ(endings.codes, std::vector<int>(3, exitNoDevice));
}

// One of the others that does not come to the end after a failure.
TEST(Ranks, WaitTwoSecondsForThoseThatHang) {
  const Endings endings = runRanks(2, [&](Ranks& ranks) -> std::string {
    if (ranks.rank() == 1) throw Aborted{9};
    throw Error(exitUsage, "too long");
  });
  EXPECT_EQ(endings.texts[0], "too long");
  EXPECT_EQ(endings.aborts, std::vector<int>{exitUsage});
}

TEST(Ranks, NoticeThatTheyAreAtDifferentPlaces) {
  testing::internal::CaptureStderr();
  runRanks(2, [&](Ranks& ranks) {
    return joined(ranks.exchangeTexts("", 2, ranks.rank() == 0 ? "the sum" : "the minimum", 1s));
  });
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(),
                       "process 0 came to the sum and process 1 to the minimum\n"));
}
