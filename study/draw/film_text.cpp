// SPDX-License-Identifier: BSD-3-Clause
// Writes every band as a table: columns of texts that are padded to the widest. A rank has several
// lines if it sends several messages or holds several values of one block.
#include "draw/film_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "draw/rules.hpp"
#include "draw/sentences.hpp"

namespace tutti::draw {
namespace {

using Lines = std::vector<std::string>;

enum class Align { left, right };

// A column has two lines of heading, then the lines of each rank.
struct Column {
  Lines heading;
  std::vector<Lines> ranks;
  std::size_t wide = 0;
  Align align = Align::left;
};

std::string spelt(std::string text, const TextForm& form) {
  if (!form.ascii) return text;
  for (const auto& [sign, plain] :
       {std::pair{"→", "->"}, {"↔", "<->"}, {"–", "-"}, {"−", "-"}, {"·", "."}, {"’", "'"}})
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign))
      text.replace(at, std::string_view(sign).size(), plain);
  return text;
}

class FilmWriter {
 public:
  FilmWriter(const Film& film, const TextForm& form)
      : film_(film),
        form_(form),
        scenes_(scenes_of(film, form.all ? 0 : film.rounds.size() + 1)),
        rules_(rules_of(film)) {}

  std::string write(const std::string& title) {
    text_ = spelt(title) + "\n";
    for (const std::string& line : heading(film_)) paragraph(line);
    if (!strips()) {
      compact_ = true;
      if (!strips()) text_ += spelt("\nThe strips do not fit into the width; --svg draws them.\n");
    }
    text_ += "\n";
    for (const PhaseText& phase : phases(film_)) sentence(phase);
    if (!seen_.empty()) text_ += "\n", paragraph(key());
    return std::move(text_);
  }

 private:
  std::string spelt(std::string text) const { return draw::spelt(std::move(text), form_); }

  void paragraph(const std::string& text) {
    for (const std::string& line : wrapped(spelt(text), form_.width)) text_ += line + "\n";
  }

  // The last sentence about a wrong schedule says what is wrong.
  void sentence(const PhaseText& phase) {
    const bool red = form_.colour && phase.sentence.starts_with(wrong_begins);
    if (red) text_ += "\x1b[1;31m";
    paragraph(phase.sentence);
    if (red) text_ += "\x1b[0m";
  }

  // ---- cells
  std::string cell(const Item& item) {
    seen_.insert(item.state);
    const int terms = item.content < 0 ? 0 : film_.of(item).terms;
    switch (item.state) {
      case State::empty:
        return spelt("·");
      case State::gone:
        return "-";
      case State::own:
        return compact_ ? "o" : written(item);
      case State::partial:
        if (!compact_) return film_.name(item) + std::to_string(terms);
        return terms < 10 ? std::to_string(terms) : "+";
      case State::held:
        return compact_ ? "*" : written(item) + "*";
      case State::complete:
        return compact_ ? "#" : film_.name(item);
    }
    return "";
  }

  // Returns the name of a block, in small letters if it is one rank's input and not complete.
  std::string written(const Item& item) const {
    std::string text = film_.name(item);
    if (item.state != State::complete && film_.of(item).terms == 1)
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  Column strip(std::size_t index) {
    Column column{
        {index == 0 ? "start" : fmt::format("after {}", film_.rounds[index - 1].number), ""}, {}};
    std::size_t wide = 1;
    std::vector<std::vector<Lines>> texts;  // by rank and slot
    for (const auto& cells : reel_[index]) {
      auto& row = texts.emplace_back();
      for (const Film::Cell& items : cells) {
        Lines& stack = row.emplace_back();
        for (const Item& item : items) wide = std::max(wide, width(stack.emplace_back(cell(item))));
      }
    }
    for (const auto& row : texts) {
      Lines& lines = column.ranks.emplace_back();
      for (std::size_t slot = 0; slot < row.size(); ++slot)
        for (std::size_t i = 0; i < row[slot].size(); ++i) {
          if (i == lines.size()) lines.emplace_back();
          const std::size_t at = slot * (wide + (compact_ ? 0 : 1));
          lines[i] += std::string(at - width(lines[i]), ' ') + row[slot][i] +
                      std::string(wide - width(row[slot][i]), ' ');
        }
    }
    return measured(std::move(column));
  }

  // Stands where the strip after a wrong round would be.
  Column stop() const {
    Column column{{"WRONG", ""}, std::vector<Lines>(at(film_.p))};
    return measured(std::move(column));
  }

  // ---- messages
  std::string payload(const Film::Message& message) const {
    std::vector<int> blocks;
    Lines names;
    for (const Item& item : message.items) {
      names.push_back(written(item));
      blocks.push_back(film_.block(item));
    }
    if (compact_) return exchange() ? fmt::format("{}x", blocks.size()) : runs(blocks);
    std::string text;
    for (std::size_t i = 0; i < names.size();) {
      std::size_t end = i + 1;
      while (end < names.size() && blocks[end] == blocks[end - 1] + 1) ++end;
      if (end - i < 4 || exchange()) end = i + 1;
      text += names[i] + (end - i > 1 ? "-" + names[end - 1] : "");
      i = end;
    }
    return text;
  }

  bool exchange() const { return film_.operation == schedule::Operation::alltoall; }

  // A message that is wrong has a mark behind it.
  std::string to(const Film::Payload& all, int round) const {
    std::vector<int> ranks;
    bool wrong = false;
    for (const Film::Message* message : all) {
      ranks.push_back(message->to);
      wrong = wrong || (film_.wrong(at(round)) && film_.fault->concerns(*message));
    }
    return runs(ranks) + (wrong ? "!" : "");
  }

  Column sends(int round) const {
    Column column{{fmt::format("round {}", film_.rounds[at(round)].number),
                   spelt(to_text(rules_[at(round)]))},
                  std::vector<Lines>(at(film_.p))};
    const auto rows = film_.payloads(at(round));
    for (std::size_t rank = 0; rank < rows.size(); ++rank)
      for (const Film::Payload& all : rows[rank]) {
        column.ranks[rank].push_back(payload(*all[0]) + spelt("→") + to(all, round));
      }
    return measured(std::move(column));
  }

  Column receives(int round) const {
    Column column{{"", ""}, std::vector<Lines>(at(film_.p)), 0, Align::right};
    std::vector<std::map<bool, std::vector<int>>> from(column.ranks.size());
    // Nothing arrives in a wrong round, but a rank may wait for a message that nobody sends.
    const bool wrong = film_.wrong(at(round));
    if (wrong && film_.fault->to >= 0)
      column.ranks[at(film_.fault->to)].push_back(fmt::format("{}!", film_.fault->from));
    for (const Film::Message& m : film_.rounds[at(round)].messages)
      if (!wrong) from[at(m.to)][m.adds].push_back(m.from);
    for (std::size_t rank = 0; rank < from.size(); ++rank)
      for (const auto& [adds, ranks] : from[rank])
        column.ranks[rank].push_back(runs(ranks) + (adds ? "+" : ">"));
    return measured(std::move(column));
  }

  static Column measured(Column column) {
    for (const Lines& lines : column.ranks)
      for (const std::string& line : lines) column.wide = std::max(column.wide, width(line));
    if (column.align == Align::left)
      for (const std::string& line : column.heading)
        column.wide = std::max(column.wide, width(line));
    return column;
  }

  // Returns the two columns of a round: sends and receives. Its heading may be as wide as both.
  std::vector<Column> zone(int round) const {
    Column left = sends(round), right = receives(round);
    std::size_t texts = 0;
    for (const Lines& lines : left.ranks)
      for (const std::string& line : lines) texts = std::max(texts, width(line));
    right.wide = std::max(right.wide, left.wide > texts + 2 ? left.wide - texts - 2 : 0);
    left.wide = texts;
    return {std::move(left), std::move(right)};
  }

  // ---- bands
  Column ranks() const {
    Column column{{"rank", ""}, {}, 0, Align::right};
    for (int rank = 0; rank < film_.p; ++rank) column.ranks.push_back({std::to_string(rank)});
    column.wide = 4;
    return measured(std::move(column));
  }

  // Writes all strips. Returns false and writes nothing if a round does not fit into the width.
  bool strips() {
    const std::string before = text_;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= scenes_.size(); ++i) {
      const bool gap = i < scenes_.size() && scenes_[i].skipped > 0;
      if (i < scenes_.size() && !gap) continue;
      const std::vector<Scene> part(scenes_.begin() + static_cast<std::ptrdiff_t>(begin),
                                    scenes_.begin() + static_cast<std::ptrdiff_t>(i));
      if (!segment(part)) {
        text_ = before;
        seen_.clear();
        return false;
      }
      begin = i + 1;
      if (gap) text_ += "\n" + gap_text(scenes_[i]);
    }
    return true;
  }

  std::string gap_text(const Scene& gap) const {
    const std::size_t last = at(gap.round);
    const std::size_t first = last + 1 - static_cast<std::size_t>(gap.skipped);
    return fmt::format("   . . .  rounds {} to {}: {} more like these\n",
                       film_.rounds[first].number, film_.rounds[last].number, gap.skipped);
  }

  static double wide(const std::vector<Column>& columns) {
    double sum = 0;
    for (const Column& column : columns) sum += static_cast<double>(column.wide) + 2;
    return sum;
  }

  // Writes scenes without a gap in as many bands as they need. Returns false if one does not fit.
  bool segment(const std::vector<Scene>& scenes) {
    std::vector<std::vector<Column>> columns;
    std::vector<double> widths;
    double first = 0;
    for (const Scene& scene : scenes) {
      const std::size_t after = at(scene.round) + 1;
      first = std::max(first, wide({ranks(), strip(after - 1)}));
      columns.push_back(zone(scene.round));
      columns.back().push_back(film_.wrong(at(scene.round)) ? stop() : strip(after));
      widths.push_back(wide(columns.back()));
      if (first + widths.back() - 2 > static_cast<double>(form_.width)) return false;
    }
    if (scenes.empty() && film_.rounds.empty()) put({ranks(), strip(0)});
    const auto bands =
        bands_of(widths, first - 2, static_cast<double>(form_.width), turn_of(film_, scenes));
    for (std::size_t b = 0; b < bands.size() && !scenes.empty(); ++b) {
      std::vector<Column> band{ranks(), strip(static_cast<std::size_t>(scenes[bands[b]].round))};
      const std::size_t end = b + 1 < bands.size() ? bands[b + 1] : scenes.size();
      for (std::size_t i = bands[b]; i < end; ++i)
        band.insert(band.end(), columns[i].begin(), columns[i].end());
      put(band);
    }
    return true;
  }

  void put(const std::vector<Column>& band) {
    text_ += "\n";
    for (std::size_t i = 0; i < 2; ++i)
      line(band, [&](const Column& column) { return column.heading[i]; });
    for (std::size_t rank = 0; rank < at(film_.p); ++rank) {
      std::size_t lines = 0;
      for (const Column& column : band) lines = std::max(lines, column.ranks[rank].size());
      for (std::size_t i = 0; i < lines; ++i)
        line(band, [&](const Column& column) {
          return i < column.ranks[rank].size() ? column.ranks[rank][i] : "";
        });
    }
  }

  template <class F>
  void line(const std::vector<Column>& band, F part) {
    std::string line;
    std::size_t at = 0;
    for (const Column& column : band) {
      const std::string text = part(column);
      const std::size_t begin = at + (column.align == Align::right && width(text) < column.wide
                                          ? column.wide - width(text)
                                          : 0);
      if (!text.empty()) line += std::string(begin - width(line), ' ') + text;
      at += column.wide + 2;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) text_ += line + "\n";
  }

  // ---- the key of the marks that are used
  std::string key() const {
    const std::string small = exchange() ? "a1" : "a", block = exchange() ? "A1" : "A";
    std::string text;
    for (const State state : seen_) {
      const std::string mark = state == State::empty      ? "·"
                               : state == State::gone     ? "-"
                               : state == State::own      ? compact_ ? "o" : small
                               : state == State::partial  ? compact_ ? "2 to 9, +" : "A2"
                               : state == State::complete ? compact_ ? "#" : block
                               : compact_                 ? "*"
                               : film_.reduces()          ? "A*"
                                                          : small + "*";
      text += fmt::format("{}{} {}", text.empty() ? "Key: " : "; ", mark, film_.meaning(state));
      if (state == State::partial) text += compact_ ? " of so many terms" : " of 2 terms";
    }
    std::set<bool> ways;
    for (std::size_t i = 0; i < film_.rounds.size(); ++i)
      for (const Film::Message& message : film_.rounds[i].messages)
        if (!film_.wrong(i)) ways.insert(message.adds);
    if (!ways.empty() && compact_)
      text += exchange() ? "; 3x→1 sends 3 blocks to rank 1" : "; 5→1 sends block 5 to rank 1";
    if (!ways.empty() && !compact_) text += fmt::format("; {}→1 sends the block to rank 1", block);
    if (ways.count(true) > 0) text += "; 0+ adds what rank 0 sent";
    if (ways.count(false) > 0) text += "; 0> keeps what rank 0 sent";
    if (film_.fault && film_.fault->from >= 0)
      text += fmt::format("; ! the message from rank {} to rank {} is wrong or missing",
                          film_.fault->from, film_.fault->to);
    return text + ".";
  }

  const Film& film_;
  Reel reel_{film_};
  const TextForm& form_;
  std::vector<Scene> scenes_;
  std::vector<Rule> rules_;
  std::set<State> seen_;
  bool compact_ = false;
  std::string text_;
};

}  // namespace

std::vector<std::string> film_words(const Film& film, const TextForm& form) {
  std::vector<std::string> texts = heading(film), lines;
  for (const std::string& sentence : sentences(film)) texts.push_back(sentence);
  for (const std::string& text : texts)
    for (const std::string& line : wrapped(spelt(text, form), form.width)) lines.push_back(line);
  return lines;
}

std::string film_text(const Film& film, const std::string& title, const TextForm& form) {
  return FilmWriter(film, form).write(title);
}

}  // namespace tutti::draw
