// SPDX-License-Identifier: BSD-3-Clause
#include "product.hpp"

#include "numbers.hpp"

namespace matmul {

Shape square_grid(int processes) {
  const int rows = support::squarest_rows(processes);
  return {rows, processes / rows};
}

template <class T>
void Product<T>::multiply(const Sizes& sizes, Rows<const T> left, Rows<const T> right,
                          Rows<T> result, Before before) {
  const double start = BSPWrapper::Time();
  multiply_blocks<T>(sizes.m, sizes.n, sizes.k, left, right, result, before);
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
