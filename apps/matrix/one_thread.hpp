// SPDX-License-Identifier: BSD-3-Clause
// The number of threads of the BLAS.
#pragma once

// OpenBLAS only; null in other libraries.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int threads);

namespace matrix {

// The processes use all processors already, so each of them computes by one thread.
inline void compute_by_one_thread() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

}  // namespace matrix
