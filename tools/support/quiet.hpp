// SPDX-License-Identifier: BSD-3-Clause
// Whether others use this machine while something is measured. What the system counts comes from
// /proc; where it does not count a thing, as in some containers, nothing is concluded from it.
// Readings and waiting can be put in for tests.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tutti::tools {

// At one moment. Times are processor seconds since the system started, but for `moment`. What is
// used and stolen counts on the processors on which this process may run, since others do not
// matter. The system counts waiting and running processes for all processors together, so these two
// are read only where this process may run on all.
struct LoadReading {
  double moment = 0;                 // seconds
  std::optional<double> used;        // by all processes
  std::optional<double> stolen;      // by the host of a virtual machine
  std::optional<double> waited;      // seconds in which some process waited for a processor
  std::optional<int> running;        // processes that run or could, this one included
  double own = 0;                    // used by this process and by its children that have ended
  int processors = 1;                // on which this process may run
  int quota = 1;                     // of them, as many as its control groups let it use at once
  std::optional<double> of_quota{};  // used by all processes of the group that sets this limit
};
[[nodiscard]] LoadReading read_load();

// Between two moments.
struct Load {
  double others = 0;  // processors that other processes used
  double stolen = 0;  // processors that the host took
  double waited = 0;  // part of the time in which some process waited for a processor
  int running = 0;    // other processes that were seen to run, the fewer of the two moments
  int processors = 1;
  int quota = 1;        // as above
  double of_quota = 0;  // of those, how many other processes of the group used
};
[[nodiscard]] Load load_between(const LoadReading& before, const LoadReading& after);

// How much of a processor others may take from a measurement before it counts as disturbed.
constexpr double marked_from = 0.1;    // its figures are marked
constexpr double refused_from = 0.25;  // what others go by is not written

// Why a measurement by `ranks` processes was disturbed, such as "other processes used 1.3 of 2
// processors"; empty if it was not. Processors that neither the ranks nor others use are no
// concern.
[[nodiscard]] std::string disturbance(const Load& load, int ranks, double allowed = marked_from);
// The same before a measurement, while this process sleeps: processes that want to run count too.
[[nodiscard]] std::string disturbance_ahead(const Load& load, int ranks);

// For the end of a page, with a line end.
[[nodiscard]] std::string busy_line(const std::string& why);
// null where there is no reason.
[[nodiscard]] nlohmann::json busy_json(const std::string& why);

class LoadWatch {
 public:
  using Read = std::function<LoadReading()>;
  using Sleep = std::function<void(double seconds)>;
  explicit LoadWatch(int ranks);
  LoadWatch(int ranks, Read read, Sleep sleep);

  // Looks whether the machine is quiet, and again for up to so many seconds if it is not. Returns
  // why it still is not; empty if it is. What happens from then on counts for disturbed().
  std::string wait(double seconds);
  // Why what was measured since then was disturbed.
  [[nodiscard]] std::string disturbed(double allowed = marked_from) const;

 private:
  int ranks_;
  Read read_;
  Sleep sleep_;
  LoadReading start_;
};

}  // namespace tutti::tools
