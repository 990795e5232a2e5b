// SPDX-License-Identifier: BSD-3-Clause
// Level 1 of BSPlib on tutti's collectives (collectives.hpp). An operand of bsp_fold is one value
// whatever its size, and must not be cut. If it is as long as one of tutti's types, it is one
// element of that type; a fold of one number then takes a third of the time. Any other operand is
// bytes that an operator on whole vectors combines.
#include "collectives.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "direct.hpp"
#include "errors.hpp"
#include "remote.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

// tutti does not write to an input, so it may be given without const.
tutti_data bytes_of(const void* address, std::size_t size) {
  return tutti_array(const_cast<void*>(address), static_cast<std::int64_t>(size), TUTTI_BYTE);
}

// A function of the program and its memory. BSPlib's functions get memory of their own for the
// result, because they may write it before they have read both operands.
struct Operation {
  bsp_operator op;
  int size;
  std::vector<std::byte> result;

  Operation(bsp_operator function, std::size_t bytes)
      : op(function), size(static_cast<int>(bytes)), result(bytes) {}
};

void combine(void* result, const void* left, const void* right, int64_t, void* user) {
  auto& with = *static_cast<Operation*>(user);
  int size = with.size;
  with.op(with.result.data(), const_cast<void*>(left), const_cast<void*>(right), &size);
  std::memcpy(result, with.result.data(), with.result.size());
}

// Leaves x op y in x.
void combine_whole(void* x, void* y, int64_t count, void* user) {
  combine(x, x, y, count, user);
}

std::optional<tutti_type> type_of_size(std::size_t size) {
  switch (size) {
    case 1:
      return TUTTI_BYTE;
    case 4:
      return TUTTI_INT32;
    case 8:
      return TUTTI_INT64;
    case 16:
      return TUTTI_COMPLEX_DOUBLE;
    default:
      return std::nullopt;
  }
}

using Reduction = tutti_status (*)(tutti_group, const tutti_data*, const tutti_data*, tutti_op);

void reduce(const char* routine, Reduction reduction, Operation operation, const void* source,
            void* destination) {
  const BspMachine& mine = machine(routine);
  const std::size_t size = operation.result.size();
  const auto type = type_of_size(size);
  tutti_op op{0};
  if (type) {
    check(routine, tutti_op_create, *type, combine, 0, &operation, &op);
  } else {
    check(routine, tutti_op_create_in_place, TUTTI_BYTE, combine_whole, 0, &operation, &op);
  }
  tutti_data input = bytes_of(source, size), output = bytes_of(destination, size);
  if (type) {
    input = tutti_array(input.address, 1, *type);
    output = tutti_array(output.address, 1, *type);
  }
  check(routine, reduction, mine.peers.group, &input, &output, op);
  check(routine, tutti_op_free, op);
}

void check_operands(const char* routine, bsp_operator op, const void* source,
                    const void* destination, std::size_t size) {
  if (op == nullptr) fail(routine, "argument 'op' is NULL");
  if (size > INT_MAX) fail(routine, "argument 'size' is {}, more than an operator is told", size);
  if (size > 0 && (source == nullptr || destination == nullptr)) {
    fail(routine, "argument '{}' is NULL", source == nullptr ? "source" : "destination");
  }
}

}  // namespace

void broadcast(const char* routine, int root, const void* source, void* destination,
               std::size_t size) {
  BspMachine& mine = machine(routine);
  check_pid(routine, mine, root);
  if (mine.pid == root && source != destination && size > 0)
    std::memmove(destination, source, size);
  const tutti_data data = bytes_of(destination, size);
  meet(routine, mine.peers);
  check(routine, tutti_bcast, mine.peers.group, &data, root);
}

void fold(bsp_operator op, const void* source, void* destination, std::size_t size) {
  check_operands("bsp_fold", op, source, destination, size);
  if (size == 0) return;
  meet("bsp_fold", machine("bsp_fold").peers);
  reduce("bsp_fold", tutti_allreduce, {op, size}, source, destination);
}

void scan(bsp_operator op, const void* source, void* destination, std::size_t size) {
  check_operands("bsp_scan", op, source, destination, size);
  if (size == 0) return;
  meet("bsp_scan", machine("bsp_scan").peers);
  reduce("bsp_scan", tutti_scan, {op, size}, source, destination);
}

void gather(int root, const void* source, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_gather");
  check_pid("bsp_gather", mine, root);
  const tutti_data input = bytes_of(source, size);
  const tutti_data output = bytes_of(destination, size * static_cast<std::size_t>(mine.count));
  meet("bsp_gather", mine.peers);
  check("bsp_gather", tutti_gather, mine.peers.group, &input, &output, root);
}

void scatter(int root, const void* source, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_scatter");
  check_pid("bsp_scatter", mine, root);
  const tutti_data input = bytes_of(source, size * static_cast<std::size_t>(mine.count));
  const tutti_data output = bytes_of(destination, size);
  meet("bsp_scatter", mine.peers);
  check("bsp_scatter", tutti_scatter, mine.peers.group, &input, &output, root);
}

void total_exchange(const void* source, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_total_exchange");
  const std::size_t whole = size * static_cast<std::size_t>(mine.count);
  const tutti_data input = bytes_of(source, whole);
  const tutti_data output = bytes_of(destination, whole);
  meet("bsp_total_exchange", mine.peers);
  check("bsp_total_exchange", tutti_alltoall, mine.peers.group, &input, &output);
}

void total_exchange(const void* source, const std::vector<std::int64_t>& source_sizes,
                    void* destination, const std::vector<std::int64_t>& destination_sizes) {
  constexpr const char* routine = "bsp_total_exchangev";
  const auto sum = [](const auto& sizes) {
    return static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
  };
  const tutti_data input = bytes_of(source, sum(source_sizes));
  const tutti_data output = bytes_of(destination, sum(destination_sizes));
  const Peers& peers = machine(routine).peers;
  meet(routine, peers);
  check(routine, tutti_alltoallv, peers.group, &input, &output, source_sizes.data(),
        destination_sizes.data());
}

// Each process sorts the values of all, and keeps the one of its own place. Equal values keep the
// order of the processes.
void sort(bsp_comparison before, const void* source, void* destination, std::size_t size) {
  const BspMachine& mine = machine("bsp_sort");
  if (before == nullptr) fail("bsp_sort", "argument 'compare' is NULL");
  if (size == 0) return;
  std::vector<std::byte> all(size * static_cast<std::size_t>(mine.count));
  const tutti_data input = bytes_of(source, size), output = bytes_of(all.data(), all.size());
  meet("bsp_sort", mine.peers);
  check("bsp_sort", tutti_allgather, mine.peers.group, &input, &output);
  std::vector<std::byte*> values;
  for (std::size_t i = 0; i < all.size(); i += size) values.push_back(all.data() + i);
  std::ranges::stable_sort(values,
                           [before](std::byte* a, std::byte* b) { return before(a, b) < 0; });
  std::memcpy(destination, values[static_cast<std::size_t>(mine.pid)], size);
}

}  // namespace tutti::bsp
