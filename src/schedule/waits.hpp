// SPDX-License-Identifier: BSD-3-Clause
// Finds rounds in which ranks could wait for each other in a circle, because each has no room to
// send before another has sent. hazards.cpp says what a rank does; nobody else uses this.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "schedule/memory.hpp"

namespace tutti::schedule {

// The number of packets under way from a rank is limited, whatever messages they belong to. So a
// rank may have no room to send until one of its messages is taken. The receiver takes a message
// only after some others have arrived, and those only after their ranks have had room. waits.cpp
// says which.
class Waits {
 public:
  // If `whole_vectors`, operators may also take whole vectors.
  Waits(int ranks, bool whole_vectors);

  void begin_round();
  // Says that the rank has one more send in the round. All sends of a round come first.
  void send(int rank);

  enum class What : std::uint8_t { receive, receive_combine, copy, combine };
  // Begins an operation of the rank that is not a send. Ranks follow each other, and the operations
  // of a rank come in their order. `number` grows from one to the next. `overwrites` says that the
  // operation writes blocks that the rank sends in the round.
  void begin(int rank, What what, bool overwrites, std::int64_t number);
  // Says that the operation takes a message. It takes them in this order.
  void take(int from);
  // Says that a copy of the rank before this operation shares blocks with it, so it must run first.
  void needs_copy(std::int64_t number);

  // Throws a Violation if ranks could wait in a circle.
  void end_round();

 private:
  struct Operation {
    What what;
    bool overwrites;
    std::int64_t number;
    std::size_t senders;  // index of its first entry in senders_
  };
  // How much another rank must have sent, if anything.
  enum class Until : std::uint8_t { no_wait, same_elements, all };
  // The receiver takes packets of `from` only after `to` has sent so much, if the operator works
  // element by element, or takes whole vectors. Nodes are ranks, and after them the barriers of the
  // round.
  struct Edge {
    int from, to, receiver;
    Until by_element, by_vector;
  };

  void end_rank();
  void add_messages(const Operation& op, std::size_t end, int barrier);
  int add_barrier(int before, std::span<const int> senders, bool own);
  void check(Until Edge::*until) const;
  [[nodiscard]] bool is_risky(const Edge& edge, Until Edge::*until) const;
  [[nodiscard]] std::vector<int> components(Until Edge::*until) const;

  int p_;
  bool whole_vectors_;
  std::vector<int> sends_;  // per rank, in the round
  int rank_ = -1;           // whose operations these are
  std::vector<Operation> operations_;
  std::vector<int> senders_;  // of the messages that they take
  std::int64_t first_needed_ = std::numeric_limits<std::int64_t>::max();
  std::vector<Edge> edges_;
  int barriers_ = 0;
};

[[nodiscard]] constexpr bool is_message(Waits::What what) {
  return what == Waits::What::receive || what == Waits::What::receive_combine;
}

}  // namespace tutti::schedule
