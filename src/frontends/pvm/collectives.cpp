// SPDX-License-Identifier: BSD-3-Clause
// Scatter, gather and reduce. Each is a plan of the runtime in which every member talks to the root at once: nobody waits
// for anybody but the root, so a task that dies is noticed by those it concerns and keeps nobody else waiting.
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

int run(tutti_group group, tutti_operation operation, int root, const tutti_data* input, const tutti_data* output,
        tutti_op op) {
  const tutti_plan_request request = {sizeof request, operation, "fully_connected", root, 0, 0, 0, 0, nullptr, 0, 0};
  tutti_plan plan{0};
  tutti_status status = tutti_plan_get(group, &request, &plan);
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
  root = operation.members->rank_of(given.root);
  return PvmOk;
}

// The data of all, combined at the root in the order of the members, its own first. `info` starts as success, so a
// function need not set it.
int combine_at_root(ReduceFunction function, const Call& given, void* data, const Group::Operation& operation,
                    int root) {
  const std::int64_t bytes = bytes_of(given);
  const bool at_root = operation.rank == root;
  const int size = operation.members->size;
  std::vector<std::byte> all(at_root ? static_cast<std::size_t>(bytes * size) + 1 : 0);
  const tutti_data input = tutti_array(data, bytes, TUTTI_BYTE);
  const tutti_data output = tutti_array(all.data(), bytes * size, TUTTI_BYTE);
  const int status = run(operation.group, TUTTI_OP_GATHER, root, &input, at_root ? &output : nullptr, {0});
  if (status != PvmOk || !at_root) return status;
  int info = PvmOk, type = given.type, count = given.count;
  for (int rank = 0; rank < size; ++rank) {
    if (rank != root) function(&type, data, all.data() + rank * bytes, &count, &info);
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
  return run(operation.group, TUTTI_OP_REDUCE, root, &vector, operation.rank == root ? &vector : nullptr, native->op);
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
    const std::int64_t bytes = bytes_of(given);
    const tutti_data input = tutti_array(data, bytes * operation.members->size, TUTTI_BYTE);
    const tutti_data output = tutti_array(result, bytes, TUTTI_BYTE);
    return run(operation.group, TUTTI_OP_SCATTER, root_rank, operation.rank == root_rank ? &input : nullptr, &output,
               {0});
  });
}

int pvm_gather(void* result, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_gather", [&] {
    Group::Operation operation;
    const Call given{group, count, type, tag, root};
    int root_rank = 0;
    if (const int status = begin(given, true, operation, root_rank); status != PvmOk) return status;
    const std::int64_t bytes = bytes_of(given);
    const tutti_data input = tutti_array(data, bytes, TUTTI_BYTE);
    const tutti_data output = tutti_array(result, bytes * operation.members->size, TUTTI_BYTE);
    return run(operation.group, TUTTI_OP_GATHER, root_rank, &input, operation.rank == root_rank ? &output : nullptr,
               {0});
  });
}

}  // extern "C"
