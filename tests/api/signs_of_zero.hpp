// SPDX-License-Identifier: BSD-3-Clause
// Compares results without the signs of their zeros. These depend on the order in which operands
// are combined, so two right results may differ in them.
#pragma once

#include <tutti/tutti.h>

#include <cstddef>
#include <cstring>
#include <span>

namespace tutti::test {

template <class Float>
void forget_signs_of_zero(std::span<std::byte> memory) {
  for (std::size_t at = 0; at + sizeof(Float) <= memory.size(); at += sizeof(Float)) {
    Float value;
    std::memcpy(&value, &memory[at], sizeof value);
    value += Float{0};
    std::memcpy(&memory[at], &value, sizeof value);
  }
}

template <class Container>
void forget_signs_of_zero(Container& container, tutti_type type) {
  const std::span<std::byte> memory = std::as_writable_bytes(std::span(container));
  if (type == TUTTI_FLOAT || type == TUTTI_COMPLEX_FLOAT) forget_signs_of_zero<float>(memory);
  if (type == TUTTI_DOUBLE || type == TUTTI_COMPLEX_DOUBLE) forget_signs_of_zero<double>(memory);
}

}  // namespace tutti::test
