// SPDX-License-Identifier: BSD-3-Clause
// Makes a film from what the verifier recorded: the rounds forwards, once it is known backwards
// which values are needed.
#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "draw/film.hpp"
#include "draw/film_cells.hpp"
#include "draw/film_life.hpp"
#include "draw/film_values.hpp"
#include "schedule/verifier.hpp"

namespace tutti::draw {
namespace {

using schedule::Buffer;
using schedule::Operation;
using schedule::ScheduleHistory;
using schedule::Shape;
using schedule::Value;
using schedule::Verdict;
using Write = ScheduleHistory::Write;

// Returns what a rank does in a round. The Round given has room for it.
using Emit = std::function<const schedule::Round&(schedule::Round&, int rank, int t)>;

// Calls f with the sender, each receiver, and the blocks of all messages of a round.
template <class F>
void for_each_send(int p, int t, const Emit& emit, F f) {
  for (int rank = 0; rank < p; ++rank) {
    schedule::Round room;
    for (const schedule::Op& op : emit(room, rank, t).ops) {
      if (op.what != schedule::Do::send) continue;
      for (int i = 0; i < std::min<int>(op.to.count, p); ++i) {
        const std::int64_t to = op.to.first + std::int64_t{i} * op.to.stride;
        if (to != op.to.except && to >= 0 && to < p) f(rank, static_cast<int>(to), op.blocks);
      }
    }
  }
}

std::int64_t number_of(const schedule::Blocks& blocks) {
  std::int64_t sum = 0;
  for (const schedule::Block& b : blocks) sum += std::int64_t{b.count} * b.times;
  return sum;
}

class Maker {
 public:
  Maker(Operation operation, const Shape& shape, const schedule::Buffers& buffers,
        ScheduleHistory history, const Verdict& verdict)
      : history_(std::move(history)),
        film_(started(operation, shape, buffers, history_)),
        values_(operation, shape, film_.parts, film_.terms.value()),
        cells_(film_, values_),
        width_(operation == Operation::barrier ? shape.p : history_.memory->cells_of_rank()) {
    if (!verdict.correct())
      film_.fault = {verdict.problem, -1, verdict.rank, verdict.from, verdict.to, {}};
    // Only the messages of the wrong round are drawn.
    if (verdict.round > 0 && !history_.rounds.empty()) history_.rounds.pop_back();
    if (operation == Operation::barrier) hear();
  }

  Film make(const Emit& emit, int wrong_round, const ToldPart& told) {
    std::vector<Film::Message> wrong;
    std::vector<bool> last = results();
    if (wrong_round > 0) add_wrong(emit, wrong_round - 1, wrong, last);
    const Lifetimes lives = lifetimes_of(history_.rounds, std::move(last));
    live_ = lives.first;
    now_ = history_.start;
    for (int cell = 0; cell < static_cast<int>(now_.size()); ++cell) begin(cell);
    film_.start = Film::Strip(at(film_.p), std::vector<Film::Cell>(at(film_.slots)));
    for (Film::Change& change : cells_.changes())
      film_.start[at(change.rank)][at(change.slot)] = std::move(change.cell);
    const std::size_t rounds = history_.rounds.size();
    for (int t = 0; at(t) < rounds; ++t) {
      add_round(t, lives.changes[at(t)]);
      if (told) told(static_cast<double>(t + 1) / static_cast<double>(rounds));
    }
    if (wrong_round > 0) {
      film_.fault->round = static_cast<int>(film_.rounds.size());
      film_.rounds.push_back({wrong_round, std::move(wrong)});
      film_.changes.push_back(cells_.changes());
    } else if (film_.fault) {
      mark_result();
    }
    film_.contents = values_.take();
    return std::move(film_);
  }

 private:
  static Film started(Operation operation, const Shape& shape, const schedule::Buffers& buffers,
                      const ScheduleHistory& history) {
    Film film;
    film.operation = operation;
    film.p = shape.p;
    film.root = shape.root;
    film.parts = buffers.parts;
    film.slots = operation == Operation::barrier ? shape.p : film.parts;
    film.terms = history.memory->expressions();
    return film;
  }

  // Messages of a barrier are empty. Each tells the receiver which arrivals its sender knows of.
  // Cell rank * p + other holds the news that `other` has arrived.
  void hear() {
    std::vector<Value>& knows = history_.start;
    knows.assign(at(film_.p * film_.p), schedule::nothing);
    for (int rank = 0; rank < film_.p; ++rank)
      knows[at(rank * film_.p + rank)] = film_.terms->leaf(rank, 0);
    std::vector<Value> now = knows;
    for (std::vector<Write>& round : history_.rounds) {
      std::vector<Write> writes;
      for (const Write& write : round)
        for (const ScheduleHistory::Source& source : write.sources)
          if (source.rank != write.rank) writes.push_back(told(source.rank, write.rank, now));
      round = std::move(writes);
      for (const Write& write : round)
        for (std::size_t i = 0; i < write.cells.size(); ++i)
          now[at(write.cells[i])] = write.values[i];
    }
    heard_ = std::move(now);
  }

  Write told(int from, int to, const std::vector<Value>& knows) const {
    Write write{to, {}, {}, {{from, {}}}};
    for (int other = 0; other < film_.p; ++other) {
      const Value value = knows[at(from * film_.p + other)];
      if (value == schedule::nothing) continue;
      write.cells.push_back(to * film_.p + other);
      write.values.push_back(value);
      write.sources[0].cells.push_back(from * film_.p + other);
    }
    return write;
  }

  // ---- which values are needed in the end

  // Returns true for each cell whose value is a result. In a wrong schedule, every value that a
  // rank has last counts.
  std::vector<bool> results() const {
    std::vector<bool> needed(history_.start.size());
    if (film_.operation == Operation::barrier) {
      needed.flip();
      return needed;
    }
    for (int rank = 0; rank < film_.p; ++rank) {
      const int first = history_.memory->blocks(rank, Buffer::output);
      for (int i = 0; i < first; ++i)
        needed[at(history_.memory->cell(rank, Buffer::output, i))] = true;
    }
    if (film_.operation == Operation::exscan)  // the first rank has no result
      for (int i = 0; i < history_.memory->blocks(0, Buffer::output); ++i)
        needed[at(history_.memory->cell(0, Buffer::output, i))] = false;
    if (film_.fault) add_leftovers(needed);
    return needed;
  }

  // A value counts always, or if no other one is of the same part.
  enum class Leftover { always, alone };

  void add_leftovers(std::vector<bool>& needed) const {
    std::vector<Value> last = history_.start;
    for (const std::vector<Write>& round : history_.rounds)
      for (const Write& write : round)
        for (std::size_t i = 0; i < write.cells.size(); ++i)
          last[at(write.cells[i])] = write.values[i];
    const schedule::Memory& memory = *history_.memory;
    const bool exchange = film_.operation == Operation::alltoall;
    for (int rank = 0; rank < film_.p; ++rank) {
      std::vector<bool> covered(at(film_.parts));
      const auto each = [&](Buffer buffer, Leftover counts) {
        const bool always = counts == Leftover::always;
        for (int i = 0; i < memory.blocks(rank, buffer); ++i) {
          const int cell = memory.cell(rank, buffer, i), part = memory.part(rank, buffer, i);
          if (last[at(cell)] == schedule::nothing) continue;
          if (always || !covered[at(part)]) needed[at(cell)] = true;
          covered[at(part)] = covered[at(part)] || always;
        }
      };
      each(Buffer::output, Leftover::always);
      each(Buffer::scratch, Leftover::always);
      each(Buffer::input, exchange ? Leftover::always : Leftover::alone);
    }
  }

  // ---- the wrong round

  void add_wrong(const Emit& emit, int t, std::vector<Film::Message>& messages,
                 std::vector<bool>& needed) {
    std::vector<Value> last = history_.start;
    for (const std::vector<Write>& round : history_.rounds)
      for (const Write& write : round)
        for (std::size_t i = 0; i < write.cells.size(); ++i)
          last[at(write.cells[i])] = write.values[i];
    for_each_send(film_.p, t, emit, [&](int from, int to, const schedule::Blocks& blocks) {
      Film::Message message{.from = from, .to = to, .items = {}};
      for (const int cell : cells_of(from, to, blocks)) {
        if (last[at(cell)] == schedule::nothing) continue;
        needed[at(cell)] = true;
        const int content = values_.content_of(last[at(cell)]);
        message.items.push_back({values_.state_of(from, content), content});
      }
      messages.push_back(std::move(message));
    });
    std::stable_sort(messages.begin(), messages.end());
  }

  // Returns the memory of blocks that a rank sends, without those that it does not have.
  std::vector<int> cells_of(int rank, int to, const schedule::Blocks& blocks) const {
    if (film_.operation == Operation::barrier) return told(rank, to, heard_).sources[0].cells;
    std::vector<int> cells;
    if (number_of(blocks) > history_.memory->cells_of_rank()) return cells;
    for (const schedule::Block& b : blocks)
      for (int j = 0; j < b.times; ++j)
        for (int i = 0; i < b.count; ++i) {
          const int index = b.first + j * b.stride + i;
          if (index >= 0 && index < history_.memory->blocks(rank, b.buffer))
            cells.push_back(history_.memory->cell(rank, b.buffer, index));
        }
    return cells;
  }

  // Marks the cells of the wrong rank that lack their result, or all if none does.
  void mark_result() {
    Film::Fault& fault = *film_.fault;
    for (int slot = 0; fault.rank >= 0 && slot < film_.slots; ++slot) {
      const Film::Cell& cell = cells_.cell(fault.rank, slot);
      if (std::none_of(cell.begin(), cell.end(),
                       [](const Item& item) { return item.state == State::complete; }))
        fault.slots.push_back(slot);
    }
    if (fault.slots.empty() && fault.rank >= 0)
      for (int slot = 0; slot < film_.slots; ++slot) fault.slots.push_back(slot);
  }

  // ---- the rounds

  int rank_of(int cell) const { return cell / width_; }

  void begin(int cell) {
    const Value value = now_[at(cell)];
    if (value == schedule::nothing) return;
    cells_.use(rank_of(cell), value);
    if (live_[at(cell)]) cells_.hold(rank_of(cell), cell, value);
  }
  void end(int cell) {
    const Value value = now_[at(cell)];
    if (value != schedule::nothing && live_[at(cell)]) cells_.drop(rank_of(cell), cell, value);
  }

  void add_round(int t, const std::vector<int>& lives) {
    Film::Round round{t + 1, messages(t)};
    std::vector<int> touched = lives;
    for (const Write& write : history_.rounds[at(t)])
      touched.insert(touched.end(), write.cells.begin(), write.cells.end());
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int cell : touched) end(cell);
    for (const Write& write : history_.rounds[at(t)])
      for (std::size_t i = 0; i < write.cells.size(); ++i)
        now_[at(write.cells[i])] = write.values[i];
    for (const int cell : lives) live_[at(cell)] = !live_[at(cell)];
    for (const int cell : touched) begin(cell);
    std::vector<Film::Change> changes = cells_.changes();
    earlier_.insert(earlier_.end(), std::make_move_iterator(changes.begin()),
                    std::make_move_iterator(changes.end()));
    if (round.messages.empty() && !cells_.shows_others()) return film_.idle.push_back(t + 1);
    film_.rounds.push_back(std::move(round));
    film_.changes.push_back(std::exchange(earlier_, {}));
  }

  std::vector<Film::Message> messages(int t) {
    std::vector<Film::Message> messages;
    for (const Write& write : history_.rounds[at(t)])
      for (const ScheduleHistory::Source& source : write.sources) {
        if (source.rank == write.rank) continue;
        Film::Message message{source.rank, write.rank, {}, write.sources.size() > 1};
        for (const int cell : source.cells) {
          const int content = values_.content_of(now_[at(cell)]);
          message.items.push_back({values_.state_of(source.rank, content), content});
        }
        messages.push_back(std::move(message));
      }
    std::stable_sort(messages.begin(), messages.end());
    return messages;
  }

  ScheduleHistory history_;
  Film film_;
  FilmValues values_;
  FilmCells cells_;
  int width_;                          // memory cells of each rank
  std::vector<Value> now_;             // values of all memory cells
  std::vector<bool> live_;             // cells whose value is needed
  std::vector<Value> heard_;           // news that the ranks of a barrier have in the end
  std::vector<Film::Change> earlier_;  // of rounds that are not drawn
};

// Refuses schedules with so many messages that a film would take gigabytes.
void require_few_messages(int p, int rounds, const Emit& emit) {
  constexpr std::int64_t most_messages = 600'000, most_blocks = 20'000'000;
  std::int64_t messages = 0, blocks = 0;
  for (int t = 0; t < rounds; ++t) {
    for_each_send(p, t, emit, [&](int, int, const schedule::Blocks& sent) {
      ++messages;
      blocks += number_of(sent);
    });
    if (messages > most_messages || blocks > most_blocks)
      base::fail(base::Status::invalid_argument,
                 "{} ranks send more messages or blocks than can be followed, {} and {}: ask for "
                 "fewer ranks (-n)",
                 p, most_messages, most_blocks);
  }
}

Film film_of(Operation operation, const Shape& shape, const schedule::Buffers& buffers,
             ScheduleHistory history, const Verdict& verdict, const Emit& emit,
             const ToldPart& told) {
  if (!history.memory)
    base::fail(base::Status::invalid_argument, "the schedule cannot be drawn: {}", verdict.problem);
  return Maker(operation, shape, buffers, std::move(history), verdict)
      .make(emit, verdict.round, told);
}

}  // namespace

Film film_of(const schedule::Generator& generator, const Shape& shape, const ToldPart& told) {
  const Emit emit = [&](schedule::Round& out, int rank, int t) -> const schedule::Round& {
    generator.emit(out, shape, schedule::Rank{rank}, t);
    return out;
  };
  require_few_messages(shape.p, generator.rounds(shape), emit);
  ScheduleHistory history;
  const Verdict verdict =
      schedule::verify(generator, shape, schedule::Placement::separate, &history);
  return film_of(generator.operation, shape, generator.buffers(shape), std::move(history), verdict,
                 emit, told);
}

Film film_of(Operation operation, const Shape& shape, const schedule::Buffers& buffers,
             std::span<const schedule::Program> programs, schedule::Placement placement,
             const ToldPart& told) {
  static const schedule::Round nothing_to_do;
  const Emit emit = [&](schedule::Round&, int rank, int t) -> const schedule::Round& {
    return at(t) < programs[at(rank)].size() ? programs[at(rank)][at(t)] : nothing_to_do;
  };
  std::size_t rounds = 0;
  for (const schedule::Program& program : programs) rounds = std::max(rounds, program.size());
  require_few_messages(shape.p, static_cast<int>(rounds), emit);
  ScheduleHistory history;
  const Verdict verdict =
      schedule::verify(operation, shape, buffers, programs, placement, &history);
  return film_of(operation, shape, buffers, std::move(history), verdict, emit, told);
}

}  // namespace tutti::draw
