// SPDX-License-Identifier: BSD-3-Clause
// Writes the words of a film. They follow from the operation and the messages only: no algorithm
// has a text of its own.
#include "draw/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "draw/rules.hpp"

namespace tutti::draw {
namespace {

using schedule::Operation;
using Kind = Rule::Kind;

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

// Returns words as "1, 2, 4". Equal words stand once, and a long list loses its middle.
std::string listed(std::vector<std::string> words) {
  constexpr std::size_t most = 8;
  if (std::all_of(words.begin(), words.end(), [&](auto& word) { return word == words[0]; }))
    words.resize(1);
  if (words.size() > most) {
    words.erase(words.begin() + 3, words.end() - 1);
    words.insert(words.end() - 1, "...");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

class Narrator {
 public:
  explicit Narrator(const Film& film) : film_(film), rules_(rules_of(film)), reel_(film) {
    if (film.fault && film.fault->round >= 0) rules_.resize(at(film.fault->round));
  }

  std::vector<PhaseText> write() {
    std::vector<PhaseText> all;
    for (first_ = 0; first_ < rules_.size(); first_ = end_) {
      end_ = first_ + 1;
      while (end_ < rules_.size() && rules_[end_].kind == rule().kind && adding(end_) == adding())
        ++end_;
      std::string text = (rule().kind == Kind::none ? arrows() : by_rule()) + ". " + then();
      if (text.back() == ' ') text.pop_back();
      all.push_back({first_, end_, std::move(text)});
    }
    if (film_.fault)
      all.push_back(
          {first_, film_.rounds.size(), std::string(wrong_begins) + film_.fault->problem});
    return all;
  }

 private:
  const Rule& rule() const { return rules_[first_]; }
  Adds adding() const { return adding(first_); }
  Adds adding(std::size_t i) const { return adds(film_.rounds[i]); }
  int number(std::size_t i) const { return film_.rounds[i].number; }

  bool alike() const {
    const std::string numbers = load();
    return distances("").find(',') == std::string::npos && numbers.find(',') == std::string::npos;
  }

  // Rounds without messages have no load that could differ.
  std::string by_rule() const {
    const bool local = rule().kind == Kind::local;
    const std::string rounds = end_ - first_ == 1
                                   ? fmt::format("Round {}", number(first_))
                                   : fmt::format("Rounds {}–{}{}", number(first_), number(end_ - 1),
                                                 local || alike() ? "" : ", in turn");
    if (local) return rounds + ": no messages; ranks combine what they hold";
    if (rule().kind == Kind::exchange)
      return fmt::format("{}: ranks r and r xor {} swap {}; each {}", rounds, distances(""), load(),
                         fate());
    return fmt::format("{}: {} {} to {}, which {}", rounds, sender(), "sends " + load(), receiver(),
                       fate());
  }

  std::string sender() const {
    if (rule().kind == Kind::from_one) return fmt::format("rank {}", rule().k);
    if (rule().kind == Kind::to_one) return "every other rank";
    return rule().kind == Kind::all ? "every rank" : "every rank r";
  }

  std::string receiver() const {
    if (rule().kind == Kind::to_one) return fmt::format("rank {}", rule().k);
    if (rule().kind == Kind::step) return "rank " + distances("r + ") + " if there is one";
    if (rule().kind != Kind::shift) return "every other rank";
    return fmt::format("rank {} (mod {})", distances(rule().k < 0 ? "r − " : "r + "), film_.p);
  }

  std::string distances(std::string_view before) const {
    std::vector<std::string> words;
    for (std::size_t i = first_; i < end_; ++i)
      words.push_back(fmt::format("{}{}", before, std::abs(rules_[i].k)));
    return listed(std::move(words));
  }

  // Returns "1, 1, 2 blocks": a number for each round, or a range if ranks send different numbers.
  std::string load() const {
    if (film_.operation == Operation::barrier) return "all the news it has";
    std::vector<std::string> words;
    bool complete = film_.reduces();
    for (std::size_t i = first_; i < end_; ++i) {
      std::size_t least = film_.rounds[i].messages[0].items.size(), most = 0;
      for (const Film::Message& message : film_.rounds[i].messages) {
        least = std::min(least, message.items.size());
        most = std::max(most, message.items.size());
        for (const Item& item : message.items)
          complete = complete && film_.of(item).terms == film_.p;
      }
      words.push_back(least == most ? fmt::format("{}", most)
                                    : fmt::format("{} to {}", least, most));
    }
    const std::string list = listed(std::move(words));
    return fmt::format("{} {}block{}", list, complete ? "complete " : "", list == "1" ? "" : "s");
  }

  std::string fate() const {
    if (film_.operation == Operation::barrier) return "keeps it";
    const std::string load_text = load();
    const std::string them =
        load_text.starts_with("1 ") && !load_text.ends_with('s') ? "it" : "them";
    if (adding() == Adds::all) return fmt::format("adds {} to its own", them);
    return adding() == Adds::some ? "adds or keeps " + them : "keeps " + them;
  }

  // Returns "Round 1: 0 → 3; round 2: 0 → 2, 3 → 4; each receiver keeps what it gets".
  std::string arrows() const {
    constexpr std::size_t most_arrows = 9, most_rounds = 6;
    std::string text;
    for (std::size_t i = first_; i < end_; ++i) {
      if (end_ - first_ > most_rounds && i == first_ + 3) {
        text += "; ...";
        i = end_ - 2;
        continue;
      }
      const auto& messages = film_.rounds[i].messages;
      std::vector<std::string> words;
      for (const Film::Message& m : messages) words.push_back(fmt::format("{} → {}", m.from, m.to));
      text +=
          fmt::format("{} {}: {}", text.empty() ? "Round" : "; round", number(i),
                      messages.size() > most_arrows ? counted(messages.size(), "message")
                                                    : fmt::format("{}", fmt::join(words, ", ")));
    }
    if (adding() == Adds::all) return text + "; each receiver adds what it gets to its own";
    return text + (adding() == Adds::some ? "; receivers add or keep what they get"
                                          : "; each receiver keeps what it gets");
  }

  // Returns the sentence that says how far ranks are after these rounds.
  std::string then() {
    const Film::Strip& strip = reel_[end_];
    std::vector<int> wanting;
    int most = 0, least = film_.slots;
    bool done = true;
    for (int rank = 0; rank < film_.p; ++rank) {
      const int complete = film_.complete(strip[at(rank)]), wanted = film_.wants(rank);
      if (wanted > 0) wanting.push_back(rank);
      done = done && complete >= wanted;
      most = std::max(most, complete);
      least = std::min(least, complete);
    }
    const std::string who = static_cast<int>(wanting.size()) == film_.p ? "every rank"
                            : wanting.size() == 1 ? fmt::format("rank {}", wanting[0])
                                                  : fmt::format("each of ranks {}", runs(wanting));
    if (done && film_.operation == Operation::barrier)
      return "Then every rank knows that all have arrived.";
    if (done) return fmt::format("Then {} has its result.", who);
    if (most != least || most == 0 || film_.operation == Operation::barrier) return "";
    return fmt::format("Then every rank holds {} of {} complete blocks.", most, film_.slots);
  }

  const Film& film_;
  std::vector<Rule> rules_;
  Reel reel_;
  std::size_t first_ = 0, end_ = 0;  // rounds of the sentence that is being written
};

std::string meaning_in_alltoall(const Film& film) {
  if (film.parts == film.p)
    return fmt::format(
        "Block A{0} goes from rank 0 (letter A) to rank {0}. Cell k of a rank holds its block for "
        "rank k, later the block from rank k.",
        film.p - 1);
  return fmt::format(
      "Block A{0} is part {0} of the vector of rank 0 (letter A). Cells hold the blocks in the "
      "order "
      "of the ranks they are for, later of the ranks they are from.",
      film.parts - 1);
}

// Returns the sentence that says what a block is.
std::string meaning(const Film& film) {
  const std::string last = letter(film.slots - 1);
  const bool by_rank = film.parts == film.p;
  const std::string parts = film.parts == 1
                                ? "Block A is the whole vector"
                                : fmt::format("Blocks A to {} are the {} parts", last, film.parts);
  switch (film.operation) {
    case Operation::barrier:
      return "Block A is the news that rank 0 has arrived, B that rank 1 has, and so on; messages "
             "need no data.";
    case Operation::broadcast:
      return fmt::format("{} of rank {}{}.", parts, film.root, film.parts == 1 ? "" : "’s vector");
    case Operation::reduce:
      return fmt::format("{} of every rank{}; rank {} wants the sum{}.", parts,
                         film.parts == 1 ? "" : "’s vector", film.root, film.parts == 1 ? "" : "s");
    case Operation::allreduce:
      return film.parts == 1 ? parts + " of every rank." : parts + " of every rank’s vector.";
    case Operation::reduce_scatter:
      return fmt::format("{} of every rank’s vector; {}.", parts,
                         by_rank ? "rank 0 wants the sum of A, rank 1 of B, and so on"
                                 : "every rank wants the sums of its share, rank 0 the first");
    case Operation::scan:
      return parts + " of every rank; rank r wants the sum of ranks 0 to r.";
    case Operation::exscan:
      return parts + " of every rank; rank r > 0 wants the sum of ranks 0 to r − 1.";
    case Operation::scatter:
    case Operation::gather:
    case Operation::allgather:
      if (!by_rank) return parts + " of the whole vector, those of rank 0 first.";
      return film.operation == Operation::scatter
                 ? "Block A is for rank 0, B for rank 1, and so on."
                 : "Block A is the input of rank 0, B of rank 1, and so on.";
    case Operation::alltoall:
      return meaning_in_alltoall(film);
  }
  return "";
}

}  // namespace

std::vector<std::string> heading(const Film& film) {
  std::size_t messages = 0, volume = 0;
  for (const Film::Round& round : film.rounds) {
    messages += round.messages.size();
    for (const Film::Message& message : round.messages) volume += message.items.size();
  }
  std::string text = counted(film.rounds.size(), "round") + ", " + counted(messages, "message");
  if (film.operation != Operation::barrier)
    text += fmt::format(", volume {} of n{} elements; a vector has n elements",
                        counted(volume, "block"),
                        film.parts == 1 ? "" : fmt::format("/{}", film.parts));
  if (film.idle.empty()) return {text, meaning(film)};
  return {text, meaning(film),
          fmt::format("Not drawn, as ranks only copy: {} {}.",
                      film.idle.size() == 1 ? "round" : "rounds", runs(film.idle))};
}

std::vector<PhaseText> phases(const Film& film) {
  return Narrator(film).write();
}

std::vector<std::string> sentences(const Film& film) {
  std::vector<std::string> all;
  for (PhaseText& phase : phases(film)) all.push_back(std::move(phase.sentence));
  return all;
}

std::string runs(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
    if (end - i > 1) text += fmt::format("-{}", numbers[end - 1]);
    i = end;
  }
  return text;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

namespace {

// Replaces spaces at which no line may break by plain ones.
std::string unbound(std::string word) {
  for (std::size_t at; (at = word.find(" ")) != std::string::npos;) word.replace(at, 2, " ");
  return word;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = unbound(text.substr(begin, end - begin));
    begin = end + 1;
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > most) {
      lines.emplace_back("  " + word);
    } else {
      lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
  }
  return lines;
}

}  // namespace tutti::draw
