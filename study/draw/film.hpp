// SPDX-License-Identifier: BSD-3-Clause
// A film is what every rank holds after each round of a schedule, and which blocks travel in
// between. Text, SVG and JSON are made from this data.
#pragma once

#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::draw {

// Turns the number of a rank, a round or a cell into an index.
constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Items of one cell stand below each other in this order: an item that must leave comes first.
enum class State {
  empty,
  own,       // input of the rank
  partial,   // a sum of some terms
  held,      // value that another rank wants
  complete,  // value that this rank wants
  gone,      // value that has been handed on or is not needed here
};

// The sum of the same part of the vectors of these ranks.
struct Content {
  int part = 0;
  std::vector<int> ranks;
  friend auto operator<=>(const Content&, const Content&) = default;
};

struct Item {
  State state = State::empty;
  int content = -1;    // index of Film::contents, -1 without a value
  bool fresh = false;  // the rank did not hold it before the round
};

struct Film {
  struct Message {
    int from = 0;
    int to = 0;
    std::vector<Item> items;  // states are those at the sender
    bool adds = false;        // the receiver adds them to a value
    friend bool operator<(const Message& a, const Message& b) {
      return a.from != b.from ? a.from < b.from : a.to < b.to;
    }
  };
  struct Round {
    int number = 0;  // rounds count from 1, as in texts of plans
    std::vector<Message> messages;
  };
  using Cell = std::vector<Item>;                // one item, or several that are needed
  using Strip = std::vector<std::vector<Cell>>;  // cells of each rank

  schedule::Operation operation = schedule::Operation::barrier;
  int p = 1;
  int root = 0;
  int parts = 1;
  int slots = 1;  // cells of a rank
  std::vector<Content> contents;
  std::vector<std::vector<bool>> wanted;  // per rank and content
  std::vector<Round> rounds;
  std::vector<int> idle;      // numbers of rounds without messages in which ranks at most copy
  std::vector<Strip> strips;  // before the first round and after each

  // Returns true if letters of blocks stand for source ranks: in alltoall, and in a barrier, whose
  // blocks are the news that a rank has arrived.
  [[nodiscard]] bool by_source() const;
  [[nodiscard]] bool reduces() const;
  [[nodiscard]] const Content& of(const Item& item) const { return contents[at(item.content)]; }
  // Returns the messages of each rank in a round, grouped by equal blocks.
  using Payload = std::vector<const Message*>;
  [[nodiscard]] std::vector<std::vector<Payload>> payloads(std::size_t round) const;
  // Returns true if a message carries a block that pictures follow: block A, or one from rank 0.
  [[nodiscard]] bool leads(const Message& message) const;
  // Returns the name of a state, for keys.
  [[nodiscard]] std::string meaning(State state) const;
  // Returns the letter of the block, in alltoall with the part: A, B2.
  [[nodiscard]] std::string name(const Item& item) const;
  // Returns how many complete blocks the rank holds. Complete sums for other ranks count.
  [[nodiscard]] int complete(std::size_t strip, int rank) const;
  // Returns how many blocks the rank has in the end.
  [[nodiscard]] int wants(int rank) const;
};

// Returns A to Z, then AA, AB and so on.
[[nodiscard]] std::string letter(int block);

// Throws Error(invalid_argument) with the reason if the schedule is wrong.
[[nodiscard]] Film film_of(const schedule::Generator& generator, const schedule::Shape& shape);

}  // namespace tutti::draw
