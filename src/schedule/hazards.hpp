// SPDX-License-Identifier: BSD-3-Clause
// Checks which operations of a round may use the same blocks. A run does them together, in any
// order of messages, and without copies of what they overwrite. A round whose result depends on
// that, or whose ranks could wait in a circle, is a Violation. verifier.cpp says what every
// operation does; nobody else uses this.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/memory.hpp"
#include "schedule/waits.hpp"

namespace tutti::schedule {

// Blocks are named by their cells (memory.hpp). In a round, all sends come first. Every other
// operation then says what it writes, and after that what it reads of its own rank and from which
// ranks it takes messages.
class Hazards {
 public:
  // Says how an operation gets what it writes: from messages, as a copy, or as a combine of blocks
  // of its rank.
  using By = Waits::What;

  Hazards(int ranks, int cells_of_rank, bool whole_vectors);

  void begin_round();
  void begin_operation(int rank);
  void send(const std::vector<int>& cells);
  // Checks one block that the operation writes; `number` names it in the message.
  void check_written(int cell, std::int64_t number, By by);
  // Checks all blocks that it writes, in the order of its list.
  void write(const std::vector<int>& cells, By by);
  void read(const std::vector<int>& cells, By by);
  void take(int from) { waits_.take(from); }
  void end_round() { waits_.end_round(); }

 private:
  [[nodiscard]] std::size_t here(int cell) const;
  void use(const std::vector<int>& cells);
  void use_copied(const std::vector<std::int64_t>& copy_of, int cell);
  void note_copy(std::vector<std::int64_t>& copy_of, const std::vector<int>& cells);
  void check_overlap(const std::vector<int>& cells) const;

  Waits waits_;
  int cells_of_rank_;
  std::vector<int> sent_in_;  // by cell: the last round that sent it
  // These have an entry for each cell of a rank, and the next rank takes them over. Operations are
  // numbered, so it sees which entries are its own. The last operation that used the cell, that
  // received it, and that wrote it, at which place of its list:
  std::vector<std::int64_t> used_by_, received_by_, written_by_;
  std::vector<int> place_;
  // The first copy of the rank in the round that wrote it, and the first that read it.
  std::vector<std::int64_t> copied_to_by_, copied_from_by_;
  // By rank: the cells of each message sent in the round.
  std::vector<std::vector<std::vector<int>>> sent_;
  std::int64_t op_ = 0, first_op_ = 0;  // the operation at hand, first of the rank
  int round_ = -1, rank_ = 0;
};

}  // namespace tutti::schedule
