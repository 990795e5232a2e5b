// SPDX-License-Identifier: BSD-3-Clause
// The element types that tutti can combine itself. A type that is only moved is described by its
// number of bytes. Operators, packing and the front ends use them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::data {

// complex64 is two float32, complex128 is two float64, the real part first (Fortran's COMPLEX and
// COMPLEX*16).
// A boolean is a byte, of which every value but 0 is true. float16 is IEEE 754's binary16, bfloat16
// the upper half of a float32.
enum class Element : std::uint8_t {
  byte,
  int32,
  int64,
  float32,
  float64,
  complex64,
  complex128,
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16
};

inline constexpr int element_kinds = 16;

// The table is at namespace scope because GCC would build a local one anew at every call.
inline constexpr std::size_t element_sizes[element_kinds] = {1, 4, 8, 4, 8, 8, 16, 1,
                                                             1, 1, 2, 2, 4, 8, 2,  2};
[[nodiscard]] constexpr std::size_t size_of(Element element) {
  return element_sizes[static_cast<std::size_t>(element)];
}

[[nodiscard]] constexpr const char* name_of(Element element) {
  constexpr const char* names[element_kinds] = {
      "byte", "int32", "int64", "float32", "float64", "complex64", "complex128", "bool",
      "int8", "uint8", "int16", "uint16",  "uint32",  "uint64",    "float16",    "bfloat16"};
  return names[static_cast<std::size_t>(element)];
}

}  // namespace tutti::data
