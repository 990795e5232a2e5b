// SPDX-License-Identifier: BSD-3-Clause
// Writes the reason for a choice, with its price and the runner-up of the model.
#include "selection/reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/native.hpp"
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

// Returns the first row of another algorithm; nullptr if there is none.
const Row* runner_up(const Served& served, const Explanation& explanation) {
  const auto next =
      std::find_if(explanation.rows.begin(), explanation.rows.end(),
                   [&](const Row& row) { return row.alternative.generator != served.generator; });
  return next != explanation.rows.end() ? &*next : nullptr;
}

// Describes a runner-up that takes `more` microseconds more, or less if negative.
std::string runner_up_text(const Row& next, double more, const std::string& why) {
  const std::string& name = next.alternative.name;
  if (more == 0) return fmt::format("; runner-up {}: as fast", name);
  return fmt::format("; {} {}: {}{} ({})", more < 0 ? "cheaper at this size" : "runner-up", name,
                     more < 0 ? "-" : "+", time_text(std::abs(more)), why);
}

std::string price_text(const Served& served, const Explanation& explanation) {
  const auto terms = terms_of(served, explanation);
  if (!terms) return "; its cost is not stated";
  const Rates rates = rates_of(explanation.machine);
  const auto bytes = static_cast<double>(explanation.bytes);
  const double needed = time(*terms, rates, bytes);
  const std::string text =
      fmt::format("; {} on {} (a {:g}, b {:.4g}, g {:.4g})", time_text(needed),
                  explanation.machine.name, terms->alpha, terms->beta, terms->gamma);
  const Row* next = runner_up(served, explanation);
  if (next == nullptr) return text + "; nothing else may serve";
  return text + runner_up_text(*next, next->time - needed,
                               difference(next->alternative.terms, *terms, rates, bytes));
}

std::string host_price_text(const Served& served, const Explanation& explanation) {
  if (algorithms::is_native(*served.generator)) return "; its cost is not stated";
  if (!can_be_priced(*served.generator, served.settings, explanation.question))
    return "; it has too many rounds to be priced";
  const HostTimes times =
      host_plan(*served.generator, served.settings, explanation.question, explanation.bytes,
                host_rates_of(explanation.machine), explanation.host->processors)
          .times;
  const std::string text = fmt::format("; {} in shared memory", time_text(times.total()));
  const Row* next = runner_up(served, explanation);
  if (next == nullptr) return text + "; nothing else may serve";
  return text +
         runner_up_text(*next, next->time - times.total(), difference(next->on_host->times, times));
}

}  // namespace

std::string reason_text(const Served& served, const Question& question, std::int64_t bytes,
                        const Chooser& chooser) {
  const std::string text =
      fmt::format("{}: {}", plan_name(*served.generator, served.settings), served.reason);
  if (question.p == 1) return text;
  if (!question.hosts.empty())
    return text + price_text(served, explain(question, bytes, chooser.machine()));
  return text + host_price_text(served, explain_on_host(question, bytes, chooser.machine(),
                                                        chooser.processors()));
}

}  // namespace tutti::selection
