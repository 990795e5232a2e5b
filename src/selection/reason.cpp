// SPDX-License-Identifier: BSD-3-Clause
// Writes the reason for a choice, with its price and the runner-up of the model.
#include "selection/reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "selection/explain.hpp"
#include "selection/headers.hpp"
#include "selection/ranking.hpp"

namespace tutti::selection {
namespace {

// Returns the terms by which the explanation prices the plan. Settings that are not worth trying
// are not in the explanation; the formula alone prices them.
std::optional<Terms> terms_of(const Served& served, const Explanation& explanation) {
  for (const Row& row : explanation.rows) {
    const Alternative& a = row.alternative;
    if (a.generator == served.generator && a.settings == served.settings) return a.terms;
  }
  const Question& q = explanation.question;
  const auto found = stated(*served.generator, served.settings.shape(q.p, q.root));
  return found ? std::optional(found->terms) : std::nullopt;
}

std::string runner_up(const Served& served, const Terms& terms, const Explanation& explanation) {
  const auto next =
      std::find_if(explanation.rows.begin(), explanation.rows.end(),
                   [&](const Row& row) { return row.alternative.generator != served.generator; });
  if (next == explanation.rows.end()) return "; nothing else may serve";
  const Rates rates = rates_of(explanation.machine);
  const auto bytes = static_cast<double>(explanation.bytes);
  const double more = next->time - time(terms, rates, bytes);
  const std::string& name = next->alternative.name;
  const std::string why = difference(next->alternative.terms, terms, rates, bytes);
  if (more == 0) return fmt::format("; runner-up {}: as fast", name);
  return fmt::format("; {} {}: {}{} ({})", more < 0 ? "the model prefers" : "runner-up", name,
                     more < 0 ? "-" : "+", time_text(std::abs(more)), why);
}

}  // namespace

std::string reason_text(const Served& served, const Question& question, std::int64_t bytes,
                        const machine::Profile& machine) {
  std::string text =
      fmt::format("{}: {}", plan_name(*served.generator, served.settings), served.reason);
  if (question.p == 1) return text;
  const Explanation explanation = explain(question, bytes, machine);
  const auto terms = terms_of(served, explanation);
  if (!terms) return text + "; its cost is not stated";
  text += fmt::format("; {} on {} (a {:g}, b {:.4g}, g {:.4g})",
                      time_text(time(*terms, rates_of(machine), static_cast<double>(bytes))),
                      machine.name, terms->alpha, terms->beta, terms->gamma);
  return text + runner_up(served, *terms, explanation);
}

}  // namespace tutti::selection
