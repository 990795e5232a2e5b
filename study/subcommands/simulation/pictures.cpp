// SPDX-License-Identifier: BSD-3-Clause
// Writes the files of --svg, --trace and --heat (pictures.hpp).
#include "simulation/pictures.hpp"

#include <fmt/format.h>

#include "draw/heat.hpp"
#include "simulation/print.hpp"
#include "simulation/trace.hpp"
#include "support/picture.hpp"

namespace tutti::tools {
namespace {

constexpr const char* fewer =
    "fewer ranks (-n, --topology), an algorithm of fewer messages, or --heat";

}  // namespace

bool draws(const SimulateOptions& options) {
  return options.timeline_too || !options.timeline.empty() || !options.trace.empty() ||
         !options.heat.empty();
}

void write_pictures(const SimulateOptions& options, const Setting& setting, const Outcome& outcome,
                    const Recorder& recorder) {
  const std::string title =
      fmt::format("{}: {}, {}", title_of(setting), outcome.name, to_text(outcome.extent));
  if (!options.timeline.empty())
    write_picture({options.timeline, "--svg", fewer, options.force},
                  draw::timeline_svg(timeline_of(recorder, outcome.report, setting), title));
  if (!options.trace.empty()) {
    PictureText text({options.trace, "--trace", fewer, options.force});
    write_chrome_trace(recorder, setting, text);
    text.write();
  }
  if (options.heat.empty()) return;
  std::vector<double> busy;
  for (const simulate::LinkUse& use : outcome.report.links) busy.push_back(use.busy);
  write_picture({options.heat, "--heat", "a smaller network (--topology)", options.force},
                draw::heat_svg({busy, "us busy"}, *setting.machine.network.topology, title));
}

}  // namespace tutti::tools
