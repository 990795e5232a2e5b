// SPDX-License-Identifier: BSD-3-Clause
// Reads counters of /proc and computes the load from their differences.
#include "support/quiet.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "base/number.hpp"
#include "base/processors.hpp"

namespace tutti::tools {
namespace {

// Length of one load measurement in seconds: ten ticks on each processor at 100 ticks a second.
constexpr double look_seconds = 0.1;
constexpr double pause_seconds = 0.4;  // seconds between two measurements
constexpr double waited_from = 0.1;    // least part of the time that counts as waiting

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double own_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (getrusage(who, &usage) == 0)
      seconds += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  return seconds;
}

// The counters that /proc/stat has for one processor.
struct ProcessorTimes {
  int number = 0;
  double used = 0, stolen = 0;  // seconds
};

// The line for all processors together has no number and is skipped.
std::optional<ProcessorTimes> times_of(const std::string& line) {
  const auto seconds = processor_seconds(line);
  if (!seconds) return std::nullopt;
  const auto number = base::number_in<int>(line.substr(3, line.find(' ') - 3));
  if (!number) return std::nullopt;
  return ProcessorTimes{*number, seconds->used, seconds->stolen};
}

// Adds up the processors on which this process may run. Returns true if these are all processors. A
// container may show only these, and may number them anew.
bool add_times(LoadReading& reading, const std::vector<ProcessorTimes>& all,
               const std::vector<int>& own) {
  const bool whole = all.size() <= own.size();
  for (const ProcessorTimes& one : all) {
    if (!whole && std::find(own.begin(), own.end(), one.number) == own.end()) continue;
    reading.used = reading.used.value_or(0) + one.used;
    reading.stolen = reading.stolen.value_or(0) + one.stolen;
  }
  return whole;
}

// Reads a line such as "some avg10=0.00 avg60=0.00 avg300=0.00 total=274893314"; the total is in
// microseconds.
void add_pressure(LoadReading& reading) {
  std::ifstream file("/proc/pressure/cpu");
  for (std::string line; std::getline(file, line);) {
    const auto total = line.find("total=");
    if (line.starts_with("some ") && total != std::string::npos)
      reading.waited = 1e-6 * std::atof(line.c_str() + total + 6);
  }
}

void add_statistics(LoadReading& reading) {
  std::ifstream file("/proc/stat");
  std::vector<ProcessorTimes> all;
  std::optional<int> running;
  for (std::string line; std::getline(file, line);) {
    if (const auto times = times_of(line)) all.push_back(*times);
    if (line.starts_with("procs_running ")) running = std::atoi(line.c_str() + line.find(' '));
  }
  const std::vector<int> own = base::own_processors();
  reading.processors = std::max(1, static_cast<int>(own.size()));
  if (!add_times(reading, all, own)) return;
  reading.running = running;
  add_pressure(reading);
}

void add_quota(LoadReading& reading) {
  reading.quota = static_cast<int>(base::usable_cpus());
  reading.of_quota = base::seconds_of_quota();
}

double rate(std::optional<double> before, std::optional<double> after, double seconds) {
  return before && after && seconds > 0 ? std::max(0.0, (*after - *before) / seconds) : 0;
}

// The counters of /proc/stat count the ticks of a clock, so that between two readings each
// processor may have one tick too many. Returns the processors that this may seem to be: a short
// interval says little.
double uncertain(const LoadReading& reading, double seconds) {
  return seconds > 0 ? reading.processors / (seconds * static_cast<double>(sysconf(_SC_CLK_TCK)))
                     : 0;
}

// Returns the rate of other processes: the total rate minus `own`, this process's rate.
double others_in(std::optional<double> before, std::optional<double> after, double own,
                 double seconds) {
  return before && after ? std::max(0.0, rate(before, after, seconds) - own) : 0;
}

}  // namespace

// After the name, the columns are user, nice, system, idle, waiting for devices, two kinds of
// interrupts, and stolen.
std::optional<ProcessorSeconds> processor_seconds(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  std::array<double, 8> ticks{};
  words >> name;
  for (double& value : ticks) words >> value;
  if (!words || !name.starts_with("cpu")) return std::nullopt;
  const auto per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  const double used = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
  return ProcessorSeconds{used / per_second, ticks[7] / per_second};
}

LoadReading read_load() {
  LoadReading reading;
  reading.moment =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  reading.own = own_seconds();
  add_statistics(reading);
  add_quota(reading);
  return reading;
}

Load load_between(const LoadReading& before, const LoadReading& after) {
  const double seconds = after.moment - before.moment;
  Load load;
  load.processors = after.processors;
  load.quota = after.quota;
  const double own = rate(before.own, after.own, seconds);
  load.others = others_in(before.used, after.used, own, seconds);
  load.of_quota = others_in(before.of_quota, after.of_quota, own, seconds);
  load.stolen = rate(before.stolen, after.stolen, seconds);
  load.uncertain = uncertain(after, seconds);
  load.waited = rate(before.waited, after.waited, seconds);
  load.running = std::max(0, std::min(before.running.value_or(1), after.running.value_or(1)) - 1);
  return load;
}

std::string disturbance(const Load& load, int ranks, double allowed) {
  const double spare = load.processors - std::min(ranks, load.processors);
  if (load.stolen > allowed + load.uncertain) {
    return fmt::format("the host of this virtual machine took {:.1f} of {} processors", load.stolen,
                       load.processors);
  }
  if (load.others > spare + allowed + load.uncertain) {
    return fmt::format("other processes used {:.1f} of {} processors", load.others,
                       load.processors);
  }
  if (load.of_quota > load.quota - std::min(ranks, load.quota) + allowed) {
    return fmt::format(
        "other processes of the control group used {:.1f} of the {} processors that it may use",
        load.of_quota, load.quota);
  }
  return {};
}

std::string disturbance_ahead(const Load& load, int ranks) {
  std::string why = disturbance(load, ranks);
  if (!why.empty()) return why;
  const int spare = load.processors - std::min(ranks, load.processors);
  if (load.running > spare)
    return fmt::format("{} other processes run on {} processors", load.running, load.processors);
  if (load.waited > waited_from) {
    return fmt::format("processes waited for a processor in {:.0f} % of the time",
                       100 * load.waited);
  }
  return {};
}

std::string busy_line(const std::string& why) {
  return fmt::format("busy: {}; the figures may be too high\n", why);
}

nlohmann::json busy_json(const std::string& why) {
  return why.empty() ? nlohmann::json() : nlohmann::json(why);
}

LoadWatch::LoadWatch(int ranks)
    : LoadWatch(ranks, read_load, [](double seconds) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      }) {}

LoadWatch::LoadWatch(int ranks, Read read, Sleep sleep)
    : ranks_(ranks), read_(std::move(read)), sleep_(std::move(sleep)), start_(read_()) {}

std::string LoadWatch::wait(double seconds) {
  const double until = read_().moment + seconds;
  for (;;) {
    const LoadReading before = read_();
    sleep_(look_seconds);
    start_ = read_();
    std::string why = disturbance_ahead(load_between(before, start_), ranks_);
    if (why.empty() || start_.moment + pause_seconds + look_seconds > until) return why;
    sleep_(pause_seconds);
  }
}

std::string LoadWatch::disturbed(double allowed) const {
  return disturbance(load_between(start_, read_()), ranks_, allowed);
}

}  // namespace tutti::tools
