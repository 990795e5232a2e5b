// SPDX-License-Identifier: BSD-3-Clause
// Tests what is computed from measured times of paper 000: fits and errors on points that are
// known, predictions against the paper's formulas and against counts of the schedules, and the
// tables and figures of times that a model made.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "papers/000/timing/fit.hpp"
#include "papers/000/timing/model.hpp"
#include "papers/000/timing/report.hpp"
#include "schedule/printer.hpp"

namespace tutti::papers {
namespace {

using schedule::Operation;
using schedule::Time;

constexpr Line complete{10, 0.004}, sending{2, 0.003}, adding{1, 0.001}, copying{3, 0.002};

TimingRun run(TimingKind kind, const Line& line, double last, double step,
              const char* place = "near", double factor = 1) {
  TimingRun made{kind, place, {}};
  for (double n = 0; n <= last; n += step)
    made.points.push_back({n, factor * line.at(n), factor * line.at(n) / 2});
  return made;
}

TimingSeries series(const char* program, const char* library, const char* top, int p,
                    const Line& line) {
  TimingSeries made{program, library, top, p, {}};
  made.runs = {
      run(TimingKind::survey, line, 50000, 5000), run(TimingKind::again, line, 50000, 10000),
      run(TimingKind::again, line, 50000, 10000, "near", 1.1),
      run(TimingKind::single, line, 50000, 10000), run(TimingKind::small, line, 1000, 100)};
  return made;
}

// All series of a plan, whose times are those of the predictions.
Timings made_up() {
  Timings timings{"Made up.", "full", 5, {}};
  timings.series = {series("Tm", "", "", 1, copying), series("To", "", "", 1, adding)};
  const BlacsMachine machine{"", "", "", complete, sending, adding, {}};
  for (const int p : {2, 4, 8}) {
    for (const char* library : {"blacs", "nx"}) {
      timings.series.push_back(series("Tc", library, "", p, complete));
      timings.series.push_back(series("Ts", library, "", p, sending));
    }
    for (const char* top : {"1", "H", "2", "I", "M3", "F", " "}) {
      const auto time = broadcast_time(top, p);
      timings.series.push_back(
          series("Tbs", "blacs", top, p, time ? average_of(*time, 5, machine) : complete));
    }
    for (const char* top : {"1", "H", "2"})
      timings.series.push_back(
          series("Tg", "blacs", top, p, average_of(*sum_time(top, p), 5, machine)));
    for (const char* program : {"Tbs", "Tg"})
      timings.series.push_back(series(program, "nx", "p", p, complete));
  }
  return timings;
}

TEST(Timing, LeastSquaresOfKnownPoints) {
  const Line exact = least_squares({{0, 3}, {10, 8}, {20, 13}});
  EXPECT_DOUBLE_EQ(exact.alpha, 3);
  EXPECT_DOUBLE_EQ(exact.beta, 0.5);
  const Line fitted = least_squares({{0, 1}, {1, 3}, {2, 2}, {3, 6}});
  EXPECT_DOUBLE_EQ(fitted.beta, 1.4);
  EXPECT_DOUBLE_EQ(fitted.alpha, 0.9);
  EXPECT_THROW((void)least_squares({{5, 1}, {5, 2}}), base::Error);
}

TEST(Timing, RelativeErrorIsThatOfTheWorstLength) {
  TimingSeries some{"Tc", "nx", "", 2, {}};
  some.runs = {{TimingKind::survey, "near", {{0, 1}, {10, 4}, {20, 10}}},
               {TimingKind::again, "near", {{0, 9}, {10, 6}}},
               {TimingKind::again, "near", {{0, 9}, {10, 5}}},
               {TimingKind::again, "far", {{0, 9}, {10, 50}}},
               {TimingKind::single, "near", {{10, 500}}}};
  EXPECT_DOUBLE_EQ(relative_error(some).value_or(0),
                   100 * (6 - 4) / 5.0);  // without length 0 and far
  EXPECT_EQ(main_place(some), "near");
  const std::vector<TimingPoint> points = medians(some);
  some.runs.resize(1);
  EXPECT_FALSE(relative_error(some));
  ASSERT_EQ(points.size(), 3U);
  EXPECT_DOUBLE_EQ(points[1].us, 5);
  EXPECT_DOUBLE_EQ(points[0].us, 9);
}

// Sections 4.3 and 5.4: rounds of T_c, and what the source's other sends add.
TEST(Timing, PredictionsAreThePapersFormulas) {
  for (const int p : {2, 4, 8}) {
    int log = 0;
    while (1 << log < p) ++log;
    const auto longest = [&](const char* top) { return broadcast_time(top, p)->first; };
    EXPECT_EQ(longest("I"), (Time{p - 1, 0, 0})) << p;
    EXPECT_EQ(longest("D"), (Time{p - 1, 0, 0})) << p;
    EXPECT_EQ(longest("1"), (Time{log, 0, 0})) << p;
    EXPECT_EQ(longest("H"), (Time{log, 0, 0})) << p;
    EXPECT_EQ(longest("F"), (Time{1, 0, p - 2})) << p;
    EXPECT_EQ(broadcast_time("1", p)->source, (Time{0, 0, log})) << p;
    EXPECT_EQ(broadcast_time("I", p)->source, (Time{0, 0, 1})) << p;
    EXPECT_EQ(sum_time("1", p)->first, (Time{2 * log, log, 0})) << p;
    EXPECT_EQ(sum_time("H", p)->first, sum_time("1", p)->first) << p;
    EXPECT_EQ(overlapped_exchange(p), (Time{log, log, 0})) << p;
  }
  // Seven processes behind the source, in three rings: one has three, so the first is the longest.
  EXPECT_EQ(broadcast_time("M3", 8)->first, (Time{3, 0, 0}));
  EXPECT_EQ(broadcast_time("M3", 8)->next, (Time{1, 0, 2}));
  EXPECT_EQ(broadcast_time("M3", 8)->source, (Time{0, 0, 3}));
  EXPECT_EQ(broadcast_time("S", 8)->next, (Time{1, 0, 1}));
  EXPECT_FALSE(broadcast_time(" ", 8));
  EXPECT_FALSE(sum_time("I", 8));
}

// The formula of rings in a loop against schedules that follow each other without a barrier. The
// communications agree. The schedules also count the send of a process that forwards, which the
// formula leaves out.
TEST(Timing, FurtherCallsOfRingsAgreeWithTheCounts) {
  const std::tuple<const char*, const char*, schedule::Shape> rings[] = {
      {"I", "increasing_ring", {.p = 8}}, {"D", "decreasing_ring", {.p = 8}},
      {"S", "split_ring", {.p = 8}},      {"M3", "multiring", {.p = 8, .rings = 3}},
      {"I", "increasing_ring", {.p = 4}},
  };
  for (const auto& [top, algorithm, shape] : rings) {
    const TopologyTime time = *broadcast_time(top, shape.p);
    const auto last = [&, name = algorithm, of = shape](int times) {
      return counts_of(Operation::broadcast, name, of, {}, times).longest;
    };
    EXPECT_EQ(last(1), time.first) << top;
    for (const int times : {2, 3, 5}) {
      const Time more = last(times);
      EXPECT_EQ(more.complete, time.first.complete + (times - 1) * time.next.complete) << top;
      EXPECT_LE(more.send, time.first.send + (times - 1) * (time.next.send + 1)) << top;
    }
  }
  // A tree's further calls are counted as its first one; the counts of the schedules are not above.
  const Time tree = counts_of(Operation::broadcast, "tree", {.p = 8, .branches = 1}, {}, 4).longest;
  EXPECT_LE(tree, (Time{4 * 3, 0, 0}));
}

TEST(Timing, PredictedAverageOfALoop) {
  const BlacsMachine machine{"", "", "", complete, sending, adding, {}};
  const Line line = average_of(*broadcast_time("M3", 8), 5, machine);
  EXPECT_NEAR(line.alpha, (3 * 10.0 + 4 * (10 + 2 * 2)) / 5, 1e-9);
  EXPECT_NEAR(line.beta, (3 * 0.004 + 4 * (0.004 + 2 * 0.003)) / 5, 1e-12);
}

TEST(Timing, ErrorsDivideByWhatThePaperDividesBy) {
  const std::vector<TimingPoint> seen = {{0, 1000, 0}, {10, 50, 10}, {20, 100, 40}};
  const Line told{0, 4};
  EXPECT_DOUBLE_EQ(prediction_error(seen, told, ErrorOver::observed, Whose::longest), 20);
  EXPECT_DOUBLE_EQ(prediction_error(seen, told, ErrorOver::predicted, Whose::longest), 25);
  EXPECT_DOUBLE_EQ(prediction_error(seen, told, ErrorOver::observed, Whose::source), 300);
}

// A measured broadcast or sum must not change its own prediction.
TEST(Timing, PredictionsTakeMessagesOnly) {
  Timings timings = made_up();
  const BlacsMachine before = measured_machine(timings);
  for (TimingSeries& one : timings.series)
    if (one.program == "Tbs" || one.program == "Tg")
      for (TimingRun& some : one.runs)
        for (TimingPoint& point : some.points) point.us *= 7;
  const BlacsMachine after = measured_machine(timings);
  EXPECT_DOUBLE_EQ(before.complete.beta, after.complete.beta);
  EXPECT_DOUBLE_EQ(before.send.alpha, after.send.alpha);
  EXPECT_NEAR(after.operation.beta, adding.beta, 1e-12);
  EXPECT_NEAR(after.complete.beta, complete.beta, 1e-12);
}

TEST(Timing, BestTopologyIsThatOfLoopsOfOneCall) {
  Timings timings{"", "full", 5, {}};
  TimingSeries ring = series("Tbs", "blacs", "I", 4, {1, 0.001});
  ring.runs[3] = run(TimingKind::single, {50, 0.1}, 50000, 10000);
  timings.series = {ring, series("Tbs", "blacs", "1", 4, {5, 0.01}),
                    series("Tbs", "blacs", " ", 4, {0, 0.0001}),
                    series("Tbs", "nx", "p", 4, {0, 0.0001})};
  EXPECT_EQ(best_topology(timings, "Tbs", "blacs", 4)->top, "1");
  EXPECT_EQ(best_topology(timings, "Tbs", "nx", 4), nullptr);
  EXPECT_EQ(best_topology(timings, "Tg", "blacs", 4), nullptr);
}

TEST(Timing, TablesOfTheModelHaveNoErrors) {
  const Timings timings = made_up();
  std::set<std::string> names;
  for (const MeasuredTable& table : timing_tables(timings)) {
    names.insert(table.name);
    const nlohmann::json rows = table.table.json();
    EXPECT_FALSE(rows.empty()) << table.name;
    for (const nlohmann::json& row : rows) {
      if (table.name == "table 11") {
        EXPECT_NEAR(row.at("maximum RE %").get<double>(), 0, 6) << row;
      }
      if (table.name == "table 15") {
        EXPECT_NEAR(row.at("RE %").get<double>(), 0, 6) << row;
      }
      if (table.name == "table 5") {
        EXPECT_NEAR(row.at("Rel Err %").get<double>(), 100 * 0.1 / (3.1 / 3), 1e-6) << row;
      }
    }
  }
  for (const char* name :
       {"table 5", "table 6", "table 7", "table 8", "table 11", "table 12", "table 14", "table 15",
        "table 16", "figures 20 to 23", "figures 40 to 43"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Timing, FiguresHaveTheMarksOfThePaper) {
  std::set<std::string> files;
  for (const Chart& chart : timing_charts(made_up())) {
    files.insert(chart.file);
    const std::string svg = svg_of(chart);
    const bool single = chart.file.find("runs") != std::string::npos ||
                        chart.file.find("predicted") != std::string::npos;
    EXPECT_EQ(svg.find("h8m-4-4v8") != std::string::npos, single) << chart.file;
  }
  EXPECT_EQ(files.size(), 2U + 3 * 6);
}

// The paper has no prediction of sums by rings. The drawing leaves it out.
TEST(Timing, FiguresOfSumsWhoseBestTopologyIsARing) {
  const auto predictions_of_sums = [](const Timings& timings) {
    for (const Chart& chart : timing_charts(timings))
      if (chart.file == "blacs-timing-sum-predicted-8") return chart.curves.size();
    return std::size_t{0};
  };
  Timings timings = made_up();
  const std::size_t before = predictions_of_sums(timings);
  timings.series.push_back(series("Tg", "blacs", "I", 8, {0, 1e-6}));
  EXPECT_EQ(best_topology(timings, "Tg", "blacs", 8)->top, "I");
  EXPECT_LT(predictions_of_sums(timings), before);
}

// The page of a run says what the run leaves out.
TEST(Timing, PlansSayWhichLibrariesTheyDoNotStart) {
  const std::vector<std::string> all = {"blacs", "nx", "openmpi", "mpich"}, none = {"blacs", "nx"};
  EXPECT_EQ(left_out_text(quick_plan(), all, 8),
            "; without Open MPI on 4, 8 processes; without MPICH on 4, 8 processes");
  EXPECT_EQ(left_out_text(full_plan(), all, 4), "; without MPICH on 8 processes");
  EXPECT_EQ(left_out_text(full_plan(), all, 8), "");
  EXPECT_EQ(left_out_text(quick_plan(), none, 2), "");
  EXPECT_EQ(left_out_text(brief_plan(), all, 2), "");
}

TEST(Timing, FilesKeepEverything) {
  const Timings timings = made_up();
  const std::string path = testing::TempDir() + "timings.json";
  keep_timings(timings, path);
  EXPECT_EQ(json_of(timings_from(path)), json_of(timings));
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
  std::ofstream(path) << "{\"paper\": \"000\"}";
  EXPECT_THROW((void)timings_from(path), base::Error);
  EXPECT_THROW((void)timings_from(path + ".no"), base::Error);
  std::filesystem::remove(path);
}

// Multiplies all times of the series of one library and TOP.
void slow_down(Timings& timings, const std::string& library, const std::string& top, double by) {
  for (TimingSeries& one : timings.series)
    if (one.library == library && one.top == top && one.p == 8 && one.program == "Tbs")
      for (TimingRun& some : one.runs)
        for (TimingPoint& point : some.points) point.us *= by;
}

TEST(Timing, ASecondRun) {
  const Timings before = made_up();
  Timings now = before;
  const TimingAgreement same = compare_timings(now, before);
  EXPECT_EQ(same.slopes, static_cast<int>(before.series.size()));
  EXPECT_EQ(same.within, same.slopes);
  EXPECT_GT(same.pairs, 10);
  EXPECT_EQ(same.same_order, same.pairs);
  slow_down(now, "blacs", "1", 1.1);  // within 15 %
  EXPECT_EQ(compare_timings(now, before).within, same.slopes);
  slow_down(now, "blacs", "1", 10);
  const TimingAgreement other = compare_timings(now, before);
  EXPECT_EQ(other.within, same.slopes - 1);
  EXPECT_LT(other.same_order, other.pairs);
  ASSERT_FALSE(other.exceptions.empty());
  EXPECT_EQ(other.exceptions[0],
            "BLACS 1.1 Tbs '1', p = 8: the slope is 11.00 times that of the other run");
}

// Only the distance of the processors that both runs have is compared.
TEST(Timing, ASecondRunAtAnotherDistance) {
  Timings now{"", "full", 5, {series("Tc", "nx", "", 2, complete)}}, before = now;
  for (int i = 0; i < 3; ++i)
    now.series[0].runs.push_back(run(TimingKind::survey, complete, 50000, 5000, "far", 3));
  now.series[0].runs.push_back(run(TimingKind::again, complete, 50000, 5000, "far", 3));
  EXPECT_EQ(main_place(now.series[0]), "near");
  for (int i = 0; i < 2; ++i)
    now.series[0].runs.push_back(run(TimingKind::again, complete, 50000, 5000, "far", 3));
  EXPECT_EQ(main_place(now.series[0]), "far");
  EXPECT_EQ(compare_timings(now, before).within, 1);
}

}  // namespace
}  // namespace tutti::papers
