// SPDX-License-Identifier: BSD-3-Clause
// PvmMax, PvmMin, PvmSum and PvmProduct for pvm_reduce: x[i] = x[i] op y[i].
#include "operations.hpp"

#include <tutti-pvm/pvm3.h>

#include <complex>
#include <type_traits>

namespace tutti::pvm {
namespace {

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

}  // namespace

std::optional<NativeOperator> native_operator(ReduceFunction function, int type) {
  const std::optional<tutti_type> element = native_type(type);
  if (!element) return std::nullopt;
  if (function == PvmSum) return NativeOperator{TUTTI_SUM, *element};
  if (function == PvmProduct) return NativeOperator{TUTTI_PRODUCT, *element};
  if (function == PvmMax && whole_or_real(type)) return NativeOperator{TUTTI_MAX, *element};
  if (function == PvmMin && whole_or_real(type)) return NativeOperator{TUTTI_MIN, *element};
  return std::nullopt;
}

}  // namespace tutti::pvm

using namespace tutti::pvm;

extern "C" {

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
