// SPDX-License-Identifier: BSD-3-Clause
// Runs the collective calls of NX. The algorithms are tutti's choice, or with
// TUTTI_NX_COLLECTIVES=nx the trees of NX.
#include "collectives.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "failure.hpp"
#include "handlers.hpp"
#include "nodes.hpp"

namespace tutti::nx {
namespace {

// Returns true if NX's own algorithms are wanted. Throws CallFailure if the variable has another
// value.
bool as_nx() {
  static const bool wanted = [] {
    std::array<char, 16> text{};
    tutti_setting_text("TUTTI_NX_COLLECTIVES", text.data(), text.size());
    const std::string_view value = text.data();
    if (value != "tutti" && value != "nx") {
      fail(EINVAL, "environment variable TUTTI_NX_COLLECTIVES is '{}' but must be tutti or nx",
           text.data());
    }
    return value == "nx";
  }();
  return wanted;
}

// Runs a collective, and handlers meanwhile if there are any. If a handler fails, the collective
// ends first, because it uses the buffers and the operator of the caller until then.
template <class Blocking, class Starting, class... Arguments>
void run(Blocking blocking, Starting starting, Arguments... arguments) {
  if (!handlers().may_run()) return check(blocking(arguments...));
  tutti_request request{0};
  check(starting(arguments..., &request));
  tutti_status status = TUTTI_OK;
  try {
    status = handlers().wait(request);
  } catch (...) {
    // Failure is harmless: the first error is on its way to the program.
    static_cast<void>(tutti_wait(&request));
    throw;
  }
  check(status);
}

// Runs an operation as NX did: by a tree of all nodes, whatever the length. `counts` are the
// lengths of the parts, or nullptr if they are equal.
void run_tree(tutti_operation operation, const tutti_data* input, const tutti_data* output,
              tutti_op op, const std::int64_t* counts = nullptr) {
  static std::map<tutti_operation, tutti_plan> plans;
  tutti_plan& plan = plans[operation];
  if (plan.id == 0) {
    tutti_plan_request request{};
    request.struct_size = sizeof request;
    request.operation = operation;
    request.algorithm = "mst";
    check(tutti_plan_get(nodes().all(), &request, &plan));
  }
  tutti_run arguments{};
  arguments.struct_size = sizeof arguments;
  arguments.input = input;
  arguments.output = output;
  arguments.op = op;
  arguments.counts = counts;
  run(tutti_plan_run, tutti_plan_start, plan, &arguments);
}

void reduce(const tutti_data& data, tutti_op op) {
  if (as_nx()) return run_tree(TUTTI_OP_ALLREDUCE, &data, &data, op);
  run(tutti_allreduce, tutti_iallreduce, nodes().all(), &data, &data, op);
}

tutti_data bytes_at(const void* address, std::int64_t bytes) {
  return tutti_array(const_cast<void*>(address), bytes, TUTTI_BYTE);
}

void check_array(const void* address, long count, const char* argument) {
  if (count < 0) fail(EINVAL, "the length of argument '{}' is {}", argument, count);
  if (address == nullptr && count > 0) fail(EFAULT, "argument '{}' is NULL", argument);
}

void call_function(void* x, void* work, std::int64_t, void* function) {
  (*static_cast<VectorFunction*>(function))(x, work);
}

// The operator of a call of gopf.
class VectorOperator {
 public:
  explicit VectorOperator(VectorFunction& function) {
    check(tutti_op_create_in_place(TUTTI_BYTE, call_function, 0, &function, &handle_));
  }
  // Failure is harmless: it fails only for a handle that is none.
  ~VectorOperator() { static_cast<void>(tutti_op_free(handle_)); }
  VectorOperator(const VectorOperator&) = delete;
  VectorOperator& operator=(const VectorOperator&) = delete;

  [[nodiscard]] tutti_op handle() const { return handle_; }

 private:
  tutti_op handle_{0};
};

void all_gather(const tutti_data& input, const tutti_data& output) {
  if (as_nx()) return run_tree(TUTTI_OP_ALLGATHER, &input, &output, {0});
  run(tutti_allgather, tutti_iallgather, nodes().all(), &input, &output);
}

// Returns the list of a length for each node.
template <class Integer>
std::span<const Integer> list_of(const Integer* lengths) {
  const auto count = static_cast<std::size_t>(nodes().count());
  if (lengths == nullptr) fail(EFAULT, "argument 'xlens' is NULL");
  return {lengths, count};
}

void collect_list(const void* from, std::span<const long> lengths, void* to) {
  const Nodes& all = nodes();
  for (const long length : lengths) {
    if (length < 0) fail(EINVAL, "argument 'xlens' contains {}", length);
  }
  const long own = lengths[static_cast<std::size_t>(all.self())];
  const long total = std::accumulate(lengths.begin(), lengths.end(), 0L);
  check_array(from, own, "x");
  check_array(to, total, "y");
  const tutti_data input = bytes_at(from, own), output = bytes_at(to, total);
  if (as_nx()) return run_tree(TUTTI_OP_ALLGATHER, &input, &output, {0}, lengths.data());
  static_assert(std::is_same_v<long, std::int64_t>);  // the list is handed on as it is
  run(tutti_allgatherv, tutti_iallgatherv, all.all(), &input, &output, lengths.data());
}

}  // namespace

void synchronise() {
  static_cast<void>(nodes());
  if (as_nx()) return run_tree(TUTTI_OP_BARRIER, nullptr, nullptr, {0});
  run(tutti_barrier, tutti_ibarrier, nodes().all());
}

void combine(void* x, long n, tutti_type type, tutti_op op) {
  static_cast<void>(nodes());
  check_array(x, n, "x");
  reduce(tutti_array(x, n, type), op);
}

void combine_by(VectorFunction function, void* x, long bytes, void* work) {
  static_cast<void>(nodes());
  check_array(x, bytes, "x");
  check_array(work, bytes, "work");
  if (function == nullptr) fail(EFAULT, "argument 'function' is NULL");
  const VectorOperator op(function);
  reduce(bytes_at(x, bytes), op.handle());
}

long collect(const void* from, long bytes, void* to, long space) {
  check_array(from, bytes, "x");
  check_array(to, space, "y");
  std::vector<long> lengths(static_cast<std::size_t>(nodes().count()));
  static_assert(sizeof(long) == sizeof(std::int64_t));
  const tutti_data mine = tutti_array(&bytes, 1, TUTTI_INT64);
  const tutti_data all =
      tutti_array(lengths.data(), static_cast<std::int64_t>(lengths.size()), TUTTI_INT64);
  all_gather(mine, all);
  const long total = std::accumulate(lengths.begin(), lengths.end(), 0L);
  if (total > space) fail(EMSGSIZE, "the nodes give {} bytes, but the buffer has {}", total, space);
  collect_list(from, lengths, to);
  return total;
}

void collect_known(const void* from, const long* bytes, void* to) {
  collect_list(from, list_of(bytes), to);
}

void collect_known(const void* from, const int* bytes, void* to) {
  const std::span<const int> list = list_of(bytes);
  collect_list(from, std::vector<long>(list.begin(), list.end()), to);
}

}  // namespace tutti::nx
