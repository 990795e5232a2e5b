// SPDX-License-Identifier: BSD-3-Clause
// Tests the MPI's own collectives as plans. Their results must be the same as ours for every
// operation, type and operator that MPI has, for all ways to run a plan, and beside operations of
// ours. Plans that cannot serve must give errors. The argument names the part: by_name, every (the
// same with every length in each way, which takes a while where processes outnumber cores), forced
// (TUTTI_ALGORITHM=allreduce=native,gather=native), table (a TUTTI_TABLE that names native for
// allreduce), long (long vectors), without (no MPI).
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "collective_case.hpp"
#include "signs_of_zero.hpp"

namespace {

using tutti::test::Call;
using tutti::test::Case;
using tutti::test::forget_signs_of_zero;
using tutti::test::Way;

int wrong = 0;

void expect(bool good, const std::string& what) {
  if (good || ++wrong > 20) return;
  std::fprintf(stderr, "rank %d: %s (%s)\n", tutti_rank(tutti_world()), what.c_str(),
               tutti_error_text());
}

void refused(tutti_status status, const char* words) {
  expect(status == TUTTI_NO_SUCH_PLAN && std::strstr(tutti_error_text(), words) != nullptr,
         std::string("refused with ") + words);
}

tutti_plan_request native(tutti_operation operation, int root) {
  tutti_plan_request request = {};
  request.struct_size = sizeof(request);
  request.operation = operation;
  request.algorithm = "native";
  request.root = root;
  return request;
}

tutti_plan native_plan(tutti_operation operation, int root = 0, tutti_group group = tutti_world()) {
  const tutti_plan_request request = native(operation, root);
  tutti_plan plan{0};
  expect(tutti_plan_get(group, &request, &plan) == TUTTI_OK, "a native plan");
  return plan;
}

bool rooted(tutti_operation operation) {
  return operation == TUTTI_OP_BROADCAST || operation == TUTTI_OP_REDUCE ||
         operation == TUTTI_OP_SCATTER || operation == TUTTI_OP_GATHER;
}

void run(tutti_group group, const Case& one, Way way) {
  Call call(group, one);
  const tutti_plan plan = native_plan(one.operation, one.root, group);
  for (int time = 0; time < (way == Way::persistent ? 2 : 1); ++time) {
    static tutti_request request{0};
    call.fill();
    if (time == 0) expect(call.run(plan, way, &request) == TUTTI_OK, describe(one));
    if (way == Way::persistent) expect(tutti_start(request) == TUTTI_OK, describe(one));
    if (way != Way::blocking) expect(tutti_wait(&request) == TUTTI_OK, describe(one));
    expect(call.verdict().empty(), call.verdict());
    if (way == Way::persistent && time == 1)
      expect(tutti_request_free(&request) == TUTTI_OK, "free");
  }
}

enum class Lengths { in_turn, every };

void all_operations(tutti_group group, Lengths wanted) {
  int salt = 0;
  const std::array<std::int64_t, 4> lengths{0, 1, 8, 5000};
  for (int operation = TUTTI_OP_BARRIER; operation <= TUTTI_OP_EXSCAN; ++operation) {
    for (std::size_t length = 0; length < lengths.size(); ++length) {
      for (int kind = 0; kind < 12; ++kind) {
        const auto turn = static_cast<std::size_t>(kind + kind / 4 + operation) % lengths.size();
        if (wanted == Lengths::in_turn && turn != length) continue;
        Case one;
        one.operation = static_cast<tutti_operation>(operation);
        one.root = rooted(one.operation) ? salt % tutti_size(group) : 0;
        one.n = lengths[length];
        one.in_place = kind % 2 == 1;
        one.strided = kind / 2 % 2 == 1;
        one.op = TUTTI_SUM;
        one.salt = ++salt;
        run(group, one, static_cast<Way>(kind / 4));
      }
    }
  }
}

// Runs several collectives of the MPI and of ours at the same time, and waits for them in another
// order than they were started in.
void side_by_side() {
  const tutti_group world = tutti_world();
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<tutti_request> requests(12);
  for (int i = 0; i < 12; ++i) {
    Case one;
    one.operation = i % 3 == 0   ? TUTTI_OP_ALLREDUCE
                    : i % 3 == 1 ? TUTTI_OP_BROADCAST
                                 : TUTTI_OP_ALLTOALL;
    one.root = i % 3 == 1 ? i % tutti_size(world) : 0;
    one.n = 100 * i;
    one.op = TUTTI_SUM;
    one.salt = i;
    Call& call = *calls.emplace_back(std::make_unique<Call>(world, one));
    tutti_request* request = &requests[static_cast<std::size_t>((i * 5) % 12)];
    call.fill();
    const bool by_mpi = i % 2 == 0;
    expect((by_mpi ? call.run(native_plan(one.operation, one.root), Way::overlapping, request)
                   : call.make(Way::overlapping, request)) == TUTTI_OK,
           describe(one));
    if (i == 6) expect(tutti_barrier(world) == TUTTI_OK, "a barrier in between");
  }
  int done = 0;
  expect(tutti_test(&requests[3], &done) == TUTTI_OK, "test");
  expect(tutti_waitall(12, requests.data()) == TUTTI_OK, "all");
  for (const auto& call : calls) expect(call->verdict().empty(), call->verdict());
}

// Starts a broadcast of each group, in the one or the other order, and waits for both.
void in_two_orders(tutti_group first, tutti_group second) {
  const tutti_group groups[] = {first, second};
  std::int64_t values[] = {tutti_rank(first) + 10, tutti_rank(second) + 20};
  tutti_request requests[2] = {};
  for (int i = 0; i < 2; ++i) {
    const auto at = static_cast<std::size_t>(tutti_rank(tutti_world()) % 2 == 0 ? i : 1 - i);
    const tutti_data data = tutti_array(&values[at], 1, TUTTI_INT64);
    tutti_run arguments = {sizeof(tutti_run), nullptr, &data,   {0},
                           nullptr,           nullptr, nullptr, nullptr};
    expect(tutti_plan_start(native_plan(TUTTI_OP_BROADCAST, 0, groups[at]), &arguments,
                            &requests[at]) == TUTTI_OK,
           "a broadcast of a group");
  }
  expect(tutti_waitall(2, requests) == TUTTI_OK && values[0] == 10 && values[1] == 20,
         "broadcasts of two groups in two orders");
}

// Adds up long vectors, during which both ranks wait for MPI most of the time.
void long_sums() {
  std::vector<double> in(2'000'000, 1), out(in.size());
  const auto n = static_cast<std::int64_t>(in.size());
  const tutti_data input = tutti_array(in.data(), n, TUTTI_DOUBLE),
                   output = tutti_array(out.data(), n, TUTTI_DOUBLE);
  const tutti_run arguments = {sizeof(tutti_run), &input,  &output, TUTTI_SUM,
                               nullptr,           nullptr, nullptr, nullptr};
  const tutti_plan plan = native_plan(TUTTI_OP_ALLREDUCE);
  for (int time = 0; time < 20; ++time) {
    out.back() = 0;
    expect(tutti_plan_run(plan, &arguments) == TUTTI_OK, "a long native allreduce");
    expect(out.back() == tutti_size(tutti_world()), "its sum");
  }
}

// Groups other than the world are served when they have asked for it.
void other_groups(Lengths lengths) {
  const tutti_group world = tutti_world();
  tutti_group reversed{0}, half{0};
  expect(tutti_group_split(world, 0, -tutti_rank(world), &reversed) == TUTTI_OK &&
             tutti_group_split(world, tutti_rank(world) % 2, 0, &half) == TUTTI_OK,
         "groups");
  for (const tutti_group group : {world, reversed, half}) {
    for (int time = 0; time < 2; ++time)
      expect(tutti_group_use_mpi(group) == TUTTI_OK, "a group that MPI serves");
  }
  for (const tutti_group group : {reversed, half}) all_operations(group, lengths);
  in_two_orders(reversed, half);
  expect(tutti_group_free(reversed) == TUTTI_OK && tutti_group_free(half) == TUTTI_OK, "freed");
}

// Fills memory with small numbers, so that sums and products are exact in every type.
void fill(std::vector<std::byte>& memory, tutti_type type, int rank) {
  for (std::size_t i = 0; i < 8; ++i) {
    const int value = static_cast<int>((i * 3 + static_cast<std::size_t>(rank)) % 4);
    const std::int64_t bytes = tutti_type_bytes(type);
    const bool is_integer = type >= TUTTI_BOOL && type <= TUTTI_UINT64;
    if (type == TUTTI_BYTE) memory[i] = static_cast<std::byte>(value);
    // The machine stores the lowest byte of an integer first.
    if (is_integer) memory[i * static_cast<std::size_t>(bytes)] = static_cast<std::byte>(value);
    if (type == TUTTI_INT32) reinterpret_cast<std::int32_t*>(memory.data())[i] = value - 1;
    if (type == TUTTI_INT64) reinterpret_cast<std::int64_t*>(memory.data())[i] = value - 1;
    if (type == TUTTI_FLOAT)
      reinterpret_cast<float*>(memory.data())[i] = static_cast<float>(value - 1);
    if (type == TUTTI_DOUBLE) reinterpret_cast<double*>(memory.data())[i] = value - 1;
    for (std::size_t part = 2 * i; part < 2 * i + 2; ++part) {
      if (type == TUTTI_COMPLEX_FLOAT)
        reinterpret_cast<float*>(memory.data())[part] = static_cast<float>(value);
      if (type == TUTTI_COMPLEX_DOUBLE) reinterpret_cast<double*>(memory.data())[part] = value;
    }
  }
}

void all_operators() {
  const tutti_op ops[] = {TUTTI_SUM,         TUTTI_PRODUCT,    TUTTI_MAX,         TUTTI_MIN,
                          TUTTI_LOGICAL_AND, TUTTI_LOGICAL_OR, TUTTI_LOGICAL_XOR, TUTTI_BIT_AND,
                          TUTTI_BIT_OR,      TUTTI_BIT_XOR};
  const tutti_plan plan = native_plan(TUTTI_OP_ALLREDUCE);
  int served = 0, unserved = 0;
  for (int type = TUTTI_BYTE; type <= TUTTI_BFLOAT16; ++type) {
    for (const tutti_op op : ops) {
      std::vector<std::byte> in(128), ours(128), theirs(128);
      const auto kind = static_cast<tutti_type>(type);
      fill(in, kind, tutti_rank(tutti_world()));
      const tutti_data input = tutti_array(in.data(), 8, kind),
                       our = tutti_array(ours.data(), 8, kind),
                       their = tutti_array(theirs.data(), 8, kind);
      if (tutti_allreduce(tutti_world(), &input, &our, op) != TUTTI_OK)
        continue;  // there is no such operator
      const tutti_run arguments = {sizeof(tutti_run), &input,  &their,  op,
                                   nullptr,           nullptr, nullptr, nullptr};
      const tutti_status status = tutti_plan_run(plan, &arguments);
      if (status == TUTTI_NO_SUCH_PLAN) {
        ++unserved;  // MPI has no such operator
        continue;
      }
      expect(status == TUTTI_OK, "a native allreduce");
      forget_signs_of_zero(ours, kind);
      forget_signs_of_zero(theirs, kind);
      expect(ours == theirs,
             "type " + std::to_string(type) + ", operator " + std::to_string(op.id));
      ++served;
    }
  }
  expect(served == 101, "all types and operators that both have are served");
  expect(unserved == 15, "numbers of 16 bits, and arithmetic on booleans, are not served");
}

void what_cannot_be() {
  const tutti_group world = tutti_world();
  tutti_group dup{0}, half{0};
  tutti_plan plan{0};
  tutti_op compose{0};
  std::vector<std::int64_t> values(4), results(4);
  const tutti_data in = tutti_array(values.data(), 4, TUTTI_INT64),
                   out = tutti_array(results.data(), 4, TUTTI_INT64);
  const tutti_plan_request request = native(TUTTI_OP_ALLREDUCE, 0);
  expect(tutti_group_dup(world, &dup) == TUTTI_OK &&
             tutti_group_split(world, tutti_rank(world) % 2, 0, &half) == TUTTI_OK,
         "groups");
  refused(tutti_plan_get(dup, &request, &plan), "tutti_world");
  refused(tutti_plan_get(half, &request, &plan), "tutti_world");
  expect(tutti_op_create(TUTTI_INT64, tutti::test::compose, 0, nullptr, &compose) == TUTTI_OK,
         "an operator");
  plan = native_plan(TUTTI_OP_ALLREDUCE);
  tutti_run arguments = {sizeof(tutti_run), &in, &out, compose, nullptr, nullptr, nullptr, nullptr};
  refused(tutti_plan_run(plan, &arguments), "user function");
  arguments.op = TUTTI_ABSMAX;
  refused(tutti_plan_run(plan, &arguments), "absmax of int64");
  std::vector<std::int32_t> ranks(4);
  const tutti_locations where = {ranks.data(), 0, 0};
  arguments.locations = &where;
  refused(tutti_plan_run(plan, &arguments), "with location");
  char text[80];
  expect(tutti_plan_text(plan, text, sizeof text) > 0 && std::strstr(text, "MPI") != nullptr,
         "the text says what it is");
  expect(tutti_op_free(compose) == TUTTI_OK && tutti_group_free(dup) == TUTTI_OK &&
             tutti_group_free(half) == TUTTI_OK,
         "freed");
}

std::string last_algorithm;
void note(void*, tutti_group, tutti_plan, const tutti_plan_request* request) {
  last_algorithm = request->algorithm;
}

// Checks that calls are served by the forced or listed plan if it can serve. The caller checks the
// rest.
void chosen_calls(bool forced) {
  const tutti_group world = tutti_world();
  tutti_on_run(note, nullptr);
  tutti_op compose{0};
  std::int64_t value = tutti_rank(world), sum = 0;
  const tutti_data in = tutti_array(&value, 1, TUTTI_INT64),
                   out = tutti_array(&sum, 1, TUTTI_INT64);
  for (int time = 0; time < 3; ++time) {  // the later ones could be taken for repetitions
    expect(tutti_allreduce(world, &in, &out, TUTTI_SUM) == TUTTI_OK && last_algorithm == "native",
           "native by choice");
    tutti_on_run(nullptr, nullptr);
    sum = 0;
    expect(tutti_allreduce(world, &in, &out, TUTTI_SUM) == TUTTI_OK, "the same unwatched");
    expect(sum == std::int64_t{tutti_size(world)} * (tutti_size(world) - 1) / 2, "the sum");
    tutti_on_run(note, nullptr);
  }
  expect(tutti_op_create(TUTTI_INT64, tutti::test::compose, 0, nullptr, &compose) == TUTTI_OK,
         "an operator");
  const tutti_status status = tutti_allreduce(world, &in, &out, compose);
  if (!forced) {
    expect(status == TUTTI_OK && last_algorithm != "native", "another row or the model decides");
  } else {
    refused(status, "asked for");
    std::vector<std::int64_t> all(static_cast<std::size_t>(tutti_size(world))),
        counts(all.size(), 1);
    const tutti_data whole = tutti_array(all.data(), tutti_size(world), TUTTI_INT64);
    const bool root = tutti_rank(world) == 0;
    refused(tutti_gatherv(world, &in, root ? &whole : nullptr, root ? counts.data() : nullptr, 0),
            "counts of its own");
  }
  expect(tutti_op_free(compose) == TUTTI_OK, "freed");
}

int add(void* result, const void* left, const void* right, int64_t n, void*) {
  for (int64_t i = 0; i < n; ++i)
    static_cast<std::int64_t*>(result)[i] =
        static_cast<const std::int64_t*>(left)[i] + static_cast<const std::int64_t*>(right)[i];
  return 0;
}

// Starts a reduction whose operator may fail, and then an allreduce of MPI's. The root begins the
// second one while it waits for parts of the first; the others are done with the first at once, and
// tell whether their operator has failed before they begin the second. So a telling by MPI would
// meet the other allreduce there.
void telling_of_failure(int root) {
  const tutti_group world = tutti_world();
  const std::int64_t size = tutti_size(world), rank = tutti_rank(world);
  tutti_op fallible{0};
  expect(
      tutti_op_create_fallible(TUTTI_INT64, add, TUTTI_COMMUTATIVE, nullptr, &fallible) == TUTTI_OK,
      "a fallible operator");
  std::int64_t part = rank + 1, sum = 0, number = 100 + rank, greatest = 0;
  const tutti_data parts = tutti_array(&part, 1, TUTTI_INT64),
                   sums = tutti_array(&sum, 1, TUTTI_INT64),
                   numbers = tutti_array(&number, 1, TUTTI_INT64),
                   result = tutti_array(&greatest, 1, TUTTI_INT64);
  expect(tutti_barrier(world) == TUTTI_OK, "a barrier");
  if (rank != root) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::array<tutti_request, 2> requests{};
  expect(tutti_ireduce(world, &parts, &sums, fallible, root, &requests[0]) == TUTTI_OK, "ireduce");
  expect(tutti_iallreduce(world, &numbers, &result, TUTTI_MAX, &requests[1]) == TUTTI_OK,
         "iallreduce");
  expect(tutti_waitall(2, requests.data()) == TUTTI_OK, "both");
  expect(rank != root || sum == size * (size + 1) / 2, "the sum of a fallible operator");
  expect(greatest == 100 + size - 1, "the greatest number beside it");
  expect(tutti_op_free(fallible) == TUTTI_OK, "freed");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "by_name";
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) {
    std::fprintf(stderr, "%s\n", tutti_error_text());
    return 1;
  }
  const bool speaks = tutti_rank(tutti_world()) == 0;
  if (part == "without") {
    const tutti_plan_request request = native(TUTTI_OP_BARRIER, 0);
    tutti_plan plan{0};
    refused(tutti_plan_get(tutti_world(), &request, &plan), "no MPI has started this job");
    refused(tutti_group_use_mpi(tutti_world()), "no MPI has started this job");
  } else if (part == "long") {
    long_sums();
  } else if (part == "by_name" || part == "every") {
    const Lengths lengths = part == "every" ? Lengths::every : Lengths::in_turn;
    all_operations(tutti_world(), lengths);
    side_by_side();
    all_operators();
    what_cannot_be();
    other_groups(lengths);
  } else {
    chosen_calls(part == "forced");
    for (int root = 0; root < tutti_size(tutti_world()); ++root) telling_of_failure(root);
  }
  tutti_finalize();
  if (speaks && wrong == 0) std::printf("right\n");
  return wrong == 0 ? 0 : 1;
}
