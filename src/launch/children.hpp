// SPDX-License-Identifier: BSD-3-Clause
// Waits for children of the supervisor that have ended. Another process may be copying to the
// memory of one, by its id (transport/shm/reach.hpp). The system uses an id again only when the
// process was waited for, so such a child is kept until that copy is over. The roster uses it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <vector>

#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

class Children {
 public:
  explicit Children(const transport::shm::Mapping& mapping);

  // Returns true if an end is seen before the child is waited for. Some sandboxes refuse that, and
  // then nobody may copy to a child's memory.
  [[nodiscard]] bool are_kept() const { return sees_ends_first_; }

  // Called with each child that has ended. Shows the end to the job and returns the slot of the
  // process; -1: it had none.
  using Note = std::function<int(pid_t, const Ending&)>;
  // Asks for the ends of all children; `running` are those of which no end was noted. Returns true
  // if this process still has some.
  bool reap(const std::vector<pid_t>& running, const Note& note);
  // Waits for those that are kept and that nobody copies to any more.
  void reap_kept();

 private:
  [[nodiscard]] static bool reap_at_once(const Note& note);
  [[nodiscard]] bool do_without(const Note& note);
  void end(pid_t pid, const Ending& ending, const Note& note);

  struct Kept {
    pid_t pid;
    int slot;
  };
  const transport::shm::Mapping* mapping_;
  std::vector<Kept> kept_;
  bool sees_ends_first_;
};

}  // namespace tutti::launch
