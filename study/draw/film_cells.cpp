// SPDX-License-Identifier: BSD-3-Clause
// Makes only those cells anew that a round has touched, so a long film of many ranks takes no more
// time than its messages.
#include "draw/film_cells.hpp"

#include <algorithm>

namespace tutti::draw {

using schedule::Operation;

FilmCells::FilmCells(const Film& film, FilmValues& values)
    : film_(film),
      values_(values),
      holders_(at(film.p * film.slots)),
      guests_(at(film.p)),
      seated_(holders_.size()),
      used_(holders_.size()),
      touched_(holders_.size()),
      unsettled_(at(film.p)),
      strip_(at(film.p), std::vector<Film::Cell>(at(film.slots))) {
  for (int rank = 0; rank < film.p; ++rank)
    for (int slot = 0; slot < film.slots; ++slot) touch(rank, slot);
}

// In alltoall a block stands in the cell of its receiver before it arrives, and in the cell of its
// source then.
int FilmCells::slot_of(int rank, int content) const {
  const Content& c = values_[content];
  if (film_.operation == Operation::barrier) return c.first;
  const int own = film_.parts / film_.p;
  const bool arrived = film_.operation == Operation::alltoall && c.part / own == rank;
  return arrived ? c.first * own + c.part % own : c.part;
}

bool FilmCells::is_guest(int rank, int content) const {
  return film_.operation == Operation::alltoall && values_.state_of(rank, content) == State::held;
}

void FilmCells::touch(int rank, int slot) {
  if (touched_[place(rank, slot)]) return;
  touched_[place(rank, slot)] = true;
  to_make_.emplace_back(rank, slot);
}

void FilmCells::hold(int rank, int memory, schedule::Value value) {
  const int content = values_.content_of(value);
  if (is_guest(rank, content)) {
    ++guests_[at(rank)][content].holders;
    unsettled_[at(rank)] = true;
    return;
  }
  const int slot = slot_of(rank, content);
  auto& all = holders_[place(rank, slot)];
  const auto after = std::find_if(all.begin(), all.end(),
                                  [&](const Holder& each) { return each.memory > memory; });
  all.insert(after, {memory, content});
  touch(rank, slot);
  unsettled_[at(rank)] = true;
}

void FilmCells::drop(int rank, int memory, schedule::Value value) {
  const int content = values_.content_of(value);
  if (is_guest(rank, content)) {
    --guests_[at(rank)][content].holders;
    unsettled_[at(rank)] = true;
    return;
  }
  const int slot = slot_of(rank, content);
  auto& all = holders_[place(rank, slot)];
  all.erase(std::find_if(all.begin(), all.end(),
                         [&](const Holder& each) { return each.memory == memory; }));
  touch(rank, slot);
}

void FilmCells::use(int rank, schedule::Value value) {
  const int content = values_.content_of(value);
  if (is_guest(rank, content)) return;
  const int slot = slot_of(rank, content);
  if (used_[place(rank, slot)]) return;
  used_[place(rank, slot)] = true;
  touch(rank, slot);
}

// Guests that stay keep their cells, unless a block has arrived there. The others get seats after
// those that have left are gone.
void FilmCells::settle(int rank) {
  std::map<int, Guest>& guests = guests_[at(rank)];
  std::vector<int> waiting;
  for (auto each = guests.begin(); each != guests.end();) {
    auto& [content, guest] = *each;
    const bool leaves = guest.holders == 0;
    const bool stays = guest.slot >= 0 && !leaves && holders_[place(rank, guest.slot)].empty();
    if (guest.slot >= 0 && !stays) {
      std::erase(seated_[place(rank, guest.slot)], content);
      touch(rank, guest.slot);
    }
    if (!leaves && !stays) waiting.push_back(content);
    each = leaves ? guests.erase(each) : std::next(each);
  }
  int free = 0;
  for (const int content : waiting) seat(rank, content, guests[content], free);
}

// A guest goes to the cell of its part, or to the first free one if that is taken. No cell before
// `free` is free.
void FilmCells::seat(int rank, int content, Guest& guest, int& free) {
  const auto taken = [&](int slot) {
    return !holders_[place(rank, slot)].empty() || !seated_[place(rank, slot)].empty();
  };
  int slot = guest.slot >= 0 ? guest.slot : values_[content].part;
  if (taken(slot)) {
    while (free < film_.slots && taken(free)) ++free;
    if (free < film_.slots) slot = free;
  }
  guest.slot = slot;
  seated_[place(rank, slot)].push_back(content);
  used_[place(rank, slot)] = true;
  touch(rank, slot);
}

Film::Cell FilmCells::made(int rank, int slot) {
  const Film::Cell& before = strip_[at(rank)][at(slot)];
  Film::Cell cell;
  for (const Holder& each : holders_[place(rank, slot)]) {
    const auto same = [&](const Item& item) { return item.content == each.content; };
    if (std::any_of(cell.begin(), cell.end(), same)) continue;
    const bool fresh = started_ && std::none_of(before.begin(), before.end(), same);
    cell.push_back({values_.state_of(rank, each.content), each.content, fresh});
  }
  for (const int content : seated_[place(rank, slot)]) {
    Guest& guest = guests_[at(rank)][content];
    cell.push_back({State::held, content, started_ && guest.fresh});
    guest.fresh = false;
  }
  std::stable_sort(cell.begin(), cell.end(),
                   [](const Item& a, const Item& b) { return a.state < b.state; });
  if (cell.empty()) cell.push_back({used_[place(rank, slot)] ? State::gone : State::empty});
  return cell;
}

std::vector<Film::Change> FilmCells::changes() {
  for (int rank = 0; rank < film_.p; ++rank) {
    if (unsettled_[at(rank)] && film_.operation == Operation::alltoall) settle(rank);
    unsettled_[at(rank)] = false;
  }
  const auto same = [](const Item& a, const Item& b) {
    return a.state == b.state && a.content == b.content;
  };
  others_ = false;
  std::vector<Film::Change> all;
  std::vector<std::pair<int, int>> places = std::move(to_make_);
  to_make_.clear();
  for (const auto& [rank, slot] : places) touched_[place(rank, slot)] = false;
  for (const auto& [rank, slot] : places) {
    Film::Cell cell = made(rank, slot);
    Film::Cell& now = strip_[at(rank)][at(slot)];
    // An item is new for one round only.
    if (std::any_of(cell.begin(), cell.end(), [](const Item& item) { return item.fresh; }))
      touch(rank, slot);
    if (cell == now) continue;
    others_ = others_ || !std::equal(cell.begin(), cell.end(), now.begin(), now.end(), same);
    now = cell;
    all.push_back({rank, slot, std::move(cell)});
  }
  started_ = true;
  return all;
}

}  // namespace tutti::draw
