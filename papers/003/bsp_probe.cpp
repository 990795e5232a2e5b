// SPDX-License-Identifier: BSD-3-Clause
// Chapters 2 and 3 and appendix C of paper 003: our probe measures here what the paper's probe
// measured on its machines.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "bsp/probe.hpp"
#include "bsp/profile.hpp"
#include "bsp_model/thesis.hpp"
#include "papers/003/applications/folder.hpp"
#include "papers/common/declared.hpp"
#include "papers/common/effort.hpp"
#include "papers/common/runs.hpp"
#include "support/child.hpp"

namespace tutti::papers {
namespace bsp_probe_items {
namespace {

constexpr const char* machines[] = {"skua", "argus", "aracari"};

// Measures once for all tables and figures, with few repetitions, on two processes or one for each
// processor.
const Probed& here() {
  static const Probed probed = measure_machine({.words = by_effort(1 << 12, 1 << 8),
                                                .messages = by_effort(64, 8),
                                                .series = by_effort(2, 1),
                                                .microseconds = by_effort(20, 2)});
  return probed;
}

void add_note(Result& result) {
  result.notes.push_back(
      fmt::format("Measured on {}, {} processes; `tutti probe` takes more samples.", here().source,
                  here().data.processes));
  result.notes.push_back(
      "h in words sent by a process that also receives as many, as in the paper's benchmark.");
}

// "C.1" to "C.9": f, l and g of each machine in turn.
std::string machine_of(const Item& item) {
  return machines[(item.number.back() - '1') / 3];
}

Result speeds(const Item& item) {
  Result result;
  for (const auto& row : thesis_rows("f", machine_of(item))) {
    result.given(fmt::format("{}, {}", row[2], row[3]), std::stod(row[4]), "us");
  }
  for (const Speed& speed : here().data.speeds) {
    result.row(fmt::format("here, {}, n = {}", speed.operation, speed.n), {}, speed.seconds * 1e6,
               "us", "least of two series while all processes compute");
  }
  add_note(result);
  return result;
}

Result latencies(const Item& item) {
  Result result;
  constexpr const char* before[] = {"no communication", "cyclic shift", "all-to-all"};
  for (const auto& row : thesis_rows("l", machine_of(item))) {
    for (std::size_t i = 0; i < 3; ++i) {
      result.given(fmt::format("{}, p = {}, {}", row[2], row[3], before[i]), std::stod(row[4 + i]),
                   "us");
    }
  }
  for (const auto& [name, seconds] : here().data.latencies) {
    result.row(fmt::format("here, p = {}, {}", here().data.processes, name), {}, seconds * 1e6,
               "us", "least of eight series of bsp_sync");
  }
  add_note(result);
  return result;
}

Result gaps(const Item& item) {
  Result result;
  for (const auto& row : thesis_rows("g", machine_of(item))) {
    const std::string who = fmt::format("{}, p = {}, {}, {}", row[2], row[3], row[4], row[5]);
    result.given(who + ", g_inf", std::stod(row[6]), "us/word");
    result.given(who + ", h_half", std::stod(row[7]), "words");
    result.given(who + ", o", std::stod(row[8]), "words");
  }
  for (const ProbeData::Series& series : here().data.series) {
    const Gap gap = gap_of(series.samples);
    const std::string who =
        fmt::format("here, p = {}, {}, {}", here().data.processes, series.pattern, series.access);
    result.row(who + ", g_inf", {}, gap.g_inf * 1e6, "us/word", "samples by (3.2)");
    result.row(who + ", h_half", {}, gap.h_half, "words", "samples by (3.4)");
    result.row(who + ", o", {}, gap.overhead, "words", "samples by (3.6)");
  }
  add_note(result);
  return result;
}

// Compares the surface of g over the size and the count of messages.
void add_surface(Result& result, const std::string& pattern, const std::string& access) {
  for (const ProbeData::Series& series : here().data.series) {
    if (series.pattern != pattern || series.access != access) continue;
    for (const GapSample& sample : series.samples) {
      result.row(fmt::format("{}, {} messages of {} words", access, sample.count, sample.size), {},
                 sample.g * 1e9, "ns/word", "time of a superstep over its words");
    }
  }
}

template <const auto& pattern, const auto&... accesses>
Result surfaces(const Item&) {
  Result result;
  (add_surface(result, pattern, accesses), ...);
  add_note(result);
  return result;
}
constexpr char random_permutation[] = "random", all_to_all[] = "all-to-all";
constexpr char put[] = "put", get[] = "get", send[] = "send";

// Compares g(h) of one message with formula (2.5), whose parameters are fitted to all samples.
Result start_up(const Item&) {
  Result result;
  for (const ProbeData::Series& series : here().data.series) {
    if (series.pattern != random_permutation || series.access != put) continue;
    const Gap gap = gap_of(series.samples);
    for (const GapSample& sample : series.samples) {
      if (sample.count != 1) continue;
      result.row(fmt::format("h = {}, measured", sample.size), {}, sample.g * 1e9, "ns/word",
                 "one put in a superstep");
      result.row(fmt::format("h = {}, (2.5)", sample.size), {}, gap.At(sample.size) * 1e9,
                 "ns/word", "g_inf and h_half of all samples");
    }
  }
  add_note(result);
  return result;
}

// Compares the rates of loops and of dgemm over n.
Result products(const Item&) {
  Result result;
  for (const Speed& speed : here().data.speeds) {
    if (speed.operation == "loops double" || speed.operation == "dgemm") {
      result.row(fmt::format("{}, n = {}", speed.operation, speed.n), {}, 1e-6 / speed.seconds,
                 "Mflop/s", "least of two series while all processes compute");
    }
  }
  result.notes.push_back(
      "The paper draws its curves without numbers: the loop falls where matrices leave the cache, "
      "dgemm rises.");
  add_note(result);
  return result;
}

// Runs the probe's program and returns the supersteps of its profile: how long they compute,
// communicate and wait.
std::vector<ProfiledStep> some_supersteps() {
  const AppFolder folder;
  const std::string file = folder.path() + "/supersteps.csv";
  ChildCommand command{{command_path(), "run", "-n", "2", helper_program("tutti-bsp-probe")}, {}};
  for (const char* argument : {"256", "4", "1", "20", "0", "random", "put"})
    command.words.emplace_back(argument);
  command.environment = {{"TUTTI_BSP_PROFILE", file}};
  std::vector<ProfiledStep> steps;
  if (read_lines(command, [](const std::string&) {}) == 0) steps = read_profile(file);
  return steps;
}

Result supersteps(const Item&) {
  constexpr std::size_t shown = 12;
  constexpr double most_letters = 60;
  std::vector<ProfiledStep> steps = some_supersteps();
  steps.resize(std::min(steps.size(), shown));
  double longest = 1e-9;
  for (const ProfiledStep& step : steps) longest = std::max(longest, step.cost.compute + step.sync);
  Result result;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const ProfiledStep& step = steps[i];
    const auto letters = [&](double seconds, char letter) {
      return std::string(static_cast<std::size_t>(std::ceil(most_letters * seconds / longest)),
                         letter);
    };
    result.row(fmt::format("superstep {}", i), {},
               fmt::format("w {:.2f} us, h {:.0f} words, bsp_sync {:.2f} us",
                           step.cost.compute * 1e6, step.cost.words, step.sync * 1e6),
               "", "TUTTI_BSP_PROFILE of a program on two processes");
    result.picture +=
        fmt::format("{:>3} {}{}|\n", i, letters(step.cost.compute, 'w'), letters(step.sync, '='));
  }
  result.notes.push_back(
      "w: the longest computation of a process. =: communication and synchronisation. |: all go "
      "on.");
  return result;
}

// Each feature is there if a header declares its call.
Result features(const Item&) {
  Result result;
  const auto row = [&](const char* what, const char* who, const char* header, const char* call,
                       const char* test) {
    const bool found = declares(header, call);
    result.row(fmt::format("{} (paper: {})", what, who), {}, found ? "yes" : "no", "",
               fmt::format("{} in {}; test {}", call, header, test));
  };
  row("direct message passing", "CGMlib, SSCRAP, MPI", "tutti", "tutti_send", "api_conformance");
  row("bulk synchronous messages", "Oxtool, PUB, partly SSCRAP and MPI", "bsp", "bsp_send",
      "bsp_conformance");
  row("remote memory", "Oxtool, PUB, SSCRAP, MPI-2", "bsp", "bsp_put", "bsp_conformance");
  row("broadcast", "all five", "bsp", "bsp_bcast", "bsp_conformance");
  row("abstract h-relation", "CGMlib, SSCRAP", "bsp_relation", "Exchange", "bsp_wrapper");
  row("process groups", "PUB, CGMlib, SSCRAP, MPI", "bsp_tutti", "bsp_group_split",
      "bsp_conformance");
  result.row("process migration (paper: Oxtool, PUB)", {}, "no", "", "no header has such a call");
  result.notes.push_back("The paper gives a mark to the libraries in parentheses.");
  return result;
}

constexpr Run runs[] = {
    {"003-table-2.1", features},
    {"003-figure-2.2", supersteps, Side::here},
    {"003-figure-2.3", start_up, Side::here},
    {"003-figure-3.1", products, Side::here},
    {"003-figure-2.4", surfaces<random_permutation, put, get>, Side::here},
    {"003-figure-3.3", surfaces<all_to_all, put>, Side::here},
    {"003-figure-3.4", surfaces<all_to_all, put, get>, Side::here},
    {"003-figure-3.5", surfaces<all_to_all, put, send>, Side::here},
    {"003-figure-3.6", surfaces<all_to_all, get, put>, Side::here},
    {"003-figure-3.7", surfaces<all_to_all, send>, Side::here},
    {"003-figure-3.8", surfaces<random_permutation, put>, Side::here},
    {"003-figure-3.9", surfaces<all_to_all, get, put>, Side::here},
    {"003-figure-3.10", surfaces<all_to_all, send>, Side::here},
    {"003-table-C.1", speeds, Side::here},
    {"003-table-C.2", latencies, Side::here},
    {"003-table-C.3", gaps, Side::here},
    {"003-table-C.4", speeds, Side::here},
    {"003-table-C.5", latencies, Side::here},
    {"003-table-C.6", gaps, Side::here},
    {"003-table-C.7", speeds, Side::here},
    {"003-table-C.8", latencies, Side::here},
    {"003-table-C.9", gaps, Side::here},
};

}  // namespace
}  // namespace bsp_probe_items

std::span<const Run> bsp_probe() {
  return bsp_probe_items::runs;
}

}  // namespace tutti::papers
