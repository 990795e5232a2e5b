// SPDX-License-Identifier: BSD-3-Clause
// Holds the table of headers, which scripts/algorithm_headers.py writes, and evaluates it.
#include "selection/headers.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "algorithms/adopted.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/formula.hpp"

namespace tutti::selection {
namespace {

// The table is sorted by name, for the binary search in header_of().
constexpr AlgorithmHeader table[] = {
#include "algorithm_headers.inc"
};

// A generator that is not built in states its cost for this shape, or it is counted.
std::optional<Stated> adopted_cost(const schedule::Generator& generator,
                                   const schedule::Shape& shape) {
  const algorithms::Source* source = algorithms::source_of(generator);
  if (source == nullptr || !generator.applies(shape)) return std::nullopt;
  Stated result;
  if (const auto price = source->price(shape)) {
    result.terms = {price->alpha, price->beta, price->gamma};
    return result;
  }
  const schedule::Counts counts = schedule::verify(generator, shape).counts;
  const double parts = std::max(1, generator.buffers(shape).parts);
  result.terms = {static_cast<double>(counts.alpha), static_cast<double>(counts.beta) / parts,
                  static_cast<double>(counts.gamma) / parts};
  return result;
}

}  // namespace

const AlgorithmHeader* header_of(const schedule::Generator& generator) {
  const std::string name =
      std::string(schedule::to_text(generator.operation)) + " " + generator.name;
  const AlgorithmHeader* found = std::lower_bound(
      std::begin(table), std::end(table), name,
      [](const AlgorithmHeader& header, const std::string& n) { return header.name < n; });
  return found != std::end(table) && found->name == name ? found : nullptr;
}

std::string about(const schedule::Generator& generator) {
  if (const algorithms::Source* source = algorithms::source_of(generator)) return source->about();
  const AlgorithmHeader* header = header_of(generator);
  return header == nullptr ? std::string() : std::string(header->about);
}

std::string needs_of(const schedule::Generator& generator) {
  if (const algorithms::Source* source = algorithms::source_of(generator)) return source->needs();
  const AlgorithmHeader* header = header_of(generator);
  return header == nullptr ? std::string() : std::string(header->needs);
}

std::optional<Stated> stated(const schedule::Generator& generator, const schedule::Shape& shape) {
  const AlgorithmHeader* header = header_of(generator);
  if (header == nullptr) return adopted_cost(generator, shape);
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
  const auto rounds = costs.given().find("rounds");
  if (rounds != costs.given().end() && !rounds->second.bound)
    result.rounds = static_cast<double>(costs.evaluate("rounds", variables).number);
  return result;
}

}  // namespace tutti::selection
