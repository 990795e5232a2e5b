// SPDX-License-Identifier: BSD-3-Clause
// The element types of tutti.hpp, and ranges of them as the C interface describes them.
#ifndef TUTTI_TUTTI_ELEMENT_HPP
#define TUTTI_TUTTI_ELEMENT_HPP

#include <tutti/tutti.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>

namespace tutti {

// The bits of a number of 16 bits, which C++20 has no type for. Float16 is IEEE 754's binary16,
// BFloat16 the upper half of a float.
struct Float16 {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

namespace detail {

// Returns the type of integers that are as long as this one of 8 bits.
constexpr int integer_code(tutti_type of_8_bits, std::size_t bytes) {
  const bool is_signed = of_8_bits == TUTTI_INT8;
  if (bytes == 1) return of_8_bits;
  if (bytes == 2) return is_signed ? TUTTI_INT16 : TUTTI_UINT16;
  if (bytes == 4) return is_signed ? TUTTI_INT32 : TUTTI_UINT32;
  return bytes == 8 ? (is_signed ? TUTTI_INT64 : TUTTI_UINT64) : -1;
}

template <class T>
constexpr int type_code() {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::same_as<Plain, std::complex<float>>) return TUTTI_COMPLEX_FLOAT;
  if constexpr (std::same_as<Plain, std::complex<double>>) return TUTTI_COMPLEX_DOUBLE;
  if constexpr (std::same_as<Plain, float>) return TUTTI_FLOAT;
  if constexpr (std::same_as<Plain, double>) return TUTTI_DOUBLE;
  if constexpr (std::same_as<Plain, bool>) return TUTTI_BOOL;
  if constexpr (std::same_as<Plain, Float16>) return TUTTI_FLOAT16;
  if constexpr (std::same_as<Plain, BFloat16>) return TUTTI_BFLOAT16;
  if constexpr (std::same_as<Plain, std::byte> || std::same_as<Plain, char>) return TUTTI_BYTE;
  if constexpr (std::signed_integral<Plain>) return integer_code(TUTTI_INT8, sizeof(Plain));
  if constexpr (std::unsigned_integral<Plain>) return integer_code(TUTTI_UINT8, sizeof(Plain));
  return -1;
}

}  // namespace detail

template <class T>
concept Element = detail::type_code<T>()
>= 0;

// Arrays, vectors, spans and other ranges whose elements are contiguous.
template <class R>
concept Values = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    Element<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

namespace detail {

// Describes values for the C interface. It has one type for both directions, but never writes
// values that it only reads.
template <Values R>
tutti_data describe(R&& values) {
  using T = std::remove_reference_t<std::ranges::range_reference_t<R>>;
  void* address = const_cast<void*>(static_cast<const void*>(std::ranges::data(values)));
  return tutti_array(address, static_cast<std::int64_t>(std::ranges::size(values)),
                     static_cast<tutti_type>(type_code<T>()));
}

}  // namespace detail

}  // namespace tutti

#endif
