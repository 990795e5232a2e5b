// SPDX-License-Identifier: BSD-3-Clause
// Counters of /proc, and what their differences say.
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

namespace tutti::tools {
namespace {

constexpr double look_seconds = 0.1;   // ten ticks of the system's clock on each processor
constexpr double pause_seconds = 0.4;  // between two looks
constexpr double waited_from = 0.1;    // part of the time

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

// The first line: user, nice, system, idle, waiting for devices, interrupts twice, stolen.
void add_times(LoadReading& reading, const std::string& line) {
  std::istringstream words(line);
  std::string name;
  std::array<double, 8> ticks{};
  words >> name;
  for (double& value : ticks) words >> value;
  if (!words) return;
  const auto per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  reading.used = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / per_second;
  reading.stolen = ticks[7] / per_second;
}

void add_statistics(LoadReading& reading) {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("cpu ")) add_times(reading, line);
    if (line.starts_with("procs_running "))
      reading.running = std::atoi(line.c_str() + line.find(' '));
  }
}

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=274893314", in microseconds.
void add_pressure(LoadReading& reading) {
  std::ifstream file("/proc/pressure/cpu");
  for (std::string line; std::getline(file, line);) {
    const auto total = line.find("total=");
    if (line.starts_with("some ") && total != std::string::npos)
      reading.waited = 1e-6 * std::atof(line.c_str() + total + 6);
  }
}

double rate(std::optional<double> before, std::optional<double> after, double seconds) {
  return before && after && seconds > 0 ? std::max(0.0, (*after - *before) / seconds) : 0;
}

}  // namespace

LoadReading read_load() {
  LoadReading reading;
  reading.moment =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  reading.own = own_seconds();
  reading.processors = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  add_statistics(reading);
  add_pressure(reading);
  return reading;
}

Load load_between(const LoadReading& before, const LoadReading& after) {
  const double seconds = after.moment - before.moment;
  Load load;
  load.processors = after.processors;
  const double used = rate(before.used, after.used, seconds);
  load.others =
      before.used && after.used ? std::max(0.0, used - rate(before.own, after.own, seconds)) : 0;
  load.stolen = rate(before.stolen, after.stolen, seconds);
  load.waited = rate(before.waited, after.waited, seconds);
  load.running = std::max(0, std::min(before.running.value_or(1), after.running.value_or(1)) - 1);
  return load;
}

std::string disturbance(const Load& load, int ranks, double allowed) {
  const double spare = load.processors - std::min(ranks, load.processors);
  if (load.stolen > allowed) {
    return fmt::format("the host of this virtual machine took {:.1f} of {} processors", load.stolen,
                       load.processors);
  }
  if (load.others > spare + allowed) {
    return fmt::format("other processes used {:.1f} of {} processors", load.others,
                       load.processors);
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
