// SPDX-License-Identifier: BSD-3-Clause
// Prints tables as text, as JSON and as a page.
#include "papers/000/timing/report.hpp"

#include <fmt/format.h>

namespace tutti::papers {
namespace {

const MeasuredPage& page() {
  static const MeasuredPage timing_page{"000", "blacs-timing.md",
                                        "The timings of paper 000 on this machine"};
  return timing_page;
}

std::string sentence_of(const TimingAgreement& found) {
  return fmt::format(
      "{} of {} slopes are within {:.0f} % of those of the other run. Of {} pairs of topologies "
      "that both runs tell apart by more than {:.0f} %, {} have the same order.",
      found.within, found.slopes, 100 * alike, found.pairs, 100 * alike, found.same_order);
}

}  // namespace

std::string timing_text(const Timings& timings, const std::optional<Timings>& before) {
  std::string text = timings.machine + "\n" + text_of(timing_tables(timings));
  if (!before) return text;
  const TimingAgreement found = compare_timings(timings, *before);
  text += "\nThe other run: " + before->machine + "\n" + sentence_of(found) + "\n";
  for (const std::string& one : found.exceptions) text += "  " + one + "\n";
  return text;
}

nlohmann::json timing_json(const Timings& timings, const std::optional<Timings>& before) {
  nlohmann::json out = json_of(timings);
  out["tables"] = json_of(timing_tables(timings));
  if (!before) return out;
  const TimingAgreement found = compare_timings(timings, *before);
  out["against"] = {{"machine", before->machine},     {"slopes", found.slopes},
                    {"within", found.within},         {"pairs", found.pairs},
                    {"same_order", found.same_order}, {"exceptions", found.exceptions}};
  return out;
}

void check_timing_page(const std::string& folder) {
  check_page(page(), folder);
}

void write_timing_page(const Timings& timings, const std::optional<Timings>& before,
                       const std::string& folder) {
  const std::vector<Chart> charts = timing_charts(timings);
  std::string text = markdown_of(timings.machine, timing_tables(timings), charts);
  if (before) {
    const TimingAgreement found = compare_timings(timings, *before);
    text += "\n## A second run\n\n" + filled("The other run: " + before->machine) + "\n" +
            filled(sentence_of(found)) + "\n";
    for (const std::string& one : found.exceptions) text += "- " + one + "\n";
  }
  write_measured_page(page(), text, charts, folder);
}

}  // namespace tutti::papers
