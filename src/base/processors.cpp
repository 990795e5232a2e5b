// SPDX-License-Identifier: BSD-3-Clause
// Asks the affinity mask and the control groups of either version.
#include "base/processors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/control_group.hpp"
#include "base/host_calls.hpp"
#include "base/input_file.hpp"

namespace tutti::base {
namespace {

double cpu_limit(const ControlGroup& group, const std::string& folder) {
  if (group.version == ControlGroup::Version::two) {
    InputFile stream(folder + "/cpu.max");
    double quota = 0;
    double period = 0;
    return stream >> quota >> period && period > 0 ? quota / period : no_limit;
  }
  const double quota = number_in_file(folder + "/cpu.cfs_quota_us");
  const double period = number_in_file(folder + "/cpu.cfs_period_us");
  return quota > 0 && quota < no_limit && period > 0 && period < no_limit ? quota / period
                                                                          : no_limit;
}

// The control group with the lowest limit of processors.
struct Quota {
  double cpus = no_limit;
  ControlGroup::Version version = ControlGroup::Version::one;
  std::string folder{};  // empty: no group sets one
};

Quota smallest_quota() {
  Quota least;
  for (const auto& group : control_groups("cpu")) {
    for (const auto& folder : folders(group)) {
      const double cpus = cpu_limit(group, folder);
      if (cpus < least.cpus) least = {cpus, group.version, folder};
    }
  }
  return least;
}

std::uint32_t affinity_count() {
  return static_cast<std::uint32_t>(std::max<std::size_t>(own_processors().size(), 1));
}

}  // namespace

std::uint32_t cpu_quota() {
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp(std::floor(smallest_quota().cpus), 1.0, most));
}

std::optional<double> seconds_of_quota() {
  const Quota quota = smallest_quota();
  if (quota.folder.empty()) return std::nullopt;
  const double seconds = quota.version == ControlGroup::Version::two
                             ? 1e-6 * number_behind("usage_usec", quota.folder + "/cpu.stat")
                             : 1e-9 * number_in_file(quota.folder + "/cpuacct.usage");
  return seconds < no_limit ? std::optional(seconds) : std::nullopt;
}

std::vector<int> own_processors() {
  std::vector<int> numbers;
  // A machine may have more processors than the set has bits. Then the call fails, and a larger set
  // is tried.
  bool done = false;
  for (int most = 1024; !done && most <= (1 << 20); most *= 2) {
    cpu_set_t* set = CPU_ALLOC(most);
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    done = set != nullptr && read_affinity(set, bytes);
    for (int number = 0; done && number < most; ++number) {
      if (CPU_ISSET_S(number, bytes, set)) numbers.push_back(number);
    }
    CPU_FREE(set);
  }
  return numbers;
}

std::uint32_t usable_cpus() {
  return std::min(affinity_count(), cpu_quota());
}

std::string processor_name() {
  InputFile file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

void ProcessorSet::add(const ProcessorSet& others) {
  for (std::size_t word = 0; word < words.size(); ++word) words[word] |= others.words[word];
}

std::uint32_t ProcessorSet::count() const {
  std::uint32_t count = 0;
  for (const std::uint64_t word : words) count += static_cast<std::uint32_t>(std::popcount(word));
  return count;
}

ProcessorSet own_processor_set() {
  ProcessorSet set;
  for (const int number : own_processors()) {
    const auto word = static_cast<std::size_t>(number / ProcessorSet::word_bits);
    if (word < set.words.size())
      set.words[word] |= std::uint64_t{1} << (number % ProcessorSet::word_bits);
  }
  return set;
}

}  // namespace tutti::base
