// SPDX-License-Identifier: BSD-3-Clause
// Makes and frees groups, and gives plans their handles.
#include "job/group_handles.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "transport/wire/job.hpp"

namespace tutti::job {

using engine::Group;
using engine::Mode;
using engine::Plan;

namespace {

void check_no_requests(const Group& group) {
  if (group.requests() == 0) return;
  base::fail(base::Status::invalid_argument,
             "{} requests of the group have not been waited for or freed (rank {})",
             group.requests(), group.rank());
}

}  // namespace

void GroupHandles::begin(int self, const engine::Common& common, const std::vector<int>& world) {
  self_ = self;
  common_.emplace(common);
  auto made = make_counted(world, selection::Native::may_serve);
  if (world_ == 0) {
    world_ = groups_.insert(std::move(made));
  } else {
    *groups_.find(world_) = std::move(made);
  }
}

void GroupHandles::end() {
  by_number_.clear();
  groups_.find(world_)->reset();
  std::erase_if(plan_handles_, [&](const auto& entry) { return plans_.erase(entry.second); });
}

void GroupHandles::check_alone() {
  int groups = 0;
  groups_.for_each([&groups](const std::unique_ptr<Group>&) { ++groups; });
  if (groups > 1) {
    base::fail(base::Status::invalid_argument,
               "the world can only be set up before any group is made");
  }
  check_no_requests(*find(world_));
}

std::string GroupHandles::text_of(std::uint64_t number) const {
  const auto found = by_number_.find(number);
  return found != by_number_.end() ? found->second->members().text()
                                   : "a group that this process does not have";
}

std::string GroupHandles::operation_of(const engine::Tag& tag) const {
  std::int64_t number = tag.number();
  if (const auto found = by_number_.find(tag.group()); found != by_number_.end()) {
    const std::uint32_t next = found->second->next_number();
    number = std::int64_t{next} + tag.later_than(next);
  }
  return engine::describe_operation(tag, number, text_of(tag.group()));
}

std::unique_ptr<Group> GroupHandles::make_counted(std::vector<int> endpoints,
                                                  selection::Native native) {
  const std::uint64_t occurrence = occurrences_.next(endpoints);
  return make(group::Members(std::move(endpoints), occurrence), Mode::blocking, native);
}

// Makes a group. Messages name their group by its number, so two groups of one process must not
// have the same. All groups share one MPI communicator, on which operations must start in one
// order, so only one group may use it.
std::unique_ptr<Group> GroupHandles::make(group::Members members, Mode mode,
                                          selection::Native native) {
  const std::uint64_t number = members.id();
  if (by_number_.contains(number)) {
    base::fail(base::Status::invalid_argument,
               "{} would have the number of another group in messages: make this group again",
               members.text());
  }
  engine::Common common = *common_;
  common.policy.mode = mode;
  common.native = common.mpi.job == nullptr ? selection::Native::no_mpi : native;
  const int rank = members.rank_of(self_);
  auto group = std::make_unique<Group>(std::move(members), rank, common);
  by_number_[number] = group.get();
  return group;
}

std::uint64_t GroupHandles::create(const Group& parent, std::span<const int> ranks) {
  std::vector<int> endpoints;
  endpoints.reserve(ranks.size());
  for (const int rank : ranks) {
    if (rank < 0 || rank >= parent.size()) {
      base::fail(base::Status::invalid_argument,
                 "argument 'ranks' contains {} but the group has {} ranks", rank, parent.size());
    }
    const int endpoint = parent.members().endpoint(rank);
    if (std::find(endpoints.begin(), endpoints.end(), endpoint) != endpoints.end()) {
      base::fail(base::Status::invalid_argument, "argument 'ranks' contains {} twice", rank);
    }
    endpoints.push_back(endpoint);
  }
  require_member(endpoints);
  return groups_.insert(make_counted(std::move(endpoints)));
}

void GroupHandles::require_member(std::span<const int> endpoints) const {
  if (std::find(endpoints.begin(), endpoints.end(), self_) != endpoints.end()) return;
  base::fail(base::Status::not_a_member,
             "a group can only be made by its members, and this process is not in the list");
}

std::uint64_t GroupHandles::create_of(std::vector<int> endpoints, std::uint64_t label) {
  require_member(endpoints);
  std::vector<int> sorted = endpoints;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    base::fail(base::Status::invalid_argument, "argument 'endpoints' contains {} twice", *twice);
  }
  return groups_.insert(
      make(group::Members(std::move(endpoints), group::labelled(label)), Mode::overlapping));
}

bool GroupHandles::free(std::uint64_t id) {
  const Group* const freed = find(id);
  if (freed == nullptr) return false;
  check_no_requests(*freed);
  const auto mpi = freed->mpi();
  by_number_.erase(freed->members().id());
  for (const auto& plan : freed->plans()) {
    const auto handle = plan_handles_.find(plan.get());
    if (handle == plan_handles_.end()) continue;
    plans_.erase(handle->second);
    plan_handles_.erase(handle);
  }
  groups_.erase(id);
  // MPI may fail, so it comes last: the group is gone then.
  if (mpi.group != 0) mpi.job->free_group(mpi.group);
  return true;
}

void GroupHandles::require_ranks_of_mpi(const Group& group) {
  const transport::wire::WireJob* const job = group.mpi().job;
  if (job == nullptr)
    base::fail(base::Status::no_such_plan, "no MPI has started this job, so it has no collectives");
  for (const int endpoint : group.members().endpoints()) {
    if (job->hosts().is_rank(endpoint)) continue;
    base::fail(
        base::Status::no_such_plan,
        "the group has a task, which is no rank of the MPI, so MPI has no collectives for it");
  }
}

void GroupHandles::use_mpi(Group& group) {
  const auto endpoints = group.members().endpoints();
  group.use_mpi({group.mpi().job, group.mpi().job->make_group(endpoints)});
}

std::uint64_t GroupHandles::handle_of(std::uint64_t group, Plan& plan) {
  std::uint64_t& handle = plan_handles_[&plan];
  if (handle == 0) handle = plans_.insert({group, &plan});
  return handle;
}

}  // namespace tutti::job
