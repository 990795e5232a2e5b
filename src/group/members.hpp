// SPDX-License-Identifier: BSD-3-Clause
// The members of a group: an ordered list of endpoints, and the number that names it in messages.
// Every member computes that number alone, from the list and from how often it has made that list
// before. Plans and the engine use it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tutti::group {

class Members {
 public:
  Members() = default;
  Members(std::vector<int> endpoints, std::uint64_t occurrence);

  [[nodiscard]] int size() const { return static_cast<int>(endpoints_.size()); }
  [[nodiscard]] int endpoint(int rank) const { return endpoints_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::span<const int> endpoints() const { return endpoints_; }
  // Returns the rank of an endpoint, -1 if it is no member.
  [[nodiscard]] int rank_of(int endpoint) const;
  // Bits of the number that messages carry.
  static constexpr int id_bits = 40;
  [[nodiscard]] std::uint64_t id() const { return id_; }
  // Returns a text such as "processes 0-2, 5", or "group 2 of processes 0-2, 5" if this is the
  // second group of these that this process has made. Users do not know the number id().
  [[nodiscard]] std::string text() const;

 private:
  std::vector<int> endpoints_;
  std::uint64_t occurrence_ = 0;
  std::uint64_t id_ = 0;
};

// The top bit of an occurrence that is a label.
constexpr std::uint64_t label_bit = std::uint64_t{1} << 63;
// Returns the occurrence for a list whose members have agreed on a label. Its top bit is set, so it
// differs from all counted ones.
[[nodiscard]] constexpr std::uint64_t labelled(std::uint64_t label) {
  return label | label_bit;
}

// Counts how often this process has made each list. Lists are compared exactly, so two lists never
// share a counter.
class Occurrences {
 public:
  [[nodiscard]] std::uint64_t next(std::span<const int> endpoints);

 private:
  std::map<std::vector<int>, std::uint64_t> made_;
};

}  // namespace tutti::group
