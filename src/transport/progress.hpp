// SPDX-License-Identifier: BSD-3-Clause
// All that goes on besides the call that a process is in. The Waiter advances it in every wait.
//
// All operations between two ranks share one channel, so a packet of one may stand before the
// packets of another. It stays there for its own operation, unless nothing else can move: then
// whoever finds it may take it off and hold it, and the packets behind it become visible.
#pragma once

#include <utility>
#include <vector>

#include "transport/progressable.hpp"

namespace tutti::transport {

class Progress {
 public:
  // Each is there once, however often it was added.
  void add(Progressable& one);
  void remove(const Progressable& one);
  // Returns true if there is anything to advance.
  [[nodiscard]] bool busy() const { return !active_.empty(); }
  // Returns true if a packet with this label belongs to an operation that has begun in this process
  // and is not done.
  [[nodiscard]] bool expects(Label label) const;
  // Lets each of them do what it can. Returns true if any could do something. Throws the error of
  // the first that fails.
  bool advance();
  // Advances all for a caller that waits for none of them. If nothing moves, lets them hold packets
  // of others, and advances them again.
  bool look_around();

  // Returns true if packets of others may be held now, because nothing else can move.
  [[nodiscard]] bool stuck() const { return stuck_; }
  void set_stuck(bool stuck) { stuck_ = stuck; }
  // Says that a packet was held. Those behind it have then not been seen: it is too early to sleep,
  // or to decide that a departed peer has sent nothing.
  void note_held() { held_ = true; }
  // Returns true if a packet was held since the last question.
  [[nodiscard]] bool take_held() { return std::exchange(held_, false); }

  // Names the operation in which the caller is blocked, as long as this object lives.
  class Blocked {
   public:
    Blocked(Progress& progress, Label label)
        : progress_(&progress), outer_(std::exchange(progress.blocked_, label)) {}
    ~Blocked() { progress_->blocked_ = outer_; }
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;

   private:
    Progress* progress_;
    Label outer_;
  };

 private:
  std::vector<Progressable*> active_;
  Label blocked_;
  bool stuck_ = false;
  bool held_ = false;
};

}  // namespace tutti::transport
