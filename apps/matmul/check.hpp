// SPDX-License-Identifier: BSD-3-Clause
// Tells whether a product is right: A (B x) and C x must agree for a random vector x.
#pragma once

#include <complex>
#include <limits>

#include "product.hpp"
#include "random.hpp"
#include "together.hpp"

namespace matmul {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

// The product with a vector that all processes have. With `value`, of other matrices.
template <class T, class V, class Value>
std::vector<V> times(Array<T>& array, const std::vector<V>& x, const Value& value) {
  std::vector<V> mine(static_cast<std::size_t>(array.Rows()));
  array.ForEachOwn([&](int row, int column, const T& element) {
    mine[static_cast<std::size_t>(row)] += value(element) * x[static_cast<std::size_t>(column)];
  });
  return sum_of_all(mine);
}

// The largest difference of an element, in units of the largest that rounding can explain: at most
// 1 if all is well.
template <class T>
double residual(Product<T>& product) {
  using Real = typename RealOf<T>::type;
  std::vector<T> x(static_cast<std::size_t>(product.b.Columns()));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<Real>(matrix::random_value(7, 0, static_cast<long>(i)));
  const auto same = [](const T& element) { return element; };
  const std::vector<T> expected = times(product.a, times(product.b, x, same), same);
  const std::vector<T> found = times(product.c, x, same);

  const auto size = [](const T& element) { return static_cast<double>(std::abs(element)); };
  std::vector<double> sizes(x.size());
  std::ranges::transform(x, sizes.begin(), size);
  const std::vector<double> scale = times(product.a, times(product.b, sizes, size), size);

  // Both sides add k + n products; an operation on complex numbers rounds several times.
  constexpr double roundings = std::is_same_v<T, Real> ? 2 : 8;
  const double unit = std::numeric_limits<Real>::epsilon() * roundings *
                      (product.a.Columns() + product.b.Columns());
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = std::abs(found[i] - expected[i]);
    const double ratio = difference == 0 ? 0 : difference / (unit * scale[i]);
    if (!(ratio <= worst)) worst = ratio;  // also if it is no number
  }
  return worst;
}

}  // namespace matmul
