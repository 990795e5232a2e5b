// SPDX-License-Identifier: BSD-3-Clause
#include "bsp/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "base/number.hpp"
#include "bsp/profile.hpp"
#include "support/median.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

constexpr const char* header = "table,row,processes,machine,profile,measured_s,alone_s";
constexpr std::size_t columns = 7;

struct Compared {
  const char* head;
  const char* key;
  Model model;
};
constexpr Compared models[] = {{"const. g", "plain", Model::plain},
                               {"g(h)", "startup", Model::startup},
                               {"g(h, h*)", "overhead", Model::overhead},
                               {"by process", "by_process", Model::by_process}};

double positive(const std::string& field, const std::string& line) {
  const auto value = base::number_in<double>(field);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    base::fail(base::Status::invalid_argument, "'{}' in '{}' is no number above 0", field, line);
  return *value;
}

int count(const std::string& field, const std::string& line) {
  const double value = positive(field, line);
  if (value != std::floor(value) || value > 1 << 20)
    base::fail(base::Status::invalid_argument, "'{}' in '{}' is no number of processes", field,
               line);
  return static_cast<int>(value);
}

ComparedRun run_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line + ',');
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  if (fields.size() != columns)
    base::fail(base::Status::invalid_argument, "'{}' has {} fields, not {}", line, fields.size(),
               columns);
  ComparedRun run{fields[0], fields[1], count(fields[2], line),
                  fields[3], fields[4], positive(fields[5], line)};
  if (!fields[6].empty()) run.alone = positive(fields[6], line);
  return run;
}

// Reads a line without its end, which may be that of another system.
bool next_line(std::istream& stream, std::string& line) {
  if (!std::getline(stream, line)) return false;
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

// Returns the path of a file whose name counts from the folder of the list. A machine need not be a
// file.
std::string from_list(const std::string& list, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(list).parent_path() / name;
  return std::filesystem::exists(path) ? path.string() : name;
}

void predict(ComparedRun& run, const BspMachine& machine) {
  std::vector<Superstep> steps;
  for (const ProfiledStep& step : read_profile(run.profile)) {
    if (step.cost.processes.size() != static_cast<std::size_t>(run.processes))
      base::fail(base::Status::invalid_argument, "'{}' has supersteps of {} processes, not of {}",
                 run.profile, step.cost.processes.size(), run.processes);
    steps.push_back(step.cost);
  }
  if (steps.empty())
    base::fail(base::Status::invalid_argument, "'{}' has no superstep", run.profile);
  for (const Compared& one : models) run.predicted.push_back(predicted(machine, steps, one.model));
}

double error_of(const ComparedRun& run, std::size_t model) {
  return 100 * std::abs(run.predicted[model] / run.measured - 1);
}

ComparedRow row_of(const std::vector<const ComparedRun*>& runs) {
  ComparedRow row{runs[0]->row, runs[0]->processes, 0, std::vector<double>(std::size(models))};
  for (const ComparedRun* run : runs) {
    row.efficiency = std::max(row.efficiency, 100 * run->alone / (run->measured * run->processes));
    for (std::size_t i = 0; i < row.errors.size(); ++i)
      row.errors[i] += error_of(*run, i) / static_cast<double>(runs.size());
  }
  return row;
}

// Returns the runs with equal keys together, in the order in which the keys come first.
template <class Key>
std::vector<std::vector<const ComparedRun*>> grouped(const std::vector<const ComparedRun*>& runs,
                                                     const Key& key_of) {
  std::vector<std::vector<const ComparedRun*>> groups;
  std::map<decltype(key_of(*runs[0])), std::size_t> places;
  for (const ComparedRun* run : runs) {
    const auto [place, is_new] = places.try_emplace(key_of(*run), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(run);
  }
  return groups;
}

Table::Row cells_of(const std::string& name, double efficiency, const std::vector<double>& errors) {
  Table::Row cells = {name, efficiency > 0 ? nlohmann::json(efficiency) : nlohmann::json()};
  cells.insert(cells.end(), errors.begin(), errors.end());
  return cells;
}

std::string text_of(const ComparedTable& compared) {
  std::string heads = "<14;efficiency>12.1f";
  for (const Compared& one : models) heads += fmt::format(";  {}>10.1f", one.head);
  Table table(heads);
  int processes = 0;
  for (const ComparedRow& row : compared.rows) {
    if (row.processes != processes) {
      processes = row.processes;
      table.add({fmt::format("{} processes", processes), {}, {}, {}, {}, {}});
    }
    table.add(cells_of(row.name, row.efficiency, row.errors));
  }
  table.add(cells_of("median", 0, compared.medians));
  return fmt::format("{}: efficiency and mean relative error of prediction, %\n{}\n", compared.name,
                     table.text());
}

nlohmann::json errors_json(const std::vector<double>& errors) {
  nlohmann::json json;
  for (std::size_t i = 0; i < errors.size(); ++i) json[models[i].key] = errors[i];
  return json;
}

}  // namespace

std::vector<ComparedRun> compared_runs(const std::string& file, const MachineRequest& request) {
  std::ifstream stream(file);
  std::string line;
  if (!next_line(stream, line)) base::fail(base::Status::system_error, "cannot read '{}'", file);
  if (line != header)
    base::fail(base::Status::invalid_argument, "the first line of '{}' is not '{}'", file, header);
  std::map<std::string, Subject> machines;
  std::vector<ComparedRun> runs;
  while (next_line(stream, line)) {
    ComparedRun run = run_of(line);
    run.machine = from_list(file, run.machine);
    run.profile = from_list(file, run.profile);
    if (!machines.contains(run.machine)) {
      MachineRequest wanted = request;
      wanted.name = run.machine;
      machines[run.machine] = subject_of(wanted);
    }
    const Subject& subject = machines.at(run.machine);
    if (subject.processes != run.processes)
      base::fail(base::Status::invalid_argument, "'{}' is a machine of {} processes, not of {}",
                 run.machine, subject.processes, run.processes);
    predict(run, subject.machine);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<ComparedTable> compared_tables(const std::vector<ComparedRun>& runs) {
  std::vector<const ComparedRun*> all;
  for (const ComparedRun& run : runs) all.push_back(&run);
  std::vector<ComparedTable> tables;
  for (const auto& of_table : grouped(all, [](const ComparedRun& run) { return run.table; })) {
    ComparedTable table{of_table[0]->table, {}, {}};
    for (const auto& of_row : grouped(
             of_table, [](const ComparedRun& run) { return std::pair(run.processes, run.row); }))
      table.rows.push_back(row_of(of_row));
    std::ranges::stable_sort(table.rows, {}, &ComparedRow::processes);
    for (std::size_t i = 0; i < std::size(models); ++i) {
      std::vector<double> errors;
      for (const ComparedRow& row : table.rows) errors.push_back(row.errors[i]);
      table.medians.push_back(median(errors));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

std::string compared_text(const std::vector<ComparedTable>& tables) {
  std::string text;
  for (const ComparedTable& table : tables) text += text_of(table);
  return text +
         "The first three models add up the largest computation, words and messages of any "
         "process, with the\nthesis's three kinds of g. All four take their times of computation "
         "from the profiles.\n";
}

nlohmann::json compared_json(const std::vector<ComparedRun>& runs,
                             const std::vector<ComparedTable>& tables) {
  nlohmann::json json = {{"runs", nlohmann::json::array()}, {"tables", nlohmann::json::array()}};
  for (const ComparedRun& run : runs) {
    nlohmann::json predicted;
    for (std::size_t i = 0; i < run.predicted.size(); ++i)
      predicted[models[i].key] = run.predicted[i];
    json["runs"].push_back({{"table", run.table},
                            {"row", run.row},
                            {"processes", run.processes},
                            {"profile", run.profile},
                            {"measured_s", run.measured},
                            {"predicted_s", predicted}});
  }
  for (const ComparedTable& table : tables) {
    nlohmann::json rows = nlohmann::json::array();
    for (const ComparedRow& row : table.rows)
      rows.push_back({{"row", row.name},
                      {"processes", row.processes},
                      {"efficiency_percent", row.efficiency},
                      {"errors_percent", errors_json(row.errors)}});
    json["tables"].push_back(
        {{"table", table.name}, {"rows", rows}, {"medians_percent", errors_json(table.medians)}});
  }
  return json;
}

}  // namespace tutti::tools
