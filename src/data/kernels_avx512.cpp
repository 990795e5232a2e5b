// SPDX-License-Identifier: BSD-3-Clause
// The kernels on float16 and bfloat16 for processors with AVX-512. The compiler options are in
// CMakeLists.txt.
#include "data/kernel_loops.inc"

namespace tutti::data {
namespace {

constexpr HalfKernels halves = [] {
  HalfKernels made{};
  for (int builtin = 0; builtin < builtin_kinds; ++builtin) {
    made.combine[builtin][0] = table.combine[builtin][static_cast<int>(Element::float16)];
    made.combine[builtin][1] = table.combine[builtin][static_cast<int>(Element::bfloat16)];
  }
  return made;
}();

}  // namespace

const HalfKernels& kernels_avx512() {
  return halves;
}

}  // namespace tutti::data
