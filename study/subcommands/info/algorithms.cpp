// SPDX-License-Identifier: BSD-3-Clause
// Prints the algorithms as tables and as JSON.
#include "info/algorithms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "algorithms/adopted.hpp"
#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "draw/film_text.hpp"
#include "info/catalogue.hpp"
#include "info/families.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "selection/names.hpp"
#include "support/request.hpp"
#include "support/table.hpp"
#include "support/terminal.hpp"

namespace tutti::tools {
namespace {

using schedule::Generator;
using schedule::Parameter;

constexpr const char* about_native =
    "the MPI's: the collective of the MPI that has started the job, see tutti_mpi(7)";

std::string all_programs(const Generator& generator, const schedule::Shape& shape) {
  std::string text;
  if (!generator.applies(shape)) return text;
  for (int rank = 0; rank < shape.p; ++rank) {
    text += schedule::to_text(schedule::build(generator, shape, schedule::Rank{rank}));
  }
  return text;
}

const char* operators_of(const Generator& generator) {
  using enum schedule::Operation;
  const bool combines = generator.operation == reduce || generator.operation == allreduce;
  if (!combines) return "-";
  return generator.commutative_only() ? "commutative" : "any";
}

// Returns the fields of a Shape that change what this algorithm does for 16 processes. Comparing
// the schedules that it emits keeps the answer true when the algorithm changes.
std::vector<std::string> parameters_of(const Generator& generator) {
  if (algorithms::source_of(generator) != nullptr) {  // its schedules for 16 may be wrong
    if (has_root(generator.operation)) return {"root"};
    return {};
  }
  static constexpr int square[] = {4, 4}, oblong[] = {2, 8};
  schedule::Shape shape;
  shape.p = 16;
  shape.factors = square;
  shape.cut = 1;
  const std::string plain = all_programs(generator, shape);
  std::vector<std::string> found;
  const auto probe = [&](const char* name, int schedule::Shape::*field) {
    schedule::Shape changed = shape;
    changed.*field = 3;
    if (all_programs(generator, changed) != plain) found.emplace_back(name);
  };
  probe("root", &schedule::Shape::root);
  probe("branches", &schedule::Shape::branches);
  probe("rings", &schedule::Shape::rings);
  probe("segments", &schedule::Shape::segments);
  shape.factors = oblong;
  if (all_programs(generator, shape) != plain) found.emplace_back("factors");
  shape.factors = square;
  shape.cut = 0;
  if (all_programs(generator, shape) != plain) found.emplace_back("cut");
  return found;
}

// Returns how a plan's name writes the settings, such as "tree:branches=2".
std::string settings_of(const Generator& generator) {
  switch (generator.parameter) {
    case Parameter::branches:
      return "branches=N, 1 or more";
    case Parameter::rings:
      return "rings=N, 1 or more";
    case Parameter::segments:
      return "segments=N, 1 or more";
    case Parameter::factors:
      return "factors=AxBx..., 1 or more each";
    case Parameter::sizes:
      return "factors=AxBx..., the number of ranks of each host, whose sum is that of all";
    case Parameter::factors_and_cut:
      return "a strategy such as 2x4 or 4cx16r.8c: factors of the number of ranks, c along rows "
             "and r along columns, those behind a point by short algorithms";
    case Parameter::none:
      break;
  }
  return "none";
}

std::string sentence_of(const Generator& generator) {
  const std::string about = selection::about(generator);
  return about.empty() ? "nobody says what it does" : about;
}

std::vector<const Generator*> generators_named(const std::string& text) {
  const std::string name(algorithms::name_in(text));
  std::vector<const Generator*> found;
  for (const Generator* generator : algorithms::all())
    if (algorithms::find(generator->operation, name) == generator) found.push_back(generator);
  if (found.empty())
    base::fail(base::Status::invalid_argument,
               "there is no algorithm '{}'{}; tutti info --algorithms lists them", name,
               base::did_you_mean(name, algorithm_names()));
  return found;
}

nlohmann::json json_of(const Generator& generator) {
  nlohmann::json out{{"operation", schedule::to_text(generator.operation)},
                     {"operation_aliases", facts_of(generator.operation).aliases},
                     {"name", generator.name},
                     {"aliases", generator.aliases},
                     {"parameters", parameters_of(generator)},
                     {"settings", settings_of(generator)},
                     {"commutative_only", generator.commutative_only()},
                     {"in_place", generator.in_place},
                     {"about", sentence_of(generator)},
                     {"source", ""},
                     {"needs", selection::needs_of(generator)},
                     {"cost", ""},
                     {"family", ""},
                     {"when", ""},
                     {"steps", nlohmann::json::array()}};
  if (const Family* family = family_of(generator)) {
    out["family"] = family->name;
    out["when"] = family->when;
    out["steps"] = family->steps;
  }
  if (const selection::AlgorithmHeader* header = selection::header_of(generator)) {
    out["source"] = with_authors(std::string(header->source));
    out["cost"] = header->cost;
  }
  if (const algorithms::Source* source = algorithms::source_of(generator))
    out["source"] = source->published();
  return out;
}

}  // namespace

nlohmann::json algorithms_json() {
  nlohmann::json out = nlohmann::json::array();
  for (const Generator* generator : algorithms::all()) out.push_back(json_of(*generator));
  return out;
}

// A terminal gets the sentences below the names, wrapped to its width. A file gets a line for each
// algorithm, which is easy to search.
void print_algorithms() {
  const std::optional<std::size_t> width = terminal_width();
  Table table("operation<14; algorithm<24; parameters<16; operators<11");
  std::vector<std::string> sentences;
  const auto add = [&](Table::Row row, std::string_view sentence) {
    if (!width) row.emplace_back(sentence);
    sentences.emplace_back(sentence);
    table.add(std::move(row));
  };
  if (!width) table.add_columns("  what it does<0");
  for (const Generator* generator : algorithms::all())
    add({schedule::to_text(generator->operation), generator->name,
         fmt::format("{}", fmt::join(parameters_of(*generator), ", ")), operators_of(*generator)},
        sentence_of(*generator));
  add({"each", algorithms::native_name, "", "-"}, about_native);
  if (!width) return fmt::print("{}", table.text());
  std::istringstream names(table.rows_text());
  for (const std::string& sentence : sentences) {
    std::string line;
    std::getline(names, line);
    fmt::print("{}\n", line);
    for (const std::string& part : lines_of(sentence, std::max<std::size_t>(*width, 40) - 4))
      fmt::print("    {}\n", part);
  }
}

namespace {

void print_wrapped(const char* name, const std::string& text) {
  const char* first = name;
  for (const std::string& line : lines_of(text, 84)) {
    fmt::print("  {:<12} {}\n", first, line);
    first = "";
  }
}

// Prints what a person has written about the family.
void print_family(const Generator& generator) {
  const Family* family = family_of(generator);
  if (family == nullptr) return;
  print_wrapped("when:", family->when);
  for (std::size_t i = 0; i < family->steps.size(); ++i)
    print_wrapped(i == 0 ? "steps:" : "", fmt::format("{}. {}", i + 1, family->steps[i]));
}

void print_properties(const Generator& generator) {
  const Properties found = properties_of(generator);
  std::string text = fmt::format("one port {}", found.one_port);
  if (found.order != "-")
    text += fmt::format(", order of ranks kept {}, same sums on all ranks {}, canonical sums {}",
                        found.order, found.same_tree, found.canonical);
  print_wrapped("checked:",
                text + (found.in_place ? ", in place" : "") + " (for 1 to 16 ranks, now)");
  print_wrapped("proved for:", found.proved_for);
}

void print_picture(const Generator& generator) {
  const Family* family = family_of(generator);
  if (family == nullptr) return;
  const bool shown = family->picture.generator == &generator;
  const selection::Settings settings = shown ? family->picture.settings : selection::Settings{};
  const schedule::Shape shape = settings.shape(shown ? family->ranks : 4);
  if (!generator.applies(shape)) return;
  draw::TextForm form;
  form.ascii = true;
  fmt::print("\n{}",
             draw::film_text(draw::film_of(generator, shape), describe(generator, shape), form));
}

void print_one(const Generator& generator) {
  const selection::AlgorithmHeader* header = selection::header_of(generator);
  fmt::print("{} {}: {}\n", schedule::to_text(generator.operation), generator.name,
             sentence_of(generator));
  if (*generator.aliases != '\0') fmt::print("  also called: {}\n", generator.aliases);
  fmt::print("  settings:    {}\n  operators:   {}\n", settings_of(generator),
             operators_of(generator));
  if (const algorithms::Source* source = algorithms::source_of(generator)) {
    if (!source->published().empty()) fmt::print("  source:      {}\n", source->published());
    return fmt::print("  needs:       {}\n", source->needs());
  }
  print_family(generator);
  fmt::print("  source:      {}\n  needs:       {}\n  cost:        {}\n", header->source,
             header->needs, header->cost);
  print_properties(generator);
  print_picture(generator);
}

}  // namespace

void print_algorithm(const std::string& name) {
  if (name == algorithms::native_name) return fmt::print("{}: {}\n", name, about_native);
  bool first = true;
  for (const Generator* generator : generators_named(name)) {
    if (!first) fmt::print("\n");
    first = false;
    print_one(*generator);
  }
}

nlohmann::json algorithm_json(const std::string& name) {
  nlohmann::json out = nlohmann::json::array();
  if (name == algorithms::native_name) return {{{"name", name}, {"about", about_native}}};
  for (const Generator* generator : generators_named(name)) out.push_back(json_of(*generator));
  return out;
}

}  // namespace tutti::tools
