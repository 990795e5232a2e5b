// SPDX-License-Identifier: BSD-3-Clause
// Measures the times of paper 000 and shows them.
#include "papers/timing/command.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "papers/timing/report.hpp"
#include "papers/timing/timings.hpp"
#include "support/progress.hpp"

namespace tutti::papers {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  base::fail(base::Status::invalid_argument, "{}", why);
}

Timings measured_times(const ReproduceOptions& options) {
  if (!options.from.empty()) return timings_from(options.from);
  Progress progress;
  return measure_timings(
      options.quick ? quick_plan() : full_plan(),
      [&](double done, const std::string& what) { progress.show(done, what); },
      [&](const Timings& timings) {
        if (!options.save.empty()) keep_timings(timings, options.save);
      });
}

}  // namespace

void check_measuring(const ReproduceOptions& options) {
  if (options.measure.empty()) {
    if (options.quick || !options.save.empty() || !options.against.empty())
      refuse("--quick, --save and --against belong to --measure");
    return;
  }
  if (options.measure != "000")
    refuse(fmt::format("--measure {}: only paper 000 has times that are measured at once",
                       options.measure));
  if (options.list || options.all || !options.names.empty() || !options.paper.empty())
    refuse("--measure makes all tables and figures; no names, --list, --all or --paper with it");
  if (!options.from.empty() && (options.quick || !options.save.empty()))
    refuse("--from measures nothing, so --quick and --save are not for it");
}

void reproduce_timings(const ReproduceOptions& options) {
  std::optional<Timings> before;
  if (!options.against.empty()) before = timings_from(options.against);  // before the long work
  if (!options.folder.empty()) check_timing_page(options.folder);
  const Timings timings = measured_times(options);
  if (!options.folder.empty()) return write_timing_page(timings, before, options.folder);
  if (options.json)
    fmt::print("{}", json_text(timing_json(timings, before)));
  else
    fmt::print("{}", timing_text(timings, before));
}

}  // namespace tutti::papers
