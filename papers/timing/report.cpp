// SPDX-License-Identifier: BSD-3-Clause
// Prints tables as text, as JSON and as a page.
#include "papers/timing/report.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "papers/page.hpp"

namespace tutti::papers {
namespace {

constexpr const char* page_name = "blacs-timing.md";
constexpr const char* page_mark =
    "<!-- tutti reproduce --measure 000: written by --write from here on -->\n";
constexpr const char* page_head =
    "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n# The timings of paper 000 on this "
    "machine\n\n";

std::string sentence_of(const TimingAgreement& found) {
  return fmt::format(
      "{} of {} slopes are within {:.0f} % of those of the other run. Of {} pairs of topologies "
      "that both runs tell apart by more than {:.0f} %, {} have the same order.",
      found.within, found.slopes, 100 * alike, found.pairs, 100 * alike, found.same_order);
}

// Breaks a line of text at 100 columns.
std::string filled(const std::string& text) {
  std::istringstream words(text);
  std::string all;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    if (column > 0 && column + 1 + word.size() > 100) {
      all += '\n';
      column = 0;
    }
    if (column > 0) all += ' ';
    column += word.size() + (column > 0 ? 1 : 0);
    all += word;
  }
  return all + "\n";
}

std::string capitalised(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string markdown_of(const Timings& timings, const std::optional<Timings>& before) {
  std::string text = filled(timings.machine);
  for (const TimingTable& table : timing_tables(timings)) {
    text += fmt::format("\n## {}: {}\n\n{}", capitalised(table.name), table.title,
                        table.table.markdown());
    for (const std::string& note : table.notes) text += "\n" + filled(note);
  }
  text += "\n## Figures\n";
  for (const TimingChart& chart : timing_charts(timings))
    text += fmt::format("\n![{}]({}.svg)\n", chart.title, chart.file);
  if (!before) return text;
  const TimingAgreement found = compare_timings(timings, *before);
  text += "\n## A second run\n\n" + filled("The other run: " + before->machine) + "\n" +
          filled(sentence_of(found)) + "\n";
  for (const std::string& one : found.exceptions) text += "- " + one + "\n";
  return text;
}

// Returns what stands above the mark in the page. Throws if the page is there without the mark.
std::string head_of(const std::filesystem::path& page) {
  std::ifstream file(page);
  if (!file) return page_head;
  std::stringstream text;
  text << file.rdbuf();
  const auto at = text.str().find(page_mark);
  if (at == std::string::npos)
    base::fail(base::Status::invalid_argument,
               "{} is there, without the line that says where the tables begin: {}", page.string(),
               page_mark);
  return text.str().substr(0, at);
}

}  // namespace

std::string timing_text(const Timings& timings, const std::optional<Timings>& before) {
  std::string text = timings.machine + "\n";
  for (const TimingTable& table : timing_tables(timings)) {
    text += fmt::format("\n{}: {}\n\n{}", table.name, table.title, table.table.text());
    for (const std::string& note : table.notes) text += "note: " + note + "\n";
  }
  if (!before) return text;
  const TimingAgreement found = compare_timings(timings, *before);
  text += "\nThe other run: " + before->machine + "\n" + sentence_of(found) + "\n";
  for (const std::string& one : found.exceptions) text += "  " + one + "\n";
  return text;
}

nlohmann::json timing_json(const Timings& timings, const std::optional<Timings>& before) {
  nlohmann::json out = json_of(timings);
  out["tables"] = nlohmann::json::object();
  for (const TimingTable& table : timing_tables(timings))
    out["tables"][table.name] = table.table.json();
  if (!before) return out;
  const TimingAgreement found = compare_timings(timings, *before);
  out["against"] = {{"machine", before->machine},     {"slopes", found.slopes},
                    {"within", found.within},         {"pairs", found.pairs},
                    {"same_order", found.same_order}, {"exceptions", found.exceptions}};
  return out;
}

void check_timing_page(const std::string& folder) {
  (void)head_of(std::filesystem::path(folder) / page_name);
}

void write_timing_page(const Timings& timings, const std::optional<Timings>& before,
                       const std::string& folder) {
  const std::filesystem::path to = folder;
  std::filesystem::create_directories(to);
  for (const TimingChart& chart : timing_charts(timings))
    write_file(to / (chart.file + ".svg"), svg_of(chart));
  write_file(to / page_name, head_of(to / page_name) + page_mark + markdown_of(timings, before));
}

}  // namespace tutti::papers
