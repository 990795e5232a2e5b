// SPDX-License-Identifier: BSD-3-Clause
// The times T_c, T_s, T_m and T_o come from tables 5, 6, 7 and 14 of paper 000. The verifier counts
// how often each occurs.
#include "papers/000/blacs_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "papers/common/formulas.hpp"
#include "papers/common/printed.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace {

Line line(const char* table, const std::string& key) {
  const Printed& values = printed(table);
  return {values.number(key + ".alpha"), values.number(key + ".beta")};
}

void add_line(Result& result, const BlacsMachine& machine, const char* symbol, const Line& line,
              const char* table) {
  result.parameters.push_back(
      {fmt::format("{} {} start-up", machine.name, symbol), line.alpha, "us", table});
  result.parameters.push_back(
      {fmt::format("{} {} per double", machine.name, symbol), line.beta, "us", table});
}

const schedule::Verdict& proved(const schedule::Verdict& verdict, const char* algorithm) {
  if (!verdict.correct())
    base::fail(base::Status::invalid_argument, "{}: {}", algorithm, verdict.problem);
  return verdict;
}

}  // namespace

std::vector<BlacsMachine> blacs_machines() {
  std::vector<BlacsMachine> machines{
      {"i860", "i860", "ipsc860-nx", {}, {}, {}, {}},
      {"paragon", "Paragon", "paragon-nx", {}, {}, {}, {}},
      {"cm5", "CM-5", "cm5", {}, {}, {}, {}},
      {"sp1", "SP1", "sp1", {}, {}, {}, {}},
  };
  for (BlacsMachine& machine : machines) {
    machine.complete = line("000-table-5", machine.key + ".system");
    machine.send = line("000-table-6", machine.key + ".system");
    machine.operation = line("000-table-14", machine.key);
    if (printed("000-table-7").has(machine.key + ".alpha"))
      machine.copy = line("000-table-7", machine.key);
  }
  return machines;
}

schedule::Durations durations_of(const BlacsMachine& machine, double doubles) {
  return {machine.complete.at(doubles), machine.operation.at(doubles), machine.send.at(doubles)};
}

Line predicted(const schedule::Time& time, const BlacsMachine& machine) {
  return machine.copy + time.complete * machine.complete + time.send * machine.send +
         time.operation * machine.operation;
}

schedule::Counts counts_of(schedule::Operation operation, const char* algorithm,
                           schedule::Shape shape, const schedule::Durations& durations, int times) {
  const schedule::Generator& generator = tools::algorithm_named(operation, algorithm);
  std::vector<schedule::Program> programs;
  for (int rank = 0; rank < shape.p; ++rank) {
    const schedule::Program once = schedule::build(generator, shape, schedule::Rank{rank});
    schedule::Program all;
    for (int i = 0; i < times; ++i) all.insert(all.end(), once.begin(), once.end());
    programs.push_back(std::move(all));
  }
  schedule::Verdict verdict =
      schedule::verify(operation, shape, generator.buffers(shape), programs,
                       schedule::Placement::separate, nullptr, {}, durations);
  schedule::check_order(generator, verdict);
  return proved(verdict, algorithm).counts;
}

std::string to_text(const schedule::Time& time) {
  std::string text;
  const auto add = [&](int times, const char* symbol) {
    if (times != 0) text += fmt::format("{}{} {}", text.empty() ? "" : " + ", times, symbol);
  };
  add(time.complete, "Tc");
  add(time.operation, "To");
  add(time.send, "Ts");
  return text.empty() ? "0" : text;
}

void add_parameters(Result& result, const BlacsMachine& machine) {
  add_line(result, machine, "Tc", machine.complete, "paper 000, table 5, system");
  add_line(result, machine, "Ts", machine.send, "paper 000, table 6, system");
  add_line(result, machine, "To", machine.operation, "paper 000, table 14");
  if (machine.copy.beta != 0) add_line(result, machine, "Tm", machine.copy, "paper 000, table 7");
}

std::string words_of(std::string table) {
  table.erase(0, table.find('-') + 1);
  std::ranges::replace(table, '-', ' ');
  return table;
}

void give_system(Result& result, const BlacsMachine& machine, const char* table, double doubles) {
  const Printed& fits = printed(table);
  const std::string key = machine.key + ".system_";
  if (!fits.has(key + "beta")) return;
  const Line fit{fits.number(key + "alpha"), fits.number(key + "beta")};
  const std::string curve = "the system's by the fit of " + words_of(table);
  result.given(fmt::format("{}, {} doubles", curve, doubles), fit.at(doubles), "us")
      .on(curve, doubles);
}

void add_times(Result& result, const std::string& what, const std::string& formulas,
               const schedule::Shape& shape, const schedule::Counts& counts) {
  const selection::Variables variables = selection::variables_of(shape);
  result.row(what + ": source", to_text(time_by(formulas, "root", variables)), to_text(counts.root),
             "", counted);
  result.row(what + ": last", to_text(time_by(formulas, "longest", variables)),
             to_text(counts.longest), "", counted);
}

}  // namespace tutti::papers
