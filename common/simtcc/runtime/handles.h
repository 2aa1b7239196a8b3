// Which handles are alive: streams, events, graphs, nodes, CUDA arrays. A program may hand over one
// that it has destroyed, or a number that was never one.
#pragma once

#include <mutex>
#include <set>

namespace simt {

// The first base of what a handle points at.
template <typename T>
class Handle {
 public:
  Handle() { change(true); }
  Handle(const Handle&) : Handle() {}
  Handle& operator=(const Handle&) { return *this; }
  ~Handle() { change(false); }

  // May be asked of any pointer; null is not alive.
  static bool isAlive(const T* handle) {
    const std::scoped_lock lock(all().mutex);
    return all().handles.contains(handle);
  }

 private:
  struct All {
    std::mutex mutex;
    std::set<const void*> handles;
  };
  static All& all() {
    static All& one = *new All;  // never destroyed: global objects of programs destroy theirs late
    return one;
  }
  void change(bool alive) {
    const std::scoped_lock lock(all().mutex);
    if (alive)
      all().handles.insert(this);
    else
      all().handles.erase(this);
  }
};

}  // namespace simt
