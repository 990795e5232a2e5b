// SPDX-License-Identifier: BSD-3-Clause
// Tests the states of rows and exhibits: a row turns where its tolerance ends, each rule of the
// states decides before the next one, and a parameter says which exhibits it comes from.
#include "papers/common/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "papers/common/exhibit.hpp"
#include "papers/common/print.hpp"
#include "papers/common/row_charts.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace {

using Names = std::vector<std::string>;

Item item(std::string name = "001-table-2") {
  Item made;
  made.name = std::move(name);
  return made;
}

State state_of(const Result& result, const Item& of = item()) {
  return verdict_of(of, result).state;
}

// A result with so many rows that agree, and so many that do not.
Result rows(int agree, int differ) {
  Result result;
  for (int i = 0; i < agree; ++i) result.row("agrees", 10.0, 10.5, "us", "made up");
  for (int i = 0; i < differ; ++i) result.row("differs", 10.0, 12.0, "us", "made up");
  return result;
}

// Moves the paper's number away from ours by a part of the tolerance, upwards or downwards. The
// tolerance is that of the moved number. Empty if no number lies there.
std::optional<double> moved(const Row& row, double part, double direction) {
  const double ours = std::get<double>(row.ours);
  const auto& [relative, absolute, reason] = row.tolerance;
  for (const double sign : {1.0, -1.0}) {
    for (const double paper :
         {ours + direction * part * absolute, ours / (1 - sign * part * relative)}) {
      const double apart = direction * (paper - ours);
      const double allowed = std::max(relative * std::abs(paper), absolute);
      if (apart > 0 && std::abs(apart - part * allowed) <= 1e-6 * part * allowed) return paper;
    }
  }
  return {};
}

// Returns how many of the row's numbers could be moved.
int check_edges(const Row& row, const std::string& where) {
  int found = 0;
  for (const double direction : {1.0, -1.0}) {
    for (const double part : {0.9, 1.1}) {
      const std::optional<double> paper = moved(row, part, direction);
      if (!paper) continue;
      Row other = row;
      other.paper = *paper;
      EXPECT_EQ(papers::state_of(other), part < 1 ? RowState::agrees : RowState::differs)
          << where << ": " << row.label << ", paper " << *paper;
      ++found;
    }
  }
  return found;
}

TEST(Verdict, ARowTurnsWhereItsToleranceEnds) {
  const Tolerance tolerances[] = {{}, exact(), {0.25, 0, "x"}, {0, 3, "x"}, {0.1, 20, "x"}};
  for (const Tolerance& tolerance : tolerances) {
    for (const double ours : {120.0, -120.0}) {
      const Row row{"made up", 0.0, ours, "us", "made up", tolerance};
      EXPECT_EQ(check_edges(row, "made up"), 4) << tolerance.relative << " " << tolerance.absolute;
    }
  }
}

// All rows with two numbers that models compute, by the product's own judge: judge.py judges the
// states by other code. Texts and rows with nothing on our side have no number to move. The items
// that are left out ask a job, whose programs do not lie beside this test.
TEST(Verdict, EachRowTurnsWhereItsToleranceEnds) {
  const std::set<std::string> by_job{"000-table-1",     "000-figure-1", "000-figure-3",
                                     "000-section-6.1", "002-figure-5", "002-section-A",
                                     "002-section-A.3"};
  int checked = 0;
  for (const Paper& paper : papers()) {
    for (const Item& one : paper.items) {
      if (run_of(one.name, Side::model) == nullptr || by_job.contains(one.name)) continue;
      for (const Row& row : exhibit_of(one, Extent::computed).result.rows) {
        if (row.paper.index() != 1 || row.ours.index() != 1) continue;
        if (std::get<double>(row.ours) == 0) continue;  // a part of nothing
        EXPECT_EQ(check_edges(row, one.name), 4) << one.name << ": " << row.label;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 300);
}

TEST(Verdict, StatesOfRows) {
  Row row{"made up", 1.0, {}, "", "made up", {}};
  EXPECT_EQ(papers::state_of(row), RowState::missing);
  row.ours = "1";
  EXPECT_EQ(papers::state_of(row), RowState::differs);
  row.paper = "1";
  EXPECT_EQ(papers::state_of(row), RowState::agrees);
  row.paper = {};
  EXPECT_EQ(papers::state_of(row), RowState::alone);
  row.measured = true;
  EXPECT_EQ(papers::state_of(row), RowState::measured);
  row.ours = {};
  EXPECT_EQ(papers::state_of(row), RowState::missing);
  row.input = true;
  EXPECT_EQ(papers::state_of(row), RowState::input);
}

// A figure that is put in is no missing row.
TEST(Verdict, InputDecidesNothing) {
  Result result = rows(3, 0);
  result.given("put in", 1.0, "us");
  const Verdict verdict = verdict_of(item(), result);
  EXPECT_EQ(verdict.state, State::agrees);
  EXPECT_EQ(verdict.missing, 0U);
  Result alone;
  alone.given("put in", 1.0, "us");
  EXPECT_EQ(state_of(alone), State::drawn);
  EXPECT_FALSE(verdict_of(item(), alone).ours);
}

TEST(Verdict, PartsAreCountedApart) {
  Result result = rows(2, 1);
  for (Row& row : result.rows) row.part = "times";
  result.row("an error", 5.0, 8.0, "%", "made up", {.relative = 0, .absolute = 10, .reason = "so"})
      .part = "errors";
  EXPECT_EQ(papers::tolerance_of(result.rows.back()), "10 points");
  EXPECT_EQ(papers::to_text(verdict_of(item(), result)),
            "partly, 3 of 4 rows (2 of 3 times, 1 of 1 errors)");
}

TEST(Verdict, TheFirstRuleThatHoldsDecides) {
  EXPECT_EQ(state_of(rows(3, 0)), State::agrees);
  EXPECT_EQ(state_of(rows(3, 1)), State::partly);
  EXPECT_EQ(state_of(rows(2, 1)), State::contradicts);
  EXPECT_EQ(state_of(Result()), State::drawn);
  Result alone;
  alone.row("ours only", {}, 1.0, "us", "made up");
  EXPECT_EQ(state_of(alone), State::drawn);
  Result missing = rows(3, 0);
  missing.row("theirs only", 1.0, {}, "us", "");
  EXPECT_EQ(state_of(missing), State::partly);
  Result fitted = rows(3, 1);
  fitted.rows[0].fitted = true;
  EXPECT_EQ(state_of(fitted), State::fitted);
  fitted.rows.pop_back();
  EXPECT_EQ(state_of(fitted), State::fitted);
  Result denied = rows(9, 0);
  denied.says("so it is", false, "made up");
  denied.rows[0].fitted = true;
  EXPECT_EQ(state_of(denied), State::contradicts);
  for (const State declared : {State::impossible, State::open, State::drawn, State::beyond}) {
    Item of = item();
    of.declared = declared;
    EXPECT_EQ(state_of(denied, of), declared);
  }
}

TEST(Verdict, OnlyThePapersOwnRowsMakeAnErratum) {
  Result result = rows(2, 1);
  result.rows.back().within_paper = true;
  EXPECT_EQ(state_of(result), State::erratum);
  result.says("so it is", false, "made up").within_paper = true;
  EXPECT_EQ(state_of(result), State::erratum);
  result.row("differs, and is ours", 10.0, 12.0, "us", "made up");
  EXPECT_EQ(state_of(result), State::contradicts);
  Result few = rows(3, 1);
  few.rows.back().within_paper = true;
  EXPECT_EQ(state_of(few), State::partly);
  Result agree = rows(3, 0);
  agree.within_paper_from(0);
  EXPECT_EQ(state_of(agree), State::agrees);
}

// A measurement of this machine need not be what the paper's machine took.
TEST(Verdict, MeasuredRowsDecideNothing) {
  Result result = rows(1, 5);
  for (std::size_t i = 1; i < result.rows.size(); ++i) result.rows[i].measured = true;
  const Verdict verdict = verdict_of(item(), result);
  EXPECT_EQ(verdict.state, State::agrees);
  EXPECT_EQ(verdict.compared, 1U);
}

TEST(Verdict, AParameterFromTheExhibitItselfMakesItAFittedOne) {
  Result result = rows(3, 0);
  result.parameters.push_back({"rate", 1.0, "us", "fitted: to paper 001, table 2: the slope"});
  EXPECT_EQ(state_of(result), State::fitted);
  EXPECT_EQ(state_of(result, item("001-table-3")), State::agrees);
  Item same = item("001-figure-9");
  same.same_numbers = {"001-table-2"};
  EXPECT_EQ(state_of(result, same), State::fitted);
  result.parameters[0].value = "mesh:16x32";  // no number
  EXPECT_EQ(state_of(result), State::agrees);
}

TEST(Verdict, ExhibitsInSources) {
  EXPECT_EQ(exhibits_in("fitted: to paper 002, tables 1 and 2: 1 integer, 3 questions"),
            (Names{"002-table-1", "002-table-2"}));
  EXPECT_EQ(exhibits_in("fitted: to paper 002, tables 1, 2 and C.3"),
            (Names{"002-table-1", "002-table-2", "002-table-C.3"}));
  EXPECT_EQ(exhibits_in("published: paper 000, table 5, 2 us"), (Names{"000-table-5"}));
  EXPECT_EQ(exhibits_in("fitted: to the eight ratios of paper 001, table 2"),
            (Names{"001-table-2"}));
  EXPECT_EQ(exhibits_in("published: paper 004, section 6.2; as figure 3"),
            (Names{"004-section-6.2"}));
  EXPECT_EQ(exhibits_in("assumed: 140 (paper 000, table 8)"), Names{});
  EXPECT_EQ(exhibits_in("derived: alpha"), Names{});
}

TEST(Verdict, TiesAreNoWins) {
  const Tolerance error{.relative = 0.05, .absolute = 0, .reason = "made up"};
  const auto said = [&](double shorter, double longer) {
    Result result;
    return std::get<std::string>(result.says_shorter("A", shorter, longer, "made up", error).ours);
  };
  EXPECT_EQ(said(90, 100), "yes");
  EXPECT_EQ(said(96, 100), "tie");
  EXPECT_EQ(said(100, 100), "tie");
  EXPECT_EQ(said(104, 100), "tie");
  EXPECT_EQ(said(110, 100), "no");
}

TEST(Verdict, ItemsAndRunsFitTogether) {
  EXPECT_NO_THROW(check_items());
}

// Rows with a curve make a chart for each unit. The name of a curve says how far ours lies from the
// paper's; a number that is not positive is left out.
TEST(Charts, OfRows) {
  Result result;
  result.row("1", 10.0, 9.0, "us", "made up").on("tree", 1);
  result.row("2", 20.0, 22.0, "us", "made up").on("tree", 2);
  result.row("3", -1.0, 30.0, "us", "made up").on("tree", 3);
  result.row("4", {}, 2.0, "", "made up").on("ratio", 1);
  result.row("5", 1.0, 1.0, "us", "made up");
  const std::vector<Chart> charts = charts_of_rows(item("000-figure-1"), result);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0].file, "000-figure-1-1");
  EXPECT_EQ(charts[1].file, "000-figure-1-2");
  ASSERT_EQ(charts[0].curves.size(), 2u);
  EXPECT_EQ(charts[0].curves[0].name, "tree, 0.90 to 1.10 of the paper's");
  EXPECT_EQ(charts[0].curves[0].points.size(), 3u);
  EXPECT_EQ(charts[0].curves[1].points.size(), 2u);
  EXPECT_EQ(charts[1].curves.size(), 1u);
  EXPECT_NE(svg_of(charts[0]).find("</svg>"), std::string::npos);
  EXPECT_TRUE(charts_of_rows(item(), rows(2, 0)).empty());
}

}  // namespace
}  // namespace tutti::papers
