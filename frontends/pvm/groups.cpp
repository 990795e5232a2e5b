// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that join, leave and query groups, and barrier and broadcast. The last two are
// no schedules: a barrier is an arrival counter, a broadcast is a message to all members.
#include <tutti-pvm/pvm3.h>

#include <vector>

#include "errors.hpp"
#include "group.hpp"

using namespace tutti::pvm;

namespace {

// Runs `body(PvmGroup&)` for a group that has a name.
template <class Body>
int with_group(const char* name, const char* group, Body&& body) {
  return call(name, [&] {
    if (group == nullptr || *group == '\0') return int{PvmNullGroup};
    const int result = body(groups().at(group));
    if (result == PvmNoGroup) groups().forget_if_gone(group);
    return result;
  });
}

}  // namespace

extern "C" {

int pvm_joingroup(char* group) {
  return with_group("pvm_joingroup", group, [](PvmGroup& joined) { return joined.join(); });
}

int pvm_lvgroup(char* group) {
  return with_group("pvm_lvgroup", group, [group](PvmGroup& left) {
    const int result = left.leave();
    groups().forget_if_gone(group);  // destroys `left` if this task was the last member
    return result;
  });
}

int pvm_getinst(char* group, int tid) {
  return with_group("pvm_getinst", group, [tid](PvmGroup& asked) {
    if (const int status = asked.check(PvmGroup::As::anybody); status != PvmOk) return status;
    const int instance = asked.members().instance_of(tid);
    return instance < 0 ? PvmNotInGroup : instance;
  });
}

int pvm_gettid(char* group, int instance) {
  return with_group("pvm_gettid", group, [instance](PvmGroup& asked) {
    if (const int status = asked.check(PvmGroup::As::anybody); status != PvmOk) return status;
    const GroupMembers& members = asked.members();
    return members.has(instance) ? members.tids[static_cast<std::size_t>(instance)] : PvmNoInst;
  });
}

int pvm_gsize(char* group) {
  return with_group("pvm_gsize", group, [](PvmGroup& asked) {
    const int status = asked.check(PvmGroup::As::anybody);
    return status == PvmOk ? asked.members().size : status;
  });
}

int pvm_freezegroup(char* group, int size) {
  return with_group("pvm_freezegroup", group,
                    [size](PvmGroup& frozen) { return frozen.freeze(size); });
}

int pvm_barrier(char* group, int count) {
  return with_group("pvm_barrier", group, [count](PvmGroup& met) { return met.barrier(count); });
}

int pvm_bcast(char* group, int tag) {
  return with_group("pvm_bcast", group, [tag](PvmGroup& told) {
    if (const int status = told.check(PvmGroup::As::anybody); status != PvmOk) return status;
    std::vector<int> others;
    for (const int tid : told.members().tids) {
      if (tid != 0 && tid != pvm_mytid()) others.push_back(tid);
    }
    if (others.empty()) return int{PvmNoInst};
    return tutti_pvm_multicast(others.data(), static_cast<int>(others.size()), tag);
  });
}

}  // extern "C"
