// SPDX-License-Identifier: BSD-3-Clause
// Writes the page of a verdict (report.hpp): its text, and what each rank does over time.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "draw/svg_page.hpp"
#include "draw/timeline.hpp"
#include "verdict/report.hpp"

namespace tutti::tools {
namespace {

constexpr std::size_t columns_of_rank = 600;
constexpr double least_seconds = 1e-6;  // of a picture

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

// How a rank spends a column of the picture, in seconds.
struct Column {
  double waiting = 0, working = 0;
};

// Adds the part of an interval that lies in each column. The first column begins at 0.
void spread(std::vector<Column>& columns, double Column::*part, double from, double length,
            double width) {
  for (auto i = static_cast<std::size_t>(std::max(0.0, from / width));
       i < columns.size() && static_cast<double>(i) * width < from + length; ++i) {
    const double begin = static_cast<double>(i) * width;
    columns[i].*part += std::min(begin + width, from + length) - std::max(begin, from);
  }
}

// Returns what takes most of a column. Each sample stands for `one_in` calls.
draw::Doing most_of(const Column& column, double width, int one_in) {
  const double waiting = column.waiting * one_in, working = column.working * one_in;
  const double computing = width - waiting - working;
  if (computing >= std::max(waiting, working)) return draw::Doing::compute;
  return waiting > working ? draw::Doing::wait : draw::Doing::collective;
}

// A row has columns, and each shows what takes most of its time. So short calls are seen where
// there are many.
draw::TimeLine time_line(const MpiRecord& record) {
  const auto [first, last] = span_of(record);
  const double width = std::max(last - first, least_seconds) / columns_of_rank;
  std::vector<std::vector<Column>> rows(record.ranks.size(), std::vector<Column>(columns_of_rank));
  for (const auto& call : record.samples) {
    const RecordedKind& kind = record.kinds[static_cast<std::size_t>(call.front().kind)];
    for (std::size_t member = 0; member < call.size(); ++member) {
      const SplitCall parts = split(kind.operation, call, member);
      const RecordedCall& one = call[member];
      std::vector<Column>& row = rows[static_cast<std::size_t>(one.rank)];
      spread(row, &Column::waiting, one.begun - first, parts.waiting, width);
      spread(row, &Column::working, one.begun - first + parts.waiting, parts.working, width);
    }
  }
  draw::TimeLine line;
  line.ranks = static_cast<int>(record.ranks.size());
  line.end = (last - first) * us_in_second;
  for (int rank = 0; rank < line.ranks; ++rank) {
    const std::vector<Column>& row = rows[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < row.size(); ++i) {
      const draw::Doing doing = most_of(row[i], width, record.one_in);
      const double end = static_cast<double>(i + 1) * width * us_in_second;
      const bool goes_on = i > 0 && line.bars.back().doing == doing;
      if (goes_on)
        line.bars.back().to = end;
      else
        line.bars.push_back({rank, doing, end - width * us_in_second, end});
    }
  }
  return line;
}

}  // namespace

std::string verdict_page(const MpiRecord& record, const Verdict& verdict) {
  const std::string picture =
      record.ranks.size() > static_cast<std::size_t>(draw::most_ranks_of_timeline)
          ? fmt::format("more than {} ranks are not drawn", draw::most_ranks_of_timeline)
          : draw::timeline_svg(time_line(record), "what each rank does over time");
  return fmt::format(
      head, draw::escaped(record.program), draw::escaped(verdict.sentence), picture,
      record.one_in == 1
          ? std::string("Each column shows what takes most of its time.")
          : fmt::format("Each column shows what takes most of its time, by one of {} collectives.",
                        record.one_in),
      draw::escaped(verdict_text(record, verdict)));
}

}  // namespace tutti::tools
