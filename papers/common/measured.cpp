// SPDX-License-Identifier: BSD-3-Clause
#include "papers/common/measured.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "papers/common/page.hpp"
#include "support/host_facts.hpp"

namespace tutti::papers {
namespace {

std::string mark_of(const MeasuredPage& page) {
  return fmt::format("<!-- tutti reproduce --measure {}: written by --write from here on -->\n",
                     page.paper);
}

// Returns what stands above the mark in the page. Throws if the page is there without the mark.
std::string head_of(const MeasuredPage& page, const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file)
    return fmt::format("<!-- SPDX-License-Identifier: BSD-3-Clause -->\n# {}\n\n", page.title);
  std::stringstream text;
  text << file.rdbuf();
  const auto at = text.str().find(mark_of(page));
  if (at == std::string::npos)
    base::fail(base::Status::invalid_argument,
               "{} is there, without the line that says where the tables begin: {}", path.string(),
               mark_of(page));
  return text.str().substr(0, at);
}

std::string capitalised(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::string measured_on(const std::string& how, const std::string& busy) {
  const tools::HostFacts host = tools::host_facts();
  return fmt::format(
      "{}: {}, {} processors, {}, {}; {}. {}", host.date, host.processor, host.processors,
      host.system, host.compiler, how,
      busy.empty() ? "No other processes disturbed it." : "Disturbed: " + busy + ".");
}

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

std::string text_of(const std::vector<MeasuredTable>& tables) {
  std::string text;
  for (const MeasuredTable& table : tables) {
    text += fmt::format("\n{}: {}\n\n{}", table.name, table.title, table.table.text());
    for (const std::string& note : table.notes) text += "note: " + note + "\n";
  }
  return text;
}

nlohmann::json json_of(const std::vector<MeasuredTable>& tables) {
  nlohmann::json all = nlohmann::json::object();
  for (const MeasuredTable& table : tables) all[table.name] = table.table.json();
  return all;
}

std::string markdown_of(const std::string& machine, const std::vector<MeasuredTable>& tables,
                        const std::vector<Chart>& charts) {
  std::string text = filled(machine);
  for (const MeasuredTable& table : tables) {
    text += fmt::format("\n## {}: {}\n\n{}", capitalised(table.name), table.title,
                        table.table.markdown());
    for (const std::string& note : table.notes) text += "\n" + filled(note);
  }
  text += "\n## Figures\n";
  for (const Chart& chart : charts)
    text += fmt::format("\n![{}]({}.svg)\n", chart.title, chart.file);
  return text;
}

void check_page(const MeasuredPage& page, const std::string& folder) {
  (void)head_of(page, std::filesystem::path(folder) / page.file);
}

void write_measured_page(const MeasuredPage& page, const std::string& text,
                         const std::vector<Chart>& charts, const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / page.file;
  write_charts(charts, folder);
  write_file(path, head_of(page, path) + mark_of(page) + text);
}

std::string paper_of_measured(const std::string& path) {
  std::ifstream file(path);
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  return json.is_object() ? json.value("paper", "") : "";
}

void refuse_measured(const std::string& path, const std::string& paper, const std::string& why) {
  base::fail(base::Status::invalid_argument,
             "{} is no file that `tutti reproduce --measure {} --save` wrote: {}", path, paper,
             why);
}

nlohmann::json measured_from(const std::string& path, const std::string& paper) {
  std::ifstream file(path);
  if (!file) base::fail(base::Status::invalid_argument, "{} cannot be read", path);
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(file);
  } catch (const nlohmann::json::exception& error) {
    refuse_measured(path, paper, error.what());
  }
  if (!json.is_object() || json.value("paper", "") != paper)
    refuse_measured(path, paper, "it has no times of paper " + paper);
  return json;
}

void keep_measured(const nlohmann::json& json, const std::string& path) {
  const std::string next = path + ".new";
  std::ofstream file(next, std::ios::binary);
  file << json.dump() << '\n';
  if (!file.flush()) base::fail(base::Status::invalid_argument, "{} cannot be written", next);
  std::error_code error;
  std::filesystem::rename(next, path, error);
  if (error)
    base::fail(base::Status::invalid_argument, "{} cannot be written: {}", path, error.message());
}

}  // namespace tutti::papers
