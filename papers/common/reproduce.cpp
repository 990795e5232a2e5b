// SPDX-License-Identifier: BSD-3-Clause
// `tutti reproduce`: the tables and figures of the papers, each beside what this library computes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "papers/common/counts.hpp"
#include "papers/common/headlines.hpp"
#include "papers/common/measure.hpp"
#include "papers/common/page.hpp"
#include "papers/common/print.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/verbs.hpp"
#include "reproduce/options.hpp"
#include "support/progress.hpp"
#include "support/reporting.hpp"

namespace tutti::papers {
namespace {

void check(const ReproduceOptions& options) {
  bool known = options.paper.empty();
  std::string names;
  for (const Paper& paper : papers()) {
    known = known || paper.name == options.paper;
    names += (names.empty() ? "" : ", ") + paper.name;
  }
  if (!known)
    base::fail(base::Status::invalid_argument, "there is no paper '{}'; there are {}",
               options.paper, names);
  const bool something = options.list || options.counts || options.headlines || options.all ||
                         !options.names.empty() || !options.paper.empty();
  if (!something && options.folder.empty())
    base::fail(base::Status::invalid_argument,
               "name a table or figure, such as 000-table-12, or use --list or --all");
}

// Returns the items that were named, or all items of the chosen papers, in the papers' order.
std::vector<const Item*> selected(const ReproduceOptions& options) {
  std::vector<const Item*> items;
  for (const Paper& paper : papers()) {
    if (!options.paper.empty() && paper.name != options.paper) continue;
    for (const Item& item : paper.items) {
      const bool named =
          std::find(options.names.begin(), options.names.end(), item.name) != options.names.end();
      if (options.names.empty() || named) items.push_back(&item);
    }
  }
  for (const std::string& name : options.names) {
    const bool found = std::any_of(items.begin(), items.end(),
                                   [&](const Item* item) { return item->name == name; });
    if (!found)
      base::fail(base::Status::invalid_argument, "there is no '{}'; tutti reproduce --list has all",
                 name);
  }
  return items;
}

void write_pages(const ReproduceOptions& options) {
  std::filesystem::create_directories(options.folder);
  for (const Paper& paper : papers()) {
    if (!options.paper.empty() && paper.name != options.paper) continue;
    const std::filesystem::path path = std::filesystem::path(options.folder) / (paper.name + ".md");
    const Page page = page_of(paper);
    write_file(path, page.text);
    write_charts(page.charts, std::filesystem::path(options.folder) / figures_folder);
  }
}

std::vector<Exhibit> computed(const std::vector<const Item*>& items) {
  std::vector<Exhibit> exhibits;
  Progress progress;
  for (const Item* item : items) {
    progress.show(static_cast<double>(exhibits.size()) / static_cast<double>(items.size()),
                  item->name);
    exhibits.push_back(exhibit_of(*item, Extent::computed));
  }
  return exhibits;
}

void print_answer(const char* name, nlohmann::json value) {
  fmt::print("{}", answer_text("reproduce", nlohmann::json{{name, std::move(value)}}));
}

void print_list(const std::vector<const Item*>& items, bool json) {
  const std::vector<Exhibit> exhibits = computed(items);
  if (!json) return fmt::print("{}", list_of(exhibits).rows_text());
  nlohmann::json out = nlohmann::json::array();
  for (const Exhibit& exhibit : exhibits) out.push_back(head_json(exhibit));
  print_answer("exhibits", std::move(out));
}

void print_counts(const std::vector<const Item*>& items, bool json) {
  const tools::Table counts = counts_of(computed(items));
  if (json) return print_answer("counts", counts.json());
  fmt::print("{}", counts.markdown());
}

void print_headlines(std::vector<const Item*> items, bool json) {
  std::erase_if(items, [](const Item* item) { return item->headline.empty(); });
  const tools::Table headlines = headlines_of(computed(items));
  if (json) return print_answer("headlines", headlines.json());
  fmt::print("{}", headlines.markdown());
}

void print_results(const std::vector<const Item*>& items, bool json) {
  nlohmann::json out = nlohmann::json::array();
  Progress progress;
  double done = 0;
  for (const Item* item : items) {
    progress.show(done++ / static_cast<double>(items.size()), item->name);
    const Exhibit exhibit = exhibit_of(*item, Extent::measured_too);
    if (json) out.push_back(json_of(exhibit));
    if (!json) fmt::print("{}{}", item == items.front() ? "" : "\n", text_of(exhibit));
  }
  if (json) print_answer("exhibits", std::move(out));
}

// Only what is computed is drawn. A figure may have several parts.
void draw_figures(const std::vector<const Item*>& items, const std::string& folder) {
  std::vector<Chart> charts;
  for (const Exhibit& exhibit : computed(items))
    charts.insert(charts.end(), exhibit.result.charts.begin(), exhibit.result.charts.end());
  if (charts.empty()) base::fail(base::Status::invalid_argument, "none of these has a picture");
  write_charts(charts, folder);
  for (const Chart& chart : charts) fmt::print("{}/{}.svg: {}\n", folder, chart.file, chart.title);
}

int reproduce_items(const ReproduceOptions& options) {
  return reporting_errors("reproduce", [&] {
    check_items();
    check_measuring(options);
    if (!options.measure.empty()) {
      reproduce_measured(options);
      return 0;
    }
    check(options);
    if (!options.from.empty()) use_measured(options.from);
    const std::vector<const Item*> items = selected(options);
    if (!options.folder.empty()) {
      write_pages(options);
    } else if (!options.pictures.empty()) {
      draw_figures(items, options.pictures);
    } else if (options.counts) {
      print_counts(items, options.json);
    } else if (options.headlines) {
      print_headlines(items, options.json);
    } else if (options.list) {
      print_list(items, options.json);
    } else {
      print_results(items, options.json);
    }
    return 0;
  });
}

}  // namespace

void add_reproduce(CLI::App& app, int& code) {
  auto options = std::make_shared<ReproduceOptions>();
  add_reproduce_options(app, *options).callback([options, &code] {
    code = reproduce_items(*options);
  });
}

}  // namespace tutti::papers
