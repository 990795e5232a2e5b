// SPDX-License-Identifier: BSD-3-Clause
// Computes table 2 of paper 001 with the cost model of a machine profile.
#include "papers/001/table2.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "papers/001/icc_rates.hpp"
#include "papers/common/printed.hpp"

namespace tutti::papers {
namespace {

using namespace selection;
using schedule::Operation;

// The keys of both operations in the data of table 2.
constexpr std::pair<Operation, const char*> keys[] = {{Operation::broadcast, "broadcast"},
                                                      {Operation::allreduce, "sum"}};

double rate(const machine::Profile& machine, const char* name) {
  const auto found = machine.more.find(name);
  if (found == machine.more.end()) {
    base::fail(base::Status::invalid_argument,
               "machine profile {} has no [{}], which table 2 needs", machine.name, name);
  }
  return found->second.value;
}

template <class Condition>
Priced best(const std::vector<Candidate>& candidates, const Rates& rates, double bytes,
            Condition condition) {
  Priced found;
  for (const Candidate& candidate : candidates) {
    if (!condition(candidate.strategy)) continue;
    const double needed = time(candidate.terms, rates, bytes);
    if (found.strategy.empty() || needed < found.time)
      found = {candidate.strategy.name(), candidate.terms, needed};
  }
  return found;
}

}  // namespace

std::vector<Table2Row> table2(const machine::Profile& machine) {
  if (machine.mesh.size() != 2) {
    base::fail(base::Status::invalid_argument, "machine profile {} has no mesh of rows and columns",
               machine.name);
  }
  const Rates rates = rates_of(machine);
  const Rates blacs{rate(machine, "blacs_alpha"), rate(machine, "blacs_beta"),
                    rate(machine, "blacs_gamma")};
  const int rows = machine.mesh[0], columns = machine.mesh[1];
  const std::vector<Strategy> all = strategies(rows, columns);
  const auto any = [](const Strategy&) { return true; };
  const Printed& paper = printed("001-table-2");
  const std::vector<double> sizes = paper.numbers("bytes");
  std::vector<Table2Row> table;
  for (const auto& [operation, key] : keys) {
    const auto few = one_factor_each(operation, rows, columns, machine);
    const auto many = pareto(candidates(operation, all, machine.kappa.value));
    const std::vector<double> ratios = paper.numbers(fmt::format("{}.blacs", key));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double bytes = sizes[i];
      const Priced shortest = best(few, rates, bytes, is_short);
      table.push_back({operation, static_cast<std::int64_t>(bytes), shortest,
                       best(few, rates, bytes, is_long), best(few, rates, bytes, any),
                       best(many, rates, bytes, any), time(shortest.terms, blacs, bytes),
                       ratios.at(i)});
    }
  }
  return table;
}

}  // namespace tutti::papers
