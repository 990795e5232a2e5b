// SPDX-License-Identifier: BSD-3-Clause
// Makes a film from what the verifier recorded. A value that a rank holds is live if a result needs
// it. Live values are found backwards from the results: before a write, the written cell is not
// live, and the cells that are read for it are.
#include "draw/film.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "schedule/verifier.hpp"

namespace tutti::draw {
namespace {

using schedule::Operation;
using schedule::ScheduleHistory;
using schedule::Value;

class Maker {
 public:
  Maker(const schedule::Generator& generator, const schedule::Shape& shape, ScheduleHistory history)
      : history_(std::move(history)),
        cells_(static_cast<int>(history_.states.front().size()) / shape.p) {
    film_.operation = generator.operation;
    film_.p = shape.p;
    film_.root = shape.root;
    film_.parts = generator.buffers(shape).parts;
    film_.slots = film_.operation == Operation::barrier ? shape.p : film_.parts;
    used_.assign(at(shape.p), std::vector<bool>(at(film_.slots), false));
    before_.resize(at(shape.p));
    if (film_.operation == Operation::barrier) fill_messages();
    find_results();
    find_live();
  }

  Film make() {
    film_.strips.push_back(strip(0));
    for (int t = 0; at(t) < history_.rounds.size(); ++t) {
      Film::Round round{t + 1, messages(t)};
      Film::Strip after = strip(t + 1);
      if (round.messages.empty() && !changed(after)) {
        film_.idle.push_back(round.number);
        continue;
      }
      film_.rounds.push_back(std::move(round));
      film_.strips.push_back(std::move(after));
    }
    for (auto& contents : film_.wanted) contents.resize(film_.contents.size());
    return std::move(film_);
  }

 private:
  // Messages of a barrier are empty. Each tells the receiver which arrivals its sender knows of.
  void fill_messages() {
    for (std::size_t t = 0; t < history_.rounds.size(); ++t) {
      std::vector<ScheduleHistory::Write> writes;
      for (const ScheduleHistory::Write& write : history_.rounds[t])
        for (const ScheduleHistory::Source& source : write.sources) {
          ScheduleHistory::Write told{write.rank, {}, {{source.rank, {}}}};
          for (int other = 0; other < film_.p; ++other) {
            if (history_.states[t][at(source.rank * film_.p + other)] == 0) continue;
            told.cells.push_back(write.rank * film_.p + other);
            told.sources[0].cells.push_back(source.rank * film_.p + other);
          }
          writes.push_back(std::move(told));
        }
      history_.rounds[t] = std::move(writes);
    }
  }

  // Returns the index of the content of a value. Sums of the same terms have the same content in
  // whatever order they were added.
  int content_of(Value value) {
    if (known_.size() <= at(value)) known_.resize(at(value) + 1, -1);
    int& known = known_[at(value)];
    if (known >= 0) return known;
    const schedule::Expressions& expressions = history_.memory->expressions();
    Content content;
    for (const Value leaf : expressions.leaves(value)) {
      content.part = expressions.part_of(leaf);
      content.ranks.push_back(expressions.rank_of(leaf));
    }
    std::sort(content.ranks.begin(), content.ranks.end());
    const auto [found, added] =
        numbers_.try_emplace(content, static_cast<int>(film_.contents.size()));
    if (added) film_.contents.push_back(std::move(content));
    return known = found->second;
  }

  std::vector<int> result_cells(int rank) const {
    std::vector<int> cells;
    if (film_.operation == Operation::exscan && rank == 0) return cells;
    const bool barrier = film_.operation == Operation::barrier;
    const int count = barrier ? film_.p : history_.memory->blocks(rank, schedule::Buffer::output);
    for (int i = 0; i < count; ++i)
      cells.push_back(barrier ? rank * film_.p + i
                              : history_.memory->cell(rank, schedule::Buffer::output, i));
    return cells;
  }

  void find_results() {
    live_.assign(history_.states.size(), std::vector<bool>(history_.states[0].size(), false));
    for (int rank = 0; rank < film_.p; ++rank) {
      std::vector<bool>& wanted = film_.wanted.emplace_back();
      for (const int cell : result_cells(rank)) {
        live_.back()[at(cell)] = true;
        const int content = content_of(history_.states.back()[at(cell)]);
        wanted.resize(std::max(wanted.size(), at(content) + 1));
        wanted[at(content)] = true;
      }
    }
  }

  void find_live() {
    for (std::size_t t = history_.rounds.size(); t-- > 0;) {
      std::vector<bool> live = live_[t + 1];
      const auto& writes = history_.rounds[t];
      for (auto write = writes.rbegin(); write != writes.rend(); ++write) revive(*write, live);
      for (const ScheduleHistory::Write& write : writes)
        for (const ScheduleHistory::Source& source : write.sources)
          for (const int cell : source.cells)
            if (source.rank != write.rank) live[at(cell)] = true;
      live_[t] = std::move(live);
    }
  }

  static void revive(const ScheduleHistory::Write& write, std::vector<bool>& live) {
    std::vector<bool> needed;
    for (const int cell : write.cells) needed.push_back(live[at(cell)]);
    for (const int cell : write.cells) live[at(cell)] = false;
    for (const ScheduleHistory::Source& source : write.sources)
      for (std::size_t i = 0; i < source.cells.size(); ++i)
        if (source.rank == write.rank && needed[i]) live[at(source.cells[i])] = true;
  }

  State state_of(int rank, int number) const {
    const Content& content = film_.contents[at(number)];
    const std::vector<bool>& wanted = film_.wanted[at(rank)];
    if (at(number) < wanted.size() && wanted[at(number)]) return State::complete;
    if (content.ranks.size() == 1 && content.ranks[0] == rank) return State::own;
    const bool sum = film_.reduces() && static_cast<int>(content.ranks.size()) < film_.p;
    return sum ? State::partial : State::held;
  }

  // Returns the cell of a content at a rank. In alltoall a block stands in the cell of its receiver
  // before it arrives, and in the cell of its source then.
  int slot_of(int rank, const Content& content) const {
    if (film_.operation == Operation::barrier) return content.ranks[0];
    const int own = film_.parts / film_.p;
    const bool arrived = film_.operation == Operation::alltoall && content.part / own == rank;
    return arrived ? content.ranks[0] * own + content.part % own : content.part;
  }

  Film::Strip strip(int t) {
    Film::Strip strip;
    for (int rank = 0; rank < film_.p; ++rank) strip.push_back(cells(t, rank));
    return strip;
  }

  std::vector<Film::Cell> cells(int t, int rank) {
    std::vector<Film::Cell> cells(at(film_.slots));
    std::map<int, int> now;  // slots by content
    std::vector<Item> guests;
    for (int cell = rank * cells_; cell < (rank + 1) * cells_; ++cell) {
      const Value value = history_.states[at(t)][at(cell)];
      if (value == schedule::nothing) continue;
      const int content = content_of(value);
      const int slot = slot_of(rank, film_.contents[at(content)]);
      const State state = state_of(rank, content);
      const bool guest = film_.operation == Operation::alltoall && state == State::held;
      if (!guest) used_[at(rank)][at(slot)] = true;
      if (!live_[at(t)][at(cell)] || !now.try_emplace(content, slot).second) continue;
      const Item item{state, content, t > 0 && before_[at(rank)].count(content) == 0};
      guest ? guests.push_back(item) : cells[at(slot)].push_back(item);
    }
    for (const Item& item : guests) now[item.content] = put_guest(item, rank, cells);
    before_[at(rank)] = std::move(now);
    for (std::size_t slot = 0; slot < cells.size(); ++slot) {
      std::stable_sort(cells[slot].begin(), cells[slot].end(),
                       [](const Item& a, const Item& b) { return a.state < b.state; });
      if (cells[slot].empty())
        cells[slot].push_back({used_[at(rank)][slot] ? State::gone : State::empty});
    }
    return cells;
  }

  // A block that only passes through a rank stays where it was. A new one goes to its own slot, or
  // to any free one if that is taken.
  int put_guest(const Item& item, int rank, std::vector<Film::Cell>& cells) {
    const auto known = before_[at(rank)].find(item.content);
    int slot = known != before_[at(rank)].end() ? known->second : film_.of(item).part;
    for (int i = 0; i < film_.slots && !cells[at(slot)].empty(); ++i)
      if (cells[at(i)].empty()) slot = i;
    cells[at(slot)].push_back(item);
    used_[at(rank)][at(slot)] = true;
    return slot;
  }

  std::vector<Film::Message> messages(int t) {
    std::vector<Film::Message> messages;
    for (const ScheduleHistory::Write& write : history_.rounds[at(t)])
      for (const ScheduleHistory::Source& source : write.sources) {
        if (source.rank == write.rank) continue;
        Film::Message message{source.rank, write.rank, {}, write.sources.size() > 1};
        for (const int cell : source.cells) {
          const int content = content_of(history_.states[at(t)][at(cell)]);
          message.items.push_back({state_of(source.rank, content), content});
        }
        messages.push_back(std::move(message));
      }
    std::stable_sort(messages.begin(), messages.end());
    return messages;
  }

  bool changed(const Film::Strip& after) const {
    const auto same = [](const Item& a, const Item& b) {
      return a.state == b.state && a.content == b.content;
    };
    for (std::size_t rank = 0; rank < after.size(); ++rank)
      for (std::size_t slot = 0; slot < after[rank].size(); ++slot) {
        const Film::Cell &a = after[rank][slot], &b = film_.strips.back()[rank][slot];
        if (!std::equal(a.begin(), a.end(), b.begin(), b.end(), same)) return true;
      }
    return false;
  }

  Film film_;
  ScheduleHistory history_;
  int cells_;                               // memory cells of each rank
  std::vector<int> known_;                  // indices of contents by value, or -1
  std::map<Content, int> numbers_;          // indices by content
  std::vector<std::vector<bool>> live_;     // live cells in each state of the history
  std::vector<std::vector<bool>> used_;     // for each rank, slots that have held a value
  std::vector<std::map<int, int>> before_;  // for each rank, slots by content in the last strip
};

}  // namespace

std::string letter(int block) {
  const std::string last(1, static_cast<char>('A' + block % 26));
  return block < 26 ? last : letter(block / 26 - 1) + last;
}

bool Film::by_source() const {
  return operation == Operation::alltoall || operation == Operation::barrier;
}

bool Film::reduces() const {
  return combines(operation);
}

std::vector<std::vector<Film::Payload>> Film::payloads(std::size_t round) const {
  std::vector<std::vector<Payload>> rows(at(p));
  for (const Message& message : rounds[round].messages) {
    std::vector<Payload>& row = rows[at(message.from)];
    const auto found = std::find_if(row.begin(), row.end(), [&](const Payload& all) {
      return std::equal(all[0]->items.begin(), all[0]->items.end(), message.items.begin(),
                        message.items.end(),
                        [](auto& a, auto& b) { return a.content == b.content; });
    });
    found == row.end() ? row.push_back({&message}) : found->push_back(&message);
  }
  return rows;
}

bool Film::leads(const Message& message) const {
  return std::any_of(message.items.begin(), message.items.end(), [&](const Item& item) {
    return (by_source() ? of(item).ranks[0] : of(item).part) == 0;
  });
}

std::string Film::meaning(State state) const {
  switch (state) {
    case State::empty:
      return "nothing yet";
    case State::gone:
      return "handed on or not needed here";
    case State::own:
      return "own input";
    case State::partial:
      return "partial sum";
    case State::held:
      return "held for another rank";
    case State::complete:
      break;
  }
  return operation == Operation::barrier ? "known here" : reduces() ? "complete sum" : "complete";
}

std::string Film::name(const Item& item) const {
  if (operation == Operation::alltoall)
    return letter(of(item).ranks[0]) + std::to_string(of(item).part);
  return letter(by_source() ? of(item).ranks[0] : of(item).part);
}

int Film::complete(std::size_t strip, int rank) const {
  int found = 0;
  for (const Cell& cell : strips[strip][at(rank)])
    for (const Item& item : cell)
      found += item.state == State::complete || (reduces() && item.state == State::held);
  return found;
}

int Film::wants(int rank) const {
  const std::vector<bool>& contents_wanted = wanted[at(rank)];
  return static_cast<int>(std::count(contents_wanted.begin(), contents_wanted.end(), true));
}

Film film_of(const schedule::Generator& generator, const schedule::Shape& shape) {
  ScheduleHistory history;
  const schedule::Verdict verdict =
      schedule::verify(generator, shape, schedule::Placement::separate, &history);
  if (!verdict.correct())
    base::fail(base::Status::invalid_argument,
               "the schedule is wrong and cannot be drawn: {}; see tutti verify", verdict.problem);
  return Maker(generator, shape, std::move(history)).make();
}

}  // namespace tutti::draw
