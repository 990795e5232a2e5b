// SPDX-License-Identifier: BSD-3-Clause
// Computes the numbers of member lists.
#include "group/members.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/number_list.hpp"

namespace tutti::group {
namespace {

// Adds a word to an FNV-1a hash, byte by byte.
std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  for (int byte = 0; byte < 8; ++byte, word >>= 8) hash = (hash ^ (word & 0xffU)) * 0x100000001b3U;
  return hash;
}

}  // namespace

Members::Members(std::vector<int> endpoints, std::uint64_t occurrence)
    : endpoints_(std::move(endpoints)), occurrence_(occurrence) {
  id_ = mix(0xcbf29ce484222325U, occurrence);
  for (const int endpoint : endpoints_) id_ = mix(id_, static_cast<std::uint64_t>(endpoint));
  id_ = (id_ >> id_bits ^ id_) & ((std::uint64_t{1} << id_bits) - 1);
}

std::string Members::text() const {
  const std::string list =
      fmt::format("process{} {}", size() == 1 ? "" : "es", base::number_list(endpoints_));
  const bool is_first = occurrence_ == 0 || (occurrence_ & label_bit) != 0;
  return is_first ? list : fmt::format("group {} of {}", occurrence_ + 1, list);
}

int Members::rank_of(int endpoint) const {
  const auto found = std::find(endpoints_.begin(), endpoints_.end(), endpoint);
  return found == endpoints_.end() ? -1 : static_cast<int>(found - endpoints_.begin());
}

std::uint64_t Occurrences::next(std::span<const int> endpoints) {
  return made_[std::vector<int>(endpoints.begin(), endpoints.end())]++;
}

}  // namespace tutti::group
