// SPDX-License-Identifier: BSD-3-Clause
// One stream for each process to each process, by itself: told where it is, or sent.
#pragma once

#include <cstdint>
#include <vector>

#include "peers.hpp"

namespace tutti::bsp {

// One row of words for each process, to each process.
void exchange_words(const Peers& peers, void* from, void* to, std::size_t words_each);
// As many words as counts say, without gaps. Nobody waits for a process that has none for it.
void exchange_words(const Peers& peers, void* from, const std::vector<std::int64_t>& from_counts,
                    void* to, const std::vector<std::int64_t>& to_counts);
// The bytes of `from`, cut by counts, to each process.
void exchange_bytes(const Peers& peers, std::vector<std::byte>& from,
                    const std::vector<std::int64_t>& from_counts, std::vector<std::byte>& to,
                    const std::vector<std::int64_t>& to_counts);

class StreamDelivery {
 public:
  // streams[pid] is for process pid. Afterwards from(pid) is what process pid has for this one,
  // until its owner clears it or the next exchange.
  void exchange(const Peers& peers, std::vector<Stream>& streams);
  [[nodiscard]] const StreamBlock* from(std::size_t pid) const { return found_[pid]; }

 private:
  std::vector<std::uint64_t> told_, heard_;
  std::vector<const StreamBlock*> found_;
  std::vector<std::byte> sent_, received_;
  std::vector<std::int64_t> sent_counts_, received_counts_;
};

}  // namespace tutti::bsp
