// SPDX-License-Identifier: BSD-3-Clause
// Scatter, gather and reduce. Each is a plan of the runtime in which every member talks to the root at once: nobody waits
// for anybody but the root, so a task that dies is noticed by those it concerns and keeps nobody else waiting. Where the
// members are on several hosts, they talk to the coordinators of their hosts, and only these to the root.
#include <tutti-pvm/pvm3.h>

#include <cstring>
#include <vector>

#include "errors.hpp"
#include "group.hpp"
#include "operations.hpp"

using namespace tutti::pvm;

namespace {

struct Call {
  const char* group;
  int count, type, tag, root;
};

std::int64_t bytes_of(const Call& given) {
  return std::int64_t{given.count} * tutti_pvm_bytes_of(given.type);
}

bool sound(const Call& given) {
  return given.count >= 0 && given.tag >= 0 && tutti_pvm_bytes_of(given.type) != 0;
}

int run(const Group::Operation& members, tutti_operation operation, int root, const tutti_data* input,
        const tutti_data* output, tutti_op op) {
  const std::vector<int>& hosts = members.placement->hosts;
  const char* const algorithm = hosts.empty() ? "fully_connected" : "coordinators";
  const auto count = static_cast<int>(hosts.size());
  const tutti_plan_request request = {sizeof request, operation, algorithm, root, 0, 0, 0, 0, hosts.data(), count, 0};
  tutti_plan plan{0};
  tutti_status status = tutti_plan_get(members.group, &request, &plan);
  const tutti_run with = {sizeof with, input, output, op, nullptr};
  if (status == TUTTI_OK) status = tutti_plan_run(plan, &with);
  return tutti_pvm_code(status);
}

// Begins an operation whose root is there. `whole`: every instance number up to the highest is taken.
int begin(const Call& given, bool whole, Group::Operation& operation, int& root) {
  if (given.group == nullptr || *given.group == '\0') return PvmNullGroup;
  if (!sound(given)) return PvmBadParam;
  const int status = groups().at(given.group).begin(operation);
  if (status != PvmOk) return status;
  if (!operation.members->has(given.root) || (whole && !operation.members->whole())) return PvmNoInst;
  root = operation.placement->rank_of(operation.members->tids[static_cast<std::size_t>(given.root)]);
  return PvmOk;
}

// The parts of the members, by instance, come to `result` at the root.
int gather(const Group::Operation& members, int root, void* data, void* result, std::int64_t bytes) {
  const bool at_root = members.rank == root;
  const bool sort = at_root && !members.placement->in_order();
  std::vector<std::byte> by_rank(sort ? static_cast<std::size_t>(bytes * members.members->size) : 0);
  const tutti_data input = tutti_array(data, bytes, TUTTI_BYTE);
  const tutti_data output = tutti_array(sort ? by_rank.data() : result, bytes * members.members->size, TUTTI_BYTE);
  const int status = run(members, TUTTI_OP_GATHER, root, &input, at_root ? &output : nullptr, {0});
  if (status == PvmOk && sort) {
    members.placement->to_instances(static_cast<std::byte*>(result), by_rank.data(), static_cast<std::size_t>(bytes));
  }
  return status;
}

// And back.
int scatter(const Group::Operation& members, int root, void* data, void* result, std::int64_t bytes) {
  const bool at_root = members.rank == root;
  const bool sort = at_root && !members.placement->in_order();
  std::vector<std::byte> by_rank(sort ? static_cast<std::size_t>(bytes * members.members->size) : 0);
  if (sort) {
    members.placement->to_ranks(by_rank.data(), static_cast<std::byte*>(data), static_cast<std::size_t>(bytes));
  }
  const tutti_data input = tutti_array(sort ? by_rank.data() : data, bytes * members.members->size, TUTTI_BYTE);
  const tutti_data output = tutti_array(result, bytes, TUTTI_BYTE);
  return run(members, TUTTI_OP_SCATTER, root, at_root ? &input : nullptr, &output, {0});
}

// The data of all, combined at the root in the order of the members, its own first. `info` starts as success, so a
// function need not set it.
int combine_at_root(ReduceFunction function, const Call& given, void* data, const Group::Operation& operation,
                    int root) {
  const std::int64_t bytes = bytes_of(given);
  const bool at_root = operation.rank == root;
  const int size = operation.members->size;
  std::vector<std::byte> all(at_root ? static_cast<std::size_t>(bytes * size) + 1 : 0);
  const int status = gather(operation, root, data, all.data(), bytes);
  if (status != PvmOk || !at_root) return status;
  int info = PvmOk, type = given.type, count = given.count;
  const int own = operation.members->rank_of(given.root);
  for (int place = 0; place < size; ++place) {
    if (place != own) function(&type, data, all.data() + place * bytes, &count, &info);
  }
  return info;
}

int reduce(ReduceFunction function, const Call& given, void* data) {
  Group::Operation operation;
  int root = 0;
  if (function == nullptr || data == nullptr) return PvmBadParam;
  if (const int status = begin(given, false, operation, root); status != PvmOk) return status;
  const std::optional<NativeOperator> native = native_operator(function, given.type);
  if (!native) return combine_at_root(function, given, data, operation, root);
  const tutti_data vector = tutti_array(data, given.count, native->type);
  return run(operation, TUTTI_OP_REDUCE, root, &vector, operation.rank == root ? &vector : nullptr, native->op);
}

}  // namespace

extern "C" {

int pvm_reduce(ReduceFunction function, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_reduce", [&] { return reduce(function, {group, count, type, tag, root}, data); });
}

int pvm_scatter(void* result, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_scatter", [&] {
    Group::Operation operation;
    const Call given{group, count, type, tag, root};
    int root_rank = 0;
    if (const int status = begin(given, true, operation, root_rank); status != PvmOk) return status;
    return scatter(operation, root_rank, data, result, bytes_of(given));
  });
}

int pvm_gather(void* result, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_gather", [&] {
    Group::Operation operation;
    const Call given{group, count, type, tag, root};
    int root_rank = 0;
    if (const int status = begin(given, true, operation, root_rank); status != PvmOk) return status;
    return gather(operation, root_rank, data, result, bytes_of(given));
  });
}

}  // extern "C"
