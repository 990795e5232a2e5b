// SPDX-License-Identifier: BSD-3-Clause
// Answers what pictures ask about a film.
#include "draw/film.hpp"

#include <algorithm>

namespace tutti::draw {

using schedule::Operation;

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
  return std::any_of(message.items.begin(), message.items.end(),
                     [&](const Item& item) { return block(item) == 0; });
}

std::vector<int> Film::ranks(const Item& item) const {
  std::vector<int> ranks;
  for (const schedule::Value leaf : terms->leaves(of(item).value))
    ranks.push_back(terms->rank_of(leaf));
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

int Film::block(const Item& item) const {
  return by_source() ? of(item).first : of(item).part;
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
    return letter(of(item).first) + std::to_string(of(item).part);
  return letter(block(item));
}

int Film::complete(const std::vector<Cell>& cells) const {
  int found = 0;
  for (const Cell& cell : cells)
    for (const Item& item : cell)
      found += item.state == State::complete || (reduces() && item.state == State::held);
  return found;
}

int Film::wants(int rank) const {
  switch (operation) {
    case Operation::barrier:
      return p;
    case Operation::reduce:
    case Operation::gather:
      return rank == root ? parts : 0;
    case Operation::scatter:
    case Operation::reduce_scatter:
      return parts / p;
    case Operation::exscan:
      return rank == 0 ? 0 : parts;
    default:
      return parts;
  }
}

const Film::Strip& Reel::operator[](std::size_t index) {
  if (index < index_) {
    strip_ = film_->start;
    index_ = 0;
  }
  for (; index_ < index; ++index_)
    for (const Film::Change& change : film_->changes[index_])
      strip_[at(change.rank)][at(change.slot)] = change.cell;
  return strip_;
}

}  // namespace tutti::draw
