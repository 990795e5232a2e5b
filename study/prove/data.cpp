// SPDX-License-Identifier: BSD-3-Clause
// Obligations on what ranks hold: whatever they send they hold, and what the invariant says of the
// next round is what the round has made of the last.
#include <iterator>

#include "statement.hpp"

namespace tutti::prove {
namespace {

using schedule::Do;
using schedule::Op;
using schedule::Operand;

// The operation of the round that writes a cell, and at which place of its list.
struct Writer {
  Op op;
  Int place;
};

std::optional<Writer> writer_in(const Round& round, const Cell& cell) {
  for (const Op& op : round.ops) {
    if (op.what == Do::send) continue;
    if (const auto place = place_in(op.blocks, cell)) return Writer{op, *place};
  }
  return std::nullopt;
}

// Returns the operation that writes the cell of a part. Where a loop emits it, the step is guessed:
// it has the number of the part, or its distance from the rank. If none of them writes the cell, it
// is shown that no step does.
std::optional<Writer> writer_of(const Step& step, const Cell& cell, const Int& part) {
  if (auto writer = writer_in(step.round, cell)) return writer;
  if (!step.round.is_part) return std::nullopt;
  const Int& p = step.memory.shape().p;
  const Int other = part % p;
  for (int guess = 0; guess < 3; ++guess) {
    const Int number = guess == 0   ? other
                       : guess == 1 ? mod(step.me - other, p)
                                    : mod(other - step.me, p);
    if (auto writer = writer_in(step.round_of(step.me, step_number(number)), cell)) return writer;
  }
  path().require(!writer_in(step.round_of(step.me, {Steps::any}), cell),
                 "what no operation is seen to write is not written");
  return std::nullopt;
}

// Returns the cell that holds a block, under the one name that this cell has.
Cell home_of(const Step& step, const Int& rank, const Held& held) {
  return step.memory.named(rank, cell_of(held));
}

void require_held(const Step& step, const Blocks& blocks, const Int& k) {
  const Cell cell = cell_at(blocks, k);
  const Held held = step.before(step.me, step.memory.part(step.me, cell));
  path().require(held.any, "what is sent or copied is held");
  path().require(step.memory.same(step.me, cell, cell_of(held)),
                 "what is sent or copied is taken from where it is held");
}

void require_same_home(const Step& step, const Held& before, const Held& after) {
  path().require(before.any, "what is held later was held or arrives");
  path().require(step.memory.same(step.me, cell_of(before), cell_of(after)),
                 "what no operation writes stays where it is");
}

void require_interval(const Held& held, const Int& low, const Int& high) {
  path().require(held.low == low && held.high == high, "the sum is that of the ranks it should be");
}

// How often the round sends the part, where a send to several ranks counts for two. What is sent is
// what is held (sends_what_it_holds), so the part is found by its number, whatever the buffer.
int sends_of(const Step& step, const Int& part) {
  const Buffers& buffers = step.memory.buffers();
  int sends = 0;
  for (const Op& op : step.round.ops) {
    if (op.what != Do::send) continue;
    for (const Block& block : op.blocks) {
      if (!path().proves(buffers.blocks_of(block.buffer) <= buffers.parts))
        throw Unsupported{"a buffer of several vectors"};
      const Int first = step.memory.part(step.me, {block.buffer, 0});
      if (place_in({block}, {block.buffer, part - first})) sends += op.to.count == 1 ? 1 : 2;
    }
  }
  return sends;
}

void check_sum_that_stays(const Step& step, const Held& before, const Held& after) {
  path().require(before.any, "no rank gets a sum that it did not have");
  const auto writer = writer_in(step.round, home_of(step, step.me, after));
  if (!writer) return require_same_home(step, before, after);
  path().require(writer->op.what != Do::receive, "no sum is overwritten");
  int local = 0;
  for (const Operand& operand : writer->op.operands) {
    if (!operand.is_local()) continue;
    ++local;
    path().require(
        step.memory.same(step.me, cell_at(operand.local, writer->place), cell_of(before)),
        "a sum is added to the rank's own");
  }
  path().require(local == 1, "the rank's own sum is added once");
}

// The interval of an operand at a place of the list.
Held operand_at(const Step& step, const Operand& operand, const Int& place, const Int& part) {
  if (!operand.is_local()) return step.of_partner(num(operand.from), part);
  require_held(step, operand.local, place);
  return step.before(step.me, part);
}

void check_order(const Step& step, const Writer& writer, const Held& after, const Int& part) {
  const std::vector<Operand>& operands = writer.op.operands;
  Int low, high;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Held one = operand_at(step, operands[i], writer.place, part);
    if (i == 0) {
      low = one.low;
    } else {
      path().require(one.low == high, "operands follow each other in the order of the ranks");
    }
    high = one.high;
  }
  require_interval(after, low, high);
}

// Checks the order of a combine whose operands come from a loop, one from each step: the first
// begins the interval, each step begins where the one before it ends, and the last ends the
// interval. A view of any one step of each loop has one operand. So a single loop gives them all,
// one in each step. Two neighbours have one operand only if that loop has one step only.
void check_order_of_loop(const Step& step, const Cell& home, const Held& after, const Int& part) {
  constexpr Steps looks[] = {Steps::first, Steps::last, Steps::any, Steps::neighbours};
  const Steps which = looks[path().choose(static_cast<int>(std::size(looks)))];
  const View view{which};
  const auto writer = writer_in(step.round_of(step.me, view), home);
  path().require(writer.has_value(), "a loop gives operands of one combine");
  const std::vector<Operand>& operands = writer->op.operands;
  const bool loop_has_one_step = which == Steps::neighbours && operands.size() == 1;
  if (loop_has_one_step) return;
  path().require(operands.size() == (which == Steps::neighbours ? 2U : 1U),
                 "each step gives one operand");
  const Held one = operand_at(step, operands[0], writer->place, part);
  if (which == Steps::first)
    return path().require(one.low == after.low, "the first operand is the lowest");
  if (which == Steps::last)
    return path().require(one.high == after.high, "the last one is the highest");
  if (which == Steps::any) return;
  path().require(operand_at(step, operands[1], writer->place, part).low == one.high,
                 "operands follow each other in the order of the ranks");
}

}  // namespace

void sends_what_it_holds(const Subject& subject) {
  const Step step(subject, {Steps::any});
  if (step.stage.kind == Kind::news) return;
  const Op& op = step.some_operation();
  if (op.what == Do::send) return require_held(step, op.blocks, some_place(op.blocks));
  if (op.what != Do::copy) return;
  const Blocks& source = op.operands.front().local;
  require_held(step, source, some_place(source));
}

void data_is_kept(const Subject& subject) {
  const Step step(subject, {Steps::none});
  if (step.stage.kind != Kind::data && step.stage.kind != Kind::news) return;
  const Int part = some_part(step.memory);
  const Held after = step.after(step.me, part);
  if (!after.any) return;
  const Held before = step.before(step.me, part);
  if (step.stage.kind == Kind::news) {
    Truth heard = before.any;
    for (const Op& op : step.round.ops)
      if (op.what == Do::receive) heard = either(heard, step.of_partner(op.to.first, part).any);
    return path().require(heard, "news that is known later was known or arrives");
  }
  const Cell home = home_of(step, step.me, after);
  path().require(step.memory.part(step.me, cell_of(after)) == part, "a part is in its own place");
  const auto writer = writer_of(step, home, part);
  if (!writer) return require_same_home(step, before, after);
  path().require(writer->op.what == Do::receive || writer->op.what == Do::copy,
                 "data is not added up");
  path().require(step.memory.part(step.me, cell_at(writer->op.blocks, writer->place)) == part,
                 "what arrives is not another part");
}

void sums_are_kept(const Subject& subject) {
  const Step step(subject, {Steps::none});
  if (step.stage.kind != Kind::sums) return;
  if (step.round.is_part) throw Unsupported{"sums of any ranks in a loop"};
  if (path().choose(2) == 0) {
    const Op& op = step.some_operation();
    if (op.what != Do::receive_combine && op.what != Do::receive) return;
    const Cell cell = cell_at(op.blocks, some_place(op.blocks));
    const Held after = step.after(step.me, step.memory.part(step.me, cell));
    path().require(after.any, "a sum that arrives is added to one that counts");
    return path().require(step.memory.same(step.me, cell, cell_of(after)),
                          "a sum that arrives is added to one that counts");
  }
  const Int part = some_part(step.memory);
  const Held before = step.before(step.me, part), after = step.after(step.me, part);
  const int sends = before.any ? sends_of(step, part) : 0;
  if (!after.any) {
    path().require(negated(before.any) || sends == 1, "a sum that is given up is sent once");
    return;
  }
  path().require(sends == 0, "a sum that is sent is given up");
  check_sum_that_stays(step, before, after);
}

void sums_stay_in_order(const Subject& subject) {
  const Step step(subject, {Steps::none});
  if (step.stage.kind != Kind::ordered_sums) return;
  const Int part = some_part(step.memory);
  const Held after = step.after(step.me, part);
  if (!after.any) return;
  path().require(step.memory.part(step.me, cell_of(after)) == part, "a part is in its own place");
  const Cell home = home_of(step, step.me, after);
  const auto writer = writer_of(step, home, part);
  if (!writer) {
    const Held before = step.before(step.me, part);
    require_same_home(step, before, after);
    return require_interval(after, before.low, before.high);
  }
  if (writer->op.what == Do::receive) {
    const Held theirs = step.of_partner(writer->op.to.first, part);
    return require_interval(after, theirs.low, theirs.high);
  }
  // The view has no operands of loops, local ones included.
  if (step.round.is_part && writer->op.what != Do::copy)
    return check_order_of_loop(step, home, after, part);
  check_order(step, *writer, after, part);
}

}  // namespace tutti::prove
