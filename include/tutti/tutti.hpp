// SPDX-License-Identifier: BSD-3-Clause
// tutti for C++20: groups with spans instead of addresses and counts, and errors as exceptions. An
// exception that is not caught ends the job with its text. Everything is inline over tutti.h, so
// only the C interface crosses the border of the library.
#ifndef TUTTI_TUTTI_HPP
#define TUTTI_TUTTI_HPP

#if __cplusplus >= 202002L

#include <tutti/tutti.h>
#include <tutti/tutti_element.hpp>
#include <tutti/tutti_error.hpp>
#include <tutti/tutti_memory.hpp>
#include <tutti/tutti_request.hpp>
#include <tutti/tutti_session.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tutti {

// The operators of tutti.h, with the same numbers.
enum class Op : std::uint64_t {
  sum = 1,
  product,
  max,
  min,
  absmax,
  absmin,
  logical_and,
  logical_or,
  logical_xor,
  bit_and,
  bit_or,
  bit_xor
};

inline constexpr int any = TUTTI_ANY;

// The source and the tag of a received message.
struct Envelope {
  int source = any;
  int tag = any;
};

// An associative operator of the user, which exists as long as this object. `combine` is a
// tutti_combine_fn.
class UserOp {
 public:
  UserOp(tutti_type type, tutti_combine_fn combine, bool commutative, void* user = nullptr) {
    detail::attempt(tutti_op_create, type, combine, commutative ? 1 : 0, user, &handle_);
  }
  // An operator whose function may fail; `how` is a sum of TUTTI_COMMUTATIVE and
  // TUTTI_WHOLE_VECTORS.
  UserOp(tutti_type type, tutti_fallible_fn combine, int how, void* user = nullptr) {
    detail::attempt(tutti_op_create_fallible, type, combine, how, user, &handle_);
  }
  UserOp(const UserOp&) = delete;
  UserOp& operator=(const UserOp&) = delete;
  ~UserOp() { detail::quietly(tutti_op_free, handle_); }
  [[nodiscard]] tutti_op handle() const noexcept { return handle_; }

 private:
  tutti_op handle_{0};
};

// The operator of a reduction: one of tutti or one of the user.
class Operator {
 public:
  Operator(Op op) : handle_{static_cast<std::uint64_t>(op)} {}
  Operator(const UserOp& op) : handle_(op.handle()) {}
  [[nodiscard]] tutti_op handle() const noexcept { return handle_; }

 private:
  tutti_op handle_;
};

// The number of elements of each rank.
using Counts = std::span<const std::int64_t>;

namespace detail {

enum class Way { waits, starts, prepares };

// Calls the function for this way: blocking, non-blocking or persistent.
template <Way way, class... Arguments>
auto call(auto waiting, auto starting, auto preparing, Arguments... arguments) {
  if constexpr (way == Way::waits) {
    attempt(waiting, arguments...);
  } else {
    tutti_request request{0};
    attempt(way == Way::starts ? starting : preparing, arguments..., &request);
    return Request(request, way == Way::prepares);
  }
}

}  // namespace detail

// The collectives of a group, called in one of three ways. Those of Group wait. Those of
// nonblocking() are started when they return, and those of persistent() wait for start(); both
// return a Request.
template <detail::Way way>
class Collectives {
 public:
  explicit Collectives(tutti_group handle) : handle_(handle) {}

  auto barrier() const { return call(tutti_barrier, tutti_ibarrier, tutti_barrier_init); }

  auto bcast(Values auto&& values, int root) const {
    const tutti_data data = detail::describe(values);
    return call(tutti_bcast, tutti_ibcast, tutti_bcast_init, &data, root);
  }

  // Works in place: every rank gives its values, and those of the root become the result.
  auto reduce(Values auto&& values, Operator op, int root) const {
    return reduce(values, values, op, root);
  }
  auto reduce(Values auto&& input, Values auto&& output, Operator op, int root) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_reduce, tutti_ireduce, tutti_reduce_init, &from, at(root, to), op.handle(),
                root);
  }

  // Works in place: the values of every rank become the result.
  auto allreduce(Values auto&& values, Operator op) const { return allreduce(values, values, op); }
  auto allreduce(Values auto&& input, Values auto&& output, Operator op) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_allreduce, tutti_iallreduce, tutti_allreduce_init, &from, &to, op.handle());
  }

  // The root's output gets size() times the elements of input, in rank order. On other ranks it may
  // be empty.
  auto gather(Values auto&& input, Values auto&& output, int root) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_gather, tutti_igather, tutti_gather_init, &from, at(root, to), root);
  }
  // The root's output gets counts[r] elements of rank r. On other ranks output and counts may be
  // empty.
  auto gather(Values auto&& input, Values auto&& output, Counts counts, int root) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_gatherv, tutti_igatherv, tutti_gatherv_init, &from, at(root, to),
                at(root, counts), root);
  }

  // The root's input is divided among the ranks in rank order, as the reverse of gather.
  auto scatter(Values auto&& input, Values auto&& output, int root) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_scatter, tutti_iscatter, tutti_scatter_init, at(root, from), &to, root);
  }
  auto scatter(Values auto&& input, Values auto&& output, Counts counts, int root) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_scatterv, tutti_iscatterv, tutti_scatterv_init, at(root, from), &to,
                at(root, counts), root);
  }

  auto allgather(Values auto&& input, Values auto&& output) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_allgather, tutti_iallgather, tutti_allgather_init, &from, &to);
  }
  auto allgather(Values auto&& input, Values auto&& output, Counts counts) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_allgatherv, tutti_iallgatherv, tutti_allgatherv_init, &from, &to,
                checked(counts));
  }

  auto reduce_scatter(Values auto&& input, Values auto&& output, Operator op) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_reduce_scatter, tutti_ireduce_scatter, tutti_reduce_scatter_init, &from, &to,
                op.handle());
  }
  auto reduce_scatter(Values auto&& input, Values auto&& output, Counts counts, Operator op) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_reduce_scatterv, tutti_ireduce_scatterv, tutti_reduce_scatterv_init, &from,
                &to, checked(counts), op.handle());
  }

  auto alltoall(Values auto&& input, Values auto&& output) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_alltoall, tutti_ialltoall, tutti_alltoall_init, &from, &to);
  }
  auto alltoall(Values auto&& input, Counts input_counts, Values auto&& output,
                Counts output_counts) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_alltoallv, tutti_ialltoallv, tutti_alltoallv_init, &from, &to,
                checked(input_counts), checked(output_counts));
  }

  // Combines the inputs of ranks 0 to this one. exscan ends with the rank before, so rank 0 gets
  // nothing.
  auto scan(Values auto&& input, Values auto&& output, Operator op) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_scan, tutti_iscan, tutti_scan_init, &from, &to, op.handle());
  }
  auto exscan(Values auto&& input, Values auto&& output, Operator op) const {
    const tutti_data from = detail::describe(input), to = detail::describe(output);
    return call(tutti_exscan, tutti_iexscan, tutti_exscan_init, &from, &to, op.handle());
  }

 protected:
  tutti_group handle_;

 private:
  auto call(auto waiting, auto starting, auto preparing, auto... arguments) const {
    return detail::call<way>(waiting, starting, preparing, handle_, arguments...);
  }
  // Returns an argument that only the root uses; nullptr on other ranks.
  const tutti_data* at(int root, const tutti_data& data) const {
    return is(root) ? &data : nullptr;
  }
  const std::int64_t* at(int root, Counts counts) const {
    return is(root) ? checked(counts) : nullptr;
  }
  bool is(int rank) const { return detail::quietly(tutti_rank, handle_) == rank; }
  const std::int64_t* checked(Counts counts) const {
    if (static_cast<int>(counts.size()) == detail::quietly(tutti_size, handle_))
      return counts.data();
    detail::fail(TUTTI_INVALID_ARGUMENT, "there must be a count for each rank of the group");
  }
};

// An ordered set of ranks. Groups can be moved, but not copied. A group made by create() is freed
// with its owner, the world never.
class Group : public Collectives<detail::Way::waits> {
 public:
  explicit Group(tutti_group handle) : Collectives(handle) {}
  Group(Group&& other) noexcept : Collectives(other.handle_), owned_(other.owned_) {
    other.owned_ = false;
  }
  Group& operator=(Group&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (owned_) detail::quietly(tutti_group_free, handle_);
  }

  // Makes a group of the listed ranks of this group, in that order. Only the listed ranks call it.
  [[nodiscard]] Group create(std::span<const int> ranks) const {
    tutti_group made{};
    detail::attempt(tutti_group_create, handle_, static_cast<int>(ranks.size()), ranks.data(),
                    &made);
    return owner(made);
  }
  // Makes a group of the ranks with the same color, ordered by key. A rank with a negative color
  // gets a group of size -1.
  [[nodiscard]] Group split(int color, int key = 0) const {
    tutti_group made{};
    detail::attempt(tutti_group_split, handle_, color, key, &made);
    return owner(made);
  }
  [[nodiscard]] Group dup() const {
    tutti_group made{};
    detail::attempt(tutti_group_dup, handle_, &made);
    return owner(made);
  }
  // Makes groups of the row and of the column of this rank in a mesh of rows x columns ranks,
  // numbered row by row.
  [[nodiscard]] std::pair<Group, Group> mesh(int rows, int columns) const {
    tutti_group row{}, column{};
    detail::attempt(tutti_group_mesh, handle_, rows, columns, &row, &column);
    return {owner(row), owner(column)};
  }

  // Returns the rank in `other`, such as world(), of each rank of this group; -1 for one that is
  // not there.
  [[nodiscard]] std::vector<int> members(const Group& other) const {
    std::vector<int> ranks(static_cast<std::size_t>(size()));
    detail::attempt(tutti_group_members, handle_, other.handle_, ranks.data());
    return ranks;
  }

  [[nodiscard]] tutti_group handle() const noexcept { return handle_; }
  [[nodiscard]] int rank() const { return detail::quietly(tutti_rank, handle_); }
  [[nodiscard]] int size() const { return detail::quietly(tutti_size, handle_); }

  [[nodiscard]] Collectives<detail::Way::starts> nonblocking() const {
    return Collectives<detail::Way::starts>(handle_);
  }
  [[nodiscard]] Collectives<detail::Way::prepares> persistent() const {
    return Collectives<detail::Way::prepares>(handle_);
  }

  using Collectives::allreduce;
  // Combines one number of every rank, as in: double total = world.allreduce(mine, Op::sum).
  template <Element T>
  [[nodiscard]] T allreduce(T value, Operator op) const {
    allreduce(std::span<T>(&value, 1), op);
    return value;
  }

  void send(Values auto&& values, int destination, int tag = 0) const {
    const tutti_data data = detail::describe(values);
    detail::attempt(tutti_send, handle_, &data, destination, tag);
  }
  // Starts a send. The values must stay until the request is done.
  [[nodiscard]] Request isend(Values auto&& values, int destination, int tag = 0) const {
    const tutti_data data = detail::describe(values);
    tutti_request request{0};
    detail::attempt(tutti_isend, handle_, &data, destination, tag, &request);
    return Request(request);
  }
  // Posts a receive. The values, and the envelope if there is one, must stay until the request is
  // done.
  [[nodiscard]] Request ireceive(Values auto&& values, int source = any, int tag = any,
                                 Envelope* envelope = nullptr) const {
    const tutti_data data = detail::describe(values);
    tutti_request request{0};
    detail::attempt(tutti_ireceive, handle_, &data, source, tag,
                    envelope == nullptr ? nullptr : &envelope->source,
                    envelope == nullptr ? nullptr : &envelope->tag, &request);
    return Request(request);
  }
  Envelope receive(Values auto&& values, int source = any, int tag = any) const {
    const tutti_data data = detail::describe(values);
    Envelope envelope;
    detail::attempt(tutti_receive, handle_, &data, source, tag, &envelope.source, &envelope.tag);
    return envelope;
  }

 private:
  static Group owner(tutti_group handle) {
    Group group(handle);
    group.owned_ = handle.id != 0;
    return group;
  }
  bool owned_ = false;
};

[[nodiscard]] inline Group world() {
  if (tutti_initialized() == 0)
    detail::fail(TUTTI_NOT_INITIALIZED, "tutti::world: there is no tutti::Session");
  return Group(tutti_world());
}

}  // namespace tutti

#else
#error "tutti.hpp needs C++20: compile with -std=c++20, or in CMake link with tutti::cxx"
#endif
#endif
