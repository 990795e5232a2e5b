// SPDX-License-Identifier: BSD-3-Clause
#include "product.hpp"

#include "gemm.hpp"
#include "numbers.hpp"

namespace matmul {

Shape square_grid(int processes) {
  const int rows = support::squarest_rows(processes);
  return {rows, processes / rows};
}

template <class T>
void Product<T>::multiply(int m, int n, int k, const T* left, int left_stride, const T* right,
                          int right_stride, T* result, int result_stride) {
  const double start = BSPWrapper::Time();
  add_product<T>(m, n, k, {left, left_stride}, {right, right_stride}, {result, result_stride});
  account.computing_s += BSPWrapper::Time() - start;
}

template <class T>
void Product<T>::count_foreign(Array<T>& array, const Rectangle& rectangle) {
  array.Where().ForEachPart(rectangle, [this](int owner, long, const Rectangle& part) {
    if (owner != BSPWrapper::Pid) account.words += static_cast<long>(part.rows) * part.columns;
  });
}

template class Product<float>;
template class Product<double>;
template class Product<std::complex<double>>;

}  // namespace matmul
