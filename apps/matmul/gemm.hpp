// SPDX-License-Identifier: BSD-3-Clause
// The product of blocks, by the BLAS on one thread. Matrices are stored by rows here.
#pragma once

#include <algorithm>
#include <complex>

extern "C" {
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
            const float*, const int*, const float*, const int*, const float*, float*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*);
void zgemm_(const char*, const char*, const int*, const int*, const int*,
            const std::complex<double>*, const std::complex<double>*, const int*,
            const std::complex<double>*, const int*, const std::complex<double>*,
            std::complex<double>*, const int*);
}

namespace matmul {

inline void gemm(int m, int n, int k, const float* a, int lda, const float* b, int ldb, float* c,
                 int ldc, float beta) {
  const float one = 1;
  sgemm_("N", "N", &m, &n, &k, &one, a, &lda, b, &ldb, &beta, c, &ldc);
}
inline void gemm(int m, int n, int k, const double* a, int lda, const double* b, int ldb, double* c,
                 int ldc, double beta) {
  const double one = 1;
  dgemm_("N", "N", &m, &n, &k, &one, a, &lda, b, &ldb, &beta, c, &ldc);
}
inline void gemm(int m, int n, int k, const std::complex<double>* a, int lda,
                 const std::complex<double>* b, int ldb, std::complex<double>* c, int ldc,
                 std::complex<double> beta) {
  const std::complex<double> one = 1;
  zgemm_("N", "N", &m, &n, &k, &one, a, &lda, b, &ldb, &beta, c, &ldc);
}

template <class T>
struct Rows {
  T* values;
  int stride;
};

// Says what becomes of the values that the result had before.
enum class Before { dropped, added };

// Computes the product of a (m x k) and b (k x n) in c. The BLAS count along columns, so to them
// these are the transposed matrices, and they multiply b by a.
template <class T>
void multiply_blocks(int m, int n, int k, Rows<const T> a, Rows<const T> b, Rows<T> c,
                     Before before) {
  if (m == 0 || n == 0) return;
  if (k > 0)
    return gemm(n, m, k, b.values, b.stride, a.values, a.stride, c.values, c.stride,
                T(before == Before::added ? 1 : 0));
  for (int i = 0; i < m && before == Before::dropped; ++i)
    std::fill_n(c.values + static_cast<long>(i) * c.stride, n, T());
}

}  // namespace matmul
