// SPDX-License-Identifier: BSD-3-Clause
// The kernels for the instruction set that the library is built for. The compiler options are in
// CMakeLists.txt.
#include "data/kernel_loops.inc"

namespace tutti::data {

const KernelTable& kernels_baseline() {
  return table;
}

}  // namespace tutti::data
