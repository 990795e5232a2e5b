// SPDX-License-Identifier: BSD-3-Clause
// The symbolic run of a schedule. Each round has two phases: first all messages are taken from the
// state before the round; then every rank receives and works, in the order of its operations.
#include "schedule/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "schedule/printer.hpp"

namespace tutti::schedule {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

template <class F>
void for_each_index(const Blocks& blocks, F f) {
  for (const Block& b : blocks)
    for (int j = 0; j < b.times; ++j)
      for (int i = 0; i < b.count; ++i) f(b.buffer, b.first + j * b.stride + i);
}

struct Content {
  std::vector<Value> values;
  std::vector<int> parts;  // sizes
  std::vector<int> cells;  // where the values come from
};

struct Message {
  int from;
  Content content;
  std::vector<bool> heard;  // the ranks that the sender of a barrier has heard of
  Time issued;
  bool taken = false;
};

// The work of a rank in the current round.
struct Activity {
  int sends = 0, receives = 0, last_round = -1;
  std::int64_t blocks_sent = 0, blocks_received = 0, combines = 0;
  std::vector<std::vector<int>> sent;  // the cells of each message sent
  std::vector<Message> inbox;

  void forget_round() {
    sends = receives = 0;
    blocks_sent = blocks_received = combines = 0;
    sent.clear();
    inbox.clear();
  }
};

class Run {
 public:
  Run(Operation operation, const Shape& shape, const Buffers& buffers, Placement placement,
      ScheduleHistory* history)
      : operation_(operation),
        p_(shape.p),
        memory_(operation, shape, buffers, placement),
        clock_(shape.p),
        activity_(at(shape.p)),
        rounds_(at(shape.p)),
        sent_in_(at(memory_.cells()), -1),
        used_in_(at(memory_.cells()), -1),
        history_(history) {
    if (operation == Operation::barrier) heard_.assign(at(p_), std::vector<bool>(at(p_), false));
    for (int rank = 0; rank < p_ && !heard_.empty(); ++rank) heard_[at(rank)][at(rank)] = true;
    remember_state();
  }

  using Emit = std::function<void(Round&, int rank, int t)>;

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
    end_round();
    remember_state();
  }

  void finish(const Shape& shape, const Buffers& buffers, Verdict& verdict) {
    verdict.one_port = one_port_;
    check_result(operation_, shape, buffers, memory_, verdict);
    for (rank_ = 0; rank_ < p_ && !heard_.empty(); ++rank_)
      for (int other = 0; other < p_; ++other)
        if (!heard_[at(rank_)][at(other)])
          throw Violation{
              fmt::format("result: rank {} leaves without having heard of rank {}", rank_, other)};
    finish_counts(shape.root);
    verdict.counts = std::move(counts_);
    if (history_ != nullptr) history_->memory = memory_;
  }

 private:
  const std::vector<Op>& ops() const { return rounds_[at(rank_)].ops; }
  Activity& mine() { return activity_[at(rank_)]; }

  template <class F>
  void guarded(const Op& op, F f) const {
    try {
      f();
    } catch (Violation& violation) {
      violation.text =
          fmt::format("round {}: rank {}: {}: {}", t_ + 1, rank_, to_text(op), violation.text);
      throw;
    }
  }

  void begin_round(const Emit& emit) {
    for (const int rank : active_) activity_[at(rank)].forget_round();
    active_.clear();
    messages_ = 0;
    for (int rank = 0; rank < p_; ++rank) {
      rounds_[at(rank)].ops.clear();
      emit(rounds_[at(rank)], rank, t_);
      if (rounds_[at(rank)].ops.empty()) continue;
      active_.push_back(rank);
      clock_.begin_round(rank);
    }
  }

  void remember_state() {
    if (history_ == nullptr) return;
    std::vector<Value>& state = history_->states.emplace_back();
    for (int cell = 0; cell < memory_.cells() && heard_.empty(); ++cell)
      state.push_back(memory_[cell]);
    for (const std::vector<bool>& by_rank : heard_)
      for (int other = 0; other < p_; ++other)
        state.push_back(by_rank[at(other)] ? memory_.expressions().leaf(other, 0) : nothing);
  }

  // Reads blocks, all of which must hold something, and returns their cells.
  const std::vector<int>& read(const Blocks& blocks, Content& content) const {
    for_each_index(blocks, [&](Buffer buffer, int index) {
      const int cell = memory_.cell(rank_, buffer, index);
      const Value value = memory_[cell];
      if (value == nothing) throw Violation{fmt::format("block {} is not held", index)};
      if (buffer == Buffer::input && value != memory_.initial(rank_, index))
        throw Violation{fmt::format("input[{}] has been overwritten in place", index)};
      content.cells.push_back(cell);
      content.values.push_back(value);
      content.parts.push_back(memory_.part(rank_, buffer, index));
    });
    return content.cells;
  }

  // First phase of a round: every send is read from the state before the round.
  void take_messages(const Op& op) {
    if (op.what != Do::send) return;
    Content content;
    const std::vector<int> cells = read(op.blocks, content);
    for (const int cell : cells) sent_in_[at(cell)] = t_;
    for (int i = 0; i < op.to.count; ++i) {
      const int to = op.to.first + i * op.to.stride;
      if (to == op.to.except) continue;
      if (to < 0 || to >= p_) throw Violation{fmt::format("there is no rank {}", to)};
      if (to == rank_) throw Violation{"a rank cannot send to itself"};
      ++messages_;
      ++mine().sends;
      mine().blocks_sent += static_cast<std::int64_t>(cells.size());
      activity_[at(to)].inbox.push_back({rank_, content,
                                         heard_.empty() ? std::vector<bool>{} : heard_[at(rank_)],
                                         clock_.send(rank_)});
    }
    mine().sent.push_back(cells);
  }

  // Second phase: each rank executes its other operations in order.
  void work(const Op& op) {
    mine().last_round = messages_ > 0 ? counts_.rounds : counts_.rounds - 1;
    switch (op.what) {
      case Do::send:
        return;
      case Do::receive: {
        const std::vector<int> cells = written(op.blocks, By::message);
        const Content content = take(op.to.first);
        check_sizes(op.blocks, content, "the message");
        return store(cells, content.values, {{op.to.first, content.cells}});
      }
      case Do::copy: {
        Content content;
        use(read(op.operands.at(0).local, content));
        check_sizes(op.blocks, content, "the source");
        return store(written(op.blocks, By::local_work), content.values, {{rank_, content.cells}});
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
    const std::vector<int> cells = written(op.blocks, receives ? By::message : By::local_work);
    std::vector<Value> total;
    std::vector<ScheduleHistory::Source> sources;
    for (const Operand& operand : op.operands) {
      Content content;
      if (operand.is_local()) {
        use(read(operand.local, content));
        check_sizes(op.blocks, content, "a local operand");
      } else {
        content = take(num(operand.from));
        check_sizes(op.blocks, content, "a message");
      }
      sources.push_back({operand.is_local() ? rank_ : num(operand.from), std::move(content.cells)});
      if (total.empty()) {
        total = std::move(content.values);
        continue;
      }
      for (std::size_t i = 0; i < total.size(); ++i)
        total[i] = memory_.expressions().sum(total[i], content.values[i]);
      mine().combines += static_cast<std::int64_t>(total.size());
      clock_.combine(rank_);
    }
    store(cells, total, std::move(sources));
  }

  enum class By { message, local_work };
  // The cells of blocks that are written, checked against everything that may not meet them.
  std::vector<int> written(const Blocks& blocks, By by) {
    std::vector<int> cells;
    bool meets_a_send = false;
    for_each_index(blocks, [&](Buffer buffer, int index) {
      if (buffer == Buffer::input) throw Violation{"input is never written"};
      const int cell = memory_.cell(rank_, buffer, index);
      if (by == By::message && used_in_[at(cell)] == t_)
        throw Violation{fmt::format("another operation of the round uses block {}", index)};
      meets_a_send = meets_a_send || sent_in_[at(cell)] == t_;
      cells.push_back(cell);
    });
    if (meets_a_send) check_overlap(cells);
    use(cells);
    return cells;
  }

  void use(const std::vector<int>& cells) {
    for (const int cell : cells) used_in_[at(cell)] = t_;
  }

  // An executor delays writes block by block until the blocks have been sent. That needs the same
  // blocks on both sides.
  void check_overlap(const std::vector<int>& cells) {
    for (const std::vector<int>& sent : mine().sent) {
      if (sent == cells) continue;
      for (const int cell : cells)
        if (std::find(sent.begin(), sent.end(), cell) != sent.end())
          throw Violation{"overwrites a part of what is sent in the same round"};
    }
  }

  Content take(int from) {
    for (Message& message : mine().inbox) {
      if (message.from != from || message.taken) continue;
      message.taken = true;
      ++mine().receives;
      mine().blocks_received += static_cast<std::int64_t>(message.content.values.size());
      clock_.receive(rank_, message.issued);
      for (std::size_t i = 0; i < message.heard.size(); ++i)
        if (message.heard[i]) heard_[at(rank_)][i] = true;
      return std::move(message.content);
    }
    throw Violation{fmt::format("rank {} sends no such message in this round", from)};
  }

  // Compares the sizes of blocks. In an alltoall the two sides cut the vector differently, so only
  // the number of blocks is compared.
  void check_sizes(const Blocks& blocks, const Content& content, const char* what) const {
    std::size_t i = 0;
    for_each_index(blocks, [&](Buffer buffer, int index) {
      const int part = memory_.part(rank_, buffer, index);
      if (operation_ != Operation::alltoall && i < content.parts.size() && content.parts[i] != part)
        throw Violation{fmt::format("{} has the size of part {} where part {} is expected", what,
                                    content.parts[i], part)};
      ++i;
    });
    if (i != content.values.size())
      throw Violation{
          fmt::format("{} has {} blocks where {} are expected", what, content.values.size(), i)};
  }

  void store(const std::vector<int>& cells, const std::vector<Value>& values,
             std::vector<ScheduleHistory::Source> sources) {
    for (std::size_t i = 0; i < cells.size(); ++i) memory_[cells[i]] = values[i];
    if (history_ != nullptr) history_->rounds.back().push_back({rank_, cells, std::move(sources)});
  }

  // ---- end of a round
  void check_inbox() {
    for (const Message& message : mine().inbox)
      if (!message.taken)
        throw Violation{fmt::format(
            "round {}: rank {} sends to rank {}, which does not receive it in this round", t_ + 1,
            message.from, rank_)};
  }

  void end_round() {
    Activity most;
    for (const int rank : active_) {
      const Activity& a = activity_[at(rank)];
      clock_.end_round(rank);
      counts_.volume += a.blocks_sent;
      counts_.combines += a.combines;
      most.sends = std::max({most.sends, a.sends, a.receives});
      most.blocks_sent = std::max({most.blocks_sent, a.blocks_sent, a.blocks_received});
      most.combines = std::max(most.combines, a.combines);
    }
    one_port_ = one_port_ && most.sends <= 1;
    counts_.messages += messages_;
    counts_.alpha += most.sends;
    counts_.beta += most.blocks_sent;
    counts_.gamma += most.combines;
    if (messages_ == 0) return;  // a round of local work only
    ++counts_.rounds;
    counts_.sends.push_back(messages_);
  }

  void finish_counts(int root) {
    counts_.root = clock_.finished(root);
    counts_.done.assign(at(counts_.rounds), 0);
    for (int rank = 0; rank < p_; ++rank) {
      counts_.longest = std::max(counts_.longest, clock_.finished(rank));
      for (int i = std::max(0, activity_[at(rank)].last_round); i < counts_.rounds; ++i)
        ++counts_.done[at(i)];
    }
  }

  Operation operation_;
  int p_;
  Memory memory_;
  Clock clock_;
  Counts counts_;
  bool one_port_ = true;
  std::vector<Activity> activity_;
  std::vector<Round> rounds_;
  std::vector<int> active_;               // ranks that do something in the round at hand
  std::vector<std::vector<bool>> heard_;  // in a barrier, per rank: the ranks it has heard of
  std::vector<int> sent_in_;              // per cell, the last round in which it was sent
  std::vector<int> used_in_;  // the round in which a receive or local work touched the cell
  ScheduleHistory* history_;  // the record for pictures, or null
  int t_ = 0, rank_ = 0, messages_ = 0;
};

Verdict run(Operation operation, const Shape& shape, const Buffers& buffers, Placement placement,
            int rounds, const Run::Emit& emit, ScheduleHistory* history = nullptr) {
  Verdict verdict;
  try {
    Run run(operation, shape, buffers, placement, history);
    for (int t = 0; t < rounds; ++t) run.round(t, emit);
    run.finish(shape, buffers, verdict);
  } catch (const Violation& violation) {
    verdict.problem = violation.text;
  }
  return verdict;
}

}  // namespace

Verdict verify(const Generator& generator, const Shape& shape, Placement placement,
               ScheduleHistory* history) {
  Verdict verdict = run(
      generator.operation, shape, generator.buffers(shape), placement, generator.rounds(shape),
      [&](Round& out, int rank, int t) { generator.emit(out, shape, Rank{rank}, t); }, history);
  check_order(generator, verdict);
  return verdict;
}

void check_order(const Generator& generator, Verdict& verdict) {
  if (verdict.correct() && !verdict.rank_order && !generator.commutative_only())
    verdict.problem = fmt::format("result: {}, not in rank order, which '{}' claims to keep",
                                  verdict.disorder, generator.name);
}

Verdict verify(Operation operation, const Shape& shape, const Buffers& buffers,
               std::span<const Program> programs, Placement placement) {
  std::size_t rounds = 0;
  for (const Program& program : programs) rounds = std::max(rounds, program.size());
  return run(operation, shape, buffers, placement, static_cast<int>(rounds),
             [&](Round& out, int rank, int t) {
               const Program& program = programs[at(rank)];
               if (at(t) < program.size()) out = program[at(t)];
             });
}

}  // namespace tutti::schedule
