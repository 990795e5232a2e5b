// SPDX-License-Identifier: BSD-3-Clause
// Derives the state of an exhibit from its rows and parameters.
#include "papers/common/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

namespace tutti::papers {
namespace {

constexpr std::size_t one_of = 4;  // an exhibit contradicts if more than a quarter of its rows fail

bool equal(const Row& row) {
  if (row.paper.index() != row.ours.index()) return false;
  const double* paper = std::get_if<double>(&row.paper);
  if (paper == nullptr) return row.paper == row.ours;
  const double apart = std::abs(std::get<double>(row.ours) - *paper);
  return apart <= std::max(row.tolerance.relative * std::abs(*paper), row.tolerance.absolute);
}

// The part of a source that says where the number is from. An explanation may follow it.
std::string beginning_of(std::string_view source) {
  constexpr std::string_view origins[] = {
      "published: ", "derived: ", "fitted: ", "measured: ", "assumed: "};
  for (const std::string_view origin : origins)
    if (source.starts_with(origin)) source.remove_prefix(origin.size());
  return std::string(source.substr(0, source.find_first_of(":;(")));
}

bool is_source(const Item& item, const Parameter& parameter) {
  if (!std::holds_alternative<double>(parameter.value)) return false;
  const std::vector<std::string> named = exhibits_in(parameter.source);
  return std::any_of(named.begin(), named.end(), [&](const std::string& name) {
    return name == item.name || std::find(item.same_numbers.begin(), item.same_numbers.end(),
                                          name) != item.same_numbers.end();
  });
}

// The rows of a model that are compared.
struct Compared {
  std::size_t agree = 0, differ = 0;
  bool denied = false;  // a statement fails

  void add(const Row& row) {
    const RowState state = state_of(row);
    agree += state == RowState::agrees ? 1 : 0;
    differ += state == RowState::differs ? 1 : 0;
    denied = denied || (row.statement && state == RowState::differs);
  }
  [[nodiscard]] bool contradict() const { return denied || one_of * differ > agree + differ; }
};

std::vector<PartCount> parts_of(const Result& result) {
  std::vector<PartCount> parts;
  for (const Row& row : result.rows) {
    const RowState state = state_of(row);
    if (row.part.empty() || (state != RowState::agrees && state != RowState::differs)) continue;
    auto found = std::ranges::find(parts, row.part, &PartCount::name);
    if (found == parts.end()) found = parts.insert(parts.end(), {row.part});
    found->agree += state == RowState::agrees ? 1 : 0;
    ++found->compared;
  }
  return parts;
}

bool is_fitted(const Item& item, const Result& result) {
  return std::any_of(result.rows.begin(), result.rows.end(),
                     [](auto& row) { return row.fitted; }) ||
         std::any_of(result.parameters.begin(), result.parameters.end(),
                     [&](const Parameter& parameter) { return is_source(item, parameter); });
}

}  // namespace

RowState state_of(const Row& row) {
  if (row.input) return RowState::input;
  if (row.ours.index() == 0) return RowState::missing;
  if (row.measured) return RowState::measured;
  if (row.paper.index() == 0) return RowState::alone;
  return equal(row) ? RowState::agrees : RowState::differs;
}

const char* to_text(RowState state) {
  constexpr const char* names[] = {"agrees", "differs", "missing", "input", "alone", "measured"};
  return names[static_cast<std::size_t>(state)];
}

Verdict verdict_of(const Item& item, const Result& result) {
  Verdict verdict;
  Compared all, without_errata;
  for (const Row& row : result.rows) {
    if (row.measured) continue;
    const RowState state = state_of(row);
    verdict.missing += state == RowState::missing ? 1 : 0;
    verdict.ours = verdict.ours ||
                   (!row.within_paper && (state == RowState::agrees || state == RowState::differs));
    all.add(row);
    if (state != RowState::differs || !row.within_paper) without_errata.add(row);
  }
  verdict.parts = parts_of(result);
  verdict.agree = all.agree;
  verdict.compared = all.agree + all.differ;
  const auto first_true = [&] {
    if (item.declared) return *item.declared;
    if (verdict.compared + verdict.missing == 0) return State::drawn;
    if (without_errata.contradict()) return State::contradicts;
    if (all.contradict()) return State::erratum;
    if (is_fitted(item, result)) return State::fitted;
    return all.differ + verdict.missing == 0 ? State::agrees : State::partly;
  };
  verdict.state = first_true();
  return verdict;
}

std::string to_text(const Verdict& verdict) {
  std::string text = to_text(verdict.state);
  if (verdict.compared + verdict.missing > 0)
    text += fmt::format(", {} of {} rows", verdict.agree, verdict.compared + verdict.missing);
  std::string parts;
  for (const PartCount& part : verdict.parts)
    parts += fmt::format("{}{} of {} {}", parts.empty() ? "" : ", ", part.agree, part.compared,
                         part.name);
  if (!parts.empty()) text += " (" + parts + ")";
  return text + (verdict.measured ? ", measured here" : "");
}

std::vector<std::string> exhibits_in(std::string_view source) {
  static const std::regex paper(R"(paper (\d{3}), (table|figure|section)(s?) )");
  static const std::regex number(R"(^(?:, | and |)([A-Z]?[\d.]*\d))");
  std::vector<std::string> names;
  std::string text = beginning_of(source);
  for (std::smatch found; std::regex_search(text, found, paper);) {
    const std::string start = found.str(1) + "-" + found.str(2) + "-";
    bool more = true;
    const bool several = found.length(3) > 0;
    text = found.suffix();
    for (std::smatch one; more && std::regex_search(text, one, number); text = one.suffix()) {
      names.push_back(start + one.str(1));
      more = several;
    }
  }
  return names;
}

}  // namespace tutti::papers
