// SPDX-License-Identifier: BSD-3-Clause
// The element types that tutti can combine itself. A type that is only moved is described by its
// number of bytes. Operators, packing and the front ends use them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::data {

// complex64 is two float32, complex128 is two float64, the real part first (Fortran's COMPLEX and
// COMPLEX*16).
enum class Element : std::uint8_t { byte, int32, int64, float32, float64, complex64, complex128 };

inline constexpr int element_kinds = 7;

// The table is at namespace scope because GCC would build a local one anew at every call.
inline constexpr std::size_t element_sizes[element_kinds] = {1, 4, 8, 4, 8, 8, 16};
[[nodiscard]] constexpr std::size_t size_of(Element element) {
  return element_sizes[static_cast<std::size_t>(element)];
}

[[nodiscard]] constexpr const char* name_of(Element element) {
  constexpr const char* names[element_kinds] = {"byte",    "int32",     "int64",     "float32",
                                                "float64", "complex64", "complex128"};
  return names[static_cast<std::size_t>(element)];
}

}  // namespace tutti::data
