// SPDX-License-Identifier: BSD-3-Clause
// The registry of a group in the memory that all tasks share (group_registry.hpp).
#include "group_registry.hpp"

#include <fmt/format.h>

#include <new>
#include <string>

#include "group_record.hpp"

namespace tutti::pvm {
namespace {

// Names of records are short, so a long group name is cut and its hash is appended.
std::string record_name(const char* kind, std::string_view group) {
  constexpr std::size_t room = 48;
  if (group.size() <= room) return fmt::format("pvm.{}.{}", kind, group);
  const auto number = static_cast<std::uint32_t>(name_hash(group));
  return fmt::format("pvm.{}.{}#{:08x}", kind, group.substr(0, room - 9), number);
}

}  // namespace

struct GroupRegistry::Shared {
  std::string name;
  GroupRecord* record;
};

GroupRegistry::GroupRegistry(std::string_view name) {
  void* address = nullptr;
  if (tutti_record(record_name("group", name).c_str(), sizeof(GroupRecord), &address) != TUTTI_OK) {
    throw std::bad_alloc();
  }
  shared_ = std::make_unique<Shared>(Shared{std::string(name), static_cast<GroupRecord*>(address)});
}

GroupRegistry::~GroupRegistry() = default;

int GroupRegistry::join(int tid) {
  return shared_->record->join(tid);
}
bool GroupRegistry::leave(int tid) {
  return shared_->record->leave(tid);
}
bool GroupRegistry::freeze() {
  return shared_->record->freeze();
}
void GroupRegistry::sweep() {
  shared_->record->sweep();
}
GroupRegistry::State GroupRegistry::state() const {
  return shared_->record->state();
}
std::uint32_t GroupRegistry::epoch() const {
  return shared_->record->epoch();
}
std::uint32_t GroupRegistry::deaths() const {
  return shared_->record->deaths();
}
int GroupRegistry::size() const {
  return shared_->record->size();
}
GroupMembers GroupRegistry::membership() const {
  return shared_->record->membership();
}
std::optional<GroupMembers> GroupRegistry::membership_at(std::uint32_t epoch) const {
  return shared_->record->membership_at(epoch);
}
std::optional<Pinned> GroupRegistry::pin(std::uint32_t number,
                                         const std::function<Pinned()>& offer) {
  return shared_->record->pin(number, offer);
}
void GroupRegistry::fail(std::uint32_t number) {
  shared_->record->fail(number);
}
bool GroupRegistry::failed(std::uint32_t number) {
  return shared_->record->failed(number);
}
std::uint32_t GroupRegistry::operations() const {
  return shared_->record->operations();
}

tutti_status GroupRegistry::meet(Meeting meeting, int count, tutti_give_up_fn give_up, void* user) {
  const char* const kind = meeting == Meeting::barrier ? "barrier" : "freeze";
  return tutti_arrive_unless(record_name(kind, shared_->name).c_str(), count, give_up, user);
}

}  // namespace tutti::pvm
