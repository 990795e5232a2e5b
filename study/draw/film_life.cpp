// SPDX-License-Identifier: BSD-3-Clause
// Goes through the writes backwards and notes each cell that a round changes.
#include "draw/film_life.hpp"

namespace tutti::draw {
namespace {

using Write = schedule::ScheduleHistory::Write;

std::size_t index(int cell) {
  return static_cast<std::size_t>(cell);
}

enum class Need : bool { no, yes };

// Says which cells are needed at the moment, and remembers how it was at the end of the round.
class Needs {
 public:
  explicit Needs(std::vector<bool> live)
      : live_(std::move(live)), after_(live_), round_(live_.size()) {}

  void set(int cell, Need need, std::size_t round) {
    if (round_[index(cell)] != round + 1) {
      round_[index(cell)] = round + 1;
      after_[index(cell)] = live_[index(cell)];
      touched_.push_back(cell);
    }
    live_[index(cell)] = need == Need::yes;
  }
  [[nodiscard]] bool operator[](int cell) const { return live_[index(cell)]; }

  std::vector<int> changes() {
    std::vector<int> changed;
    for (const int cell : touched_)
      if (live_[index(cell)] != after_[index(cell)]) changed.push_back(cell);
    touched_.clear();
    return changed;
  }
  std::vector<bool> take() { return std::move(live_); }

 private:
  std::vector<bool> live_, after_;
  std::vector<std::size_t> round_;  // last round that has touched the cell, counted from 1
  std::vector<int> touched_;
};

void undo(const Write& write, Needs& needs, std::size_t t) {
  std::vector<bool> needed;
  for (const int cell : write.cells) needed.push_back(needs[cell]);
  for (const int cell : write.cells) needs.set(cell, Need::no, t);
  for (const auto& source : write.sources)
    for (std::size_t i = 0; i < source.cells.size(); ++i)
      if (source.rank == write.rank && needed[i]) needs.set(source.cells[i], Need::yes, t);
}

}  // namespace

Lifetimes lifetimes_of(const std::vector<std::vector<Write>>& rounds, std::vector<bool> last) {
  Lifetimes found;
  found.changes.resize(rounds.size());
  Needs needs(std::move(last));
  for (std::size_t t = rounds.size(); t-- > 0;) {
    for (auto write = rounds[t].rbegin(); write != rounds[t].rend(); ++write)
      undo(*write, needs, t);
    for (const Write& write : rounds[t])
      for (const auto& source : write.sources)
        for (const int cell : source.cells)
          if (source.rank != write.rank) needs.set(cell, Need::yes, t);
    found.changes[t] = needs.changes();
  }
  found.first = needs.take();
  return found;
}

}  // namespace tutti::draw
