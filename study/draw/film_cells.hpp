// SPDX-License-Identifier: BSD-3-Clause
// Keeps the strip of a film while rounds change it: which values each rank holds, and in which of
// its cells they stand.
#pragma once

#include <map>
#include <vector>

#include "draw/film.hpp"
#include "draw/film_values.hpp"

namespace tutti::draw {

class FilmCells {
 public:
  FilmCells(const Film& film, FilmValues& values);

  // A rank begins or ceases to hold a value in a cell of its memory.
  void hold(int rank, int memory, schedule::Value value);
  void drop(int rank, int memory, schedule::Value value);
  // The rank has a value, needed or not: its cell is not empty any more.
  void use(int rank, schedule::Value value);

  // Ends a round. Returns the cells that have changed since the last one.
  std::vector<Film::Change> changes();
  // Returns true if the last changes show other values, not only that some are new no longer.
  [[nodiscard]] bool shows_others() const { return others_; }
  [[nodiscard]] const Film::Cell& cell(int rank, int slot) const {
    return strip_[at(rank)][at(slot)];
  }

 private:
  struct Holder {
    int memory, content;
  };
  // A block that only passes through a rank, by its content. It may be held in several memory
  // cells.
  struct Guest {
    int slot = -1, holders = 0;
    bool fresh = true;
  };
  [[nodiscard]] std::size_t place(int rank, int slot) const {
    return at(rank * film_.slots + slot);
  }
  [[nodiscard]] int slot_of(int rank, int content) const;
  [[nodiscard]] bool is_guest(int rank, int content) const;
  void touch(int rank, int slot);
  void settle(int rank);
  void seat(int rank, int content, Guest& guest, int& free);
  [[nodiscard]] Film::Cell made(int rank, int slot);

  const Film& film_;
  FilmValues& values_;
  std::vector<std::vector<Holder>> holders_;  // by place, in the order of the memory
  std::vector<std::map<int, Guest>> guests_;  // by rank and content
  std::vector<std::vector<int>> seated_;      // contents of guests by place
  std::vector<bool> used_, touched_;          // by place
  std::vector<std::pair<int, int>> to_make_;  // ranks and slots that are touched
  std::vector<bool> unsettled_;               // ranks whose guests have come or gone
  Film::Strip strip_;
  bool others_ = false;
  bool started_ = false;  // nothing is new before the first round
};

}  // namespace tutti::draw
