// SPDX-License-Identifier: BSD-3-Clause
// pvm_reduce, and the functions PvmMax, PvmMin, PvmSum and PvmProduct: x[i] = x[i] op y[i]. It
// combines with one of these, for which the runtime may have a kernel, or with any other function
// as an operator of the runtime.
#include <tutti-pvm/pvm3.h>

#include <complex>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "core.hpp"
#include "group_operation.hpp"

using namespace tutti::pvm;

namespace {

using ReduceFunction = void (*)(int*, void*, void*, int*, int*);

template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<std::complex<T>> : std::true_type {};

// Integers are added and multiplied as unsigned numbers, so that they wrap around.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

// Complex numbers are compared by modulus.
template <class T>
bool less(const T& a, const T& b) {
  if constexpr (is_complex<T>::value) {
    return std::norm(a) < std::norm(b);
  } else {
    return a < b;
  }
}

struct Sum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    using W = Wrapping<T>;
    return static_cast<T>(static_cast<W>(static_cast<W>(a) + static_cast<W>(b)));
  }
};
// Short integers would be promoted to int, in which the product of two could overflow.
struct Product {
  template <class T>
  T operator()(const T& a, const T& b) const {
    if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(unsigned)) {
      return static_cast<T>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
    } else {
      using W = Wrapping<T>;
      return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
    }
  }
};
struct Max {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return less(a, b) ? b : a;
  }
};
struct Min {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return less(b, a) ? b : a;
  }
};

template <class T, class Operation>
void apply(void* x, const void* y, int count) {
  auto* to = static_cast<T*>(x);
  const auto* from = static_cast<const T*>(y);
  for (int i = 0; i < count; ++i) to[i] = Operation()(to[i], from[i]);
}

template <class Operation>
bool apply_numbers(int type, void* x, const void* y, int count) {
  switch (type) {
    case PVM_SHORT:
      return apply<short, Operation>(x, y, count), true;
    case PVM_INT:
      return apply<int, Operation>(x, y, count), true;
    case PVM_LONG:
      return apply<long, Operation>(x, y, count), true;
    case PVM_USHORT:
      return apply<unsigned short, Operation>(x, y, count), true;
    case PVM_UINT:
      return apply<unsigned, Operation>(x, y, count), true;
    case PVM_ULONG:
      return apply<unsigned long, Operation>(x, y, count), true;
    case PVM_FLOAT:
      return apply<float, Operation>(x, y, count), true;
    case PVM_DOUBLE:
      return apply<double, Operation>(x, y, count), true;
    case PVM_CPLX:
      return apply<std::complex<float>, Operation>(x, y, count), true;
    case PVM_DCPLX:
      return apply<std::complex<double>, Operation>(x, y, count), true;
    default:
      return false;
  }
}

// Bytes have a maximum and a minimum, but no sum or product.
template <class Operation>
void run(int type, void* x, const void* y, int count, int* info) {
  constexpr bool ordered = std::is_same_v<Operation, Max> || std::is_same_v<Operation, Min>;
  bool done = apply_numbers<Operation>(type, x, y, count);
  if constexpr (ordered) {
    if (type == PVM_BYTE) {
      apply<char, Operation>(x, y, count);
      done = true;
    }
  }
  *info = done ? PvmOk : PvmBadParam;
}

bool whole_or_real(int type) {
  return type == PVM_INT || type == PVM_LONG || type == PVM_FLOAT || type == PVM_DOUBLE;
}

std::optional<tutti_type> native_type(int type) {
  switch (type) {
    case PVM_INT:
    case PVM_UINT:
      return TUTTI_INT32;
    case PVM_LONG:
    case PVM_ULONG:
      return TUTTI_INT64;
    case PVM_FLOAT:
      return TUTTI_FLOAT;
    case PVM_DOUBLE:
      return TUTTI_DOUBLE;
    case PVM_CPLX:
      return TUTTI_COMPLEX_FLOAT;
    case PVM_DCPLX:
      return TUTTI_COMPLEX_DOUBLE;
    default:
      return std::nullopt;
  }
}

struct NativeOperator {
  tutti_op op;
  tutti_type type;
};

// Returns the operator of the runtime with the same result; nullopt if the runtime has no such
// kernel.
std::optional<NativeOperator> native_operator(ReduceFunction function, int type) {
  const std::optional<tutti_type> element = native_type(type);
  if (!element) return std::nullopt;
  if (function == PvmSum) return NativeOperator{TUTTI_SUM, *element};
  if (function == PvmProduct) return NativeOperator{TUTTI_PRODUCT, *element};
  if (function == PvmMax && whole_or_real(type)) return NativeOperator{TUTTI_MAX, *element};
  if (function == PvmMin && whole_or_real(type)) return NativeOperator{TUTTI_MIN, *element};
  return std::nullopt;
}

// A function in the form that PVM defines: x = x op y. `info` starts as PvmOk and is passed from
// call to call, so a function need not set it.
struct UserFunction {
  ReduceFunction function;
  int type, count;
  int info = PvmOk;
};

void apply_function(void* x, void* y, std::int64_t, void* user) {
  auto& with = *static_cast<UserFunction*>(user);
  with.function(&with.type, x, y, &with.count, &with.info);
}

int reduce_by(UserFunction with, const GroupCall& given, const tutti_data& vector) {
  GroupOperation operation(TUTTI_OP_REDUCE, given);
  if (operation.status() != PvmOk) return operation.status();
  tutti_op op{0};
  const tutti_status made = tutti_op_create_in_place(vector.type, apply_function, 1, &with, &op);
  if (made != TUTTI_OK) return operation.end(made);
  const int status = operation.run({&vector, &vector, op, GroupOperation::Operands::By::function});
  // Failure is harmless: it fails only for a handle that is none.
  static_cast<void>(tutti_op_free(op));
  return status == PvmOk ? with.info : status;
}

int reduce(ReduceFunction function, const GroupCall& given, void* data) {
  if (function == nullptr || data == nullptr || given.count < 1) return PvmBadParam;
  if (const std::optional<NativeOperator> native = native_operator(function, given.type)) {
    const tutti_data vector = tutti_array(data, given.count, native->type);
    return GroupOperation(TUTTI_OP_REDUCE, given).run({&vector, &vector, native->op});
  }
  return reduce_by({function, given.type, given.count}, given,
                   tutti_array(data, given.bytes(), TUTTI_BYTE));
}

}  // namespace

extern "C" {

int pvm_reduce(ReduceFunction function, void* data, int count, int type, int tag, char* group,
               int root) {
  return call("pvm_reduce", [&] {
    return reduce(function, {group, count, type, tag, root}, data);
  });
}

void PvmMax(int* type, void* x, void* y, int* count, int* info) {
  run<Max>(*type, x, y, *count, info);
}

void PvmMin(int* type, void* x, void* y, int* count, int* info) {
  run<Min>(*type, x, y, *count, info);
}

void PvmSum(int* type, void* x, void* y, int* count, int* info) {
  run<Sum>(*type, x, y, *count, info);
}

void PvmProduct(int* type, void* x, void* y, int* count, int* info) {
  run<Product>(*type, x, y, *count, info);
}

}  // extern "C"
