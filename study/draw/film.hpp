// SPDX-License-Identifier: BSD-3-Clause
// A film is what every rank holds after each round of a schedule, and which blocks travel in
// between. Text, SVG and JSON are made from this data.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/expression.hpp"
#include "schedule/generator.hpp"
#include "schedule/memory.hpp"

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

// The sum of the same part of the vectors of some ranks, its terms.
struct Content {
  int part = 0;
  int terms = 1;
  int first = 0;  // the lowest rank among the terms
  schedule::Value value = schedule::nothing;
};

struct Item {
  State state = State::empty;
  int content = -1;    // index of Film::contents, -1 without a value
  bool fresh = false;  // the rank did not hold it before the round
  friend bool operator==(const Item&, const Item&) = default;
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

  // The new content of a cell.
  struct Change {
    int rank, slot;
    Cell cell;
  };
  // The first thing that is wrong with the schedule, as the verifier says it. It is in the last
  // round, which has no result, or it is the result.
  struct Fault {
    std::string problem;
    int round = -1;          // index of the round
    int rank = -1;           // -1 if it belongs to no rank
    int from = -1, to = -1;  // the ends of the message that is wrong, or missing
    std::vector<int> slots;  // cells of the rank that do not hold its result
    // Returns true if it is about this message.
    [[nodiscard]] bool concerns(const Message& message) const {
      return from == message.from && to == message.to;
    }
  };

  schedule::Operation operation = schedule::Operation::barrier;
  int p = 1;
  int root = 0;
  int parts = 1;
  int slots = 1;  // cells of a rank
  std::vector<Content> contents;
  std::optional<schedule::Expressions> terms;  // of the contents
  std::vector<Round> rounds;
  std::vector<int> idle;  // numbers of rounds without messages in which ranks at most copy
  Strip start;            // before the first round
  std::vector<std::vector<Change>> changes;  // in each round
  std::optional<Fault> fault;

  // Returns true if letters of blocks stand for source ranks: in alltoall, and in a barrier, whose
  // blocks are the news that a rank has arrived.
  [[nodiscard]] bool by_source() const;
  [[nodiscard]] bool reduces() const;
  [[nodiscard]] const Content& of(const Item& item) const { return contents[at(item.content)]; }
  // Returns the ranks whose terms an item has, in order.
  [[nodiscard]] std::vector<int> ranks(const Item& item) const;
  // Returns the rank or part that the letter of an item stands for.
  [[nodiscard]] int block(const Item& item) const;
  // Returns true if the round is wrong, so that no strip follows it.
  [[nodiscard]] bool wrong(std::size_t round) const {
    return fault && fault->round == static_cast<int>(round);
  }
  // Returns the messages of each rank in a round, grouped by equal blocks.
  using Payload = std::vector<const Message*>;
  [[nodiscard]] std::vector<std::vector<Payload>> payloads(std::size_t round) const;
  // Returns true if a message carries a block that pictures follow: block A, or one from rank 0.
  [[nodiscard]] bool leads(const Message& message) const;
  // Returns the name of a state, for keys.
  [[nodiscard]] std::string meaning(State state) const;
  // Returns the letter of the block, in alltoall with the part: A, B2.
  [[nodiscard]] std::string name(const Item& item) const;
  // Returns how many complete blocks are in the cells of a rank. Complete sums for other ranks
  // count.
  [[nodiscard]] int complete(const std::vector<Cell>& cells) const;
  // Returns how many blocks the rank has in the end.
  [[nodiscard]] int wants(int rank) const;
};

// Returns A to Z, then AA, AB and so on.
[[nodiscard]] std::string letter(int block);

// Shows the strips of a film. They are kept as changes, so it goes forwards fast, and backwards
// from the start.
class Reel {
 public:
  explicit Reel(const Film& film) : film_(&film), strip_(film.start) {}
  // Returns the strip before the first round, 0, or after the round before this index. It is valid
  // until the next call.
  const Film::Strip& operator[](std::size_t index);

 private:
  const Film* film_;
  std::size_t index_ = 0;
  Film::Strip strip_;
};

// Returns the film of a schedule. If the schedule is wrong, the film ends at its fault. Throws
// Error(invalid_argument) if it has too many messages, or none of its rounds can be drawn. After
// each round `told`, if given, is called with the part of them that is done, 0 to 1.
using ToldPart = std::function<void(double part)>;
[[nodiscard]] Film film_of(const schedule::Generator& generator, const schedule::Shape& shape,
                           const ToldPart& told = {});
[[nodiscard]] Film film_of(schedule::Operation operation, const schedule::Shape& shape,
                           const schedule::Buffers& buffers,
                           std::span<const schedule::Program> programs,
                           schedule::Placement placement, const ToldPart& told = {});

}  // namespace tutti::draw
