// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that join, leave and query groups, and their collective operations but
// pvm_reduce. Barrier and broadcast are no plans: as many members as a caller says meet at a
// barrier, which is an arrival counter, and a broadcast is a message to all members.
#include <tutti-pvm/pvm3.h>

#include <vector>

#include "core.hpp"
#include "group.hpp"
#include "group_operation.hpp"

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

// A vector at the root with a part for each member: the caller's own memory, or one in the order of
// ranks, if instances have another order.
class Whole {
 public:
  Whole(const GroupOperation& operation, void* given, std::int64_t part)
      : placement_(operation.placement()),
        given_(static_cast<std::byte*>(given)),
        part_(static_cast<std::size_t>(part)),
        bytes_(part * operation.size()) {
    if (operation.at_root() && !placement_.in_order())
      by_rank_.resize(static_cast<std::size_t>(bytes_));
  }

  [[nodiscard]] tutti_data data() {
    return tutti_array(is_sorted() ? by_rank_.data() : given_, bytes_, TUTTI_BYTE);
  }
  void sort_to_ranks() {
    if (is_sorted()) placement_.to_ranks(by_rank_.data(), given_, part_);
  }
  void sort_to_instances() {
    if (is_sorted()) placement_.to_instances(given_, by_rank_.data(), part_);
  }

 private:
  [[nodiscard]] bool is_sorted() const { return !by_rank_.empty(); }

  const GroupPlacement& placement_;
  std::byte* given_;
  std::size_t part_;
  std::int64_t bytes_;
  std::vector<std::byte> by_rank_;
};

int scatter(const GroupCall& given, void* result, void* data) {
  GroupOperation operation(TUTTI_OP_SCATTER, given);
  if (operation.status() != PvmOk) return operation.status();
  Whole whole(operation, data, given.bytes());
  whole.sort_to_ranks();
  const tutti_data all = whole.data(), mine = tutti_array(result, given.bytes(), TUTTI_BYTE);
  return operation.run({&all, &mine});
}

int gather(const GroupCall& given, void* result, void* data) {
  GroupOperation operation(TUTTI_OP_GATHER, given);
  if (operation.status() != PvmOk) return operation.status();
  Whole whole(operation, result, given.bytes());
  const tutti_data all = whole.data(), mine = tutti_array(data, given.bytes(), TUTTI_BYTE);
  const int status = operation.run({&mine, &all});
  if (status == PvmOk) whole.sort_to_instances();
  return status;
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

int pvm_scatter(void* result, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_scatter", [&] {
    return scatter({group, count, type, tag, root}, result, data);
  });
}

int pvm_gather(void* result, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_gather", [&] { return gather({group, count, type, tag, root}, result, data); });
}

}  // extern "C"
