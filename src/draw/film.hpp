// SPDX-License-Identifier: BSD-3-Clause
// The content of every rank after each round of a schedule and the blocks that travel in between,
// as data from which text, SVG and JSON are made.
#pragma once

#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::draw {

// Ranks, rounds and cells as indices.
constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// In the order in which items of one cell stand below each other: what must leave comes first.
enum class State {
  empty,
  own,       // the rank's input
  partial,   // a sum of some terms
  held,      // for another rank
  complete,  // as this rank wants it
  gone,      // handed on or not needed here
};

// A value: the sum of the same part of the vectors of these ranks.
struct Content {
  int part = 0;
  std::vector<int> ranks;
  friend auto operator<=>(const Content&, const Content&) = default;
};

struct Item {
  State state = State::empty;
  int content = -1;    // an index of Film::contents; none in cells without a value
  bool fresh = false;  // not at this rank before the round
};

struct Film {
  struct Message {
    int from = 0;
    int to = 0;
    std::vector<Item> items;  // as the sender holds them
    bool adds = false;        // the receiver adds them to something
    friend bool operator<(const Message& a, const Message& b) {
      return a.from != b.from ? a.from < b.from : a.to < b.to;
    }
  };
  struct Round {
    int number = 0;  // as texts of Programs number it
    std::vector<Message> messages;
  };
  using Cell = std::vector<Item>;                // one item, or several live ones
  using Strip = std::vector<std::vector<Cell>>;  // cells of each rank

  schedule::Operation operation = schedule::Operation::barrier;
  int p = 1;
  int root = 0;
  int parts = 1;
  int slots = 1;  // cells of a rank
  std::vector<Content> contents;
  std::vector<std::vector<bool>> wanted;  // per rank and content
  std::vector<Round> rounds;
  std::vector<int> idle;      // numbers of other rounds: no messages, and ranks at most copy
  std::vector<Strip> strips;  // before the first round and after each

  // Returns true if blocks are told apart by the rank whose input they are: in alltoall, and for
  // the news of a barrier.
  [[nodiscard]] bool by_source() const;
  [[nodiscard]] bool reduces() const;
  [[nodiscard]] const Content& of(const Item& item) const { return contents[at(item.content)]; }
  // The messages of a rank in a round that carry the same blocks.
  using Payload = std::vector<const Message*>;
  [[nodiscard]] std::vector<std::vector<Payload>> payloads(std::size_t round) const;
  // Returns true if a message carries the block that pictures follow: A, or the block of rank 0.
  [[nodiscard]] bool leads(const Message& message) const;
  // Returns the name of a state for keys.
  [[nodiscard]] std::string meaning(State state) const;
  // The block's letter, in alltoall with the part: A, B2.
  [[nodiscard]] std::string name(const Item& item) const;
  // How many blocks the rank holds that are complete, for itself or, as sums, for others; and how
  // many it wants.
  [[nodiscard]] int complete(std::size_t strip, int rank) const;
  [[nodiscard]] int wants(int rank) const;
};

// A to Z, then AA, AB and so on.
[[nodiscard]] std::string letter(int block);

// Throws Error(invalid_argument) with what is wrong if the schedule is.
[[nodiscard]] Film film_of(const schedule::Generator& generator, const schedule::Shape& shape);

}  // namespace tutti::draw
