// SPDX-License-Identifier: BSD-3-Clause
// Paper 000: the ids of messages by the rules of section 6.1 beside those that our BLACS of 1994
// give in a job.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <sstream>

#include "base/error.hpp"
#include "papers/common/runs.hpp"
#include "support/child.hpp"

namespace tutti::papers {
namespace blacs_ids_items {
namespace {

constexpr const char* asked = "asked of the BLACS 1.0 in a job of 8 processes";

// By the number of a process and the question (id_probe.c).
using Answers = std::map<std::pair<int, std::string>, std::string>;

Answers ask(const Item& item) {
  const auto word = [](double number) { return fmt::format("{}", number); };
  const auto [rows, columns] =
      std::pair{item.printed.number("rows"), item.printed.number("columns")};
  ChildCommand command{{command_path(), "run", "-n", word(rows * columns), "--timeout", "60",
                        helper_program("tutti-id-probe"), word(rows), word(columns)},
                       {}};
  for (const char* range : {"sends", "scoped"})
    for (const double id : item.printed.numbers(range)) command.words.push_back(word(id));
  Answers answers;
  const int code = read_lines(command, [&](const std::string& line) {
    std::istringstream words(line);
    int process = 0;
    std::string question, ids;
    words >> process >> question;
    std::getline(words >> std::ws, ids);
    answers[{process, question}] = ids;
  });
  if (code != 0) base::fail(base::Status::system_error, "tutti-id-probe ended with {}", code);
  return answers;
}

// The rules of the section. A range of ids is divided among its sources, after that of scoped
// operations among the three scopes. An id is the first of its source and the count before it.
struct Rules {
  int rows, columns;
  int first_send, sends;     // the range between two processes
  int first_scoped, scoped;  // the range of scoped operations

  [[nodiscard]] int processes() const { return rows * columns; }
  [[nodiscard]] int number(int row, int column) const { return row * columns + column; }
  [[nodiscard]] int send(int source, int count) const {
    return first_send + source * (sends / processes()) + count;
  }
  // Scopes in the paper's order: row, column, all.
  [[nodiscard]] int in_scope(int scope, int members, int source, int count) const {
    const int third = scoped / 3;
    return first_scoped + scope * third + source * (third / members) + count;
  }
};

Rules rules_of(const Item& item) {
  const auto whole = [](double number) { return static_cast<int>(number); };
  const std::vector<double> sends = item.printed.numbers("sends");
  const std::vector<double> scoped = item.printed.numbers("scoped");
  return {whole(item.printed.number("rows")),
          whole(item.printed.number("columns")),
          whole(sends.at(0)),
          whole(sends.at(1) - sends.at(0) + 1),
          whole(scoped.at(0)),
          whole(scoped.at(1) - scoped.at(0) + 1)};
}

std::string text(const std::vector<int>& ids) {
  return fmt::format("{}", fmt::join(ids, " "));
}

Result section_6_1(const Item& item) {
  Result result;
  const Rules rules = rules_of(item);
  const Answers answers = ask(item);
  const int last = rules.processes() - 1;
  for (int row = 0; row < rules.rows; ++row) {
    for (int column = 0; column < rules.columns; ++column) {
      const int me = rules.number(row, column);
      const auto add = [&](const char* question, const char* what, const std::vector<int>& ids) {
        result.row(fmt::format("process {{{}, {}}}: {}", row, column, what), text(ids),
                   answers.at({me, question}), "", asked);
      };
      // The counts are kept for each receiver: the first message to another one has the same id.
      add("sends", "sends to the first, the last and the first process",
          {rules.send(me, 0), rules.send(me, 0), rules.send(me, 1)});
      add("receives", "receives from the first, the last and the first process",
          {rules.send(0, 0), rules.send(last, 0), rules.send(0, 1)});
      add("broadcasts", "broadcasts twice in its row, in its column, and to all",
          {rules.in_scope(0, rules.columns, column, 0), rules.in_scope(0, rules.columns, column, 1),
           rules.in_scope(1, rules.rows, row, 0), rules.in_scope(2, rules.processes(), me, 0)});
      if (row > 0 && column > 0)
        add("received", "receives two broadcasts in its row, one in its column, and one of all",
            {rules.in_scope(0, rules.columns, 0, 0), rules.in_scope(0, rules.columns, 0, 1),
             rules.in_scope(1, rules.rows, 0, 0), rules.in_scope(2, rules.processes(), 0, 0)});
    }
  }
  result.notes.emplace_back(
      "The ranges are ours, as a program may choose them by SHIFT_RANGE. The paper's side applies "
      "its rules: a part of the range for each source, and in it the number of messages before.");
  return result;
}

constexpr Run runs[] = {{"000-section-6.1", section_6_1}};

}  // namespace
}  // namespace blacs_ids_items

std::span<const Run> blacs_ids() {
  return blacs_ids_items::runs;
}

}  // namespace tutti::papers
