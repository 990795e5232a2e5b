// SPDX-License-Identifier: BSD-3-Clause
// An ordered list of endpoints and the number that names it on the wire. Every member computes the
// same number without a word being exchanged: from the list, and from how often this process has
// made that list before.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace tutti::group {

class Members {
 public:
  Members() = default;
  Members(std::vector<int> endpoints, std::uint32_t occurrence);

  [[nodiscard]] int size() const { return static_cast<int>(endpoints_.size()); }
  [[nodiscard]] int endpoint(int rank) const { return endpoints_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::span<const int> endpoints() const { return endpoints_; }
  // Rank of an endpoint, -1 if it is no member.
  [[nodiscard]] int rank_of(int endpoint) const;
  // Messages carry this many bits of the identifier.
  static constexpr int id_bits = 28;
  [[nodiscard]] std::uint32_t id() const { return id_; }

 private:
  std::vector<int> endpoints_;
  std::uint32_t id_ = 0;
};

// Returns the number of the occurrence of a list whose members have agreed on a label. It differs
// from all numbers that are counted.
[[nodiscard]] constexpr std::uint32_t labelled(std::uint64_t label) {
  return static_cast<std::uint32_t>(label * 0x9e3779b97f4a7c15U >> 33) | 0x80000000U;
}

// Counts how often each list was made. Compared exactly: two lists never share a counter.
class Occurrences {
 public:
  [[nodiscard]] std::uint32_t next(std::span<const int> endpoints);

 private:
  std::map<std::vector<int>, std::uint32_t> made_;
};

}  // namespace tutti::group
