// SPDX-License-Identifier: BSD-3-Clause
// Joining and leaving a group, its barriers, the ranks of its members, and the start of its
// collective operations.
#include "group.hpp"

#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>
#include <vector>

#include "core.hpp"

namespace tutti::pvm {
namespace {

struct Patience {
  GroupRegistry* registry;
  int count;
  std::uint32_t deaths;

  // Returns true if too few members can still arrive: the frozen group has lost a member, or a
  // member has died and fewer than `count` are left.
  [[nodiscard]] bool vain() const {
    registry->sweep();
    if (registry->state() == GroupRegistry::broken) return true;
    return registry->deaths() != deaths && registry->size() < count;
  }
};

}  // namespace

int GroupPlacement::rank_of(int tid) const {
  return static_cast<int>(std::find(tids.begin(), tids.end(), tid) - tids.begin());
}

void GroupPlacement::to_ranks(std::byte* by_rank, const std::byte* by_instance,
                              std::size_t bytes) const {
  for (std::size_t rank = 0; rank < place.size(); ++rank) {
    std::memcpy(by_rank + rank * bytes, by_instance + static_cast<std::size_t>(place[rank]) * bytes,
                bytes);
  }
}

void GroupPlacement::to_instances(std::byte* by_instance, const std::byte* by_rank,
                                  std::size_t bytes) const {
  for (std::size_t rank = 0; rank < place.size(); ++rank) {
    std::memcpy(by_instance + static_cast<std::size_t>(place[rank]) * bytes, by_rank + rank * bytes,
                bytes);
  }
}

bool GroupPlacement::in_order() const {
  return std::is_sorted(place.begin(), place.end());
}

GroupPlacement GroupPlacement::of(const GroupMembers& members) {
  std::vector<int> present;
  for (const int tid : members.tids) {
    if (tid != 0) present.push_back(tid);
  }
  GroupPlacement out;
  out.place.resize(present.size());
  std::iota(out.place.begin(), out.place.end(), 0);
  const auto host = [&](int place) {
    return tutti_pvm_host(present[static_cast<std::size_t>(place)]);
  };
  const bool several = std::any_of(out.place.begin(), out.place.end(),
                                   [&](int place) { return host(place) != host(0); });
  if (several) {
    const auto key = [&](int place) {
      return std::tuple(host(place), present[static_cast<std::size_t>(place)]);
    };
    std::sort(out.place.begin(), out.place.end(), [&](int a, int b) { return key(a) < key(b); });
  }
  for (const int place : out.place) {
    const bool first_of_host = out.tids.empty() || tutti_pvm_host(out.tids.back()) != host(place);
    if (several && first_of_host) out.hosts.push_back(0);
    if (several) ++out.hosts.back();
    out.tids.push_back(present[static_cast<std::size_t>(place)]);
  }
  return out;
}

PvmGroup::PvmGroup(std::string_view name) : name_(name), registry_(name), tid_(pvm_mytid()) {}

PvmGroup::~PvmGroup() {
  forget_engine();
}

void PvmGroup::forget_engine() {
  const Statuses statuses;
  // Failure is harmless: it fails only for a handle that is none.
  for (const Part& part : parts_) static_cast<void>(tutti_group_free(part.group));
  parts_.clear();
  // Failure is harmless: it fails only for a handle that is none.
  if (engine_.id != 0) static_cast<void>(tutti_group_free(engine_));
  engine_ = {0};
}

int PvmGroup::check(As as) {
  registry_.sweep();
  if (registry_.state() == GroupRegistry::absent) return PvmNoGroup;
  return as == As::member && !member_ ? PvmNotInGroup : PvmOk;
}

const GroupMembers& PvmGroup::members() {
  const std::uint32_t life = registry_.life();
  if (life != life_ || now_.epoch != registry_.epoch()) now_ = registry_.membership();
  life_ = life;
  return now_;
}

int PvmGroup::instance() {
  return members().instance_of(tid_);
}

// Operations that were pinned before this task joined belong to earlier epochs, and begin() skips
// them. So the number of operations is read before joining, and the epoch is that of the join
// itself. Otherwise this task could skip an operation that was pinned in between and counts on it.
int PvmGroup::join() {
  registry_.sweep();
  std::uint32_t next = 0;
  const int instance = registry_.join(tid_, next);
  if (instance < 0) return instance;
  member_ = true;
  joined_ = joining_epoch();
  deaths_ = registry_.deaths();
  next_ = next;
  return instance;
}

// Returns the first epoch in which this task is a member.
std::uint32_t PvmGroup::joining_epoch() {
  std::uint32_t epoch = registry_.epoch();
  for (;; --epoch) {
    const std::optional<GroupMembers> before = registry_.membership_at(epoch - 1);
    if (!before || before->instance_of(tid_) < 0) return epoch;
  }
}

int PvmGroup::leave() {
  if (const int status = check(As::member); status != PvmOk) return status;
  member_ = false;
  forget_engine();
  return registry_.leave(tid_) ? PvmOk : PvmNotInGroup;
}

int PvmGroup::meet(GroupRegistry::Meeting meeting, int count) {
  Patience patience{&registry_, count, deaths_};
  const auto give_up = [](void* asked) {
    return static_cast<const Patience*>(asked)->vain() ? 1 : 0;
  };
  const tutti_status status = registry_.meet(meeting, count, give_up, &patience);
  if (status != TUTTI_WOULD_WAIT) return code_of(status);
  return registry_.state() == GroupRegistry::broken ? PvmNoGroup : PvmSysErr;
}

int PvmGroup::barrier(int count) {
  if (const int status = check(As::member); status != PvmOk) return status;
  if (registry_.state() == GroupRegistry::broken) return PvmNoGroup;
  if (count < 1 && count != -1) return PvmBadParam;
  return meet(GroupRegistry::Meeting::barrier, count == -1 ? registry_.size() : count);
}

int PvmGroup::freeze(int size) {
  if (const int status = check(As::member); status != PvmOk) return status;
  if (registry_.state() != GroupRegistry::open) return PvmDupGroup;
  if (size < 1 && size != -1) return PvmBadParam;
  const int status = meet(GroupRegistry::Meeting::freeze, size == -1 ? registry_.size() : size);
  if (status != PvmOk) return status;
  static_cast<void>(registry_.freeze());
  return registry_.size();
}

int PvmGroup::begin(Participants& taking_part) {
  if (const int status = check(As::member); status != PvmOk) return status;
  const auto offer = [this] { return Pinned{members().epoch, whole_hosts()}; };
  std::optional<Pinned> pinned = registry_.pin(next_, offer);
  while (pinned && pinned->epoch < joined_) {
    next_ = operation_after(next_);
    pinned = registry_.pin(next_, offer);
  }
  if (!pinned) return PvmSysErr;
  if (engine_.id == 0 || pinned_.epoch != pinned->epoch) {
    if (const int status = adopt(pinned->epoch); status != PvmOk) return status;
  }
  taking_part = {engine_, &pinned_, &placement_, tutti_rank(engine_), next_, pinned->whole_hosts};
  next_ = operation_after(next_);
  return PvmOk;
}

// Counts as of now: only the first member to arrive at an operation asks.
HostSet PvmGroup::whole_hosts() {
  HostSet whole;
  int hosts = 0;
  const int* const tasks = tutti_pvm_tasks_by_host(&hosts);
  if (hosts == 1) return whole;
  std::vector<int> taking_part(static_cast<std::size_t>(hosts));
  for (const int tid : members().tids) {
    if (tid != 0) ++taking_part[static_cast<std::size_t>(tutti_pvm_host(tid))];
  }
  for (int host = 0; host < hosts; ++host) {
    const int count = taking_part[static_cast<std::size_t>(host)];
    if (count > 1 && count == tasks[host]) whole.add(host);
  }
  return whole;
}

int PvmGroup::adopt(std::uint32_t epoch) {
  forget_engine();
  std::optional<GroupMembers> members = registry_.membership_at(epoch);
  if (!members) return PvmSysErr;
  pinned_ = std::move(*members);
  placement_ = GroupPlacement::of(pinned_);
  std::vector<int> everybody(placement_.tids.size());
  std::iota(everybody.begin(), everybody.end(), 0);
  return code_of(make(everybody, 0, engine_));
}

tutti_status PvmGroup::make(const std::vector<int>& ranks, std::uint64_t purpose,
                            tutti_group& group) const {
  std::vector<int> endpoints;
  for (const int rank : ranks) {
    endpoints.push_back(tutti_pvm_endpoint(placement_.tids[static_cast<std::size_t>(rank)]));
  }
  const std::uint64_t which = name_hash(name_) + name_hash(std::to_string(registry_.life()));
  const std::uint64_t label = (which ^ std::uint64_t{pinned_.epoch} << 32) + purpose;
  return tutti_group_of_endpoints(static_cast<int>(endpoints.size()), endpoints.data(), label,
                                  &group);
}

tutti_status PvmGroup::part(int purpose, const std::vector<int>& ranks, tutti_group& group) {
  const auto found = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) {
    return part.purpose == purpose && part.ranks == ranks;
  });
  if (found != parts_.end()) {
    group = found->group;
    return TUTTI_OK;
  }
  const tutti_status status = make(ranks, static_cast<std::uint64_t>(purpose), group);
  if (status == TUTTI_OK) parts_.push_back({purpose, ranks, group});
  return status;
}

PvmGroup& Groups::at(std::string_view name) {
  const auto found = all_.find(name);
  if (found != all_.end()) return *found->second;
  if (all_.empty()) tutti_pvm_before_exit([] { groups().leave_all(); });
  return *all_.emplace(name, std::make_unique<PvmGroup>(name)).first->second;
}

void Groups::forget_if_gone(std::string_view name) {
  const auto found = all_.find(name);
  if (found != all_.end() && found->second->check(PvmGroup::As::anybody) == PvmNoGroup)
    all_.erase(found);
}

void Groups::leave_all() {
  // Failure is harmless: this task leaves all groups and ends; a group that it has left already is
  // no fault.
  for (auto& [name, group] : all_) static_cast<void>(group->leave());
  all_.clear();
}

// Never destroyed, because exit handlers of the program may still call PVM.
Groups& groups() {
  static Groups& only = *new Groups;
  return only;
}

}  // namespace tutti::pvm
