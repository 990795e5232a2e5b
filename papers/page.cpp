// SPDX-License-Identifier: BSD-3-Clause
// Writes the pages of docs/papers as Markdown.
#include "papers/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "papers/print.hpp"
#include "papers/runs.hpp"

namespace tutti::papers {
namespace {

std::string summary(const Paper& paper) {
  std::array<int, 4> count{};
  for (const Item& item : paper.items) ++count[static_cast<std::size_t>(item.state)];
  std::string text;
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 0) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", count[i], words_of(static_cast<State>(i)));
  }
  return text;
}

tools::Table overview(const Paper& paper) {
  tools::Table table("name;shows;state");
  for (const Item& item : paper.items)
    table.add({item.name, item.subject,
               words_of(item.state) + (item.why.empty() ? "" : "; " + item.why)});
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

std::string section(const Item& item) {
  const Result result = run_of(item.name)->run(item);
  std::string text = fmt::format("\n## {}: {}\n", item.name, item.subject);
  if (!result.rows.empty()) text += "\n" + table_of(result).markdown();
  for (const std::string& note : result.notes) text += "\n" + note + "\n";
  if (!result.parameters.empty()) text += parameters_of(result);
  if (!result.picture.empty()) text += "\n```\n" + result.picture + "```\n";
  return text;
}

}  // namespace

std::string page_of(const Paper& paper) {
  std::string text = fmt::format(
      "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n# Paper {}\n\n{}.\n\nWritten by `tutti "
      "reproduce --write`; not to be edited. {}: {}. What contradicts itself in the papers stands "
      "in [errata](../measurements/paper-errata.md).\n\n",
      paper.name, paper.title, "Tables, figures and statements", summary(paper));
  text += overview(paper).markdown();
  for (const Item& item : paper.items) {
    if (item.state == State::reproduced) text += section(item);
  }
  return text;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    base::fail(base::Status::invalid_argument, "{} cannot be written", path.string());
}

}  // namespace tutti::papers
