// SPDX-License-Identifier: BSD-3-Clause
// Writes the pages of docs/papers as Markdown.
#include "papers/common/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "papers/common/counts.hpp"
#include "papers/common/headlines.hpp"
#include "papers/common/print.hpp"

namespace tutti::papers {
namespace {

tools::Table overview(const std::vector<Exhibit>& exhibits) {
  tools::Table table("name;shows;state");
  for (const Exhibit& exhibit : exhibits)
    table.add({exhibit.item->name, exhibit.item->subject, state_text(exhibit)});
  return table;
}

// Exhibits whose state is declared show nothing of a model, but for what a paper conjectures.
bool is_shown(const Item& item) {
  return item.declared.value_or(State::beyond) == State::beyond;
}

std::string link_to(const Chart& chart) {
  return fmt::format("[{}]({}/{}.svg)", chart.title, figures_folder, chart.file);
}

// The first picture of a headline is shown, and those of all other exhibits are links.
std::string headline(const Exhibit& exhibit) {
  const Result& result = exhibit.result;
  std::string text = fmt::format("\n## {}: {}\n\nState: {}.\n", exhibit.item->name,
                                 exhibit.item->subject, state_text(exhibit));
  for (const std::string& note : result.notes) text += "\n" + note + "\n";
  if (!result.charts.empty()) text += "\n!" + link_to(result.charts.front()) + "\n";
  for (std::size_t i = 1; i < result.charts.size(); ++i)
    text += fmt::format("\nAlso {}.\n", link_to(result.charts[i]));
  return text;
}

// Exhibits with the same words stand together.
std::string reworded(const Paper& paper) {
  std::vector<std::pair<std::string, std::string>> found;  // sentences, and names
  for (const Item& item : paper.items) {
    std::string text;
    for (const std::string& sentence : sentences_of(item.reworded)) text += "\n  " + sentence;
    if (text.empty()) continue;
    const auto known = std::ranges::find(found, text, &std::pair<std::string, std::string>::first);
    if (known == found.end()) {
      found.emplace_back(text, item.name);
    } else {
      known->second += ", " + item.name;
    }
  }
  std::string text;
  for (const auto& [sentences, names] : found) text += fmt::format("- {}:{}\n", names, sentences);
  return text.empty() ? text
                      : "\n## Questions that were reworded\n\nThey were asked more strictly than "
                        "the paper puts it.\n\n" +
                            text;
}

std::string other_pictures(const std::vector<Exhibit>& exhibits) {
  std::string text;
  for (const Exhibit& exhibit : exhibits) {
    if (!is_shown(*exhibit.item) || !exhibit.item->headline.empty()) continue;
    std::string links;
    for (const Chart& chart : exhibit.result.charts)
      links += (links.empty() ? "" : "; ") + link_to(chart);
    if (!links.empty()) text += fmt::format("- {}: {}\n", exhibit.item->name, links);
  }
  return text.empty() ? text : "\n## Other pictures\n\n" + text;
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
      "papers stands in [errata](../measurements/paper-errata.md). `tutti reproduce NAME` prints "
      "the rows of each, with tolerances, parameters and their sources.\n\n",
      paper.name, paper.title, summary_of(exhibits));
  page.text += overview(exhibits).markdown() + "\nThe results for which the paper is read:\n\n" +
               headlines_of(exhibits).markdown();
  for (const Exhibit& exhibit : exhibits)
    if (!exhibit.item->headline.empty()) page.text += headline(exhibit);
  page.text += reworded(paper) + other_pictures(exhibits);
  return page;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    base::fail(base::Status::invalid_argument, "{} cannot be written", path.string());
}

}  // namespace tutti::papers
