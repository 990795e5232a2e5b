// SPDX-License-Identifier: BSD-3-Clause
// Finds what this machine or container lets a job use, in the form in which a segment has it. The
// functions are declared in mapping.hpp.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "base/processors.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {
void add_processors(SegmentHeader& header) {
  const base::ProcessorSet own = base::own_processor_set();
  static_assert(std::tuple_size_v<decltype(own.words)> == processor_words);
  base::ProcessorSet together;
  for (std::size_t word = 0; word < own.words.size(); ++word)
    together.words[word] = header.processors[word].mark(own.words[word]) | own.words[word];
  // Processors with higher numbers than the set holds count for this process only.
  const auto mine = static_cast<std::uint32_t>(base::own_processors().size());
  const std::uint32_t count = std::min(std::max(together.count(), mine), header.quota);
  std::uint32_t seen = header.cpus.peek();
  while (seen < count && !header.cpus.replace(seen, count)) {
  }
}

}  // namespace tutti::transport::shm
