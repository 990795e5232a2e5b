// SPDX-License-Identifier: BSD-3-Clause
// Generators without rounds and buffers that stand for the native collectives, one per operation.
#include "algorithms/native.hpp"

#include <array>

#include "algorithms/families.hpp"
#include "algorithms/registry.hpp"

namespace tutti::algorithms {
namespace {

using schedule::Operation;

constexpr schedule::Generator of(Operation operation) {
  return {native_name.data(),
          operation,
          [](const schedule::Shape&) { return 0; },
          [](const schedule::Shape&) { return schedule::Buffers{}; },
          [](schedule::Round&, const schedule::Shape&, schedule::Rank, int) {},
          any_shape,
          schedule::Operators::any};
}

constexpr std::array natives{
#define TUTTI_OPERATION(name, ...) of(Operation::name),
#include "schedule/operations.def"
#undef TUTTI_OPERATION
};

}  // namespace

const schedule::Generator& native(Operation operation) {
  return natives[static_cast<std::size_t>(operation)];
}

const schedule::Generator* named(Operation operation, std::string_view name) {
  return name == native_name ? &native(operation) : find(operation, name);
}

}  // namespace tutti::algorithms
