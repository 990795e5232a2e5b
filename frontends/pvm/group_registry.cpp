// SPDX-License-Identifier: BSD-3-Clause
// The registry of a group in the memory that all tasks share (group_registry.hpp). The record of a
// group is found by the table of names, once for each group: as long as the name has its place, the
// place is not looked up again.
#include "group_registry.hpp"

#include <fmt/format.h>
#include <tutti-pvm/pvm3.h>

#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "group_record.hpp"

namespace tutti::pvm {
namespace {

// Names in the table are short, so a long group name is cut and its hash is appended.
std::string name_in_table(std::string_view group) {
  constexpr std::size_t most = GroupTable::name_bytes - 1;
  if (group.size() <= most) return std::string(group);
  const auto number = static_cast<std::uint32_t>(name_hash(group));
  return fmt::format("{}#{:08x}", group.substr(0, most - 9), number);
}

template <class Record>
Record* shared_record(const std::string& name) {
  void* address = nullptr;
  const bool found = tutti_record(name.c_str(), sizeof(Record), &address) == TUTTI_OK;
  return found ? static_cast<Record*>(address) : nullptr;
}

// Returns the record of a place; nullptr if there is no shared memory for it.
GroupRecord* record_of(int place) {
  static std::vector<GroupRecord*> known(GroupTable::places);
  GroupRecord*& record = known[static_cast<std::size_t>(place)];
  if (record == nullptr) record = shared_record<GroupRecord>(fmt::format("pvm.group.{}", place));
  return record;
}

// Returns true if the group at this place has no member. Only then may the place get another name.
bool is_empty(int place) {
  GroupRecord* const record = record_of(place);
  if (record == nullptr) return false;
  record->sweep();
  return record->state() == GroupRegistry::absent;
}

}  // namespace

struct GroupRegistry::Shared {
  std::string name;
  GroupTable* table;
  GroupTable::Seat seat;
  GroupRecord* record = nullptr;  // of the place of `seat`

  // Returns the group's record; nullptr if nobody has joined a group of this name.
  [[nodiscard]] GroupRecord* find() {
    if (table->holds(seat)) return record;
    const std::lock_guard hold(table->lock());
    seat = table->find(name);
    record = seat.place < 0 ? nullptr : record_of(seat.place);
    return record;
  }

  // Returns what read(GroupRecord&) returns while the record is this group's, or 0, "absent" or
  // nothing if there is no such group.
  template <class Read>
  [[nodiscard]] auto of_record(const Read& read) -> decltype(read(*record)) {
    while (GroupRecord* const found = find()) {
      auto result = read(*found);
      if (table->holds(seat)) return result;
    }
    return {};
  }
};

GroupRegistry::GroupRegistry(std::string_view name) {
  auto* const table = shared_record<GroupTable>("pvm.groups");
  if (table == nullptr) throw std::bad_alloc();
  shared_ = std::make_unique<Shared>(Shared{name_in_table(name), table, {}});
}

GroupRegistry::~GroupRegistry() = default;

// The table stays locked until the group has its member, because an empty group may lose its place.
int GroupRegistry::join(int tid, std::uint32_t& operations_before) {
  Shared& my = *shared_;
  const std::lock_guard hold(my.table->lock());
  my.seat = my.table->find(my.name);
  if (my.seat.place < 0) my.seat = my.table->give(my.name, is_empty);
  my.record = my.seat.place < 0 ? nullptr : record_of(my.seat.place);
  if (my.record == nullptr) return PvmOutOfRes;
  operations_before = my.record->operations();
  return my.record->join(tid);
}

bool GroupRegistry::leave(int tid) {
  return shared_->of_record([tid](GroupRecord& record) { return record.leave(tid); });
}
bool GroupRegistry::freeze() {
  return shared_->of_record([](GroupRecord& record) { return record.freeze(); });
}
void GroupRegistry::sweep() {
  if (GroupRecord* const record = shared_->find()) record->sweep();
}
std::uint32_t GroupRegistry::life() const {
  return shared_->find() == nullptr ? 0 : shared_->seat.life;
}
GroupRegistry::State GroupRegistry::state() const {
  return shared_->of_record([](GroupRecord& record) { return record.state(); });
}
std::uint32_t GroupRegistry::epoch() const {
  return shared_->of_record([](GroupRecord& record) { return record.epoch(); });
}
std::uint32_t GroupRegistry::deaths() const {
  return shared_->of_record([](GroupRecord& record) { return record.deaths(); });
}
int GroupRegistry::size() const {
  return shared_->of_record([](GroupRecord& record) { return record.size(); });
}
GroupMembers GroupRegistry::membership() const {
  return shared_->of_record([](GroupRecord& record) { return record.membership(); });
}
std::optional<GroupMembers> GroupRegistry::membership_at(std::uint32_t epoch) const {
  return shared_->of_record([epoch](GroupRecord& record) { return record.membership_at(epoch); });
}
std::optional<Pinned> GroupRegistry::pin(std::uint32_t number,
                                         const std::function<Pinned()>& offer) {
  return shared_->of_record([&](GroupRecord& record) { return record.pin(number, offer); });
}
void GroupRegistry::fail(std::uint32_t number) {
  if (GroupRecord* const record = shared_->find()) record->fail(number);
}
bool GroupRegistry::failed(std::uint32_t number) {
  GroupRecord* const record = shared_->find();
  return record == nullptr || record->failed(number);
}
std::uint32_t GroupRegistry::operations() const {
  return shared_->of_record([](GroupRecord& record) { return record.operations(); });
}

tutti_status GroupRegistry::meet(Meeting meeting, int count, tutti_give_up_fn give_up, void* user) {
  const char* const kind = meeting == Meeting::barrier ? "barrier" : "freeze";
  const std::string counter = fmt::format("pvm.{}.{}", kind, shared_->seat.place);
  return tutti_arrive_unless(counter.c_str(), count, give_up, user);
}

}  // namespace tutti::pvm
