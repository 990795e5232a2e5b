// SPDX-License-Identifier: BSD-3-Clause
// Prints items and results as text in columns and as JSON.
#include "papers/common/print.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::papers {
namespace {

nlohmann::json json_of(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

nlohmann::json json_of(const Reworded& words) {
  if (words.now.empty()) return nullptr;
  return {{"before", words.before}, {"now", words.now}, {"paper", words.paper}};
}

nlohmann::json json_of(const Row& row) {
  const std::string ratio = ratio_of(row);
  const bool numbers =
      std::holds_alternative<double>(row.paper) && std::holds_alternative<double>(row.ours);
  nlohmann::json out{{"label", row.label},
                     {"paper", json_of(row.paper)},
                     {"ours", json_of(row.ours)},
                     {"unit", row.unit},
                     {"tolerance",
                      {{"relative", row.tolerance.relative},
                       {"absolute", row.tolerance.absolute},
                       {"reason", row.tolerance.reason}}},
                     {"state", to_text(state_of(row))},
                     {"statement", row.statement},
                     {"fitted", row.fitted},
                     {"measured", row.measured},
                     {"within_paper", row.within_paper},
                     {"input", row.input},
                     {"part", row.part},
                     {"source", row.source},
                     {"ratio", nullptr}};
  if (numbers && std::get<double>(row.paper) != 0)
    out["ratio"] = std::get<double>(row.ours) / std::get<double>(row.paper);
  if (!numbers && !ratio.empty()) out["same"] = ratio == "same";
  return out;
}

// Returns text such as "differs, fitted".
std::string marked_state(const Row& row) {
  std::string text = to_text(state_of(row));
  if (row.fitted) text += ", fitted";
  if (row.within_paper && state_of(row) == RowState::differs) text += ", within the paper";
  return text;
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

std::string tolerance_of(const Row& row) {
  const Tolerance& tolerance = row.tolerance;
  const bool number = std::holds_alternative<double>(row.paper);
  if (row.measured || row.input ||
      !(number || (row.statement && tolerance.reason != Tolerance().reason)))
    return "";
  if (tolerance.relative < 1e-6 && tolerance.absolute == 0) return "exact";
  std::string text;
  if (tolerance.relative > 0) text = fmt::format("{:.3g} %", 100 * tolerance.relative);
  if (tolerance.absolute > 0)
    text += fmt::format("{}{:.3g}{}{}", text.empty() ? "" : " or ", tolerance.absolute,
                        row.unit.empty() ? "" : " ", row.unit == "%" ? "points" : row.unit);
  return text;
}

std::vector<std::string> sentences_of(const Reworded& words) {
  if (words.now.empty()) return {};
  return {"The question was: " + words.before + ".", "It is now: " + words.now + ".",
          "The paper says, in our words: " + words.paper + "."};
}

std::string state_text(const Exhibit& exhibit) {
  const Item& item = *exhibit.item;
  std::string text = to_text(exhibit.verdict) + (item.why.empty() ? "" : "; " + item.why);
  if (item.virtual_time)
    text += *item.virtual_time ? "; it waits for the paper's programs in virtual time"
                               : "; it does not wait for virtual time";
  return text;
}

tools::Table table_of(const Result& result) {
  tools::Table table("  <0;  paper>0;  ours>0;  ratio>0;  within>0;  state<0;  ours by<0");
  for (const Row& row : result.rows)
    table.add({row.label + (row.unit.empty() ? "" : ", " + row.unit), to_text(row.paper),
               to_text(row.ours), ratio_of(row), tolerance_of(row), marked_state(row), row.source});
  return table;
}

std::vector<std::string> tolerances_of(const Result& result) {
  std::vector<std::pair<std::string, std::string>> found;  // reasons, and how wide
  for (const Row& row : result.rows) {
    const std::string& reason = row.tolerance.reason;
    const std::string wide = tolerance_of(row);
    if (wide.empty() || reason == Tolerance().reason) continue;
    const auto known = std::find_if(found.begin(), found.end(),
                                    [&](const auto& one) { return one.first == reason; });
    if (known == found.end()) {
      found.emplace_back(reason, wide);
    } else if (known->second != wide) {
      known->second = "each row on its own";
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [reason, wide] : found) sentences.push_back(fmt::format("{}: {}", wide, reason));
  return sentences;
}

tools::Table list_of(const std::vector<Exhibit>& exhibits) {
  tools::Table table("name<20; state<11; rows<8; <8; subject<0");
  for (const Exhibit& exhibit : exhibits) {
    const Verdict& verdict = exhibit.verdict;
    const std::size_t rows = verdict.compared + verdict.missing;
    const std::string& why = exhibit.item->why;
    table.add({exhibit.item->name, to_text(verdict.state),
               rows == 0 ? "" : fmt::format("{}/{}", verdict.agree, rows),
               verdict.measured ? "measured" : "",
               exhibit.item->subject + (why.empty() ? "" : " (" + why + ")")});
  }
  return table;
}

std::string text_of(const Exhibit& exhibit) {
  const Item& item = *exhibit.item;
  const Result& result = exhibit.result;
  std::string text = fmt::format("{}: paper {}, {}: {}\nstate: {}\n", item.name, item.paper,
                                 title_of(item), item.subject, state_text(exhibit));
  if (!result.picture.empty()) text += "\n" + result.picture;
  if (!result.rows.empty()) text += "\n" + table_of(result).text();
  if (!result.parameters.empty()) text += "\nparameters:\n";
  for (const Parameter& p : result.parameters)
    text += fmt::format("  {} = {}{}{} ({})\n", p.name, to_text(p.value), p.unit.empty() ? "" : " ",
                        p.unit, p.source);
  const std::vector<std::string> tolerances = tolerances_of(result);
  if (!tolerances.empty()) text += "\ntolerances:\n";
  for (const std::string& tolerance : tolerances) text += fmt::format("  {}\n", tolerance);
  const std::vector<std::string> reworded = sentences_of(item.reworded);
  if (!reworded.empty()) text += "\nreworded:\n";
  for (const std::string& sentence : reworded) text += fmt::format("  {}\n", sentence);
  if (!result.notes.empty()) text += "\n";
  for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  return text;
}

nlohmann::json head_json(const Exhibit& exhibit) {
  const Item& item = *exhibit.item;
  const Verdict& verdict = exhibit.verdict;
  return {{"name", item.name},
          {"paper", item.paper},
          {"kind", to_text(item.kind)},
          {"number", item.number},
          {"subject", item.subject},
          {"state", to_text(verdict.state)},
          {"measured", verdict.measured},
          {"agree", verdict.agree},
          {"compared", verdict.compared},
          {"missing", verdict.missing},
          {"why", item.why},
          {"reworded", json_of(item.reworded)},
          {"virtual_time", item.virtual_time ? nlohmann::json(*item.virtual_time) : nullptr},
          {"time", item.time},
          {"added", item.added},
          {"same_numbers", item.same_numbers}};
}

nlohmann::json json_of(const Exhibit& exhibit) {
  nlohmann::json out = head_json(exhibit);
  const Result& result = exhibit.result;
  out["rows"] = nlohmann::json::array();
  for (const Row& row : result.rows) out["rows"].push_back(json_of(row));
  tools::Table parameters("name;value;unit;source");
  for (const Parameter& p : result.parameters)
    parameters.add({p.name, json_of(p.value), p.unit, p.source});
  out["parameters"] = parameters.json();
  out["notes"] = result.notes;
  if (!result.picture.empty()) out["picture"] = result.picture;
  return out;
}

}  // namespace tutti::papers
