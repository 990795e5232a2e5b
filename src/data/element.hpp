// SPDX-License-Identifier: BSD-3-Clause
// The element types that tutti can combine itself. A type that is only moved is described by its
// number of bytes. Operators, packing and the front ends use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tutti::data {

// complex64 is two float32, complex128 is two float64, the real part first (Fortran's COMPLEX and
// COMPLEX*16).
// A boolean is a byte, of which every value but 0 is true. float16 is IEEE 754's binary16, bfloat16
// the upper half of a float32.
enum class Element : std::uint8_t {
#define TUTTI_ELEMENT(element, ...) element,
#include "data/elements.def"
#undef TUTTI_ELEMENT
};

// The tables are at namespace scope because GCC would build local ones anew at every call.
inline constexpr std::size_t element_sizes[] = {
#define TUTTI_ELEMENT(element, name, NUMBER, bytes) bytes,
#include "data/elements.def"
#undef TUTTI_ELEMENT
};
inline constexpr const char* element_names[] = {
#define TUTTI_ELEMENT(element, name, ...) #name,
#include "data/elements.def"
#undef TUTTI_ELEMENT
};
inline constexpr int element_kinds = static_cast<int>(std::size(element_sizes));

[[nodiscard]] constexpr std::size_t size_of(Element element) {
  return element_sizes[static_cast<std::size_t>(element)];
}

[[nodiscard]] constexpr const char* name_of(Element element) {
  return element_names[static_cast<std::size_t>(element)];
}

}  // namespace tutti::data
