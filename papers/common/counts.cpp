// SPDX-License-Identifier: BSD-3-Clause
// Counts exhibits and rows for the lists and pages of `tutti reproduce`.
#include "papers/common/counts.hpp"

#include <fmt/format.h>

#include <map>

namespace tutti::papers {
namespace {

constexpr State columns[] = {State::agrees,  State::partly,      State::fitted,
                             State::erratum, State::contradicts, State::beyond,
                             State::drawn,   State::open,        State::impossible};

struct Counts {
  std::size_t exhibits = 0, measured = 0, agree = 0, compared = 0;
  std::size_t about_time = 0, agree_in_time = 0;
  std::map<State, std::size_t> by_state;
};

// Rows of an exhibit whose state is declared show something, and compare nothing.
void add(Counts& counts, const Exhibit& exhibit) {
  const Verdict& verdict = exhibit.verdict;
  ++counts.exhibits;
  ++counts.by_state[verdict.state];
  counts.measured += verdict.measured ? 1 : 0;
  counts.about_time += exhibit.item->time ? 1 : 0;
  counts.agree_in_time +=
      exhibit.item->time && verdict.ours && verdict.state == State::agrees ? 1 : 0;
  if (exhibit.item->declared) return;
  counts.agree += verdict.agree;
  counts.compared += verdict.compared;
}

void add_row(tools::Table& table, const std::string& paper, Counts& counts) {
  tools::Table::Row row{paper, counts.exhibits};
  for (const State state : columns) row.emplace_back(counts.by_state[state]);
  row.emplace_back(counts.about_time);
  row.emplace_back(counts.agree_in_time);
  row.emplace_back(counts.measured);
  row.emplace_back(counts.compared);
  row.emplace_back(counts.agree);
  table.add(std::move(row));
}

}  // namespace

tools::Table counts_of(const std::vector<Exhibit>& exhibits) {
  std::map<std::string, Counts> papers;
  Counts all, added;
  for (const Exhibit& exhibit : exhibits) {
    if (exhibit.item->added) {
      add(added, exhibit);
      continue;
    }
    add(papers[exhibit.item->paper], exhibit);
    add(all, exhibit);
  }
  std::string heads = "paper;exhibits";
  for (const State state : columns) heads += fmt::format(";{}", to_text(state));
  tools::Table table(heads + ";about time;agree in time;measured;rows;rows agree");
  for (auto& [paper, counts] : papers) add_row(table, paper, counts);
  add_row(table, "all", all);
  add_row(table, "added", added);
  return table;
}

std::string summary_of(const std::vector<Exhibit>& exhibits) {
  Counts all;
  for (const Exhibit& exhibit : exhibits) add(all, exhibit);
  std::string text;
  for (const State state : columns) {
    const std::size_t count = all.by_state[state];
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_text(state));
  }
  return fmt::format("{}; {} of {} rows with two sides agree", text, all.agree, all.compared);
}

}  // namespace tutti::papers
