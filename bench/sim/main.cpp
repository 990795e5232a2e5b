// SPDX-License-Identifier: BSD-3-Clause
// bench_sim CASE runs one case in this process and prints as JSON how long it took and the
// process's peak memory. bench_sim --list names the cases. Each case has a process of its own, so
// that memory is counted separately.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "cases.hpp"
#include "simulate/simulate.hpp"

namespace {

using namespace tutti;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Returns the peak memory, including code and libraries.
double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

int run(const bench::Case& one) {
  const machine::Machine machine = bench::machine_of(one);
  const simulate::SimulatedJob job = bench::job_of(one);
  simulate::SimulationOptions options;
  options.links = false;
  const auto begin = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  const simulate::Report report = simulate::simulate(machine, job, options);
  const double processor = processor_seconds() - before;
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const nlohmann::json out{{"case", one.name},
                           {"topology", one.topology},
                           {"switching", one.switching},
                           {"operation", one.operation},
                           {"algorithm", one.algorithm},
                           {"bytes", one.bytes},
                           {"simulated_us", report.time},
                           {"messages", report.messages},
                           {"contentions", report.contentions},
                           {"events", report.events},
                           {"wall_s", wall},
                           {"processor_s", processor},
                           {"total_processor_s", processor_seconds()},
                           {"memory_mb", megabytes()}};
  fmt::print("{}\n", out.dump());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string wanted = count == 2 ? arguments[1] : "";
  try {
    for (const bench::Case& one : bench::cases()) {
      if (wanted == "--list") fmt::print("{}\n", one.name);
      if (wanted == one.name) return run(one);
    }
    if (wanted == "--list") return 0;
    fmt::print(stderr, "bench_sim CASE, of those that bench_sim --list names\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_sim: {}\n", error.what());
  }
  return 2;
}
