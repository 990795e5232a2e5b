// SPDX-License-Identifier: BSD-3-Clause
// Begins the collective operations of a group, and runs their plans. Every member exchanges
// messages only with the root, so a task that dies stops nobody except those that need its data.
// Members on several hosts use the coordinators of their hosts, and only these exchange with the
// root. If all tasks of a host take part in a reduction by a kernel, the host combines natively: by
// a plan that the runtime chooses for these tasks (paper 002, figure 5). Where results must be
// reproducible, all members combine so, because a root that combines what others send begins with
// its own vector.
#include "group_operation.hpp"

#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <utility>

namespace tutti::pvm {
namespace {

enum Purpose { within_host = 1, between_hosts = 2 };

bool is_sound(const GroupCall& given) {
  return given.count >= 0 && given.tag >= 0 && bytes_of(given.type) != 0;
}

bool must_be_reproducible() {
  static const bool asked = tutti_setting("TUTTI_REPRODUCIBLE") == 1;
  return asked;
}

int index_of(const std::vector<int>& ranks, int rank) {
  return static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

bool has(const std::vector<int>& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

}  // namespace

GroupOperation::GroupOperation(tutti_operation what, const GroupCall& given)
    : what_(what), bytes_(given.bytes()), status_(begin(given)) {}

int GroupOperation::begin(const GroupCall& given) {
  if (given.group == nullptr || *given.group == '\0') return PvmNullGroup;
  if (!is_sound(given)) return PvmBadParam;
  group_ = &groups().at(given.group);
  if (const int status = group_->begin(members_); status != PvmOk) return status;
  const GroupMembers& instances = *members_.instances;
  const bool needs_all = what_ != TUTTI_OP_REDUCE;
  if (!instances.has(given.root) || (needs_all && !instances.whole())) return PvmNoInst;
  root_ = placement().rank_of(instances.tids[static_cast<std::size_t>(given.root)]);
  return PvmOk;
}

int GroupOperation::run(const Operands& operands) {
  if (status_ != PvmOk) return status_;
  operands_ = operands;
  return end(hosts_combine() ? combine_in_hosts() : run_plan(members_.group, root_, plan()));
}

int GroupOperation::end(tutti_status status) {
  if (status != TUTTI_OK) group_->registry().fail(members_.number);
  return code_of(status);
}

int GroupOperation::has_failed(void* operation) {
  const auto& asked = *static_cast<const GroupOperation*>(operation);
  return asked.group_->registry().failed(asked.members_.number) ? 1 : 0;
}

GroupOperation::Plan GroupOperation::plan() const {
  if (what_ != TUTTI_OP_REDUCE) return Plan::by_hosts;
  if (must_be_reproducible()) return Plan::natively;
  const bool one_host = placement().hosts.empty();
  return one_host && operands_.by == Operands::By::function ? Plan::at_root : Plan::by_hosts;
}

bool GroupOperation::hosts_combine() const {
  return what_ == TUTTI_OP_REDUCE && operands_.by == Operands::By::kernel &&
         !members_.whole_hosts.empty() && !placement().hosts.empty() && !must_be_reproducible();
}

// The root of the operation takes part in its host only as the head, because it combines what the
// heads send anyway.
std::vector<GroupOperation::HostPart> GroupOperation::host_parts() const {
  std::vector<HostPart> parts;
  int first = 0;
  for (const int size : placement().hosts) {
    HostPart part;
    part.whole =
        members_.whole_hosts.has(tutti_pvm_host(placement().tids[static_cast<std::size_t>(first)]));
    const bool with_root = root_ >= first && root_ < first + size;
    part.head = part.whole && with_root ? root_ : first;
    for (int rank = first; rank < first + size; ++rank) {
      if (rank != root_ || rank == part.head) part.ranks.push_back(rank);
    }
    parts.push_back(std::move(part));
    first += size;
  }
  return parts;
}

// Combines within each host, and then from the heads of the hosts to the root.
tutti_status GroupOperation::combine_in_hosts() {
  std::vector<int> heads;
  for (const HostPart& part : host_parts()) {
    heads.push_back(part.head);
    const tutti_status status =
        run_part(within_host, part.ranks, part.head, part.whole ? Plan::natively : Plan::at_root);
    if (status != TUTTI_OK) return status;
  }
  const auto place = std::lower_bound(heads.begin(), heads.end(), root_);
  if (place == heads.end() || *place != root_) heads.insert(place, root_);
  return run_part(between_hosts, heads, root_, Plan::at_root);
}

// Runs a plan of some of the ranks, if this member is one of them.
tutti_status GroupOperation::run_part(int purpose, const std::vector<int>& ranks, int root,
                                      Plan how) {
  if (!has(ranks, members_.rank) || ranks.size() == 1) return TUTTI_OK;
  tutti_group group{0};
  const tutti_status status = group_->part(purpose, ranks, group);
  return status == TUTTI_OK ? run_plan(group, index_of(ranks, root), how) : status;
}

// `root` is a rank of the group, which may be a part of the members.
tutti_status GroupOperation::run_plan(tutti_group group, int root, Plan how) {
  const bool here = tutti_rank(group) == root;
  tutti_plan_request request{};
  request.struct_size = sizeof request;
  request.operation = what_;
  request.root = root;
  std::vector<int> hosts;
  if (how == Plan::by_hosts) hosts = placement().hosts;
  if (how == Plan::at_root) hosts.assign(static_cast<std::size_t>(tutti_size(group)), 1);
  if (how != Plan::natively) {
    request.algorithm = hosts.empty() ? "fully_connected" : "coordinators";
  } else if (operands_.by == Operands::By::function) {
    request.algorithm = "mst";  // combines whole vectors, in the canonical order
  }
  request.bytes = bytes_;
  request.factors = hosts.data();
  request.factor_count = static_cast<int>(hosts.size());
  tutti_plan chosen{0};
  const tutti_status status = tutti_plan_get(group, &request, &chosen);
  if (status != TUTTI_OK) return status;
  tutti_run run{};
  run.struct_size = sizeof run;
  run.input = what_ != TUTTI_OP_SCATTER || here ? operands_.input : nullptr;
  run.output = what_ == TUTTI_OP_SCATTER || here ? operands_.output : nullptr;
  run.op = operands_.op;
  run.give_up = has_failed;
  run.user = this;
  return tutti_plan_run(chosen, &run);
}

}  // namespace tutti::pvm
