// SPDX-License-Identifier: BSD-3-Clause
// The rules for blocks that several operations of a round use.
#include "schedule/hazards.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::schedule {
namespace {

std::size_t index_of(int cell) {
  return static_cast<std::size_t>(cell);
}

}  // namespace

Hazards::Hazards(int ranks, int cells_of_rank, bool whole_vectors)
    : waits_(ranks, whole_vectors),
      cells_of_rank_(cells_of_rank),
      sent_in_(index_of(ranks) * index_of(cells_of_rank), -1),
      used_by_(index_of(cells_of_rank), -1),
      received_by_(index_of(cells_of_rank), -1),
      written_by_(index_of(cells_of_rank), -1),
      place_(index_of(cells_of_rank), -1),
      copied_to_by_(index_of(cells_of_rank), -1),
      copied_from_by_(index_of(cells_of_rank), -1),
      sent_(index_of(ranks)) {}

void Hazards::begin_round() {
  ++round_;
  rank_ = -1;
  for (auto& sent : sent_) sent.clear();
  waits_.begin_round();
}

void Hazards::begin_operation(int rank) {
  ++op_;
  if (rank != rank_) first_op_ = op_;
  rank_ = rank;
}

std::size_t Hazards::here(int cell) const {
  return index_of(cell - rank_ * cells_of_rank_);
}

void Hazards::send(const std::vector<int>& cells) {
  for (const int cell : cells) sent_in_[index_of(cell)] = round_;
  sent_[index_of(rank_)].push_back(cells);
  waits_.send(rank_);
}

void Hazards::check_written(int cell, std::int64_t number, By by) {
  if (written_by_[here(cell)] == op_)
    throw Violation{fmt::format("block {} is written twice", number)};
  written_by_[here(cell)] = op_;
  if (is_message(by) && used_by_[here(cell)] >= first_op_)
    throw Violation{fmt::format("another operation of the round uses block {}", number)};
}

void Hazards::write(const std::vector<int>& cells, By by) {
  bool meets_a_send = false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    place_[here(cells[i])] = static_cast<int>(i);
    if (is_message(by)) received_by_[here(cells[i])] = op_;
    meets_a_send = meets_a_send || sent_in_[index_of(cells[i])] == round_;
  }
  if (meets_a_send && is_message(by)) check_overlap(cells);
  waits_.begin(rank_, by, meets_a_send, op_);
  for (const int cell : cells) {
    use_copied(copied_to_by_, cell);
    use_copied(copied_from_by_, cell);
  }
  if (by == By::copy) note_copy(copied_to_by_, cells);
  use(cells);
}

// A run works element by element, and messages of a round arrive in any order. So an
// operation may read a block that it writes only at the same place, and what a message brings only
// after the message has arrived, for which local work waits and receives do not.
void Hazards::read(const std::vector<int>& cells, By by) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t cell = here(cells[i]);
    if (written_by_[cell] == op_ && index_of(place_[cell]) != i)
      throw Violation{"reads a block that it writes at another place"};
    if (is_message(by) && received_by_[cell] >= first_op_ && received_by_[cell] != op_)
      throw Violation{"combines with a block that arrives in the same round"};
    use_copied(copied_to_by_, cells[i]);
  }
  if (by == By::copy) note_copy(copied_from_by_, cells);
  use(cells);
}

void Hazards::use(const std::vector<int>& cells) {
  for (const int cell : cells) used_by_[here(cell)] = op_;
}

void Hazards::use_copied(const std::vector<std::int64_t>& copy_of, int cell) {
  const std::int64_t copy = copy_of[here(cell)];
  if (copy >= first_op_ && copy != op_) waits_.needs_copy(copy);
}

void Hazards::note_copy(std::vector<std::int64_t>& copy_of, const std::vector<int>& cells) {
  for (const int cell : cells)
    if (copy_of[here(cell)] < first_op_) copy_of[here(cell)] = op_;
}

// A run delays what a message writes block by block until the blocks have been sent. That
// needs the same blocks on both sides.
void Hazards::check_overlap(const std::vector<int>& cells) const {
  for (const std::vector<int>& sent : sent_[index_of(rank_)]) {
    if (sent == cells) continue;
    for (const int cell : cells)
      if (std::find(sent.begin(), sent.end(), cell) != sent.end())
        throw Violation{"overwrites a part of what is sent in the same round"};
  }
}

}  // namespace tutti::schedule
