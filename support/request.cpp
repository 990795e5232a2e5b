// SPDX-License-Identifier: BSD-3-Clause
// Reads names and parameters of algorithms.
#include "support/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "algorithms/from_file.hpp"
#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "support/checks.hpp"

namespace tutti::tools {

using schedule::Generator;
using schedule::Operation;
using schedule::Parameter;
using schedule::Shape;

void require_schedule(std::string_view name) {
  if (name != algorithms::native_name) return;
  base::fail(base::Status::invalid_argument,
             "'native' is the MPI's own collective: it has no schedule that could be verified, "
             "drawn or simulated; it is asked for in a job under MPI, see tutti_mpi(7)");
}

const Generator& algorithm_named(Operation operation, const std::string& name) {
  require_schedule(name);
  if (const Generator* found = algorithms::find(operation, name)) return *found;
  std::vector<std::string> names;
  for (const Generator* generator : algorithms::all())
    if (generator->operation == operation) names.emplace_back(generator->name);
  base::fail(base::Status::invalid_argument, "there is no {} '{}'; there are {}",
             schedule::to_text(operation), name, fmt::join(names, ", "));
}

std::vector<base::KnownWord> algorithm_names() {
  std::vector<base::KnownWord> names;
  for (const Generator* generator : algorithms::all()) {
    names.push_back({generator->name, generator->name});
    for (const std::string_view alias : algorithms::words_of(generator->aliases))
      names.push_back({alias, generator->name});
  }
  return names;
}

void Parameters::add_to(CLI::App& command) {
  // Errors of CLI11 leave out the names of hidden options, so the check says them.
  const auto add = [&](const char* name, auto& value, int least) {
    command.add_option(name, value)->group("")->check(named(name, whole_number(least)));
  };
  add("--branches", branches, 1);
  add("--rings", rings, 1);
  add("--segments", segments, 1);
  command.add_option("--factors", factors)->group("")->delimiter(',');
  add("--cut", cut, 0);
}

selection::Settings settings_of_shape(const Generator& generator, const Shape& shape) {
  selection::Settings settings;
  if (generator.parameter == Parameter::branches) settings.branches = shape.branches;
  if (generator.parameter == Parameter::rings) settings.rings = shape.rings;
  if (generator.parameter == Parameter::segments) settings.segments = shape.segments;
  const bool with_cut = generator.parameter == Parameter::factors_and_cut;
  if (with_cut || generator.parameter == Parameter::factors ||
      generator.parameter == Parameter::sizes)
    settings.factors = {shape.factors.begin(), shape.factors.end()};
  if (with_cut) settings.cut = shape.cut;
  return settings;
}

std::string shown_name(const Generator& generator, const selection::Settings& settings) {
  const std::string own = algorithms::own_name(generator);
  return own.empty() ? selection::plan_name(generator, settings) : own;
}

std::string describe(const Generator& generator, const Shape& shape) {
  std::string text =
      fmt::format("{} {}, p = {}", schedule::to_text(generator.operation),
                  shown_name(generator, settings_of_shape(generator, shape)), shape.p);
  if (has_root(generator.operation)) text += fmt::format(", root {}", shape.root);
  return text;
}

std::string needs_clause(const Generator& generator) {
  const std::string needs = selection::needs_of(generator);
  return needs.empty() ? needs : "; it needs " + needs;
}

}  // namespace tutti::tools
