// SPDX-License-Identifier: BSD-3-Clause
// Names and parameters of algorithms.
#include "support/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"

namespace tutti::tools {

using schedule::Generator;
using schedule::Operation;
using schedule::Parameter;
using schedule::Shape;

void require_schedule(std::string_view name) {
  if (name != algorithms::native_name) return;
  base::fail(
      base::Status::invalid_argument,
      "'native' is the MPI's own collective: it has no schedule that could be verified, drawn or simulated; it is "
      "asked for in a job under MPI, see tutti_mpi(7)");
}

const Generator& algorithm_named(Operation operation, const std::string& name) {
  require_schedule(name);
  if (const Generator* found = algorithms::find(operation, name)) return *found;
  std::vector<std::string> names;
  for (const Generator* generator : algorithms::all())
    if (generator->operation == operation) names.emplace_back(generator->name);
  base::fail(base::Status::invalid_argument, "there is no {} '{}'; there are {}", schedule::to_text(operation), name,
             fmt::join(names, ", "));
}

void Parameters::add_to(CLI::App& command) {
  command.add_option("--branches", branches, "branches of a tree; default 1")->check(CLI::PositiveNumber);
  command.add_option("--rings", rings, "rings of a multiring; default 1")->check(CLI::PositiveNumber);
  command.add_option("--segments", segments, "pieces of a pipelined algorithm; default 1")->check(CLI::PositiveNumber);
  command.add_option("--factors", factors, "factors or radices, such as 2,4,4")->delimiter(',');
  command.add_option("--cut", cut, "how many of the factors use long algorithms; default 0")
      ->check(CLI::NonNegativeNumber);
}

Shape Parameters::shape(int p, int root) const {
  Shape shape{.p = p, .root = root, .branches = branches, .rings = rings, .segments = segments};
  shape.factors = factors;
  shape.cut = cut;
  return shape;
}

bool has_root(Operation o) {
  return o == Operation::broadcast || o == Operation::reduce || o == Operation::scatter || o == Operation::gather;
}

std::string describe(const Generator& generator, const Shape& shape) {
  std::string text = fmt::format("{} {}, p = {}", schedule::to_text(generator.operation), generator.name, shape.p);
  if (has_root(generator.operation)) text += fmt::format(", root {}", shape.root);
  if (generator.parameter == Parameter::branches) text += fmt::format(", branches {}", shape.branches);
  if (generator.parameter == Parameter::rings) text += fmt::format(", rings {}", shape.rings);
  if (generator.parameter == Parameter::segments) text += fmt::format(", segments {}", shape.segments);
  const bool with_cut = generator.parameter == Parameter::factors_and_cut;
  if (with_cut || generator.parameter == Parameter::factors || generator.parameter == Parameter::sizes)
    text += fmt::format(", factors {}", fmt::join(shape.factors, ","));
  if (with_cut) text += fmt::format(", cut {}", shape.cut);
  return text;
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) base::fail(base::Status::invalid_argument, "{} cannot be read", path);
  return text.str();
}

}  // namespace tutti::tools
