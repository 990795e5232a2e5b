// SPDX-License-Identifier: BSD-3-Clause
// Values that all processes know together.
#pragma once

#include <algorithm>
#include <cstring>
#include <tutti-bsp/bsp.hpp>
#include <vector>

namespace matmul {

namespace detail {
template <class T, class Combine>
void fold(char* result, char* left, char* right, int* size) {
  const std::size_t count = static_cast<std::size_t>(*size) / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    T x, y;
    std::memcpy(&x, left + i * sizeof(T), sizeof(T));
    std::memcpy(&y, right + i * sizeof(T), sizeof(T));
    const T combined = Combine()(x, y);
    std::memcpy(result + i * sizeof(T), &combined, sizeof(T));
  }
}
struct Larger {
  template <class T>
  T operator()(const T& x, const T& y) const {
    return x < y ? y : x;
  }
};
}  // namespace detail

// Adds vectors of the same length element by element.
template <class T>
std::vector<T> sum_of_all(const std::vector<T>& mine) {
  std::vector<T> sum(mine.size());
  if (!mine.empty())
    BSPWrapper::Fold(mine.data(), sum.data(), static_cast<int>(mine.size() * sizeof(T)),
                     detail::fold<T, std::plus<T>>);
  return sum;
}
template <class T>
T largest_of_all(T mine) {
  T largest = mine;
  BSPWrapper::Fold(&mine, &largest, sizeof mine, detail::fold<T, detail::Larger>);
  return largest;
}

}  // namespace matmul
