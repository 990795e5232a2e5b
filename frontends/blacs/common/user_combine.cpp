// SPDX-License-Identifier: BSD-3-Clause
// Runs a combine by functions of the user (user_combine.hpp). They see whole matrices as vectors,
// so that they may combine more than one element with another. The engine packs a matrix that does
// not lie in one piece: it gathers it in a group of this process alone.
#include "user_combine.hpp"

#include <tutti/tutti_runtime.h>

#include <climits>
#include <cstddef>
#include <vector>

#include "levels.hpp"
#include "processes.hpp"

namespace tutti::blacs {
namespace {

using Passing = UserFunctions::Passing;

// Each of the two calls a function with all elements of a vector.
void call_with(UserFunctions::Any function, Passing passing, int n, void* x) {
  if (function == nullptr) return;
  if (passing == Passing::by_value) return reinterpret_cast<void (*)(int, void*)>(function)(n, x);
  reinterpret_cast<void (*)(int*, void*)>(function)(&n, x);
}
void call_with(UserFunctions::Any function, Passing passing, int n, void* x, void* y) {
  if (passing == Passing::by_value)
    return reinterpret_cast<void (*)(int, void*, void*)>(function)(n, x, y);
  reinterpret_cast<void (*)(int*, void*, void*)>(function)(&n, x, y);
}

void combine_two(void* x, void* y, std::int64_t count, void* functions) {
  const auto& of_user = *static_cast<const UserFunctions*>(functions);
  call_with(of_user.combine, of_user.passing, static_cast<int>(count), x, y);
}

// The operator of one call.
class UserOperator {
 public:
  UserOperator(const RoutineCall& call, tutti_type type, UserFunctions& functions) {
    constexpr int commutative = 1;
    check(call, tutti_op_create_in_place(type, combine_two, commutative, &functions, &handle_));
  }
  // Failure is harmless: it fails only for a handle that is none.
  ~UserOperator() { static_cast<void>(tutti_op_free(handle_)); }
  UserOperator(const UserOperator&) = delete;
  UserOperator& operator=(const UserOperator&) = delete;

  [[nodiscard]] tutti_op handle() const { return handle_; }

 private:
  tutti_op handle_{0};
};

void copy(const RoutineCall& call, const tutti_data& from, const tutti_data& to) {
  tutti_group& alone = this_process().alone;
  if (alone.id == 0) {
    const int me = tutti_rank(processes());
    check(call, tutti_group_create(processes(), 1, &me, &alone));
  }
  check(call, tutti_gather(alone, &from, &to, 0));
}

bool lies_in_one_piece(const tutti_data& data) {
  if (data.shape == TUTTI_TRAPEZOID) return data.m * data.n <= 1;
  return data.shape == TUTTI_CONTIGUOUS || data.n <= 1 || data.ld == data.m;
}

// The elements of a matrix in one piece: those of the matrix itself, or copies of them.
class Vector {
 public:
  Vector(const RoutineCall& call, const tutti_data& matrix) : matrix_(matrix) {
    const std::int64_t count = elements(matrix);
    if (count > INT_MAX)
      fail(call, "the matrix has {} elements, which is more than an INTEGER can count", count);
    data_ = tutti_array(matrix.address, count, matrix.type);
    if (count == 0 || lies_in_one_piece(matrix)) return;
    copies_.resize(static_cast<std::size_t>(count * element_bytes(matrix.type)));
    data_.address = copies_.data();
    copy(call, matrix, data_);
  }
  [[nodiscard]] VectorOfMatrix data() const { return {matrix_, data_}; }
  [[nodiscard]] int size() const { return static_cast<int>(data_.m); }
  void store(const RoutineCall& call) const {
    if (!copies_.empty()) copy(call, data_, matrix_);
  }

 private:
  tutti_data matrix_, data_;
  std::vector<std::byte> copies_;
};

void check_uplo(const RoutineCall& call, char uplo) {
  const char known = lower(uplo);
  if (levels.debug >= 1 && known != 'u' && known != 'l' && known != 'g')
    fail(call, "argument 'UPLO' is {}, none of 'U', 'L' and 'G'", quoted(uplo));
}

}  // namespace

void combine_by_user(const Routine& routine, int context, const Matrix& matrix, const Combine& how,
                     const UserFunctions& functions) {
  const RoutineCall call(routine.name, context);
  Scope& scope = scope_of(call, how.scope);
  const char uplo = matrix.uplo.value_or('G');
  check_uplo(call, uplo);
  if (functions.combine == nullptr) fail(call, "argument 'OP' is NULL");
  Matrix shaped = matrix;
  if (lower(uplo) == 'g') shaped.uplo.reset();
  UserFunctions used = functions;
  const Vector vector(call, matrix_data(call, routine, shaped));
  const int n = vector.size();
  void* const x = vector.data().vector.address;
  if (n > 0) call_with(used.initialise, used.passing, n, x);
  const UserOperator op(call, routine.type, used);
  if (!combine_vectors(call, scope, how, vector.data(), op.handle())) return;
  if (n > 0) call_with(used.finish, used.passing, n, x);
  vector.store(call);
}

}  // namespace tutti::blacs
