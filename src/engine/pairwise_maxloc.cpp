// SPDX-License-Identifier: BSD-3-Clause
// Recognises schedules that move only own values, and combines such values by MAXLOC.
#include "engine/pairwise_maxloc.hpp"

#include <algorithm>

#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

using schedule::Do;

bool is_input(const schedule::Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const schedule::Block& block) {
    return block.buffer == schedule::Buffer::input;
  });
}

// Returns true for a send of own values, and for a combine of own values with those of the other
// rank.
bool is_of_leaves(const schedule::Op& op) {
  if (op.what == Do::send) return is_input(op.blocks);
  const auto& operands = op.operands;
  return op.what == Do::receive_combine && operands.size() == 2 &&
         operands[0].is_local() != operands[1].is_local() &&
         is_input(operands[operands[0].is_local() ? 0 : 1].local);
}

bool moves_leaves_only(const schedule::Program& program) {
  int combines = 0;
  for (const schedule::Round& round : program) {
    for (const schedule::Op& op : round.ops) {
      if (!is_of_leaves(op)) return false;
      combines += op.what == Do::receive_combine ? 1 : 0;
    }
  }
  return combines <= 1;
}

}  // namespace

bool PairwiseMaxloc::suit(const schedule::Generator& generator, const schedule::Shape& shape) {
  if (shape.p != 2 || !combines(generator.operation)) return false;
  return moves_leaves_only(schedule::build(generator, shape, schedule::Rank{0})) &&
         moves_leaves_only(schedule::build(generator, shape, schedule::Rank{1}));
}

PairwiseMaxloc::PairwiseMaxloc(const LoweredPlan& plan, int me)
    : left_rank_(std::any_of(plan.ops.begin(), plan.ops.end(),
                             [](const MicroOp& op) { return op.pair == Pair::message_first; })
                     ? 1 - me
                     : me) {}

void PairwiseMaxloc::place(std::int32_t* ranks, int distance_root) {
  place_ = ranks;
  position_ = 0;
  ranks_ = {left_rank_, 1 - left_rank_, schedule::mod(left_rank_ - distance_root, 2) == 0};
}

void PairwiseMaxloc::begin(const data::Operator& located, const Locations* where) {
  join_ = located.join();
  value_bytes_ = static_cast<std::int64_t>(located.value_bytes());
  op_ = data::Operator::on_values(located, combine, this);
  layout_ = where == nullptr ? data::Layout() : where->layout;
  place(where == nullptr ? nullptr : where->ranks, where == nullptr ? 0 : where->distance_root);
}

void PairwiseMaxloc::begin_again(const Locations& where) {
  layout_ = data::Layout();
  place(where.ranks, where.distance_root);
}

// Writes winners and their ranks. `position_` tells where the ranks go, since an execution combines
// each element once and in order.
void PairwiseMaxloc::combine(void* result, const void* left, const void* right, std::int64_t count,
                             void* user) {
  auto& self = *static_cast<PairwiseMaxloc*>(user);
  if (self.place_ == nullptr) return self.join_(result, nullptr, left, right, count, self.ranks_);
  self.layout_.for_each_run(
      self.position_, count, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
        const std::int64_t at = (position - self.position_) * self.value_bytes_;
        self.join_(static_cast<std::byte*>(result) + at, self.place_ + offset,
                   static_cast<const std::byte*>(left) + at,
                   static_cast<const std::byte*>(right) + at, length, self.ranks_);
      });
  self.position_ += count;
}

}  // namespace tutti::engine
