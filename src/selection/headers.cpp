// SPDX-License-Identifier: BSD-3-Clause
// Holds the table of headers, which scripts/algorithm_headers.py writes, and evaluates it.
#include "selection/headers.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "schedule/printer.hpp"
#include "selection/formula.hpp"

namespace tutti::selection {
namespace {

// The table is sorted by name, for the binary search in header_of().
constexpr AlgorithmHeader table[] = {
#include "algorithm_headers.inc"
};

}  // namespace

const AlgorithmHeader* header_of(const schedule::Generator& generator) {
  const std::string name =
      std::string(schedule::to_text(generator.operation)) + " " + generator.name;
  const AlgorithmHeader* found = std::lower_bound(
      std::begin(table), std::end(table), name,
      [](const AlgorithmHeader& header, const std::string& n) { return header.name < n; });
  return found != std::end(table) && found->name == name ? found : nullptr;
}

std::optional<Stated> stated(const schedule::Generator& generator, const schedule::Shape& shape) {
  const AlgorithmHeader* header = header_of(generator);
  if (header == nullptr) return std::nullopt;
  Stated result;
  if (shape.p == 1) return result;
  const CostFormulas costs(header->cost);
  const Variables variables = variables_of(shape);
  const auto value = [&](const char* name) {
    const auto given = costs.given().find(name);
    if (given == costs.given().end()) return 0.0;
    result.bound = result.bound || given->second.bound;
    return static_cast<double>(costs.evaluate(name, variables).number);
  };
  const double parts = generator.buffers(shape).parts;
  result.terms = {value("alpha"), value("beta") / parts, value("gamma") / parts};
  return result;
}

}  // namespace tutti::selection
