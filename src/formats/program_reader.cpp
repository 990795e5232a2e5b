// SPDX-License-Identifier: BSD-3-Clause
// Reads schedules from JSON. The header is read first, wherever it stands; the rounds follow, so
// that each operation is checked while its line is known.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <span>

#include "formats/block_text.hpp"
#include "formats/check.hpp"
#include "formats/json_keys.hpp"
#include "formats/json_text.hpp"
#include "formats/limits.hpp"
#include "formats/program_file.hpp"
#include "formats/words.hpp"
#include "schedule/printer.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Do;
using schedule::Op;
using schedule::Operand;
using schedule::Operation;
using schedule::Rank;

constexpr std::size_t longest_block = 100;  // characters

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : json_(text, file) {}

  ProgramFile read() {
    read_header();
    json_.end();
    require(problem_of_sizes(schedule_));
    const std::size_t end = json_.place();
    json_.go_to(rounds_);
    json_.enter("rounds");
    read_rounds();
    json_.leave();
    json_.go_to(end);
    return std::move(file_);
  }

 private:
  void require(const std::string& problem) const {
    if (!problem.empty()) json_.fail("{}", problem);
  }

  int number(std::int64_t least = 0) {
    const std::int64_t value = json_.integer();
    if (value < least || value > std::numeric_limits<int>::max())
      json_.fail("the number is {}, limit {} to {}", value, least, std::numeric_limits<int>::max());
    return static_cast<int>(value);
  }

  static constexpr std::string_view words_of_header_[] = {
      "tutti_program", "operation", "p",        "buffers",          "rounds",   "root",
      "name",          "about",     "in_place", "commutative_only", "any_root", "claims"};
  static constexpr std::size_t needed_ = 5;  // the first words

  void read_header() {
    Keys keys(json_);
    std::optional<int> root;
    json_.object([&](std::string_view key) {
      const std::size_t index = keys.take(key, words_of_header_);
      if (index == 5 && !json_.null()) root = number();
      if (index < 5) read_needed(index);
      if (index > 5) read_other(index);
    });
    for (std::size_t index = 0; index < needed_; ++index) keys.need(index, words_of_header_);
    check_root(root);
  }

  void read_needed(std::size_t index) {
    if (index == 0) return take_version(json_);
    if (index == 1)
      return static_cast<void>(schedule_.operation = take_operation(json_, most_text));
    if (index == 3) return read_buffers();
    if (index == 2) {
      schedule_.p = number(1);
    } else {
      static_cast<void>(json_.peek());
      rounds_ = json_.place();
      json_.skip();
    }
  }

  void read_other(std::size_t index) {
    using enum schedule::Operators;
    if (index == 6) schedule_.name = json_.string(most_text);
    if (index == 7) schedule_.about = json_.string(most_text);
    if (index == 8) schedule_.in_place = json_.boolean();
    if (index == 9) schedule_.operators = json_.boolean() ? commutative : any;
    if (index == 10) schedule_.any_root = json_.boolean();
    if (index == 11) read_claims();
  }

  void check_root(const std::optional<int>& root) {
    const bool rooted = has_root(schedule_.operation);
    const char* const name = schedule::to_text(schedule_.operation);
    if (rooted && !root) json_.fail("{} needs a root", name);
    if (!rooted && root) json_.fail("{} has no root, so root must be null", name);
    schedule_.root = root.value_or(0);
    if (!schedule_.any_root) return;
    const bool reduce = schedule_.operation == Operation::reduce;
    if (!reduce && schedule_.operation != Operation::broadcast)
      json_.fail(
          "only broadcast and reduce can serve any_root, because their blocks belong to no rank");
    if (reduce && schedule_.operators == schedule::Operators::any)
      json_.fail(
          "a reduce for any_root does not keep the order of the ranks: it must be "
          "commutative_only");
  }

  void read_buffers() {
    static constexpr std::string_view known[] = {"parts",   "input",          "output",
                                                 "scratch", "input_own_part", "output_own_part"};
    Keys keys(json_);
    schedule::Buffers& b = schedule_.buffers;
    json_.object([&](std::string_view key) {
      switch (keys.take(key, known)) {
        case 0:
          b.parts = number();
          return;
        case 1:
          b.input = number();
          return;
        case 2:
          b.output = number();
          return;
        case 3:
          b.scratch = number();
          return;
        case 4:
          b.input_own_part = json_.boolean();
          return;
        default:
          b.output_own_part = json_.boolean();
          return;
      }
    });
    for (std::size_t index = 0; index < 4; ++index) keys.need(index, known);
  }

  void read_claims() {
    static constexpr std::string_view known[] = {"rank_order", "same_tree"};
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      (keys.take(key, known) == 0 ? file_.claims.rank_order : file_.claims.same_tree) =
          json_.boolean();
    });
  }

  void read_rounds() {
    schedule_.programs.resize(static_cast<std::size_t>(schedule_.p));
    seen_.assign(static_cast<std::size_t>(schedule_.p), 0);
    json_.array([&] {
      ++round_;
      require(problem_of_rounds(round_, schedule_.p));
      read_round();
    });
  }

  // Each rank stands in each round, so that none is left out by mistake.
  void read_round() {
    int ranks = 0;
    json_.object([&](std::string_view key) {
      const int rank = rank_named(key);
      ++ranks;
      schedule::Round& round = schedule_.programs[static_cast<std::size_t>(rank)].emplace_back();
      json_.array([&] { read_operation_of(round, rank); });
    });
    if (ranks != schedule_.p)
      json_.fail("{} ranks stand in the round, and there are {}", ranks, schedule_.p);
  }

  int rank_named(std::string_view key) {
    int rank = -1;
    const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), rank);
    if (error != std::errc() || rest != key.data() + key.size() || rank < 0 ||
        rank >= schedule_.p || fmt::format("{}", rank) != key)
      json_.fail("there is no such rank, only \"0\" to \"{}\"", schedule_.p - 1);
    std::int64_t& last = seen_[static_cast<std::size_t>(rank)];
    if (last == round_) json_.fail("the rank stands twice in the round");
    last = round_;
    return rank;
  }

  void read_operation_of(schedule::Round& round, int rank) {
    if (++operations_ > most_operations)
      json_.fail("there are more operations than the limit, {}", most_operations);
    Keys keys(json_);
    Op op{};
    std::size_t verb = verbs;
    std::vector<int> receivers;
    json_.object([&](std::string_view key) {
      const std::size_t index = keys.take(key, words_of_operations);
      if (index == 5) op.to = read_receivers(receivers);
      if (index == 6) op.to = {number()};
      if (index == 7) op.operands = read_operands();
      if (index >= verbs) return;
      if (verb < index || (verb > index && verb < verbs))
        json_.fail("an operation has one verb, and {} stands before", words_of_operations[verb]);
      verb = index;
      op.what = static_cast<Do>(index);
      op.blocks = read_blocks();
    });
    check_keys(keys, verb);
    if (receivers.empty()) return add(round, std::move(op), rank);
    repeated_ += static_cast<std::int64_t>((receivers.size() - 1) * op.blocks.size());
    if (repeated_ > most_repeated_blocks)
      json_.fail("lists of receivers repeat more blocks than the limit, {}", most_repeated_blocks);
    for (const int receiver : receivers) {
      op.to = {receiver};
      add(round, op, rank);
    }
  }

  void check_keys(const Keys& keys, std::size_t verb) {
    if (verb == verbs)
      json_.fail("an operation needs a verb: send, receive, receive_combine, copy or combine");
    const std::size_t with = verb == 0 ? 5 : verb == 1 ? 6 : 7;
    keys.need(with, words_of_operations);
    for (std::size_t other = verbs; other < std::size(words_of_operations); ++other)
      if (other != with && keys.has(other))
        json_.fail("{} has no {}", words_of_operations[verb], words_of_operations[other]);
  }

  void add(schedule::Round& round, Op op, int rank) {
    require(problem_of_operation(op, schedule_, rank));
    round.ops.push_back(std::move(op));
  }

  // A list of receivers becomes a send to each of them.
  schedule::Ranks read_receivers(std::vector<int>& list) {
    const char kind = json_.peek();
    if (kind == '[') {
      json_.array([&] {
        if (static_cast<int>(list.size()) >= schedule_.p)
          json_.fail("more ranks are named than there are");
        list.push_back(number());
      });
      if (list.empty()) json_.fail("a message goes to no rank");
      return {};
    }
    if (kind != '{') return {number()};
    static constexpr std::string_view known[] = {"first", "count", "stride", "except"};
    schedule::Ranks ranks;
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      int schedule::Ranks::*const fields[] = {&schedule::Ranks::first, &schedule::Ranks::count,
                                              &schedule::Ranks::stride, &schedule::Ranks::except};
      const std::size_t index = keys.take(key, known);
      ranks.*fields[index] = number(index == 2 ? -std::int64_t{most_ranks} : 0);
    });
    keys.need(0, known);
    keys.need(1, known);
    return ranks;
  }

  std::vector<Operand> read_operands() {
    std::vector<Operand> operands;
    json_.array([&] {
      if (static_cast<int>(operands.size()) > schedule_.p + 1)
        json_.fail("there are more operands than ranks");
      if (json_.peek() != '{') {
        operands.push_back({Rank{-1}, read_blocks()});
        return;
      }
      static constexpr std::string_view known[] = {"from"};
      Keys keys(json_);
      int from = 0;
      json_.object([&](std::string_view key) {
        static_cast<void>(keys.take(key, known));
        from = number();
      });
      keys.need(0, known);
      operands.push_back({Rank{from}, {}});
    });
    return operands;
  }

  Blocks read_blocks() {
    Blocks blocks;
    std::int64_t total = 0;
    json_.array([&] {
      const std::string text = json_.string(longest_block);
      const std::optional<Block> block = block_named(text);
      if (!block)
        json_.fail(
            "{} is no range of blocks, such as output[2], input[0..3] or scratch[0..1] x 4 by 8",
            json_string(text));
      require(problem_of_block(*block, schedule_, total));
      blocks.push_back(*block);
    });
    return blocks;
  }

  JsonText json_;
  ProgramFile file_;
  Schedule& schedule_ = file_.schedule;
  std::size_t rounds_ = 0;  // where the value of "rounds" stands
  std::int64_t round_ = 0, operations_ = 0, repeated_ = 0;
  std::vector<std::int64_t> seen_;  // by rank: the last round in which it stood
};

}  // namespace

ProgramFile read_program(std::string_view text, std::string_view file) {
  if (static_cast<std::int64_t>(text.size()) > most_file_bytes)
    base::fail(base::Status::invalid_argument, "{} has {} bytes, limit {}", file, text.size(),
               most_file_bytes);
  return Reader(text, file).read();
}

}  // namespace tutti::formats
