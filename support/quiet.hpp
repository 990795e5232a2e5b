// SPDX-License-Identifier: BSD-3-Clause
// Detects whether other processes use this machine during a measurement. The data come from /proc;
// data that the system does not provide, as in some containers, lead to no conclusion. Tests can
// replace the reading and the waiting.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tutti::tools {

// The load counters at one moment, in processor seconds since the system started. `used` and
// `stolen` cover the processors on which this process may run, because others do not matter.
// `waited` and `running` exist only for all processors together, so they are read only if this
// process may run on all.
struct LoadReading {
  double moment = 0;             // seconds of the monotonic clock
  std::optional<double> used;    // by all processes
  std::optional<double> stolen;  // by the host of a virtual machine
  std::optional<double> waited;  // seconds during which some process waited for a processor
  std::optional<int> running;    // processes that run or could run, including this one
  double own = 0;                // by this process and by its children that have ended
  int processors = 1;            // number on which this process may run
  // Processors that the control groups let this process use at once.
  int quota = 1;
  std::optional<double> of_quota{};  // by all processes of the control group that sets `quota`
};
[[nodiscard]] LoadReading read_load();

// Seconds that a processor, or all of them, were used, and that the host of a virtual machine took.
struct ProcessorSeconds {
  double used = 0, stolen = 0;
};
// Reads a line of /proc/stat that begins with "cpu"; nothing for other lines.
[[nodiscard]] std::optional<ProcessorSeconds> processor_seconds(const std::string& line);

// The load between two moments.
struct Load {
  double others = 0;     // processors that other processes used
  double stolen = 0;     // processors that the host took
  double uncertain = 0;  // by how much these two may be too high, because ticks are counted
  double waited = 0;     // part of the time during which some process waited for a processor
  int running = 0;       // other running processes, the smaller number of the two moments
  int processors = 1;
  int quota = 1;        // like LoadReading::quota
  double of_quota = 0;  // processors of the quota that other processes of the group used
};
[[nodiscard]] Load load_between(const LoadReading& before, const LoadReading& after);

// Processors that other processes may use during a measurement before it counts as disturbed.
constexpr double marked_from = 0.1;    // from here on, figures are marked as disturbed
constexpr double refused_from = 0.25;  // from here on, files that later choices use are not written

// Returns why a measurement by `ranks` processes was disturbed, such as "other processes used 1.3
// of 2 processors", or an empty text if it was not. Use of processors that the ranks do not need is
// no disturbance.
[[nodiscard]] std::string disturbance(const Load& load, int ranks, double allowed = marked_from);
// Returns why a measurement would be disturbed if it began now. This process sleeps meanwhile, so
// processes that want to run count too.
[[nodiscard]] std::string disturbance_ahead(const Load& load, int ranks);

// Returns a line for the end of a page.
[[nodiscard]] std::string busy_line(const std::string& why);
// Returns null if there is no reason.
[[nodiscard]] nlohmann::json busy_json(const std::string& why);

class LoadWatch {
 public:
  using Read = std::function<LoadReading()>;
  using Sleep = std::function<void(double seconds)>;
  explicit LoadWatch(int ranks);
  LoadWatch(int ranks, Read read, Sleep sleep);

  // Waits for up to `seconds` until the machine is quiet. Returns the reason if it is still not
  // quiet, else an empty text. The period that disturbed() judges starts when this function
  // returns.
  std::string wait(double seconds);
  // Returns why the time since wait() was disturbed; empty if it was not.
  [[nodiscard]] std::string disturbed(double allowed = marked_from) const;

 private:
  int ranks_;
  Read read_;
  Sleep sleep_;
  LoadReading start_;
};

}  // namespace tutti::tools
