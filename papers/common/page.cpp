// SPDX-License-Identifier: BSD-3-Clause
// Writes the pages of docs/papers as Markdown.
#include "papers/common/page.hpp"

#include <fmt/format.h>

#include <fstream>

#include "base/error.hpp"
#include "papers/common/counts.hpp"
#include "papers/common/print.hpp"

namespace tutti::papers {
namespace {

tools::Table overview(const std::vector<Exhibit>& exhibits) {
  tools::Table table("name;shows;state");
  for (const Exhibit& exhibit : exhibits)
    table.add({exhibit.item->name, exhibit.item->subject, state_text(exhibit)});
  return table;
}

std::string parameters_of(const Result& result) {
  std::string text = "\nParameters:";
  const char* separator = " ";
  for (const Parameter& p : result.parameters) {
    text += fmt::format("{}{} = {}{}{} ({})", separator, p.name, to_text(p.value),
                        p.unit.empty() ? "" : " ", p.unit, p.source);
    separator = "; ";
  }
  return text + ".\n";
}

// Exhibits whose state is declared show nothing of a model, but for what a paper conjectures.
bool is_shown(const Item& item) {
  return item.declared.value_or(State::beyond) == State::beyond;
}

std::string section(const Exhibit& exhibit) {
  const Result& result = exhibit.result;
  std::string text = fmt::format("\n## {}: {}\n\nState: {}.\n", exhibit.item->name,
                                 exhibit.item->subject, state_text(exhibit));
  for (const std::string& sentence : sentences_of(exhibit.item->reworded)) text += "\n" + sentence;
  if (!exhibit.item->reworded.now.empty()) text += "\n";
  if (!result.rows.empty()) text += "\n" + table_of(result).markdown();
  for (const std::string& tolerance : tolerances_of(result))
    text += fmt::format("\nTolerance of {}.\n", tolerance);
  for (const std::string& note : result.notes) text += "\n" + note + "\n";
  if (!result.parameters.empty()) text += parameters_of(result);
  if (!result.picture.empty()) text += "\n```\n" + result.picture + "```\n";
  for (const Chart& chart : result.charts)
    text += fmt::format("\n![{}]({}/{}.svg)\n", chart.title, figures_folder, chart.file);
  return text;
}

}  // namespace

Page page_of(const Paper& paper) {
  std::vector<Exhibit> exhibits;
  Page page;
  for (const Item& item : paper.items) {
    exhibits.push_back(exhibit_of(item, Extent::computed));
    const std::vector<Chart>& charts = exhibits.back().result.charts;
    if (is_shown(item)) page.charts.insert(page.charts.end(), charts.begin(), charts.end());
  }
  page.text = fmt::format(
      "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n# Paper {}\n\n{}.\n\nWritten by `tutti "
      "reproduce --write`; not to be edited. Tables, figures and statements: {}. The "
      "manual page tutti-reproduce(1) says what the states mean. What contradicts itself in the "
      "papers stands in [errata](../measurements/paper-errata.md).\n\n",
      paper.name, paper.title, summary_of(exhibits));
  page.text += overview(exhibits).markdown();
  for (const Exhibit& exhibit : exhibits)
    if (is_shown(*exhibit.item)) page.text += section(exhibit);
  return page;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    base::fail(base::Status::invalid_argument, "{} cannot be written", path.string());
}

}  // namespace tutti::papers
