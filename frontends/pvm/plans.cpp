// SPDX-License-Identifier: BSD-3-Clause
// Begins collective operations and runs their plans (plans.hpp).
#include "plans.hpp"

namespace tutti::pvm {
namespace {

bool sound(const GroupCall& given) {
  return given.count >= 0 && given.tag >= 0 && tutti_pvm_bytes_of(given.type) != 0;
}

}  // namespace

std::int64_t bytes_of(const GroupCall& given) {
  return std::int64_t{given.count} * tutti_pvm_bytes_of(given.type);
}

int begin(const GroupCall& given, Instances instances, PvmGroup::Operation& operation, int& root) {
  if (given.group == nullptr || *given.group == '\0') return PvmNullGroup;
  if (!sound(given)) return PvmBadParam;
  const int status = groups().at(given.group).begin(operation);
  if (status != PvmOk) return status;
  if (!operation.members->has(given.root) ||
      (instances == Instances::without_gaps && !operation.members->whole()))
    return PvmNoInst;
  root =
      operation.placement->rank_of(operation.members->tids[static_cast<std::size_t>(given.root)]);
  return PvmOk;
}

tutti_status run(const PlanStep& step) {
  if (step.algorithm == nullptr)
    return tutti_reduce(step.group, step.input, step.output, step.op, step.root);
  const auto hosts = static_cast<int>(step.hosts.size());
  const tutti_plan_request request = {sizeof request,
                                      step.operation,
                                      step.algorithm,
                                      step.root,
                                      0,
                                      0,
                                      0,
                                      0,
                                      step.hosts.data(),
                                      hosts,
                                      0,
                                      0};
  tutti_plan plan{0};
  const tutti_status status = tutti_plan_get(step.group, &request, &plan);
  if (status != TUTTI_OK) return status;
  const tutti_run with = {sizeof with, step.input, step.output, step.op,
                          nullptr,     nullptr,    nullptr,     nullptr};
  return tutti_plan_run(plan, &with);
}

PlanStep fan(const PvmGroup::Operation& operation, tutti_operation what, int root) {
  const std::vector<int>& hosts = operation.placement->hosts;
  return {operation.group, what,   hosts.empty() ? "fully_connected" : "coordinators", root, hosts,
          nullptr,         nullptr};
}

}  // namespace tutti::pvm
