// SPDX-License-Identifier: BSD-3-Clause
// One stream for each process to each process, by itself: told where it is, or sent.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>
#include <vector>

#include "stream.hpp"

namespace tutti::bsp {

// The processes of a machine and how they reach each other.
struct Peers {
  tutti_group group{0};
  int pid = 0;
  std::vector<int> endpoints;
  bool reach_windows = false;  // all are on one machine

  [[nodiscard]] std::size_t count() const { return endpoints.size(); }
  // A block of another process by its name.
  [[nodiscard]] const Block* resolve(std::size_t pid, std::uint64_t name) const;
};

// One row of words for each process, to each process.
void exchange_words(const Peers& peers, void* from, void* to, std::size_t words_each);
// The bytes of `from`, cut by counts, to each process.
void exchange_bytes(const Peers& peers, std::vector<std::byte>& from, const std::vector<std::int64_t>& from_counts,
                    std::vector<std::byte>& to, const std::vector<std::int64_t>& to_counts);

class Delivery {
 public:
  // streams[pid] is for process pid. Afterwards from(pid) is what process pid has for this one, until its owner clears it
  // or the next exchange.
  void exchange(const Peers& peers, std::vector<Stream>& streams);
  [[nodiscard]] const Block* from(std::size_t pid) const { return found_[pid]; }

 private:
  std::vector<std::uint64_t> told_, heard_;
  std::vector<const Block*> found_;
  std::vector<std::byte> sent_, received_;
  std::vector<std::int64_t> sent_counts_, received_counts_;
};

}  // namespace tutti::bsp
