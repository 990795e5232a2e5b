// SPDX-License-Identifier: BSD-3-Clause
// Prints items and results as text in columns and as JSON.
#include "papers/print.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::papers {
namespace {

nlohmann::json json_of(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

nlohmann::json json_of(const Row& row) {
  const std::string ratio = ratio_of(row);
  const bool numbers =
      std::holds_alternative<double>(row.paper) && std::holds_alternative<double>(row.ours);
  nlohmann::json out{{"label", row.label},        {"paper", json_of(row.paper)},
                     {"ours", json_of(row.ours)}, {"unit", row.unit},
                     {"source", row.source},      {"ratio", nullptr}};
  if (numbers && std::get<double>(row.paper) != 0)
    out["ratio"] = std::get<double>(row.ours) / std::get<double>(row.paper);
  if (!numbers && !ratio.empty()) out["same"] = ratio == "same";
  return out;
}

}  // namespace

std::string title_of(const Item& item) {
  switch (item.kind) {
    case Kind::table:
      return "table " + item.number;
    case Kind::figure:
      return "figure " + item.number;
    case Kind::statement:
      break;
  }
  return "statement " + item.number;
}

const char* words_of(State state) {
  return state == State::measured ? "measured here instead" : to_text(state);
}

std::string to_text(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return "-";
}

std::string ratio_of(const Row& row) {
  if (row.paper.index() != row.ours.index() || row.paper.index() == 0) return "";
  if (const double* theirs = std::get_if<double>(&row.paper)) {
    const double ours = std::get<double>(row.ours);
    if (*theirs == 0) return ours == 0 ? "same" : "differs";
    return fmt::format("{:.3f}", ours / *theirs);
  }
  return row.paper == row.ours ? "same" : "differs";
}

tools::Table table_of(const Result& result) {
  tools::Table table("  <0;  paper>0;  ours>0;  ratio>0;  ours by<0");
  for (const Row& row : result.rows)
    table.add({row.label + (row.unit.empty() ? "" : ", " + row.unit), to_text(row.paper),
               to_text(row.ours), ratio_of(row), row.source});
  return table;
}

tools::Table list_of(const std::vector<const Item*>& items) {
  tools::Table table("name<20; state<22; subject<0");
  for (const Item* item : items)
    table.add({item->name, words_of(item->state),
               item->subject + (item->why.empty() ? "" : " (" + item->why + ")")});
  return table;
}

std::string text_of(const Item& item, const Result* result) {
  std::string text =
      fmt::format("{}: paper {}, {}: {}\nstate: {}{}\n", item.name, item.paper, title_of(item),
                  item.subject, words_of(item.state), item.why.empty() ? "" : "; " + item.why);
  if (result == nullptr) return text;
  if (!result->picture.empty()) text += "\n" + result->picture;
  if (!result->rows.empty()) text += "\n" + table_of(*result).text();
  if (!result->parameters.empty()) text += "\nparameters:\n";
  for (const Parameter& p : result->parameters)
    text += fmt::format("  {} = {}{}{} ({})\n", p.name, to_text(p.value), p.unit.empty() ? "" : " ",
                        p.unit, p.source);
  if (!result->notes.empty()) text += "\n";
  for (const std::string& note : result->notes) text += fmt::format("note: {}\n", note);
  return text;
}

nlohmann::json json_of(const Item& item, const Result* result) {
  nlohmann::json out{
      {"name", item.name},     {"paper", item.paper},     {"kind", to_text(item.kind)},
      {"number", item.number}, {"subject", item.subject}, {"state", to_text(item.state)},
      {"why", item.why}};
  if (result == nullptr) return out;
  out["rows"] = nlohmann::json::array();
  for (const Row& row : result->rows) out["rows"].push_back(json_of(row));
  tools::Table parameters("name;value;unit;source");
  for (const Parameter& p : result->parameters)
    parameters.add({p.name, json_of(p.value), p.unit, p.source});
  out["parameters"] = parameters.json();
  out["notes"] = result->notes;
  if (!result->picture.empty()) out["picture"] = result->picture;
  return out;
}

}  // namespace tutti::papers
