// SPDX-License-Identifier: BSD-3-Clause
// Operands for tests of kernels: few different magnitudes, so that ties are common, and the extreme
// values of each type.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "data/element.hpp"

namespace tutti::data::test {

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return Element::byte;
  if constexpr (std::is_same_v<T, std::int8_t>) return Element::int8;
  if constexpr (std::is_same_v<T, std::int16_t>) return Element::int16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Element::uint16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Element::uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Element::uint64;
  if constexpr (std::is_same_v<T, std::int32_t>) return Element::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Element::int64;
  if constexpr (std::is_same_v<T, float>) return Element::float32;
  if constexpr (std::is_same_v<T, double>) return Element::float64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return Element::complex64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return Element::complex128;
}

template <class T>
T draw(std::mt19937_64& random) {
  if constexpr (IsComplex<T>::value) {
    using Real = typename T::value_type;
    return {draw<Real>(random), draw<Real>(random)};
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return static_cast<T>(random() % 4 == 0 ? random() : random() % 3);
  } else {
    if constexpr (std::is_integral_v<T>) {
      if (random() % 16 == 0)
        return random() % 2 == 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    }
    return static_cast<T>(static_cast<int>(random() % 9) - 4);
  }
}

template <class T>
std::vector<T> draw_many(std::size_t count, std::mt19937_64& random) {
  std::vector<T> values(count);
  for (T& value : values) value = draw<T>(random);
  return values;
}

// Returns the magnitude that the BLACS compare. It is exact for the smallest integers, too.
template <class T>
auto naive_magnitude(T x) {
  if constexpr (IsComplex<T>::value) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    if constexpr (std::is_unsigned_v<T>) return x;
    return x < 0 ? static_cast<U>(U{0} - static_cast<U>(x)) : static_cast<U>(x);
  } else {
    return std::abs(x);
  }
}

template <class T>
bool naive_greater(T a, T b) {
  if constexpr (IsComplex<T>::value) {
    return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
  } else {
    return a > b;
  }
}

}  // namespace tutti::data::test
