// SPDX-License-Identifier: BSD-3-Clause
// Implements the report of `tutti tune`.
#include "tune/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "machine/profile.hpp"
#include "support/machine_json.hpp"
#include "support/quiet.hpp"
#include "tune/profile.hpp"
#include "tune/rows.hpp"

namespace tutti::tools {
namespace {

std::int64_t undecided_cases(const Findings& found) {
  const std::vector<TunedPoint>& points = found.prices.compared.points;
  return std::count_if(points.begin(), points.end(),
                       [](const TunedPoint& point) { return !point.decision.decided; });
}

nlohmann::json tuning_json(const std::vector<MeasuredRow>& rows) {
  nlohmann::json out = nlohmann::json::array();
  for (const MeasuredRow& one : rows)
    out.push_back({{"row", one.row}, {"value", one.value}, {"source", one.source}});
  return out;
}

std::string rates_text(const Prices& prices) {
  const RatesVerdict& verdict = prices.compared.rates;
  std::string text = fmt::format(
      "prices: {} plans in {} cells; a ratio to the best plan is wrong by a factor of {:.2f} in "
      "the median, {:.2f} for one plan in ten\n",
      prices.fit.plans, prices.fit.cells, prices.fit.median_error, prices.fit.p90_error);
  if (verdict.changed == 0)
    return text + "prices: the fitted rates choose the same plans, so those of host stay\n";
  return text + fmt::format(
                    "prices: the fitted rates choose {} other plans, which take {} of the time in "
                    "each job, so {}\n",
                    verdict.changed, ratios_text(verdict.ratios),
                    verdict.accepted ? "they are written" : "those of host stay");
}

std::string changes_text(const Findings& found) {
  std::string text = fmt::format("plans: {} cases compared", found.prices.compared.points.size());
  if (const std::int64_t undecided = undecided_cases(found); undecided > 0)
    text +=
        fmt::format(", {} of them without enough samples; more --seconds would help", undecided);
  text += found.changes.empty() ? fmt::format("; no row of {} changes\n", found.file)
                                : fmt::format("; rows of {}:\n", found.file);
  for (const std::string& change : found.changes) text += "  " + change + "\n";
  return text;
}

}  // namespace

std::string to_text(const Findings& found) {
  std::string text = summary_text(found.result);
  for (const MeasuredRow& one : found.moves)
    text += fmt::format("{} = {} ({})\n", one.row, one.value, one.source);
  text += found.plans_compared
              ? rates_text(found.prices) + changes_text(found)
              : "plans: not compared, the rows of the file stay; leave out --quick\n";
  if (!found.result.busy.empty()) text += busy_line(found.result.busy);
  if (found.written) text += fmt::format("written to {}\n", found.file);
  return text;
}

nlohmann::json to_json(const Findings& found) {
  return {{"file", found.file},
          {"written", found.written},
          {"machine", to_json(machine::parse(found.profile, "what was measured"))},
          {"plans_compared", found.plans_compared},
          {"cases", found.prices.compared.points.size()},
          {"undecided_cases", undecided_cases(found)},
          {"changes", found.changes},
          {"tuning", tuning_json(found.moves)},
          {"busy", busy_json(found.result.busy)}};
}

}  // namespace tutti::tools
