// SPDX-License-Identifier: BSD-3-Clause
// Level 1 of BSPlib on tutti's collectives (collectives.hpp). An operand of bsp_fold is one value
// whatever its size, and must not be cut. If it is as long as one of tutti's types, it is sent as
// that type. Otherwise all operands are gathered and combined where the result is needed.
#include "collectives.hpp"

#include <climits>
#include <numeric>
#include <optional>
#include <vector>

#include "errors.hpp"
#include "remote.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

// tutti does not write to an input, so it may be given without const.
tutti_data bytes_of(const void* address, std::size_t size) {
  return tutti_array(const_cast<void*>(address), static_cast<std::int64_t>(size), TUTTI_BYTE);
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

struct Operation {
  bsp_operator op;
  int size;
};

void combine(void* result, const void* left, const void* right, int64_t count, void* user) {
  const auto& operation = *static_cast<const Operation*>(user);
  const auto bytes = static_cast<std::size_t>(operation.size);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    int size = operation.size;
    const auto part = [&](const void* of) {
      return const_cast<std::byte*>(static_cast<const std::byte*>(of)) + i * bytes;
    };
    operation.op(part(result), part(left), part(right), &size);
  }
}

using Reduction = tutti_status (*)(tutti_group, const tutti_data*, const tutti_data*, tutti_op);

void reduce_as(const char* routine, Reduction reduction, tutti_type type, Operation operation,
               const void* source, void* destination) {
  const BspMachine& mine = machine(routine);
  tutti_op op{0};
  check(routine, tutti_op_create, type, combine, 0, &operation, &op);
  const tutti_data input = tutti_array(const_cast<void*>(source), 1, type);
  const tutti_data output = tutti_array(destination, 1, type);
  check(routine, reduction, mine.peers.group, &input, &output, op);
  check(routine, tutti_op_free, op);
}

// Gathers all operands and combines those of processes 0 to `last`.
void reduce_gathered(const char* routine, Operation operation, const void* source,
                     void* destination, int last) {
  const BspMachine& mine = machine(routine);
  const auto bytes = static_cast<std::size_t>(operation.size);
  std::vector<std::byte> all(bytes * static_cast<std::size_t>(mine.count));
  const tutti_data input = bytes_of(source, bytes);
  const tutti_data output = bytes_of(all.data(), all.size());
  check(routine, tutti_allgather, mine.peers.group, &input, &output);
  std::vector<std::byte> left(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bytes)),
      result(bytes);
  for (int pid = 1; pid <= last; ++pid) {
    int size = operation.size;
    operation.op(result.data(), left.data(), all.data() + static_cast<std::size_t>(pid) * bytes,
                 &size);
    left.swap(result);
  }
  std::memcpy(destination, left.data(), bytes);
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
  check(routine, tutti_bcast, mine.peers.group, &data, root);
}

void fold(bsp_operator op, const void* source, void* destination, std::size_t size) {
  const BspMachine& mine = machine("bsp_fold");
  check_operands("bsp_fold", op, source, destination, size);
  if (size == 0) return;
  const Operation operation{op, static_cast<int>(size)};
  if (const auto type = type_of_size(size)) {
    return reduce_as("bsp_fold", tutti_allreduce, *type, operation, source, destination);
  }
  reduce_gathered("bsp_fold", operation, source, destination, mine.count - 1);
}

void scan(bsp_operator op, const void* source, void* destination, std::size_t size) {
  const BspMachine& mine = machine("bsp_scan");
  check_operands("bsp_scan", op, source, destination, size);
  if (size == 0) return;
  const Operation operation{op, static_cast<int>(size)};
  if (const auto type = type_of_size(size)) {
    return reduce_as("bsp_scan", tutti_scan, *type, operation, source, destination);
  }
  reduce_gathered("bsp_scan", operation, source, destination, mine.pid);
}

void gather(int root, const void* source, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_gather");
  check_pid("bsp_gather", mine, root);
  const tutti_data input = bytes_of(source, size);
  const tutti_data output = bytes_of(destination, size * static_cast<std::size_t>(mine.count));
  check("bsp_gather", tutti_gather, mine.peers.group, &input, &output, root);
}

void scatter(int root, const void* source, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_scatter");
  check_pid("bsp_scatter", mine, root);
  const tutti_data input = bytes_of(source, size * static_cast<std::size_t>(mine.count));
  const tutti_data output = bytes_of(destination, size);
  check("bsp_scatter", tutti_scatter, mine.peers.group, &input, &output, root);
}

void total_exchange(const void* source, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_total_exchange");
  const std::size_t whole = size * static_cast<std::size_t>(mine.count);
  const tutti_data input = bytes_of(source, whole);
  const tutti_data output = bytes_of(destination, whole);
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
  check(routine, tutti_alltoallv, machine(routine).peers.group, &input, &output,
        source_sizes.data(), destination_sizes.data());
}

}  // namespace tutti::bsp
