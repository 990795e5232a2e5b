// SPDX-License-Identifier: BSD-3-Clause
// The requests of ranks that are not done, and the numbers of messages outside of operations. Ranks
// that only run operations one after the other need no entry.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simulate/rank_source.hpp"

namespace tutti::simulate {

class OpenRequests {
 public:
  struct Open {
    RequestNumber request = 0;
    int from = -1;    // of a receive: the sender; -1: anybody
    int number = -1;  // of a receive: that of its message; -1: not known
    bool awaited = false;
  };

  // Return the number of the next message of a pair: of those sent, and of those received.
  [[nodiscard]] int next_sent(int from, int to) { return pairs_[pair(from, to)].sent++; }
  [[nodiscard]] int next_received(int from, int to) { return pairs_[pair(from, to)].received++; }

  // Throws Error(invalid_argument) if the number is that of an open request.
  void open(int node, const Open& request);
  // Returns nullptr if the request is done. Valid until the next call of open() or close().
  [[nodiscard]] const Open* find(int node, RequestNumber request) const;
  // Notes which message an open receive gets.
  void meet(int node, RequestNumber request, int from, int number);
  // Notes that the program of the node waits for an open request.
  void await(int node, RequestNumber request);
  // Returns the request for which it waits.
  [[nodiscard]] const Open& awaited(int node) const;
  // Returns the request of an open receive.
  [[nodiscard]] RequestNumber receive_of(int node, int from, int number) const;
  void close(int node, RequestNumber request);

 private:
  struct Pair {
    int sent = 0, received = 0;
  };
  static std::uint64_t pair(int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  }

  std::unordered_map<std::uint64_t, Pair> pairs_;
  std::unordered_map<int, std::vector<Open>> open_;  // by node
};

}  // namespace tutti::simulate
