// SPDX-License-Identifier: BSD-3-Clause
// Shows measured times beside those of the paper's machines. All entries share one measurement.
#include "papers/000/timing/items.hpp"

#include <fmt/format.h>

#include "papers/000/timing/fit.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace blacs_measured_items {
namespace {

constexpr const char* by_programs = "programs like those of appendix D, on 2 processes";
constexpr const char* by_one_process = "loops in one process";

std::unique_ptr<Timings>& chosen() {
  static std::unique_ptr<Timings> timings;
  return timings;
}

const Timings& timings_here() {
  std::unique_ptr<Timings>& timings = chosen();
  if (!timings)
    timings = std::make_unique<Timings>(measure_timings(
        brief_plan(), [](double, const std::string&) {}, [](const Timings&) {}));
  return *timings;
}

void add_notes(Result& result) {
  result.notes.push_back("Measured on " + timings_here().machine);
  if (timings_here().plan == brief_plan().name)
    result.notes.emplace_back(
        "A short run gives rough figures. `tutti reproduce --measure 000` measures all lengths "
        "several times, on 2, 4 and 8 processes.");
}

// Calls `body` for the series of NX, which is the system here, and of the BLACS, as far as they
// were measured.
template <class Body>
void for_each_library(const std::string& program, const std::string& top, const Body& body) {
  for (const char* library : {"nx", "blacs"}) {
    const std::string own = top.empty() || std::string(library) == "blacs" ? top : "p";
    const TimingSeries* series = find_series(timings_here(), program, library, own, 2);
    if (series != nullptr && !series->runs.empty()) body(*series);
  }
}

void add_fit(Result& result, const std::string& who, const Line& line, const char* source) {
  result.row(who + ", per double", {}, line.beta, "us", source);
  result.row(who + ", start-up", {}, line.alpha, "us", source);
}

std::string here(const TimingSeries& series) {
  return "here, " + title_of_library(series.library);
}

Value error_of(const TimingSeries& series) {
  const std::optional<double> error = relative_error(series);
  return error ? Value(*error) : Value();
}

Result messages(const Item& item, const char* program) {
  Result result;
  const TimingSeries* nx = find_series(timings_here(), program, "nx", "", 2);
  const TimingSeries* blacs = find_series(timings_here(), program, "blacs", "", 2);
  for (const BlacsMachine& machine : blacs_machines()) {
    const auto beta = [&](const char* whose) {
      return item.printed.number(fmt::format("{}.{}.beta", machine.key, whose));
    };
    result.row(machine.name + ", system, per double", beta("system"), {}, "us", "");
    if (nx != nullptr && blacs != nullptr)
      result.row(fmt::format("BLACS here over NX, {} over its system, per double", machine.name),
                 beta("blacs") / beta("system"), fit_of(*blacs).beta / fit_of(*nx).beta, "",
                 by_programs);
  }
  for_each_library(program, "", [&](const TimingSeries& series) {
    add_fit(result, here(series), fit_of(series), by_programs);
    result.row(here(series) + ", relative error", {}, error_of(series), "%", by_programs);
  });
  add_notes(result);
  return result;
}

Result table_5(const Item& item) {
  return messages(item, "Tc");
}
Result table_6(const Item& item) {
  return messages(item, "Ts");
}

Result table_8(const Item& item) {
  Result result;
  for (const char* program : {"Tc", "Ts"}) {
    for (const BlacsMachine& machine : blacs_machines()) {
      for (const char* whose : {"system", "blacs"}) {
        const std::string who = fmt::format("{}, {}, {}", machine.name, whose, program);
        const auto value = [&](const char* what) {
          return item.printed.number(fmt::format("{}.{}.{}.{}", machine.key, whose, program, what));
        };
        result.row(who + ", per double", value("beta"), {}, "us", "");
        result.row(who + ", start-up", value("alpha"), {}, "us", "");
      }
    }
    for_each_library(program, "", [&](const TimingSeries& series) {
      add_fit(result, fmt::format("{}, {}", here(series), program), small_fit_of(series),
              by_programs);
    });
  }
  add_notes(result);
  return result;
}

Result local(const Item& item, const char* program) {
  Result result;
  for (const BlacsMachine& machine : blacs_machines()) {
    const std::string key = machine.key + ".beta";
    if (item.printed.has(key))
      result.row(machine.name + ", per double", item.printed.number(key), {}, "us", "");
  }
  const TimingSeries* series = find_series(timings_here(), program, "", "", 1);
  if (series != nullptr && !series->runs.empty())
    add_fit(result, "here", fit_of(*series), by_one_process);
  add_notes(result);
  return result;
}

Result table_7(const Item& item) {
  return local(item, "Tm");
}
Result table_14(const Item& item) {
  return local(item, "To");
}

// The paper prints the points as a drawing only.
Result figure_of_messages(const Item& item) {
  Result result;
  const char* program = std::stoi(item.number) % 2 == 0 ? "Tc" : "Ts";
  for_each_library(program, "", [&](const TimingSeries& series) {
    for (const TimingPoint& point : medians(series))
      if (point.n == 5000 || point.n == 20000 || point.n == 50000)
        result.row(fmt::format("{}, {} doubles", here(series), point.n), {}, point.us, "us",
                   by_programs);
  });
  add_notes(result);
  return result;
}

Result scatter(const char* program) {
  Result result;
  const TimingSeries* best = best_topology(timings_here(), program, "blacs", 2);
  for_each_library(program, best == nullptr ? "1" : best->top, [&](const TimingSeries& series) {
    const std::string who =
        here(series) + (series.top == "p" ? "" : fmt::format(", TOP {}", series.top));
    add_fit(result, who, fit_of(series), by_programs);
    result.row(who + ", relative error", {}, error_of(series), "%", by_programs);
  });
  add_notes(result);
  return result;
}

Result scatter_of_broadcasts(const Item&) {
  return scatter("Tbs");
}
Result scatter_of_sums(const Item&) {
  return scatter("Tg");
}

constexpr Run runs[] = {
    {"000-table-5", table_5, Side::here},
    {"000-table-6", table_6, Side::here},
    {"000-table-7", table_7, Side::here},
    {"000-table-8", table_8, Side::here},
    {"000-table-14", table_14, Side::here},
    {"000-figure-4", figure_of_messages, Side::here},
    {"000-figure-5", figure_of_messages, Side::here},
    {"000-figure-6", figure_of_messages, Side::here},
    {"000-figure-7", figure_of_messages, Side::here},
    {"000-figure-8", figure_of_messages, Side::here},
    {"000-figure-9", figure_of_messages, Side::here},
    {"000-figure-10", figure_of_messages, Side::here},
    {"000-figure-11", figure_of_messages, Side::here},
    {"000-figure-32", scatter_of_broadcasts, Side::here},
    {"000-figure-33", scatter_of_broadcasts, Side::here},
    {"000-figure-34", scatter_of_broadcasts, Side::here},
    {"000-figure-35", scatter_of_broadcasts, Side::here},
    {"000-figure-48", scatter_of_sums, Side::here},
    {"000-figure-49", scatter_of_sums, Side::here},
    {"000-figure-50", scatter_of_sums, Side::here},
    {"000-figure-51", scatter_of_sums, Side::here},
};

}  // namespace
}  // namespace blacs_measured_items

void use_timings(Timings timings) {
  blacs_measured_items::chosen() = std::make_unique<Timings>(std::move(timings));
}

std::span<const Run> blacs_measured() {
  return blacs_measured_items::runs;
}

}  // namespace tutti::papers
