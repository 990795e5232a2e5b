// SPDX-License-Identifier: BSD-3-Clause
// Holds the file of the thesis's tables, which is compiled into the command. Its times are in us.
#include "bsp_model/thesis.hpp"

#include <sstream>

#include "base/error.hpp"
#include "base/number.hpp"

namespace tutti::tools {
namespace {

constexpr const char* thesis_tables =
#include "thesis.inc"
    ;

double number(const std::string& text) {
  const auto value = base::number_in<double>(text);
  if (!value)
    base::fail(base::Status::invalid_argument, "'{}' in the thesis's tables is no number", text);
  return *value;
}

const std::vector<std::vector<std::string>>& all_rows() {
  static const std::vector<std::vector<std::string>> all = [] {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : fields_of(thesis_tables, '\n'))
      rows.push_back(fields_of(line, ','));
    return rows;
  }();
  return all;
}

bool is_of(const std::vector<std::string>& row, const ThesisRun& run) {
  return row[2] == run.library && row[3] == run.processes;
}

}  // namespace

std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, separator);) fields.push_back(field);
  return fields;
}

std::vector<std::vector<std::string>> thesis_rows(const std::string& kind,
                                                  const std::string& machine) {
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<std::string>& fields : all_rows())
    if (fields.size() > 4 && fields[0] == kind && fields[1] == machine) rows.push_back(fields);
  return rows;
}

std::vector<std::string> thesis_names(const std::string& machine) {
  const bool is_known = !thesis_rows("l", machine).empty();
  std::vector<std::string> names;
  std::string before;
  for (const auto& row : all_rows()) {
    if (row.size() <= 4 || row[0] != "l" || (is_known && row[1] != machine)) continue;
    const std::string library = row[1] + "/" + row[2] + "/";
    if (library == before) {
      names.back() += ", " + row[3];
    } else {
      names.push_back(library + row[3]);
    }
    before = library;
  }
  return names;
}

std::optional<std::array<double, 3>> thesis_latencies(const ThesisRun& run) {
  for (const auto& row : thesis_rows("l", run.machine))
    if (is_of(row, run))
      return std::array{number(row.at(4)) * 1e-6, number(row.at(5)) * 1e-6,
                        number(row.at(6)) * 1e-6};
  return {};
}

std::optional<BSPWrapper::BSPGap> thesis_gap(const ThesisRun& run, const std::string& pattern,
                                             const std::string& access) {
  for (const auto& row : thesis_rows("g", run.machine)) {
    if (!is_of(row, run) || row[4] != pattern || row.at(5) != access) continue;
    BSPWrapper::BSPGap gap;
    gap.g_inf = number(row.at(6)) * 1e-6;
    gap.h_half = number(row.at(7));
    gap.overhead = number(row.at(8));
    return gap;
  }
  return {};
}

}  // namespace tutti::tools
