// SPDX-License-Identifier: BSD-3-Clause
// Turns names into requests for plans, and keeps the plans until the process ends.
#include "driver/plans.h"

#include <cstdio>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "driver/driver.h"
#include "selection/names.hpp"
#include "selection/policy.hpp"

namespace {

struct NamedPlans {
  int op = 0;
  std::string name;
  std::vector<tutti_plan> by_root;  // only one if the operation has no root
};

std::vector<NamedPlans>& all_plans() {
  static std::vector<NamedPlans> plans;
  return plans;
}

bool has_root(const bench_operation& operation) {
  return operation.input == at_root || operation.output == at_root;
}

tutti_plan_request request_for(tutti::schedule::Operation operation,
                               const tutti::selection::Forced& plan) {
  tutti_plan_request request{};
  request.struct_size = sizeof request;
  request.operation = static_cast<tutti_operation>(operation);
  request.algorithm = plan.generator->name;
  request.branches = plan.settings.branches;
  request.rings = plan.settings.rings;
  request.segments = plan.settings.segments;
  request.factors = plan.settings.factors.data();
  request.factor_count = static_cast<int>(plan.settings.factors.size());
  request.cut = plan.settings.cut;
  return request;
}

// Throws Error that names the operation without such a plan.
NamedPlans get_plans(tutti_group group, int op, const std::string& name) {
  const auto operation = tutti::selection::operation_named(bench_operations[op].name);
  const auto plan = tutti::selection::parse_plan(operation, name);
  tutti_plan_request request = request_for(operation, plan);
  NamedPlans found{op, name, {}};
  const int roots = has_root(bench_operations[op]) ? tutti_size(group) : 1;
  for (request.root = 0; request.root < roots; ++request.root) {
    tutti_plan made{};
    if (tutti_plan_get(group, &request, &made) != TUTTI_OK) {
      tutti::base::fail(tutti::base::Status::no_such_plan, "{}", tutti_error_text());
    }
    found.by_root.push_back(made);
  }
  return found;
}

}  // namespace

int bench_plans_named(tutti_group group, int op, const char* name) {
  auto& plans = all_plans();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].op == op && plans[i].name == name) return static_cast<int>(i);
  }
  try {
    plans.push_back(get_plans(group, op, name));
    return static_cast<int>(plans.size()) - 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tutti bench: %s by %s: %s\n", bench_operations[op].name, name,
                 error.what());
    return no_plans;
  }
}

tutti_status bench_plans_run(int number, int root, const tutti_data* input,
                             const tutti_data* output) {
  const NamedPlans& plans = all_plans()[static_cast<std::size_t>(number)];
  const bench_operation& operation = bench_operations[plans.op];
  tutti_run run{sizeof run, input, output, TUTTI_SUM, nullptr, nullptr, nullptr, nullptr};
  if (operation.output_extent == in_place) {  // a broadcast, whose output is in its input buffer
    run.input = nullptr;
    run.output = input;
  }
  if (operation.content == nothing) run.input = run.output = nullptr;
  return tutti_plan_run(
      plans.by_root[plans.by_root.size() > 1 ? static_cast<std::size_t>(root) : 0], &run);
}
