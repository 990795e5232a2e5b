// SPDX-License-Identifier: BSD-3-Clause
// The symbolic run of a schedule. Each round has two phases: first all messages are taken from the
// state before the round; then every rank receives and works, in the order of its operations. Here
// stand the values that move; hazards.hpp knows which operations may meet at a block, and tally.hpp
// counts.
#include "schedule/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "schedule/hazards.hpp"
#include "schedule/inboxes.hpp"
#include "schedule/printer.hpp"
#include "schedule/tally.hpp"

namespace tutti::schedule {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

template <class F>
void for_each_index(const Blocks& blocks, F f) {
  for (const Block& b : blocks)
    for (int j = 0; j < b.times && b.count > 0; ++j)
      for (int i = 0; i < b.count; ++i)
        f(b.buffer, std::int64_t{b.first} + std::int64_t{j} * b.stride + i);
}

std::int64_t number_of(const Blocks& blocks) {
  std::int64_t sum = 0;
  for (const Block& b : blocks) sum += std::int64_t{std::max(0, b.count)} * std::max(0, b.times);
  return sum;
}

// Operators on whole vectors are for Programs that do not cut the vector.
bool may_take_whole_vectors(Operation operation, const Buffers& buffers) {
  return combines(operation) && buffers.parts == 1;
}

class Run {
 public:
  using By = Hazards::By;

  Run(Operation operation, const Shape& shape, const Buffers& buffers, Placement placement,
      ScheduleHistory* history, Limits limits, const Durations& durations)
      : operation_(operation),
        p_(shape.p),
        memory_(operation, shape, buffers, placement),
        hazards_(shape.p, memory_.cells_of_rank(), may_take_whole_vectors(operation, buffers)),
        tally_(shape.p, durations),
        inboxes_(shape.p),
        emitted_(at(shape.p)),
        rounds_(at(shape.p), nullptr),
        blocks_of_rank_(buffers.input + buffers.output + buffers.scratch),
        limits_(limits),
        history_(history) {
    if (operation == Operation::barrier) heard_.assign(at(p_), std::vector<bool>(at(p_), false));
    for (int rank = 0; rank < p_ && !heard_.empty(); ++rank) heard_[at(rank)][at(rank)] = true;
    for (int cell = 0; history_ != nullptr && cell < memory_.cells(); ++cell)
      history_->start.push_back(memory_[cell]);
  }

  // Returns what a rank does in a round. The Round given has room for it.
  using Emit = std::function<const Round&(Round&, int rank, int t)>;

  void round(int t, const Emit& emit) {
    t_ = t;
    if (history_ != nullptr) history_->rounds.emplace_back();
    begin_round(emit);
    for (const int rank : active_) {
      rank_ = rank;
      for (const Op& op : ops()) guarded(op, [&] { take_messages(op); });
    }
    for (const int rank : active_) {
      rank_ = rank;
      for (const Op& op : ops()) guarded(op, [&] { work(op); });
    }
    for (rank_ = 0; rank_ < p_; ++rank_) check_inbox();
    try {
      hazards_.end_round();
    } catch (Violation& violation) {
      violation.text = fmt::format("{}: {}", round_name(t_), violation.text);
      violation.round = t_ + 1;
      throw;
    }
    tally_.end_round();
  }

  void remember_memory() {
    if (history_ != nullptr) history_->memory = memory_;
  }

  void finish(const Shape& shape, const Buffers& buffers, Verdict& verdict) {
    verdict.one_port = tally_.one_port();
    check_result(operation_, shape, buffers, memory_, verdict);
    for (rank_ = 0; rank_ < p_ && !heard_.empty(); ++rank_)
      for (int other = 0; other < p_; ++other)
        if (!heard_[at(rank_)][at(other)])
          throw Violation{
              fmt::format("result: rank {} leaves without having heard of rank {}", rank_, other),
              0, rank_};
    verdict.counts = tally_.finish(shape.root);
  }

 private:
  const std::vector<Op>& ops() const { return rounds_[at(rank_)]->ops; }

  template <class F>
  void guarded(const Op& op, F f) {
    hazards_.begin_operation(rank_);
    from_ = to_ = -1;
    try {
      f();
    } catch (const Violation& violation) {
      throw Violation{
          fmt::format("{}: rank {}: {}: {}", round_name(t_), rank_, to_text(op), violation.text),
          t_ + 1, rank_, from_, to_};
    }
  }

  void begin_round(const Emit& emit) {
    for (const int rank : active_) inboxes_.clear(rank);
    active_.clear();
    for (int rank = 0; rank < p_; ++rank) {
      emitted_[at(rank)].ops.clear();
      rounds_[at(rank)] = &emit(emitted_[at(rank)], rank, t_);
      if (rounds_[at(rank)]->ops.empty()) continue;
      active_.push_back(rank);
    }
    hazards_.begin_round();
    tally_.begin_round(active_);
  }

  // Reads blocks, all of which must hold something.
  BlockValues read(const Blocks& blocks) {
    spend(blocks);
    BlockValues content(number_of(blocks));
    for_each_index(blocks, [&](Buffer buffer, std::int64_t number) {
      const int cell = memory_.cell(rank_, buffer, number);
      const int index = static_cast<int>(number);
      const Value value = memory_[cell];
      if (value == nothing) throw Violation{fmt::format("block {} is not held", index)};
      if (buffer == Buffer::input && value != memory_.initial(rank_, index))
        throw Violation{fmt::format("input[{}] has been overwritten in place", index)};
      content.cells.push_back(cell);
      content.values.push_back(value);
      content.parts.push_back(memory_.part(rank_, buffer, index));
    });
    return content;
  }

  // First phase of a round: every send is read from the state before the round.
  void take_messages(const Op& op) {
    if (op.what != Do::send) return;
    const BlockValues content = read(op.blocks);
    if (op.to.count > p_) throw Violation{fmt::format("names {} ranks of {}", op.to.count, p_)};
    for (int i = 0; i < op.to.count; ++i) {
      const std::int64_t number = op.to.first + std::int64_t{i} * op.to.stride;
      if (number == op.to.except) continue;
      if (number < 0 || number >= p_) throw Violation{fmt::format("there is no rank {}", number)};
      const int to = static_cast<int>(number);
      from_ = rank_, to_ = to;
      spend(op.blocks);
      if (to == rank_) throw Violation{"a rank cannot send to itself"};
      if (inboxes_.last_is_from(rank_, to))
        throw Violation{fmt::format("a second message to rank {} in the round", to)};
      inboxes_.put(to, {rank_, content, heard_.empty() ? std::vector<bool>{} : heard_[at(rank_)],
                        tally_.send(rank_, static_cast<std::int64_t>(content.cells.size()))});
    }
    hazards_.send(content.cells);
  }

  // Second phase: each rank executes its other operations in order.
  void work(const Op& op) {
    tally_.work(rank_);
    switch (op.what) {
      case Do::send:
        return;
      case Do::receive: {
        if (op.to.count != 1 || op.to.except == op.to.first)
          throw Violation{"a receive has one sender"};
        const std::vector<int> cells = written(op.blocks, By::receive);
        const BlockValues content = take(op.to.first);
        check_sizes(op.blocks, content, "the message");
        return store(cells, content.values, op.to.first, content.cells);
      }
      case Do::copy: {
        if (op.operands.size() != 1 || !op.operands.front().is_local())
          throw Violation{"a copy has one local source"};
        const std::vector<int> cells = written(op.blocks, By::copy);
        const BlockValues content = read(op.operands.front().local);
        hazards_.read(content.cells, By::copy);
        check_sizes(op.blocks, content, "the source");
        return store(cells, content.values, rank_, content.cells);
      }
      case Do::combine:
      case Do::receive_combine:
        return fold(op);
    }
  }

  void fold(const Op& op) {
    const bool receives =
        std::any_of(op.operands.begin(), op.operands.end(), [](auto& o) { return !o.is_local(); });
    if (op.operands.empty()) throw Violation{"no operands"};
    if (receives && op.what == Do::combine) throw Violation{"a combine has local operands only"};
    if (!receives && op.what == Do::receive_combine) throw Violation{"receives no message"};
    const By by = receives ? By::receive_combine : By::combine;
    const std::vector<int> cells = written(op.blocks, by);
    std::vector<Value> total;
    std::vector<ScheduleHistory::Source> sources;
    for (const Operand& operand : op.operands) {
      const bool is_local = operand.is_local();
      BlockValues content = is_local ? read(operand.local) : take(num(operand.from));
      if (is_local) hazards_.read(content.cells, by);
      check_sizes(op.blocks, content, is_local ? "a local operand" : "a message");
      if (history_ != nullptr)
        sources.push_back({is_local ? rank_ : num(operand.from), std::move(content.cells)});
      if (total.empty()) {
        total = std::move(content.values);
        continue;
      }
      for (std::size_t i = 0; i < total.size(); ++i) total[i] = sum(total[i], content.values[i]);
      tally_.combine(rank_, static_cast<std::int64_t>(total.size()));
    }
    store(cells, total, std::move(sources));
  }

  Value sum(Value left, Value right) {
    if (memory_.expressions().sums() >= limits_.sums)
      throw Violation{fmt::format("refused after {} different sums", limits_.sums)};
    return memory_.expressions().sum(left, right);
  }

  // Returns the cells of blocks that are written.
  std::vector<int> written(const Blocks& blocks, By by) {
    spend(blocks);
    std::vector<int> cells;
    cells.reserve(static_cast<std::size_t>(number_of(blocks)));
    for_each_index(blocks, [&](Buffer buffer, std::int64_t number) {
      if (buffer == Buffer::input) throw Violation{"input is never written"};
      cells.push_back(memory_.cell(rank_, buffer, number));
      hazards_.check_written(cells.back(), number, by);
    });
    hazards_.write(cells, by);
    return cells;
  }

  // Counts the blocks that the run looks at. A Program from elsewhere may name more of them than
  // any machine can look at.
  void spend(const Blocks& blocks) {
    const std::int64_t number = number_of(blocks);
    steps_ += number + 1;
    if (number > blocks_of_rank_)
      throw Violation{fmt::format("names {} blocks of {}", number, blocks_of_rank_)};
    if (steps_ > limits_.steps) throw Violation{fmt::format("refused after {} steps", steps_)};
  }

  BlockValues take(int from) {
    from_ = from, to_ = rank_;
    SymbolicMessage* message = inboxes_.take(rank_, from);
    if (message == nullptr)
      throw Violation{fmt::format("rank {} sends no such message in this round", from)};
    hazards_.take(from);
    tally_.receive(rank_, static_cast<std::int64_t>(message->content.values.size()),
                   message->issued);
    for (std::size_t i = 0; i < message->heard.size(); ++i)
      if (message->heard[i]) heard_[at(rank_)][i] = true;
    return std::move(message->content);
  }

  // Compares the sizes of blocks.
  void check_sizes(const Blocks& blocks, const BlockValues& content, const char* what) const {
    std::size_t i = 0;
    for_each_index(blocks, [&](Buffer buffer, std::int64_t index) {
      const int part = memory_.part(rank_, buffer, static_cast<int>(index));
      if (i < content.parts.size() && !memory_.same_size(content.parts[i], part))
        throw Violation{fmt::format("{} has the size of part {} where part {} is expected", what,
                                    content.parts[i], part)};
      ++i;
    });
    if (i != content.values.size())
      throw Violation{
          fmt::format("{} has {} blocks where {} are expected", what, content.values.size(), i)};
  }

  void store(const std::vector<int>& cells, const std::vector<Value>& values, int from,
             const std::vector<int>& source) {
    std::vector<ScheduleHistory::Source> sources;
    if (history_ != nullptr) sources.push_back({from, source});
    store(cells, values, std::move(sources));
  }

  void store(const std::vector<int>& cells, const std::vector<Value>& values,
             std::vector<ScheduleHistory::Source> sources) {
    for (std::size_t i = 0; i < cells.size(); ++i) memory_[cells[i]] = values[i];
    if (history_ != nullptr)
      history_->rounds.back().push_back({rank_, cells, values, std::move(sources)});
  }

  void check_inbox() {
    if (const SymbolicMessage* message = inboxes_.left(rank_))
      throw Violation{
          fmt::format("{}: rank {} sends to rank {}, which does not receive it in this round",
                      round_name(t_), message->from, rank_),
          t_ + 1, message->from, message->from, rank_};
  }

  Operation operation_;
  int p_;
  Memory memory_;
  Hazards hazards_;
  Tally tally_;
  Inboxes inboxes_;
  std::vector<Round> emitted_;            // by rank: room for its round
  std::vector<const Round*> rounds_;      // by rank: its round
  std::vector<int> active_;               // ranks that do something in the round at hand
  std::vector<std::vector<bool>> heard_;  // in a barrier, per rank: the ranks it has heard of
  std::int64_t blocks_of_rank_, steps_ = 0;
  Limits limits_;
  ScheduleHistory* history_;  // the record for pictures, or null
  int t_ = 0, rank_ = 0;
  int from_ = -1, to_ = -1;  // the ends of the message at hand
};

Verdict run(Operation operation, const Shape& shape, const Buffers& buffers, Placement placement,
            int rounds, const Run::Emit& emit, ScheduleHistory* history, Limits limits,
            const Durations& durations) {
  Verdict verdict;
  verdict.placement = placement;
  try {
    Run run(operation, shape, buffers, placement, history, limits, durations);
    try {
      for (int t = 0; t < rounds; ++t) run.round(t, emit);
      run.finish(shape, buffers, verdict);
    } catch (const Violation&) {
      run.remember_memory();
      throw;
    }
    run.remember_memory();
  } catch (const Violation& violation) {
    verdict.problem = violation.text;
    verdict.round = violation.round;
    verdict.rank = violation.rank;
    verdict.from = violation.from;
    verdict.to = violation.to;
  }
  return verdict;
}

}  // namespace

Verdict verify(const Generator& generator, const Shape& shape, Placement placement,
               ScheduleHistory* history) {
  Verdict verdict =
      run(generator.operation, shape, generator.buffers(shape), placement, generator.rounds(shape),
          [&](Round& out, int rank, int t) -> const Round& {
            generator.emit(out, shape, Rank{rank}, t);
            return out;
          },
          history, {}, {});
  check_order(generator, verdict);
  return verdict;
}

void check_order(const Generator& generator, Verdict& verdict) {
  if (!verdict.correct() || verdict.rank_order || generator.commutative_only()) return;
  verdict.problem = fmt::format("result: {}, not in rank order, which '{}' claims to keep",
                                verdict.disorder, generator.name);
  verdict.rank = verdict.disorder_rank;
}

Verdict verify(Operation operation, const Shape& shape, const Buffers& buffers,
               std::span<const Program> programs, Placement placement, ScheduleHistory* history,
               Limits limits, const Durations& durations) {
  std::size_t rounds = 0;
  for (const Program& program : programs) rounds = std::max(rounds, program.size());
  return run(
      operation, shape, buffers, placement, static_cast<int>(rounds),
      [&](const Round& nothing_to_do, int rank, int t) -> const Round& {
        const Program& program = programs[at(rank)];
        return at(t) < program.size() ? program[at(t)] : nothing_to_do;
      },
      history, limits, durations);
}

}  // namespace tutti::schedule
