// SPDX-License-Identifier: BSD-3-Clause
// Private to data/: the kernels exist once per instruction set, compiled from one text;
// kernel_table() chooses.
#pragma once

#include "data/operator.hpp"

namespace tutti::data {

// [0] absmax, [1] absmin.
struct KernelTable {
  CombineFn combine[builtin_kinds][element_kinds];
  LocatedKernels located[2][element_kinds];
};

[[nodiscard]] const KernelTable& kernels_baseline();
[[nodiscard]] const KernelTable& kernels_avx2();  // x86 only

}  // namespace tutti::data
