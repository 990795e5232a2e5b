// SPDX-License-Identifier: BSD-3-Clause
// Membership, meeting points and the start of collective operations.
#include "group.hpp"

#include <fmt/format.h>
#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <vector>

#include "core.hpp"
#include "machine.hpp"

namespace tutti::pvm {
namespace {

// FNV-1a: the same number in every process.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 14695981039346656037U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return value;
}

// Names of records are short; a long name of a group is cut and told apart by a number.
std::string record_name(const char* kind, std::string_view group) {
  constexpr std::size_t room = 48;
  if (group.size() <= room) return fmt::format("pvm.{}.{}", kind, group);
  return fmt::format("pvm.{}.{}#{:08x}", kind, group.substr(0, room - 9), static_cast<std::uint32_t>(hash(group)));
}

struct Patience {
  GroupRecord* record;
  int count;
  std::uint32_t deaths;

  // Nobody can come any more: the frozen group has broken, or somebody has died and there are too few.
  [[nodiscard]] bool vain() const {
    record->sweep();
    if (record->state() == GroupRecord::broken) return true;
    return record->deaths() != deaths && record->size() < count;
  }
};

}  // namespace

Group::Group(std::string_view name) : name_(name), record_(nullptr), tid_(pvm_mytid()) {
  void* address = nullptr;
  if (tutti_record(record_name("group", name).c_str(), sizeof(GroupRecord), &address) != TUTTI_OK) {
    throw std::bad_alloc();
  }
  record_ = static_cast<GroupRecord*>(address);
}

Group::~Group() {
  forget_engine();
}

void Group::forget_engine() {
  for (const Part& part : parts_) static_cast<void>(tutti_group_free(part.group));
  parts_.clear();
  if (engine_.id != 0) static_cast<void>(tutti_group_free(engine_));
  engine_ = {0};
}

int Group::check(As as) {
  record_->sweep();
  if (record_->state() == GroupRecord::absent) return PvmNoGroup;
  return as == As::member && !member_ ? PvmNotInGroup : PvmOk;
}

const Membership& Group::members() {
  if (now_.epoch != record_->epoch()) now_ = record_->membership();
  return now_;
}

int Group::instance() {
  return members().instance_of(tid_);
}

// Operations that were pinned before it joined are not this task's.
int Group::join() {
  record_->sweep();
  const int instance = record_->join(tid_);
  if (instance < 0) return instance;
  member_ = true;
  joined_ = record_->epoch();
  deaths_ = record_->deaths();
  next_ = record_->operations();
  return instance;
}

int Group::leave() {
  if (const int status = check(As::member); status != PvmOk) return status;
  member_ = false;
  forget_engine();
  return record_->leave(tid_) ? PvmOk : PvmNotInGroup;
}

int Group::meet(const char* what, int count) {
  Patience patience{record_, count, deaths_};
  const auto give_up = [](void* asked) { return static_cast<const Patience*>(asked)->vain() ? 1 : 0; };
  const tutti_status status = tutti_arrive_unless(record_name(what, name_).c_str(), count, give_up, &patience);
  if (status != TUTTI_WOULD_WAIT) return tutti_pvm_code(status);
  return record_->state() == GroupRecord::broken ? PvmNoGroup : PvmSysErr;
}

int Group::barrier(int count) {
  if (const int status = check(As::member); status != PvmOk) return status;
  if (record_->state() == GroupRecord::broken) return PvmNoGroup;
  if (count < 1 && count != -1) return PvmBadParam;
  return meet("barrier", count == -1 ? record_->size() : count);
}

int Group::freeze(int size) {
  if (const int status = check(As::member); status != PvmOk) return status;
  if (record_->state() != GroupRecord::open) return PvmDupGroup;
  if (size < 1 && size != -1) return PvmBadParam;
  const int status = meet("freeze", size == -1 ? record_->size() : size);
  if (status != PvmOk) return status;
  static_cast<void>(record_->freeze());
  return record_->size();
}

int Group::begin(Operation& operation) {
  if (const int status = check(As::member); status != PvmOk) return status;
  const auto offer = [this] { return Pinned{members().epoch, whole_hosts()}; };
  std::optional<Pinned> pinned = record_->pin(next_, offer);
  while (pinned && pinned->epoch < joined_) pinned = record_->pin(++next_, offer);
  if (!pinned) return PvmSysErr;
  if (engine_.id == 0 || pinned_.epoch != pinned->epoch) {
    if (const int status = adopt(pinned->epoch); status != PvmOk) return status;
  }
  operation = {engine_, &pinned_, &placement_, tutti_rank(engine_), next_++, pinned->whole_hosts, this};
  return PvmOk;
}

// As of now: for the first member to arrive at an operation.
HostSet Group::whole_hosts() {
  HostSet whole;
  int hosts = 0;
  const int* const tasks = tutti_pvm_tasks_by_host(&hosts);
  if (hosts == 1) return whole;
  std::vector<int> taking_part(static_cast<std::size_t>(hosts));
  for (const int tid : members().tids) {
    if (tid != 0) ++taking_part[static_cast<std::size_t>(host_of_tid(tid))];
  }
  for (int host = 0; host < hosts; ++host) {
    const int count = taking_part[static_cast<std::size_t>(host)];
    if (count > 1 && count == tasks[host]) whole.add(host);
  }
  return whole;
}

int Group::adopt(std::uint32_t epoch) {
  forget_engine();
  std::optional<Membership> members = record_->membership_at(epoch);
  if (!members) return PvmSysErr;
  pinned_ = std::move(*members);
  placement_ = placed(pinned_);
  std::vector<int> everybody(placement_.tids.size());
  std::iota(everybody.begin(), everybody.end(), 0);
  return tutti_pvm_code(make(everybody, 0, engine_));
}

tutti_status Group::make(const std::vector<int>& ranks, std::uint64_t purpose, tutti_group& group) const {
  std::vector<int> endpoints;
  for (const int rank : ranks) {
    endpoints.push_back(tutti_pvm_endpoint(placement_.tids[static_cast<std::size_t>(rank)]));
  }
  const std::uint64_t label = (hash(name_) ^ std::uint64_t{pinned_.epoch} << 32) + purpose;
  return tutti_group_of_endpoints(static_cast<int>(endpoints.size()), endpoints.data(), label, &group);
}

tutti_status Group::part(int purpose, const std::vector<int>& ranks, tutti_group& group) {
  const auto found = std::find_if(parts_.begin(), parts_.end(),
                                  [&](const Part& part) { return part.purpose == purpose && part.ranks == ranks; });
  if (found != parts_.end()) {
    group = found->group;
    return TUTTI_OK;
  }
  const tutti_status status = make(ranks, static_cast<std::uint64_t>(purpose), group);
  if (status == TUTTI_OK) parts_.push_back({purpose, ranks, group});
  return status;
}

Group& Groups::at(std::string_view name) {
  const auto found = all_.find(name);
  if (found != all_.end()) return *found->second;
  if (all_.empty()) tutti_pvm_before_exit([] { groups().leave_all(); });
  return *all_.emplace(name, std::make_unique<Group>(name)).first->second;
}

void Groups::leave_all() {
  for (auto& [name, group] : all_) static_cast<void>(group->leave());
  all_.clear();
}

// Never destroyed: exit handlers of the program may still call.
Groups& groups() {
  static Groups& only = *new Groups;
  return only;
}

}  // namespace tutti::pvm
