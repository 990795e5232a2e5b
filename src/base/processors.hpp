// SPDX-License-Identifier: BSD-3-Clause
// Counts the processors that this machine or container lets a job use. Engine, choices, interfaces
// and commands all ask here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tutti::base {

// Processors this process may use: min(affinity, cgroup v2 cpu.max or v1 cfs quota), at least 1.
[[nodiscard]] std::uint32_t usable_cpus();
// Number of processors that the control groups alone allow, at least 1.
[[nodiscard]] std::uint32_t cpu_quota();
// Returns the processor seconds used by the control group that cpu_quota() comes from. Returns
// nothing where no group sets a limit, or the system does not tell.
[[nodiscard]] std::optional<double> seconds_of_quota();
// Returns the numbers of the processors on which this thread may run: its affinity mask, which lies
// within the cpuset.
[[nodiscard]] std::vector<int> own_processors();
// Returns the name that the system gives to the kind of processor, or "unknown".
[[nodiscard]] std::string processor_name();

// A set of processors by their numbers, in a form that processes can send to each other. Processors
// with higher numbers than it has bits are not in it.
struct ProcessorSet {
  static constexpr int word_bits = 64;
  std::array<std::uint64_t, 16> words{};

  void add(const ProcessorSet& others);
  [[nodiscard]] std::uint32_t count() const;
};
// Returns the processors on which this thread may run, as a set.
[[nodiscard]] ProcessorSet own_processor_set();

}  // namespace tutti::base
