// SPDX-License-Identifier: BSD-3-Clause
// Advances what goes on.
#include "transport/progress.hpp"

#include <algorithm>

namespace tutti::transport {

void Progress::add(Progressable& one) {
  if (std::find(active_.begin(), active_.end(), &one) == active_.end()) active_.push_back(&one);
}

void Progress::remove(const Progressable& one) {
  std::erase(active_, &one);
}

bool Progress::expects(Label label) const {
  return label == blocked_ ||
         std::any_of(active_.begin(), active_.end(),
                     [label](const Progressable* one) { return one->expects(label); });
}

// One that is over has removed itself when advance() returns, and the next one has taken its place.
bool Progress::advance() {
  bool moved = false;
  for (std::size_t i = 0; i < active_.size();) {
    Progressable* const one = active_[i];
    moved = one->advance() != Look::nothing || moved;
    if (i < active_.size() && active_[i] == one) ++i;
  }
  return moved;
}

// The second call of advance() sees packets behind those that the first has held.
bool Progress::look_around() {
  if (advance()) return true;
  struct Restored {
    ~Restored() { progress->stuck_ = before; }
    Progress* progress;
    bool before;
  };
  const Restored restored{this, stuck_};
  stuck_ = true;
  return advance() || advance();
}

}  // namespace tutti::transport
