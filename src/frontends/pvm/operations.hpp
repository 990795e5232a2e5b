// SPDX-License-Identifier: BSD-3-Clause
// What a reduction combines by: one of PVM's four functions on a type that the runtime knows, or
// any other function.
#pragma once

#include <tutti/tutti.h>

#include <optional>

namespace tutti::pvm {

using ReduceFunction = void (*)(int*, void*, void*, int*, int*);

struct NativeOperator {
  tutti_op op;
  tutti_type type;
};

// What the runtime computes with the same result; nothing where it has no such kernel.
[[nodiscard]] std::optional<NativeOperator> native_operator(ReduceFunction function, int type);

}  // namespace tutti::pvm
