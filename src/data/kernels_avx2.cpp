// SPDX-License-Identifier: BSD-3-Clause
// The kernels for processors with AVX2. The compiler options are in CMakeLists.txt.
#include "data/kernel_loops.inc"

namespace tutti::data {

const KernelTable& kernels_avx2() {
  return table;
}

}  // namespace tutti::data
