// SPDX-License-Identifier: BSD-3-Clause
// The table of all kernels, private to data/. The kernels exist once per instruction set, compiled
// from one text; kernel_table() in operator.cpp chooses.
#pragma once

#include "data/operator.hpp"

namespace tutti::data {

// In `located`, row 0 is absmax and row 1 is absmin.
struct KernelTable {
  CombineFn combine[builtin_kinds][element_kinds];
  LocatedKernels located[2][element_kinds];
};

// The kernels on float16 and bfloat16, in this order. They compute more for each byte than others,
// so wider registers and the processor's own conversions make them faster.
struct HalfKernels {
  CombineFn combine[builtin_kinds][2];
};

[[nodiscard]] const KernelTable& kernels_baseline();
[[nodiscard]] const KernelTable& kernels_avx2();    // x86 only
[[nodiscard]] const HalfKernels& kernels_f16c();    // x86 only
[[nodiscard]] const HalfKernels& kernels_avx512();  // x86 only

// Say whether this processor has the instructions of these kernels.
[[nodiscard]] bool runs_f16c();
[[nodiscard]] bool runs_avx512();

}  // namespace tutti::data
