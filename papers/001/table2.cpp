// SPDX-License-Identifier: BSD-3-Clause
// Computes table 2 of paper 001 with the cost model of a machine profile.
#include "papers/001/table2.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "selection/ranking.hpp"

namespace tutti::papers {
namespace {

using namespace selection;
using schedule::Operation;

struct PrintedRatio {
  Operation operation;
  std::int64_t bytes;
  double blacs_to_icc;
};

// Paper 001, table 2, column BLACS/iCC.
constexpr PrintedRatio printed_ratios[] = {
    {Operation::broadcast, 16, 1.0},    {Operation::broadcast, 1024, 1.0},
    {Operation::broadcast, 65536, 2.9}, {Operation::broadcast, 1 << 20, 6.1},
    {Operation::allreduce, 16, 1.2},    {Operation::allreduce, 1024, 1.0},
    {Operation::allreduce, 65536, 4.1}, {Operation::allreduce, 1 << 20, 5.9},
};

double rate(const machine::Profile& machine, const char* name) {
  const auto found = machine.more.find(name);
  if (found == machine.more.end()) {
    base::fail(base::Status::invalid_argument,
               "machine profile {} has no [{}], which table 2 needs", machine.name, name);
  }
  return found->second.value;
}

bool is_short(const Strategy& strategy) {
  return strategy.cut == 0;
}
bool is_long(const Strategy& strategy) {
  return strategy.cut == static_cast<int>(strategy.factors.size());
}

template <class Condition>
Priced best(const std::vector<Candidate>& candidates, const Rates& rates, std::int64_t bytes,
            Condition condition) {
  Priced found;
  for (const Candidate& candidate : candidates) {
    if (!condition(candidate.strategy)) continue;
    const double needed = time(candidate.terms, rates, static_cast<double>(bytes));
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
  std::vector<Strategy> one_each = strategies(rows, columns, 1);
  std::erase_if(one_each, [](const Strategy& s) { return s.factors.size() > 2; });  // factors of 2
  const auto any = [](const Strategy&) { return true; };
  std::vector<Table2Row> table;
  for (const PrintedRatio& cell : printed_ratios) {
    const auto few = candidates(cell.operation, one_each, machine.kappa.value);
    const auto many = pareto(candidates(cell.operation, all, machine.kappa.value));
    const Priced shortest = best(few, rates, cell.bytes, is_short);
    table.push_back({cell.operation, cell.bytes, shortest, best(few, rates, cell.bytes, is_long),
                     best(few, rates, cell.bytes, any), best(many, rates, cell.bytes, any),
                     time(shortest.terms, blacs, static_cast<double>(cell.bytes)),
                     cell.blacs_to_icc});
  }
  return table;
}

}  // namespace tutti::papers
