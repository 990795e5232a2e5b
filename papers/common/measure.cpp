// SPDX-License-Identifier: BSD-3-Clause
// Measures the times of papers 000 and 003 and shows them.
#include "papers/common/measure.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "papers/000/timing/items.hpp"
#include "papers/000/timing/report.hpp"
#include "papers/000/timing/timings.hpp"
#include "papers/003/applications/items.hpp"
#include "papers/003/applications/report.hpp"
#include "papers/common/effort.hpp"
#include "support/answer.hpp"
#include "support/progress.hpp"

namespace tutti::papers {
namespace {

using tools::ReproduceOptions;

[[noreturn]] void refuse(const std::string& why) {
  base::fail(base::Status::invalid_argument, "{}", why);
}

Timings measured_times(const ReproduceOptions& options) {
  if (!options.from.empty()) return timings_from(options.from);
  tools::Progress progress;
  return measure_timings(
      options.quick ? quick_plan() : full_plan(),
      [&](double done, const std::string& what) { progress.show(done, what); },
      [&](const Timings& timings) {
        if (!options.save.empty()) keep_timings(timings, options.save);
      });
}

void reproduce_timings(const ReproduceOptions& options) {
  std::optional<Timings> before;
  if (!options.against.empty()) before = timings_from(options.against);  // before the long work
  if (!options.folder.empty()) check_timing_page(options.folder);
  const Timings timings = measured_times(options);
  if (!options.folder.empty()) return write_timing_page(timings, before, options.folder);
  if (options.json)
    fmt::print("{}", tools::answer_text(
                         "reproduce", nlohmann::json{{"measured", timing_json(timings, before)}}));
  else
    fmt::print("{}", timing_text(timings, before));
}

Applications measured_applications(const ReproduceOptions& options) {
  if (!options.from.empty()) return applications_from(options.from);
  tools::Progress progress;
  Applications all = measure_applications(
      options.quick ? quick_app_plan() : full_app_plan(),
      [&](double done, const std::string& what) { progress.show(done, what); });
  if (!options.save.empty()) keep_measured(json_of(all), options.save);
  return all;
}

void reproduce_applications(const ReproduceOptions& options) {
  if (!options.folder.empty()) check_page(application_page(), options.folder);
  const Applications all = measured_applications(options);
  if (!options.folder.empty()) {
    const std::vector<Chart> charts = application_charts(all);
    return write_measured_page(application_page(),
                               markdown_of(all.machine, application_tables(all), charts), charts,
                               options.folder);
  }
  if (options.json)
    fmt::print(
        "{}", tools::answer_text("reproduce", nlohmann::json{{"measured", application_json(all)}}));
  else
    fmt::print("{}", application_text(all));
}

}  // namespace

void check_measuring(const ReproduceOptions& options) {
  if (options.measure.empty()) {
    if (!options.save.empty() || !options.against.empty())
      refuse("--save and --against belong to --measure");
    if (options.quick) set_effort(Effort::least);
    return;
  }
  if (options.measure != "000" && options.measure != "003")
    refuse(fmt::format("--measure {}: only papers 000 and 003 have times that are measured at once",
                       options.measure));
  if (options.list || options.all || !options.names.empty() || !options.paper.empty() ||
      !options.pictures.empty())
    refuse(
        "--measure makes all tables and figures; no names, --list, --all, --paper or --svg with "
        "it");
  if (!options.from.empty() && (options.quick || !options.save.empty()))
    refuse("--from measures nothing, so --quick and --save are not for it");
  if (options.measure != "000" && !options.against.empty())
    refuse("--against compares the times of paper 000 only");
}

void use_measured(const std::string& path) {
  if (paper_of_measured(path) == "003") return use_applications(applications_from(path));
  use_timings(timings_from(path));
}

void reproduce_measured(const ReproduceOptions& options) {
  if (options.measure == "000") return reproduce_timings(options);
  reproduce_applications(options);
}

}  // namespace tutti::papers
