// SPDX-License-Identifier: BSD-3-Clause
// A record for each process of a job, found by its number. Where any number may turn up, the record
// is made at first use; records do not move.
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
  // nullptr when nothing is kept of it.
  [[nodiscard]] const T* find(int number) const {
    const auto index = static_cast<std::size_t>(number);
    if (index < ranks_.size()) return &ranks_[index];
    const auto found = others_.find(number);
    return found == others_.end() ? nullptr : &found->second;
  }
  // visit(number, T&) for each; ascending.
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
