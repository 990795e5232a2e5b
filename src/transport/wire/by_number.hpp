// SPDX-License-Identifier: BSD-3-Clause
// A table of one T per process of a job, by the number of the process. The entries of ranks exist
// from the start; in an open job, where any number may turn up, an entry is made at first use.
// Entries keep their addresses. Used by the link, the mail and the transport of the wire.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "transport/wire/job.hpp"

namespace tutti::transport::wire {

template <class T>
class ByNumber {
 public:
  explicit ByNumber(const WireJob& job)
      : ranks_(job.is_open() ? 0 : static_cast<std::size_t>(job.size())) {}

  [[nodiscard]] T& operator[](int number) {
    const auto index = static_cast<std::size_t>(number);
    return index < ranks_.size() ? ranks_[index] : others_[number];
  }
  // Returns nullptr when there is no entry for `number`.
  [[nodiscard]] const T* find(int number) const {
    const auto index = static_cast<std::size_t>(number);
    if (index < ranks_.size()) return &ranks_[index];
    const auto found = others_.find(number);
    return found == others_.end() ? nullptr : &found->second;
  }
  // Calls visit(number, T&) for each entry, in ascending order.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) visit(static_cast<int>(i), ranks_[i]);
    for (auto& [number, kept] : others_) visit(number, kept);
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < ranks_.size(); ++i) visit(static_cast<int>(i), ranks_[i]);
    for (const auto& [number, kept] : others_) visit(number, kept);
  }

 private:
  std::vector<T> ranks_;
  std::map<int, T> others_;
};

}  // namespace tutti::transport::wire
