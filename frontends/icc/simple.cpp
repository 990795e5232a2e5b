// SPDX-License-Identifier: BSD-3-Clause
// Checks the arguments of the simple interface and calls the collectives (simple.hpp).
#include "simple.hpp"

#include <tutti/tutti_runtime.h>

#include <numeric>

#include "collectives.hpp"
#include "errors.hpp"

namespace tutti::icc {
namespace {

constexpr std::int64_t bytes_of(tutti_type type) {
  switch (type) {
    case TUTTI_INT32:
    case TUTTI_FLOAT:
      return 4;
    case TUTTI_INT64:
    case TUTTI_DOUBLE:
      return 8;
    default:
      return 1;
  }
}

int checked_root(const char* call, const Communicator& all, long root) {
  if (root < 0 || root >= all.size) [[unlikely]]
    fail(call, "argument 'root' is {}, but the nodes are 0 to {}", root, all.size - 1);
  return static_cast<int>(root);
}

tutti_data data_of(const char* call, const Vector& vector, const char* name) {
  if (vector.count < 0) [[unlikely]]
    fail(call, "the length of '{}' is {}", name, vector.count);
  if (vector.address == nullptr && vector.count > 0) [[unlikely]]
    fail(call, "argument '{}' is NULL", name);
  return tutti_array(vector.address, vector.count, vector.type);
}

std::int64_t sum_of(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
}

std::int64_t own(const Communicator& all, const Lengths& lengths) {
  return lengths[static_cast<std::size_t>(all.source)];
}

using VectorFunction = void (*)(void*, void*);
void call_function(void* x, void* work, std::int64_t, void* function) {
  (*static_cast<VectorFunction*>(function))(x, work);
}

}  // namespace

template <class Integer>
Lengths lengths_of(const char* call, const char* argument, const Integer* list) {
  const Communicator& all = world(call);
  if (list == nullptr) fail(call, "argument '{}' is NULL", argument);
  Lengths lengths(list, list + all.size);
  for (int node = 0; node < all.size; ++node) {
    const std::int64_t length = lengths[static_cast<std::size_t>(node)];
    if (length < 0) fail(call, "argument '{}' has {} for node {}", argument, length, node);
  }
  return lengths;
}
template Lengths lengths_of(const char*, const char*, const long*);
template Lengths lengths_of(const char*, const char*, const int*);

void sync(const char* call) {
  const NamedCall named(call);
  check(call, tutti_barrier(world(call).group));
}

void broadcast(const char* call, const Vector& x, long root) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const tutti_data data = data_of(call, x, "x");
  check(call, run(all, {.operation = TUTTI_OP_BROADCAST,
                        .output = &data,
                        .root = checked_root(call, all, root),
                        .bytes = x.count * bytes_of(x.type)}));
}

void combine_to_all(const char* call, const Vector& x, tutti_op op) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const tutti_data data = data_of(call, x, "x");
  check(call, run(all, {.operation = TUTTI_OP_ALLREDUCE,
                        .input = &data,
                        .output = &data,
                        .op = op,
                        .bytes = x.count * bytes_of(x.type)}));
}

void combine_to_one(const char* call, const Vector& x, tutti_op op, long root) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const tutti_data data = data_of(call, x, "x");
  check(call, run(all, {.operation = TUTTI_OP_REDUCE,
                        .input = &data,
                        .output = &data,
                        .op = op,
                        .root = checked_root(call, all, root),
                        .bytes = x.count * bytes_of(x.type)}));
}

// The function takes whole vectors. This tree does not cut them, and it keeps the order of the
// nodes for any number of them.
void combine_by(const char* call, const Vector& x, void* work, void (*f)(void*, void*)) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const tutti_data data = data_of(call, x, "x");
  if (f == nullptr) fail(call, "argument 'f' is NULL");
  if (work == nullptr && x.count > 0) fail(call, "argument 'work' is NULL");
  tutti_op op{0};
  check(call, tutti_op_create_in_place(x.type, call_function, 0, &f, &op));
  check(call,
        run_plan(all, {.operation = TUTTI_OP_ALLREDUCE, .input = &data, .output = &data, .op = op},
                 "mst"));
  check(call, tutti_op_free(op));
}

void distributed_combine(const char* call, const Vector& x, const Lengths& lengths, void* y,
                         tutti_op op) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const std::int64_t whole = sum_of(lengths);
  const tutti_data input = data_of(call, {x.address, whole, x.type}, "x");
  const tutti_data output = data_of(call, {y, own(all, lengths), x.type}, "y");
  check(call, run(all, {.operation = TUTTI_OP_REDUCE_SCATTER,
                        .input = &input,
                        .output = &output,
                        .op = op,
                        .counts = lengths.data(),
                        .bytes = whole * bytes_of(x.type)}));
}

void scatter(const char* call, void* x, const Lengths& lengths, void* y, long root) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const int from = checked_root(call, all, root);
  const std::int64_t whole = sum_of(lengths);
  const tutti_data output = data_of(call, {y, own(all, lengths), TUTTI_BYTE}, "y");
  const tutti_data input =
      all.source == from ? data_of(call, {x, whole, TUTTI_BYTE}, "x") : tutti_data{};
  check(call, run(all, {.operation = TUTTI_OP_SCATTER,
                        .input = all.source == from ? &input : nullptr,
                        .output = &output,
                        .root = from,
                        .counts = lengths.data(),
                        .bytes = whole}));
}

void gather(const char* call, void* x, const Lengths& lengths, void* y, long root) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const int to = checked_root(call, all, root);
  const std::int64_t whole = sum_of(lengths);
  const tutti_data input = data_of(call, {x, own(all, lengths), TUTTI_BYTE}, "x");
  const tutti_data output =
      all.source == to ? data_of(call, {y, whole, TUTTI_BYTE}, "y") : tutti_data{};
  check(call, run(all, {.operation = TUTTI_OP_GATHER,
                        .input = &input,
                        .output = all.source == to ? &output : nullptr,
                        .root = to,
                        .counts = lengths.data(),
                        .bytes = whole}));
}

void collect(const char* call, void* x, const Lengths& lengths, void* y) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  const std::int64_t whole = sum_of(lengths);
  const tutti_data input = data_of(call, {x, own(all, lengths), TUTTI_BYTE}, "x");
  const tutti_data output = data_of(call, {y, whole, TUTTI_BYTE}, "y");
  check(call, run(all, {.operation = TUTTI_OP_ALLGATHER,
                        .input = &input,
                        .output = &output,
                        .counts = lengths.data(),
                        .bytes = whole}));
}

std::int64_t collect_unknown(const char* call, void* x, std::int64_t xlen, void* y,
                             std::int64_t ylen) {
  const NamedCall named(call);
  const Communicator& all = world(call);
  if (xlen < 0) fail(call, "argument 'xlen' is {}", xlen);
  Lengths lengths(static_cast<std::size_t>(all.size));
  const tutti_data mine = tutti_array(&xlen, 1, TUTTI_INT64);
  const tutti_data every = tutti_array(lengths.data(), all.size, TUTTI_INT64);
  check(call, tutti_allgather(all.group, &mine, &every));
  const std::int64_t whole = sum_of(lengths);
  if (whole > ylen)
    fail(call, "argument 'ylen' is {}, but the nodes together have {} bytes", ylen, whole);
  collect(call, x, lengths, y);
  return whole;
}

}  // namespace tutti::icc
