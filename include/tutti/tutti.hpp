// SPDX-License-Identifier: BSD-3-Clause
// tutti for C++20: groups with spans instead of addresses and counts, errors as exceptions. Everything is inline over
// tutti.h, so nothing but the C interface crosses the edge of the library.
#ifndef TUTTI_TUTTI_HPP
#define TUTTI_TUTTI_HPP

#include <tutti/tutti.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace tutti {

// A call that failed: its status, and as what() the text of the library.
class Error : public std::runtime_error {
 public:
  Error(tutti_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  [[nodiscard]] tutti_status status() const noexcept { return status_; }

 private:
  tutti_status status_;
};

// The operators of tutti.h under the same numbers.
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

// Where a received message came from and the tag it carried.
struct Envelope {
  int source = any;
  int tag = any;
};

namespace detail {

inline void check(tutti_status status) {
  if (status != TUTTI_OK) {
    const char* text = tutti_error_text();
    throw Error(status, text != nullptr && *text != '\0' ? text : tutti_strerror(status));
  }
}

template <class T>
constexpr int type_code() {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::same_as<Plain, std::complex<float>>) return TUTTI_COMPLEX_FLOAT;
  if constexpr (std::same_as<Plain, std::complex<double>>) return TUTTI_COMPLEX_DOUBLE;
  if constexpr (std::same_as<Plain, float>) return TUTTI_FLOAT;
  if constexpr (std::same_as<Plain, double>) return TUTTI_DOUBLE;
  if constexpr (std::signed_integral<Plain> && sizeof(Plain) == 4) return TUTTI_INT32;
  if constexpr (std::signed_integral<Plain> && sizeof(Plain) == 8) return TUTTI_INT64;
  if constexpr (std::same_as<Plain, std::byte> || std::same_as<Plain, unsigned char>) return TUTTI_BYTE;
  return -1;
}

}  // namespace detail

template <class T>
concept Element = detail::type_code<T>()
>= 0;

namespace detail {

// The C interface has one type for both directions; what is only read is never written.
template <Element T>
tutti_data describe(std::span<T> values) {
  void* address = const_cast<void*>(static_cast<const void*>(values.data()));
  return tutti_array(address, static_cast<std::int64_t>(values.size()), static_cast<tutti_type>(type_code<T>()));
}

inline tutti_op operator_of(Op op) {
  return tutti_op{static_cast<std::uint64_t>(op)};
}

}  // namespace detail

// Joins the job at construction, leaves it at the end of the scope.
class Session {
 public:
  Session() { detail::check(tutti_init()); }
  ~Session() { tutti_finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

// An ordered set of ranks. Groups move, they are not copied; one made by create() is freed with its owner, the world
// never.
class Group {
 public:
  explicit Group(tutti_group handle) : handle_(handle) {}
  Group(Group&& other) noexcept : handle_(other.handle_), owned_(other.owned_) { other.owned_ = false; }
  Group& operator=(Group&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (owned_) tutti_group_free(handle_);
  }

  // The ranks of this group that are listed, in that order. Called by the listed ranks only.
  [[nodiscard]] Group create(std::span<const int> ranks) const {
    tutti_group made{};
    detail::check(tutti_group_create(handle_, static_cast<int>(ranks.size()), ranks.data(), &made));
    Group group(made);
    group.owned_ = true;
    return group;
  }

  [[nodiscard]] tutti_group handle() const noexcept { return handle_; }
  [[nodiscard]] int rank() const { return tutti_rank(handle_); }
  [[nodiscard]] int size() const { return tutti_size(handle_); }

  void barrier() const { detail::check(tutti_barrier(handle_)); }

  template <Element T>
  void bcast(std::span<T> values, int root) const {
    const tutti_data data = detail::describe(values);
    detail::check(tutti_bcast(handle_, &data, root));
  }

  // In place: every rank gives its values, the root's hold the result.
  template <Element T>
  void reduce(std::span<T> values, Op op, int root) const {
    const tutti_data data = detail::describe(values);
    detail::check(tutti_reduce(handle_, &data, &data, detail::operator_of(op), root));
  }
  template <Element T>
  void reduce(std::span<const T> input, std::span<T> output, Op op, int root) const {
    const tutti_data from = detail::describe(input);
    const tutti_data to = detail::describe(output);
    detail::check(tutti_reduce(handle_, &from, rank() == root ? &to : nullptr, detail::operator_of(op), root));
  }

  // In place: every rank gives its values and finds the result there.
  template <Element T>
  void allreduce(std::span<T> values, Op op) const {
    const tutti_data data = detail::describe(values);
    detail::check(tutti_allreduce(handle_, &data, &data, detail::operator_of(op)));
  }
  template <Element T>
  void allreduce(std::span<const T> input, std::span<T> output, Op op) const {
    const tutti_data from = detail::describe(input);
    const tutti_data to = detail::describe(output);
    detail::check(tutti_allreduce(handle_, &from, &to, detail::operator_of(op)));
  }
  // One number of every rank, as in: double total = world.allreduce(mine, Op::sum).
  template <Element T>
  [[nodiscard]] T allreduce(T value, Op op) const {
    allreduce(std::span<T>(&value, 1), op);
    return value;
  }

  // The root's output holds size() times the elements of input, in rank order; elsewhere it may be empty.
  template <Element T>
  void gather(std::span<const T> input, std::span<T> output, int root) const {
    const tutti_data from = detail::describe(input);
    const tutti_data to = detail::describe(output);
    detail::check(tutti_gather(handle_, &from, rank() == root ? &to : nullptr, root));
  }
  // The reverse: the root's input is dealt out in rank order.
  template <Element T>
  void scatter(std::span<const T> input, std::span<T> output, int root) const {
    const tutti_data from = detail::describe(input);
    const tutti_data to = detail::describe(output);
    detail::check(tutti_scatter(handle_, rank() == root ? &from : nullptr, &to, root));
  }

  template <Element T>
  void send(std::span<const T> values, int destination, int tag = 0) const {
    const tutti_data data = detail::describe(values);
    detail::check(tutti_send(handle_, &data, destination, tag));
  }
  template <Element T>
  Envelope receive(std::span<T> values, int source = any, int tag = any) const {
    const tutti_data data = detail::describe(values);
    Envelope envelope;
    detail::check(tutti_receive(handle_, &data, source, tag, &envelope.source, &envelope.tag));
    return envelope;
  }

 private:
  tutti_group handle_;
  bool owned_ = false;
};

[[nodiscard]] inline Group world() {
  return Group(tutti_world());
}

}  // namespace tutti

#endif
