// SPDX-License-Identifier: BSD-3-Clause
// The functions that pvm_reduce combines with: PVM's four functions, which the runtime may know as
// operators, or any function of the program.
#pragma once

#include <tutti/tutti.h>

#include <optional>

namespace tutti::pvm {

using ReduceFunction = void (*)(int*, void*, void*, int*, int*);

struct NativeOperator {
  tutti_op op;
  tutti_type type;
};

// Returns the operator of the runtime with the same result; nullopt if the runtime has no such
// kernel.
[[nodiscard]] std::optional<NativeOperator> native_operator(ReduceFunction function, int type);

}  // namespace tutti::pvm
