// SPDX-License-Identifier: BSD-3-Clause
// Does around the work of a call what the levels above 1 ask for (levels.hpp). Every routine that
// waits for other processes does its work inside of watched().
#pragma once

#include "call_facts.hpp"
#include "levels.hpp"

namespace tutti::blacs {

// Lives as long as the work of a call. At debug level 3 it ends the job if the other processes mean
// something else by their calls.
class Watch {
 public:
  Watch(const RoutineCall& call, const Intent& intent);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Counts the call, if calls are counted. Its memory may be refused, so no destructor does it.
  void finish();

 private:
  const char* timed_ = nullptr;  // the routine, if the call is counted
  std::int64_t bytes_ = -1;      // -1: no data
  double begun_ = 0, waited_before_ = 0;
};

// Returns where the next message of any id comes from, of those from one process or from anybody.
// Messages of debug level 3 ahead of it are thrown away, because what they announced was received
// at a lower level.
[[nodiscard]] int source_of_next(const RoutineCall& call, int from);

// Does the work of a call. If nobody looks at it, that costs one comparison more: `intent`, which
// returns an Intent, is not called then.
template <class Describe, class Work>
inline void watched(const RoutineCall& call, const Describe& intent, const Work& work) {
  if (!levels.watch) [[likely]]
    return work();
  Watch watch(call, intent());
  work();
  watch.finish();
}

}  // namespace tutti::blacs
