// SPDX-License-Identifier: BSD-3-Clause
// Computes results by definition, and makes the calls of collective_case.hpp.
#include "collective_case.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "by_operation.hpp"

namespace tutti::test {
namespace {

constexpr Value untouched = 0xdeadbeefdeadbeefU;

Value composed(Value left, Value right) {
  const auto a1 = static_cast<std::uint32_t>(left >> 32), b1 = static_cast<std::uint32_t>(left);
  const auto a2 = static_cast<std::uint32_t>(right >> 32), b2 = static_cast<std::uint32_t>(right);
  return Value{a1 * a2} << 32 | (a1 * b2 + b1);
}

bool combines(tutti_operation operation) {
  return operation == TUTTI_OP_REDUCE || operation == TUTTI_OP_ALLREDUCE ||
         operation == TUTTI_OP_REDUCE_SCATTER || operation == TUTTI_OP_SCAN ||
         operation == TUTTI_OP_EXSCAN;
}
bool has_input(tutti_operation operation) {
  return operation != TUTTI_OP_BARRIER && operation != TUTTI_OP_BROADCAST;
}

}  // namespace

void compose(void* result, const void* left, const void* right, std::int64_t count,
             void* /*user*/) {
  for (std::int64_t i = 0; i < count; ++i) {
    static_cast<Value*>(result)[i] =
        composed(static_cast<const Value*>(left)[i], static_cast<const Value*>(right)[i]);
  }
}

std::string describe(const Case& one) {
  static constexpr const char* names[] = {"barrier",  "bcast",  "reduce",    "allreduce",
                                          "scatter",  "gather", "allgather", "reduce_scatter",
                                          "alltoall", "scan",   "exscan"};
  char text[200];
  std::snprintf(text, sizeof(text), "%s%s root %d n %lld%s%s%s%s%s", names[one.operation],
                one.by_counts ? "v" : "", one.root, static_cast<long long>(one.n),
                one.in_place ? " in place" : "", one.strided ? " strided" : "",
                one.ordered ? " ordered" : "", one.input_in_segment ? " input in the segment" : "",
                one.output_in_segment ? " output in the segment" : "");
  return text;
}

CallMemory::CallMemory(std::size_t size, bool in_segment) : own_(in_segment ? 0 : size) {
  void* memory = nullptr;
  if (in_segment &&
      tutti_alloc(static_cast<std::int64_t>(size * sizeof(Value)), &memory) != TUTTI_OK)
    tutti_abort(1, tutti_error_text());
  shared_.reset(memory);
  all_ = {in_segment ? static_cast<Value*>(memory) : own_.data(), size};
}

void CallMemory::fill(Value value) {
  std::ranges::fill(all_, value);
}

void CallMemory::Free::operator()(void* memory) const {
  if (tutti_free(memory) != TUTTI_OK) tutti_abort(1, tutti_error_text());
}

Call::Call(tutti_group group, const Case& what)
    : group_(group), case_(what), me_(tutti_rank(group)), p_(tutti_size(group)) {
  if (cut()) case_.strided = case_.strided && !case_.in_place;
  const std::int64_t in = input_elements(), out = output_elements();
  shared_ = case_.in_place && in > 0 && out > 0;
  const bool apart = case_.operation != TUTTI_OP_ALLTOALL && cut();
  if (shared_ && apart) (in < out ? input_at_ : output_at_) = start(-1, me_);
  const auto memory = [this](std::int64_t elements) { return 2 + place(elements, elements); };
  output_memory_ = {memory(shared_ ? std::max(in, out) : out), case_.output_in_segment};
  input_memory_ = {shared_ ? 0 : memory(in), case_.input_in_segment};
  input_ =
      describe_side(shared_ ? output_memory_.data() + 1 + input_at_ : input_memory_.data() + 1, in);
  output_ = describe_side(output_memory_.data() + 1 + output_at_, out);
}

// Returns true if parts of the vector belong to ranks.
bool Call::cut() const {
  return case_.operation >= TUTTI_OP_SCATTER && case_.operation <= TUTTI_OP_ALLTOALL;
}

// Returns the number of elements that go from one rank to another, or that belong to rank `to`.
std::int64_t Call::part(int from, int to) const {
  if (!case_.by_counts) return case_.n;
  const int mixed = case_.operation != TUTTI_OP_ALLTOALL ? 7 * to
                    : case_.in_place                     ? 3 * (from + to)
                                                         : 3 * from + 5 * to;
  return case_.n == 0 ? 0 : (mixed + case_.salt) % (case_.n + 1);
}
std::int64_t Call::start(int from, int to) const {
  std::int64_t sum = 0;
  for (int rank = 0; rank < to; ++rank) sum += part(from, rank);
  return sum;
}

std::int64_t Call::input_elements() const {
  switch (case_.operation) {
    case TUTTI_OP_BARRIER:
    case TUTTI_OP_BROADCAST:
      return 0;
    case TUTTI_OP_SCATTER:
      return me_ == case_.root ? start(-1, p_) : 0;
    case TUTTI_OP_GATHER:
    case TUTTI_OP_ALLGATHER:
      return part(-1, me_);
    case TUTTI_OP_REDUCE_SCATTER:
      return start(-1, p_);
    case TUTTI_OP_ALLTOALL:
      return start(me_, p_);
    default:
      return case_.n;
  }
}

std::int64_t Call::output_elements() const {
  std::int64_t sum = 0;
  switch (case_.operation) {
    case TUTTI_OP_BARRIER:
      return 0;
    case TUTTI_OP_REDUCE:
      return me_ == case_.root ? case_.n : 0;
    case TUTTI_OP_GATHER:
      return me_ == case_.root ? start(-1, p_) : 0;
    case TUTTI_OP_ALLGATHER:
      return start(-1, p_);
    case TUTTI_OP_SCATTER:
    case TUTTI_OP_REDUCE_SCATTER:
      return part(-1, me_);
    case TUTTI_OP_ALLTOALL:
      for (int rank = 0; rank < p_; ++rank) sum += part(rank, me_);
      return sum;
    default:
      return case_.n;
  }
}

Value Call::input_value(int rank, std::int64_t index) const {
  const auto a =
      static_cast<std::uint32_t>(rank * 7919 + index * 104729 + case_.salt * 13 + 3) | 1U;
  const auto b = static_cast<std::uint32_t>(rank * 31337 + index * 65537 + case_.salt * 17 + 11);
  return Value{a} << 32 | b;
}

Value Call::folded(int ranks, std::int64_t index) const {
  Value sum = input_value(0, index);
  for (int rank = 1; rank < ranks; ++rank) {
    const Value next = input_value(rank, index);
    sum = case_.ordered ? composed(sum, next) : sum + next;
  }
  return sum;
}

Value Call::expected(std::int64_t index) const {
  switch (case_.operation) {
    case TUTTI_OP_BROADCAST:
      return input_value(case_.root, index);
    case TUTTI_OP_SCATTER:
      return input_value(case_.root, start(-1, me_) + index);
    case TUTTI_OP_REDUCE_SCATTER:
      return folded(p_, start(-1, me_) + index);
    case TUTTI_OP_SCAN:
      return folded(me_ + 1, index);
    case TUTTI_OP_EXSCAN:
      return folded(me_, index);
    case TUTTI_OP_GATHER:
    case TUTTI_OP_ALLGATHER:
    case TUTTI_OP_ALLTOALL: {
      const bool exchange = case_.operation == TUTTI_OP_ALLTOALL;
      int from = 0;
      for (std::int64_t own; index >= (own = exchange ? part(from, me_) : part(-1, from)); ++from)
        index -= own;
      return input_value(from, exchange ? start(from, me_) + index : index);
    }
    default:
      return folded(p_, index);
  }
}

bool Call::has_result() const {
  return case_.operation != TUTTI_OP_EXSCAN || me_ > 0;
}

// Strided vectors have columns of two with one element between them, if the number of elements is
// even.
std::size_t Call::place(std::int64_t index, std::int64_t elements) const {
  const bool gaps = case_.strided && elements % 2 == 0;
  return static_cast<std::size_t>(gaps ? index / 2 * 3 + index % 2 : index);
}
tutti_data Call::describe_side(Value* address, std::int64_t elements) const {
  if (!case_.strided || elements % 2 != 0) return tutti_array(address, elements, TUTTI_INT64);
  return tutti_matrix(address, 2, elements / 2, 3, TUTTI_INT64);
}

void Call::fill() {
  output_memory_.fill(untouched);
  input_memory_.fill(untouched);
  const bool sends = case_.operation == TUTTI_OP_BROADCAST && me_ == case_.root;
  const std::int64_t elements = sends ? case_.n : input_elements();
  auto* to = static_cast<Value*>(sends ? output_.address : input_.address);
  for (std::int64_t i = 0; i < elements; ++i) to[place(i, elements)] = input_value(me_, i);
}

std::vector<std::int64_t> Call::counts(bool of_input) const {
  std::vector<std::int64_t> all;
  const bool exchange = case_.operation == TUTTI_OP_ALLTOALL;
  for (int rank = 0; rank < p_; ++rank) {
    all.push_back(!exchange ? part(-1, rank) : of_input ? part(me_, rank) : part(rank, me_));
  }
  return all;
}

tutti_status Call::make(Way way, tutti_request* request) {
  const bool is_root = me_ == case_.root;
  const std::vector<std::int64_t> all = counts(true), other = counts(false);
  const tutti_data* in = case_.operation == TUTTI_OP_SCATTER && !is_root ? nullptr : &input_;
  const bool to_root = case_.operation == TUTTI_OP_GATHER || case_.operation == TUTTI_OP_REDUCE;
  const tutti_data* out = to_root && !is_root ? nullptr : &output_;
  const auto by = [&](auto blocking, auto overlapping, auto persistent, auto... arguments) {
    if (way == Way::blocking) return blocking(group_, arguments...);
    return (way == Way::overlapping ? overlapping : persistent)(group_, arguments..., request);
  };
  const bool told = is_root || case_.operation == TUTTI_OP_ALLGATHER ||
                    case_.operation == TUTTI_OP_REDUCE_SCATTER;
  return call_by_operation(case_.operation,
                           {in, out, case_.root, case_.op, case_.by_counts,
                            told ? all.data() : nullptr, all.data(), other.data()},
                           by);
}

tutti_status Call::run(tutti_plan plan, Way way, tutti_request* request) {
  const bool is_root = me_ == case_.root;
  const bool in = has_input(case_.operation) && (case_.operation != TUTTI_OP_SCATTER || is_root);
  const bool rooted = case_.operation == TUTTI_OP_REDUCE || case_.operation == TUTTI_OP_GATHER;
  const bool out = case_.operation != TUTTI_OP_BARRIER && (!rooted || is_root);
  const tutti_run arguments = {sizeof(tutti_run),
                               in ? &input_ : nullptr,
                               out ? &output_ : nullptr,
                               combines(case_.operation) ? case_.op : tutti_op{0},
                               nullptr,
                               nullptr,
                               nullptr,
                               nullptr};
  if (way == Way::blocking) return tutti_plan_run(plan, &arguments);
  return way == Way::overlapping ? tutti_plan_start(plan, &arguments, request)
                                 : tutti_plan_init(plan, &arguments, request);
}

std::string Call::verdict() const {
  const std::int64_t in = input_elements(), out = output_elements();
  std::vector<bool> mine(output_memory_.size());
  const auto at = [&](std::int64_t i) {
    return static_cast<std::size_t>(1 + output_at_) + place(i, out);
  };
  for (std::int64_t i = 0; i < out; ++i) {
    mine[at(i)] = true;
    if (!has_result()) continue;
    const Value found = output_memory_[at(i)], wanted = expected(i);
    if (found == wanted) continue;
    char text[160];
    std::snprintf(text, sizeof(text), ": element %lld of %lld is %016llx instead of %016llx",
                  static_cast<long long>(i), static_cast<long long>(out),
                  static_cast<unsigned long long>(found), static_cast<unsigned long long>(wanted));
    return describe(case_) + text;
  }
  // In an operation in place, an input that is longer than the output may be changed.
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const bool edge = i == 0 || i + 1 == mine.size();
    if (!mine[i] && output_memory_[i] != untouched && (edge || !shared_))
      return describe(case_) + ": wrote elsewhere";
  }
  for (std::int64_t i = 0; !shared_ && i < in; ++i) {
    if (input_memory_[1 + place(i, in)] != input_value(me_, i))
      return describe(case_) + ": changed its input";
  }
  return {};
}

}  // namespace tutti::test
