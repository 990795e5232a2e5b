// SPDX-License-Identifier: BSD-3-Clause
// Paper 000: the names that our BLACS declare, and their answers about a grid of two rows and four
// columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "machine/profile.hpp"
#include "papers/000/blacs_drawings.hpp"
#include "papers/common/declared.hpp"
#include "papers/common/drawn_rounds.hpp"
#include "papers/common/runs.hpp"
#include "schedule/verifier.hpp"
#include "support/child.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace blacs_names_items {
namespace {

// Counts the names that our header declares, and the names that the paper lists, over all types.
struct Declared {
  int found = 0;
  int wanted = 0;
};
Declared declared(const char* header, const char* prefix, const std::string& types,
                  const std::string& rest) {
  Declared count;
  for (const char type : types) {
    ++count.wanted;
    if (declares(header, fmt::format("{}{}{}", prefix, type, rest))) ++count.found;
  }
  return count;
}

// The paper's interface is that of the BLACS 1.0. Those of today have other names for some.
void add_names(Result& result, const std::string& theirs, const std::string& ours,
               const std::string& types) {
  const Declared today = declared("tutti_blacs", "C", types, ours);
  result.row(fmt::format("v{} for v = {}, here v{}", theirs, types, ours),
             static_cast<double>(today.wanted), static_cast<double>(today.found), "",
             "declarations in tutti_blacs.h", exact());
  const Declared then = declared("tutti_blacs94", "", types, theirs);
  result.row(fmt::format("v{} for v = {}, BLACS 1.0", theirs, types),
             static_cast<double>(then.wanted), static_cast<double>(then.found), "",
             "declarations in tutti_blacs94.h", exact());
}

Result table_2(const Item& item) {
  Result result;
  for (const std::string& shape : item.printed.texts("shapes")) {
    for (const std::string& kind : item.printed.texts("kinds")) {
      const std::string name = shape + kind + "2d";
      add_names(result, name, name, item.printed.text("types"));
    }
  }
  return result;
}

Result table_13(const Item& item) {
  Result result;
  const std::array today{"gamx2d", "gamn2d", "gsum2d"};
  const std::vector<std::string> kinds = item.printed.texts("kinds");
  for (std::size_t i = 0; i < kinds.size(); ++i)
    add_names(result, kinds[i] + "2d", today.at(i), item.printed.text("types"));
  result.notes.emplace_back(
      "Today's BLACS call the maximum and minimum vGAMX2D and vGAMN2D: the interface became final "
      "after the paper.");
  return result;
}

// The keys of the paper's table are the names of our machine files.
Result table_3(const Item& item) {
  Result result;
  for (const auto& [name, theirs] : item.printed.all()) {
    const std::string about = machine::load(name).about;
    const bool same = about.find(std::get<std::string>(theirs)) != std::string::npos;
    result.row(fmt::format("{} has a machine file, {}", std::get<std::string>(theirs), name), "yes",
               same ? "yes" : "no", "", about);
  }
  return result;
}

Result table_4(const Item& item) {
  Result result;
  constexpr const char* uses[] = {
      "send",    "receive",     "broadcast, sends",  "broadcast, receives",
      "combine", "synchronise", "send of the BLACS", "receive of the BLACS"};
  for (const auto& [key, name] : {std::pair{"i860", "i860"}, std::pair{"paragon", "Paragon"},
                                  std::pair{"cm5", "CM-5"}, std::pair{"sp1", "SP1"}}) {
    const std::vector<std::string> calls = item.printed.texts(key);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::string_view header = header_with(calls[i]);
      result.row(fmt::format("{}, {}", name, uses[i]), calls[i],
                 header.empty() ? Value() : Value(calls[i]), "",
                 header.empty() ? "" : fmt::format("declared in {}.h", header));
    }
  }
  result.notes.emplace_back(
      "A row is missing where no header of ours declares the call: CMMD and MPL are the message "
      "layers of machines that no longer run.");
  return result;
}

// ---- what a job answers ----

struct Answer {
  Place place;
  unsigned in_row, in_column, in_all;
};
struct Answers {
  std::vector<Answer> places;
  int exchanged = 0;
};

constexpr int rows = 2, columns = 4;

Answers ask_job() {
  Answers answers;
  const ChildCommand command{
      {command_path(), "run", "-n", std::to_string(rows * columns), "--timeout", "60",
       helper_program("tutti-grid-probe"), std::to_string(rows), std::to_string(columns)},
      {}};
  const int code = read_lines(command, [&](const std::string& line) {
    std::istringstream words(line);
    Answer answer{};
    auto& [place, in_row, in_column, in_all] = answer;
    if (words >> place.number >> place.row >> place.column >> in_row >> in_column >> in_all)
      answers.places.push_back(answer);
    if (line.starts_with("exchanged")) ++answers.exchanged;
  });
  if (code != 0) base::fail(base::Status::system_error, "tutti-grid-probe ended with {}", code);
  std::sort(answers.places.begin(), answers.places.end(),
            [](auto& a, auto& b) { return a.place.number < b.place.number; });
  return answers;
}

// All entries ask the same job.
const Answers& answers_of_job() {
  static const Answers known = ask_job();
  return known;
}

constexpr const char* by_job = "asked of the BLACS in a job of 8 processes";

std::string numbers(unsigned members) {
  std::string text;
  for (int i = 0; i < rows * columns; ++i)
    if ((members >> i & 1U) != 0) text += fmt::format("{}{}", text.empty() ? "" : " ", i);
  return text;
}

Result figure_1(const Item& item) {
  Result result;
  std::vector<Place> places;
  for (const auto& [place, in_row, in_column, in_all] : answers_of_job().places) {
    places.push_back(place);
    result.row(fmt::format("process {}", place.number),
               fmt::format("row {}, column {}", place.number / columns, place.number % columns),
               fmt::format("row {}, column {}", place.row, place.column), "", by_job);
  }
  add_drawing(result, item, grid_svg(places, item.subject));
  return result;
}

Result table_1(const Item&) {
  Result result;
  for (const auto& [place, in_row, in_column, in_all] : answers_of_job().places) {
    unsigned row = 0, column = 0;
    for (int i = 0; i < rows * columns; ++i) {
      if (i / columns == place.row) row |= 1U << i;
      if (i % columns == place.column) column |= 1U << i;
    }
    result.row(fmt::format("Row, process {}", place.number), numbers(row), numbers(in_row), "",
               by_job);
    result.row(fmt::format("Column, process {}", place.number), numbers(column), numbers(in_column),
               "", by_job);
    result.row(fmt::format("All, process {}", place.number), numbers(255), numbers(in_all), "",
               by_job);
  }
  result.notes.emplace_back(
      "The paper's side applies its definitions to the grid of its figure 1.");
  return result;
}

// ---- the program that hangs ----

enum class Start { both_send, one_receives };

// With one_receives, process 1 receives first.
std::vector<schedule::Program> programs_of(Start start) {
  using schedule::Rank;
  std::vector<schedule::Program> programs(2);
  for (int me = 0; me < 2; ++me) {
    const Rank other{1 - me};
    schedule::Round first, second;
    const bool receives_first = start == Start::one_receives && me == 1;
    (receives_first ? second : first).send({{schedule::Buffer::input, 1 - me}}, other);
    (receives_first ? first : second).receive({{schedule::Buffer::output, 1 - me}}, other);
    schedule::Round own;
    own.copy({{schedule::Buffer::output, me}}, {{schedule::Buffer::input, me}});
    programs[static_cast<std::size_t>(me)] = {own, first, second};
  }
  return programs;
}

// The verifier's verdict when a send waits for its receive.
std::string verdict_of(Start start) {
  const schedule::Buffers buffers{.input = 2, .output = 2, .parts = 2};
  const auto verdict =
      schedule::verify(schedule::Operation::alltoall, {.p = 2}, buffers, programs_of(start));
  return verdict.correct() ? "ends" : "hangs";
}

Result figure_3(const Item& item) {
  Result result;
  result.row("sends wait for their receives", "hangs", verdict_of(Start::both_send), "",
             "verifier");
  result.row("the same, one process receives first", "ends", verdict_of(Start::one_receives), "",
             "verifier");
  result.row("sends of our BLACS", "ends", answers_of_job().exchanged == 2 ? "ends" : "hangs", "",
             by_job);
  std::vector<Calls> drawn;
  for (const auto& [start, what] : {std::pair{Start::both_send, "as printed"},
                                    std::pair{Start::one_receives, "process 1 receives first"}})
    drawn.push_back(
        {fmt::format("{}, where sends wait for their receives: {}", what, verdict_of(start)),
         programs_of(start)});
  add_drawing(result, item, calls_svg(drawn, item.subject));
  result.notes.emplace_back(
      "The BLACS' sends are locally blocking, so the program as it stands ends with them.");
  return result;
}

constexpr Run runs[] = {
    {"000-table-1", table_1},   {"000-table-2", table_2},   {"000-table-3", table_3},
    {"000-table-4", table_4},   {"000-table-13", table_13}, {"000-figure-1", figure_1},
    {"000-figure-3", figure_3},
};

}  // namespace
}  // namespace blacs_names_items

std::span<const Run> blacs_names() {
  return blacs_names_items::runs;
}

}  // namespace tutti::papers
