// SPDX-License-Identifier: BSD-3-Clause
// Writes the page of a verdict (report.hpp): its text, and what each rank does over time.
#include <fmt/format.h>

#include <algorithm>

#include "draw/svg_page.hpp"
#include "draw/timeline.hpp"
#include "verdict/report.hpp"

namespace tutti::tools {
namespace {

constexpr std::size_t most_bars = 6000;  // more are no longer seen

constexpr const char* head = R"(<!DOCTYPE html>
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tutti: verdict</title><style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; }}
.answer {{ font-size: 1.25em; border-left: 6px solid #0072b2; padding-left: 0.7em; }}
pre, figure {{ overflow-x: auto; }}
figure {{ margin: 1em 0; background: white; }}
figure svg {{ min-width: 700px; max-width: 100%; height: auto; }}
</style></head><body><h1>Verdict on {}</h1>
<p class="answer">{}</p>
<h2>What each rank does over time</h2>
<figure>{}</figure>
<p>{}</p>
<h2>Figures</h2>
<pre>{}</pre>
</body></html>
)";

// The bars of the samples, of which every so many stay if they are too many.
draw::TimeLine time_line(const MpiRecord& record, std::size_t every) {
  draw::TimeLine line;
  line.ranks = static_cast<int>(record.ranks.size());
  double first = record.ranks.front().begun;
  for (const RecordedRank& rank : record.ranks) first = std::min(first, rank.begun);
  for (std::size_t rank = 0; rank < record.ranks.size(); ++rank) {
    const double end = (record.ranks[rank].ended - first) * us_in_second;
    line.end = std::max(line.end, end);
    line.bars.push_back({static_cast<int>(rank), draw::Doing::compute,
                         (record.ranks[rank].begun - first) * us_in_second, end});
  }
  for (std::size_t i = 0; i < record.samples.size(); i += every) {
    const auto& call = record.samples[i];
    const RecordedKind& kind = record.kinds[static_cast<std::size_t>(call.front().kind)];
    for (std::size_t member = 0; member < call.size(); ++member) {
      const SplitCall parts = split(kind.operation, call, member);
      const RecordedCall& one = call[member];
      const double begin = (one.begun - first) * us_in_second,
                   middle = begin + parts.waiting * us_in_second;
      if (parts.waiting > 0) line.bars.push_back({one.rank, draw::Doing::wait, begin, middle});
      line.bars.push_back(
          {one.rank, draw::Doing::collective, middle, begin + one.taken * us_in_second});
    }
  }
  return line;
}

}  // namespace

std::string verdict_page(const MpiRecord& record, const Verdict& verdict) {
  std::size_t bars = 0;
  for (const auto& call : record.samples) bars += 2 * call.size();
  const std::size_t every = bars / most_bars + 1;
  const std::string picture =
      record.ranks.size() > static_cast<std::size_t>(draw::most_ranks_of_timeline)
          ? fmt::format("more than {} ranks are not drawn", draw::most_ranks_of_timeline)
          : draw::timeline_svg(time_line(record, every), "what each rank does over time");
  const auto shown_of = static_cast<std::size_t>(record.one_in) * every;
  return fmt::format(head, draw::escaped(record.program), draw::escaped(verdict.sentence), picture,
                     shown_of == 1 ? "Every collective is shown."
                                   : fmt::format("One of {} collectives is shown.", shown_of),
                     draw::escaped(verdict_text(record, verdict)));
}

}  // namespace tutti::tools
