// SPDX-License-Identifier: BSD-3-Clause
// Sums supersteps and writes rows of the tables of a profile's page.
#include "bsp/profile_cells.hpp"

#include <fmt/format.h>

namespace tutti::tools {

const char* const columns_of_cells =
    "<th>w us</th><th>wait us</th><th>h out</th><th>h in</th><th>h</th><th>messages</th><th>sync "
    "us</th><th>measured us</th><th>(2.3) us</th><th>(2.5) us</th><th>(2.6) us</th><th>by process "
    "us</th><th>(2.6) off by</th></tr>\n";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

void Sum::add(const ProfiledStep& step, const BspMachine& machine) {
  ++steps;
  all.cost.compute += step.cost.compute;
  all.cost.words += step.cost.words;
  all.cost.messages += step.cost.messages;
  all.cost.measured += step.cost.measured;
  all.compute_mean += step.compute_mean;
  all.words_out += step.words_out;
  all.words_in += step.words_in;
  all.sync += step.sync;
  plain += predicted(machine, step.cost, Model::plain);
  startup += predicted(machine, step.cost, Model::startup);
  overhead += predicted(machine, step.cost, Model::overhead);
  by_process += predicted(machine, step.cost, Model::by_process);
}

std::string cells_of(const Sum& sum) {
  const ProfiledStep& all = sum.all;
  std::string text = fmt::format(
      "<td>{:.2f}</td><td>{:.2f}</td><td>{:.0f}</td><td>{:.0f}</td><td>{:.0f}</td><td>{:.0f}</"
      "td><td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}</"
      "td>",
      all.cost.compute * 1e6, all.wait() * 1e6, all.words_out, all.words_in, all.cost.words,
      all.cost.messages, all.sync * 1e6, all.cost.measured * 1e6, sum.plain * 1e6,
      sum.startup * 1e6, sum.overhead * 1e6, sum.by_process * 1e6);
  if (all.cost.measured > 0) {
    text += fmt::format("<td>{:+.1f} %</td>", 100 * (sum.overhead / all.cost.measured - 1));
  } else {
    text += "<td>-</td>";
  }
  return text + "</tr>\n";
}

}  // namespace tutti::tools
