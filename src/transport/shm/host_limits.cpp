// SPDX-License-Identifier: BSD-3-Clause
// Finds what this machine or container lets a job use, in the form in which a segment has it: from
// base/processors.hpp, the control groups, and /proc/meminfo. The functions are declared in
// mapping.hpp.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/control_group.hpp"
#include "base/processors.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {
namespace {

double memory_available() {
  const double kibibytes = base::number_behind("MemAvailable:", "/proc/meminfo");
  return kibibytes * 1024;
}

}  // namespace

std::uint32_t suitable_arena_bytes() {
  constexpr long least = 2L << 20, most = most_arena_bytes;
  long cache = 0;  // stays 0 where it is not known
#ifdef _SC_LEVEL2_CACHE_SIZE
  cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  return static_cast<std::uint32_t>(std::clamp(2 * cache, least, most));
}

void add_processors(SegmentHeader& header) {
  constexpr int word_bits = 64;
  const std::vector<int> own = base::own_processors();
  std::array<std::uint64_t, processor_words> bits{};
  for (const int number : own) {
    const auto word = static_cast<std::size_t>(number / word_bits);
    if (word < bits.size()) bits[word] |= std::uint64_t{1} << (number % word_bits);
  }
  std::uint32_t count = 0;
  for (std::size_t word = 0; word < bits.size(); ++word) {
    const std::uint64_t all = header.processors[word].fetch_or(bits[word]) | bits[word];
    count += static_cast<std::uint32_t>(std::popcount(all));
  }
  // Processors with higher numbers than the set holds count for this process only.
  count = std::min(std::max(count, static_cast<std::uint32_t>(own.size())), header.quota);
  std::uint32_t seen = header.cpus.load();
  while (seen < count && !header.cpus.compare_exchange_weak(seen, count)) {
  }
}

std::int64_t default_memory_limit() {
  double bytes = memory_available();
  for (const auto& group : base::control_groups("memory")) {
    const char* file = group.version == base::ControlGroup::Version::two ? "/memory.max"
                                                                         : "/memory.limit_in_bytes";
    for (const auto& folder : base::folders(group))
      bytes = std::min(bytes, base::number_in_file(folder + file));
  }
  constexpr double fallback = 1 << 30;  // a modest guess if nothing is readable
  return static_cast<std::int64_t>((bytes < base::no_limit ? bytes : fallback) / 2);
}

}  // namespace tutti::transport::shm
