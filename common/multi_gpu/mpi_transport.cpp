// The transport of MPI: a library of its own, so that the programs that look for it also start
// where there is no MPI.
#include <mpi.h>

#include <cstdlib>
#include <deque>

#include "multi_gpu/transport.h"

namespace {

class MpiTransport : public Transport {
 public:
  MpiTransport() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }

  unsigned rank() const override { return unsigned(rank_); }
  unsigned count() const override { return unsigned(count_); }

  void send(unsigned to, const std::string& text) override {
    dropSent();
    Sending& sending = sendings_.emplace_back(text);
    MPI_Isend(sending.text.data(), int(sending.text.size()), MPI_CHAR, int(to), 0, MPI_COMM_WORLD,
              &sending.request);
  }

  bool receive(unsigned from, std::string& text) override {
    dropSent();
    int there = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(int(from), 0, MPI_COMM_WORLD, &there, &status);
    if (!there) return false;
    MPI_Get_count(&status, MPI_CHAR, &size);
    text.resize(size_t(size));
    MPI_Recv(text.data(), size, MPI_CHAR, int(from), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
  }

  void leave() override { MPI_Finalize(); }

  [[noreturn]] void abort(int exitCode) override {
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
  }

 private:
  // A text that has to stay where it is until it is sent.
  struct Sending {
    explicit Sending(std::string text_) : text(std::move(text_)) {}
    const std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void dropSent() {
    for (int sent = 1; sent && !sendings_.empty();) {
      MPI_Test(&sendings_.front().request, &sent, MPI_STATUS_IGNORE);
      if (sent) sendings_.pop_front();
    }
  }

  int rank_ = 0, count_ = 1;
  std::deque<Sending> sendings_;
};

}  // namespace

// To be called once.
extern "C" Transport* makeMpiTransport() { return new MpiTransport; }
