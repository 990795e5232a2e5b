// SPDX-License-Identifier: BSD-3-Clause
// Writes the pages of the catalogue. Sentences, sources, needs and costs come from the headers of
// the algorithms, properties from the verifier, and pictures from the schedules themselves.
#include "info/catalogue.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>

#include "algorithms/families.hpp"
#include "base/error.hpp"
#include "draw/film_svg.hpp"
#include "draw/plot.hpp"
#include "info/families.hpp"
#include "machine/profile.hpp"
#include "schedule/printer.hpp"
#include "selection/explain.hpp"
#include "selection/headers.hpp"
#include "selection/ranking.hpp"
#include "support/progress.hpp"
#include "support/request.hpp"
#include "verify/sweep.hpp"

namespace tutti::tools {
namespace {

using schedule::Generator;
using schedule::Operation;

constexpr const char* licence = "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n";
constexpr std::size_t width = 100;
constexpr int compared_ranks = 32;
constexpr const char* compared_machine = "sp2";
constexpr double shortest = 8, longest = 1 << 24;  // bytes of the vectors of plots
constexpr int last_verified = 16;

// The numbers by which headers call five papers, and how readers know them.
struct Paper {
  const char* number;
  const char* readable;
};
constexpr Paper papers[] = {{"000", "Whaley (1994)"},
                            {"001", "Mitra, Payne, Shuler, van de Geijn, Watts (1995)"},
                            {"002", "Donato, Geist (1996)"},
                            {"003", "Krusche"},
                            {"004", "Bokhari (1991)"}};
std::string name_in_headers(const Paper& paper) {
  return fmt::format("{} {}", "paper", paper.number);
}

std::string paragraph(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text, width)) out += line + "\n";
  return out + "\n";
}

void write(const std::filesystem::path& path, const std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                             std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
    base::fail(base::Status::invalid_argument, "{} cannot be written", path.string());
}

std::string full_name(const Generator& generator) {
  return fmt::format("{} {}", schedule::to_text(generator.operation), generator.name);
}

std::string picture_command(const Family& family) {
  return fmt::format(
      "tutti draw {} --algorithm {} -n {}", schedule::to_text(family.picture.generator->operation),
      selection::plan_name(*family.picture.generator, family.picture.settings), family.ranks);
}

std::string film_of(const Family& family) {
  const schedule::Shape shape = family.picture.settings.shape(family.ranks);
  return draw::film_svg(draw::film_of(*family.picture.generator, shape),
                        describe(*family.picture.generator, shape), draw::Fit::screen);
}

// A line of the plot: a plan and its cost.
struct Rival {
  std::string name;
  selection::Terms terms;
};

bool is_member(const Family& family, const Generator* generator) {
  return std::find(family.members.begin(), family.members.end(), generator) != family.members.end();
}

// Returns the cheapest member for long vectors, and the cheapest others for short and for long
// ones whose lines are not the same. A barrier has no sizes to compare.
std::vector<Rival> rivals_of(const Family& family, const machine::Profile& machine) {
  const Operation operation = family.picture.generator->operation;
  selection::Question question;
  question.operation = operation;
  question.p = compared_ranks;
  std::vector<Rival> rivals;
  if (operation == Operation::barrier) return rivals;
  const auto add = [&](double bytes, auto&& wanted) {
    const auto found = selection::explain(question, static_cast<std::int64_t>(bytes), machine);
    for (const selection::Row& row : found.rows) {
      const auto is_same = [&](const Rival& r) { return r.terms == row.alternative.terms; };
      if (!wanted(row.alternative.generator) || std::any_of(rivals.begin(), rivals.end(), is_same))
        continue;
      return rivals.push_back({row.alternative.name, row.alternative.terms});
    }
  };
  add(longest, [&](const Generator* generator) { return generator == family.picture.generator; });
  if (rivals.empty()) return rivals;
  const auto other = [&](const Generator* generator) { return !is_member(family, generator); };
  add(shortest, other);
  add(longest, other);
  return rivals;
}

std::string plot_of(const Family& family, const machine::Profile& machine,
                    const std::vector<Rival>& rivals) {
  std::vector<draw::Curve> curves;
  for (const Rival& rival : rivals) {
    draw::Curve curve{rival.name, {}, draw::Curve::Kind::plain};
    for (double bytes = shortest; bytes <= longest; bytes *= 2)
      curve.points.push_back(
          {bytes, selection::time(rival.terms, selection::rates_of(machine), bytes)});
    curves.push_back(std::move(curve));
  }
  draw::Plot plot{
      fmt::format("{}, {} ranks, rates of {}",
                  schedule::to_text(family.picture.generator->operation), compared_ranks,
                  machine.name),
      {{"bytes of the whole vector", draw::Unit::bytes}, {"time", draw::Unit::microseconds}},
      std::move(curves)};
  plot.crossings = draw::crossings_of(plot.curves, plot.axes);
  return draw::plot_svg(plot);
}

std::string why_no_plot(const Family& family) {
  const Generator& generator = *family.picture.generator;
  if (generator.operation == Operation::barrier) return "A barrier has no sizes to compare.";
  if (generator.parameter != schedule::Parameter::sizes)
    return "No other algorithm has a formula to compare.";
  return fmt::format(
      "There is no plot, because times depend on the hosts. `tutti explain {} -n 10 --hosts 3` "
      "compares it with others on three hosts.",
      schedule::to_text(generator.operation));
}

std::string cost_text(const Family& family, const std::vector<Rival>& rivals) {
  std::string text = "## Cost\n\n";
  for (const Generator* member : family.members) {
    const selection::AlgorithmHeader* header = selection::header_of(*member);
    text += fmt::format("`{}`:\n\n```text\n", full_name(*member));
    for (const std::string& line : lines_of(std::string(header->cost), width)) text += line + "\n";
    text += "```\n\n";
  }
  if (rivals.size() < 2) return text + paragraph(why_no_plot(family));
  return text +
         paragraph(fmt::format("The plot shows `{}` of {} beside the fastest other algorithms for "
                               "short and for long vectors, as their formulas have it on {} ranks "
                               "of an {}.",
                               rivals.front().name,
                               schedule::to_text(family.picture.generator->operation),
                               compared_ranks, "IBM SP2")) +
         fmt::format("![Times over sizes]({}_cost.svg)\n\n", family.name);
}

std::string checked_text(const Family& family) {
  std::string text =
      "## Checked\n\n"
      "| algorithm | needs | order of ranks | same sums | canonical sums | one port | in place | "
      "proved for |\n|---|---|---|---|---|---|---|---|\n";
  for (const Generator* member : family.members) {
    const Properties found = properties_of(*member);
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", full_name(*member),
                        selection::needs_of(*member), found.order, found.same_tree, found.canonical,
                        found.one_port, found.in_place ? "yes" : "-", found.proved_for);
  }
  return text + "\n" +
         paragraph(fmt::format("The verifier has found these for 1 to {} ranks when this page was "
                               "made. The [index](README.md) explains the columns. `make test` "
                               "runs the verifier for 1 to 64 ranks and compares the cost with "
                               "what is counted.",
                               last_verified));
}

std::string sources_text(const Family& family) {
  std::map<std::string, std::string> by_source;
  for (const Generator* member : family.members) {
    std::string& names = by_source[std::string(selection::header_of(*member)->source)];
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", full_name(*member));
  }
  std::string text = "## Source\n\n| algorithm | published in |\n|---|---|\n";
  for (const auto& [source, names] : by_source)
    text += fmt::format("| {} | {} |\n", names, with_authors(source));
  return text + "\n";
}

std::string page_of(const Family& family, const std::vector<Rival>& rivals) {
  std::string text = fmt::format("{}# {}\n\n", licence, family.title);
  text += "| algorithm | what it does |\n|---|---|\n";
  for (const Generator* member : family.members)
    text += fmt::format("| `{}` | {} |\n", full_name(*member), selection::about(*member));
  text += fmt::format("\n![{}]({}.svg)\n\n", family.title, family.name);
  text += "## When\n\n" + paragraph(family.when);
  text += "## Steps\n\n";
  for (std::size_t i = 0; i < family.steps.size(); ++i) {
    const auto lines = lines_of(family.steps[i], width - 3);
    for (std::size_t j = 0; j < lines.size(); ++j)
      text += (j == 0 ? fmt::format("{}. ", i + 1) : "   ") + lines[j] + "\n";
  }
  text += "\n" + cost_text(family, rivals) + checked_text(family) + sources_text(family);
  text += "## Try it\n\n```sh\n" + picture_command(family) + "\n";
  const Operation operation = family.picture.generator->operation;
  text += fmt::format("tutti explain {} -n {}\n", schedule::to_text(operation), compared_ranks);
  text += fmt::format("tutti info --algorithm {}\n```\n", family.picture.generator->name);
  return text;
}

// Returns the works that a source names: a paper of the five by its name, any other up to its year.
std::vector<std::string> works_in(const std::string& source) {
  std::vector<std::string> works;
  std::istringstream pieces(source);
  for (std::string piece; std::getline(pieces, piece, ';');) {
    piece.erase(0, piece.find_first_not_of(' '));
    const auto* paper = std::find_if(std::begin(papers), std::end(papers), [&](const Paper& each) {
      return piece.starts_with(name_in_headers(each));
    });
    if (paper != std::end(papers))
      works.emplace_back(paper->readable);
    else if (piece.starts_with("folklore"))
      works.emplace_back("folklore");
    else if (piece.find(", ") != std::string::npos && std::isupper(piece.front()) != 0)
      works.push_back(piece);
  }
  return works;
}

void append_item(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

// Returns the tables of the index by operation and by source.
std::string index_tables() {
  std::map<Operation, std::string> by_operation;
  std::map<std::pair<std::string, const Family*>, std::string> by_work;
  for (const Family& family : families()) {
    for (const Generator* member : family.members) {
      append_item(by_operation[member->operation],
                  fmt::format("[`{}`]({}.md)", member->name, family.name));
      for (const std::string& work : works_in(std::string(selection::header_of(*member)->source)))
        append_item(by_work[{work, &family}], fmt::format("`{}`", full_name(*member)));
    }
  }
  std::string text = "\n## By operation\n\n| operation | algorithms |\n|---|---|\n";
  for (const auto& [operation, names] : by_operation)
    text += fmt::format("| {} | {} |\n", schedule::to_text(operation), names);
  text += "\n## By source\n\n| published in | family | algorithms |\n|---|---|---|\n";
  for (const auto& [entry, names] : by_work)
    text += fmt::format("| {} | [{}]({}.md) | {} |\n", entry.first, entry.second->title,
                        entry.second->name, names);
  return text;
}

constexpr std::pair<const char*, const char*> columns[] = {
    {"order of ranks",
     "operands are added in the order of their ranks, so operators need not commute"},
    {"same sums",
     "all ranks compute a result by one expression, so it has the same bits everywhere"},
    {"canonical sums", "this expression is the canonical one, equal for all such algorithms"},
    {"one port", "in each round a rank sends at most one message and receives at most one"},
    {"in place", "input and output may be the same memory"},
    {"proved for",
     "the numbers of ranks p for which the algorithm is proved right: every p where `tutti verify "
     "--all-p` proves it, by a [theorem](../internals/theorems.md) if one is named"}};

std::string index_page() {
  std::string text = fmt::format(
      "{}# The algorithms\n\n"
      "Each family has a page with a picture, steps, cost and source. `make manual` writes all of\n"
      "them by `tutti info --catalogue docs/algorithms`. `tutti info --algorithm NAME` prints the\n"
      "same about one algorithm.\n\n| family | algorithms |\n|---|---|\n",
      licence);
  for (const Family& family : families()) {
    std::string names;
    for (const Generator* member : family.members)
      append_item(names, fmt::format("`{}`", full_name(*member)));
    text += fmt::format("| [{}]({}.md) | {} |\n", family.title, family.name, names);
  }
  text += index_tables() + "\n## Columns of the pages\n\n| column | meaning |\n|---|---|\n";
  for (const auto& [column, meaning] : columns)
    text += fmt::format("| {} | {} |\n", column, meaning);
  text += "\n";
  return text + paragraph(
                    "The words of a cost are explained in [page 8 of the "
                    "guide](../guide/08-write-a-collective.md).");
}

// Returns for which p the algorithm is proved, as the list of algorithms says.
std::string proved_for(const Generator& generator) {
  std::string_view found = "none";
#define TUTTI_ALGORITHM(operation, name, family, proof) \
  if (&generator == &algorithms::operation##_##name) found = #proof;
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM
  if (found == "none" || found == "tried") return "1 to 64";
  return found == "itself" ? "every p" : fmt::format("every p ({})", found);
}

}  // namespace

std::string with_authors(std::string source) {
  for (const Paper& paper : papers) {
    const std::string name = name_in_headers(paper);
    for (std::size_t at = source.find(name); at != std::string::npos; at = source.find(name, at))
      source.replace(at, name.size(), paper.readable);
  }
  return source;
}

Properties properties_of(const Generator& generator) {
  Range range;
  range.ranks.resize(last_verified);
  std::iota(range.ranks.begin(), range.ranks.end(), 1);
  const SweepResult found = sweep(generator, range, {});
  if (!found.correct())
    base::fail(base::Status::invalid_argument, "{}: {}", full_name(generator), found.problem);
  return {found.rank_order.text(), found.same_tree.text(), found.canonical.text(),
          found.one_port.text(),   proved_for(generator),  found.in_place};
}

void write_catalogue(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) base::fail(base::Status::invalid_argument, "{} cannot be made", folder);
  const std::filesystem::path place(folder);
  const machine::Profile machine = machine::load(compared_machine);
  Progress progress;
  double done = 0;
  for (const Family& family : families()) {
    progress.show(done++ / static_cast<double>(families().size()), family.title);
    const std::vector<Rival> rivals = rivals_of(family, machine);
    write(place / (family.name + ".svg"), licence + film_of(family));
    if (rivals.size() >= 2)
      write(place / (family.name + "_cost.svg"), licence + plot_of(family, machine, rivals));
    write(place / (family.name + ".md"), page_of(family, rivals));
  }
  write(place / "README.md", index_page());
}

}  // namespace tutti::tools
