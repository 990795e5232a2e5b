// SPDX-License-Identifier: BSD-3-Clause
// Gives each process the streams that the others have for it: by their names if windows can be
// reached, else by sending the bytes. The audit and the answers to gets use it.
#pragma once

#include <cstdint>
#include <vector>

#include "peers.hpp"

namespace tutti::bsp {

// Sends a row of `words_each` words from each process to each process.
void exchange_words(const Peers& peers, void* from, void* to, std::size_t words_each);
// Sends as many words as the counts say, without gaps. No process waits for one that has no words
// for it.
void exchange_words(const Peers& peers, void* from, const std::vector<std::int64_t>& from_counts,
                    void* to, const std::vector<std::int64_t>& to_counts);
// Sends the bytes of `from`, divided by the counts, to the processes.
void exchange_bytes(const Peers& peers, std::vector<std::byte>& from,
                    const std::vector<std::int64_t>& from_counts, std::vector<std::byte>& to,
                    const std::vector<std::int64_t>& to_counts);

class StreamDelivery {
 public:
  // Exchanges streams; streams[pid] is for process pid. Afterwards from(pid) is the stream of
  // process pid for this one. It is valid until its owner clears it or the next exchange.
  void exchange(const Peers& peers, std::vector<Stream>& streams);
  [[nodiscard]] const StreamBlock* from(std::size_t pid) const { return found_[pid]; }

 private:
  std::vector<std::uint64_t> told_, heard_;
  std::vector<const StreamBlock*> found_;
  std::vector<std::byte> sent_, received_;
  std::vector<std::int64_t> sent_counts_, received_counts_;
};

}  // namespace tutti::bsp
