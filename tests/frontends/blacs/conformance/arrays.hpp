// SPDX-License-Identifier: BSD-3-Clause
// Matrices with known contents and known padding, so that elements that a routine must not change
// are checked, too.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "names.hpp"

namespace conformance {

// Returns small whole numbers: sums are exact, and magnitudes tie often.
inline int small_value(std::uint64_t seed, int rank, int i, int j) {
  std::uint64_t x =
      seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(rank * 131 + i * 17 + j * 7919 + 1);
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 32;
  return static_cast<int>(x % 9) - 4;
}

template <class T>
struct Make {
  static T value(std::uint64_t seed, int rank, int i, int j) {
    return static_cast<T>(small_value(seed, rank, i, j));
  }
  static T filler() { return static_cast<T>(-77); }
  static double magnitude(T x) { return x < 0 ? -static_cast<double>(x) : static_cast<double>(x); }
  static bool less(T a, T b) { return a < b; }
};

template <class R>
struct Make<std::complex<R>> {
  using T = std::complex<R>;
  static T value(std::uint64_t seed, int rank, int i, int j) {
    return {static_cast<R>(small_value(seed, rank, i, j)),
            static_cast<R>(small_value(seed + 1, rank, i, j))};
  }
  static T filler() { return {-77, -78}; }
  static double magnitude(T x) {
    return std::abs(static_cast<double>(x.real())) + std::abs(static_cast<double>(x.imag()));
  }
  static bool less(T a, T b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  }
};

// Returns true if element (i, j) of an m x n matrix belongs to the shape.
inline bool inside(Uplo shape, int m, int n, int i, int j) {
  if (shape.uplo == 0) return true;
  const bool unit = shape.diag == 'U';
  if (shape.uplo == 'U') {
    const int last = j + (m > n ? m - n : 0);
    return unit ? i < last : i <= last;
  }
  const int first = j - (n > m ? n - m : 0);
  return unit ? i > first : i >= first;
}

template <class T>
class Array {
 public:
  Array(int m, int n, int lda) : m_(m), n_(n), lda_(lda), data_(size(), Make<T>::filler()) {}

  [[nodiscard]] T& at(int i, int j) { return data_[static_cast<std::size_t>(i + j * lda_)]; }
  [[nodiscard]] Block<T> block(Uplo shape = {}) { return {m_, n_, data_.data(), lda_, shape}; }

  void fill(std::uint64_t seed, int rank) {
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i < m_; ++i) at(i, j) = Make<T>::value(seed, rank, i, j);
    }
  }

  // Returns true if the elements of the shape are `expected`, in column order, and all others still
  // have the filler.
  [[nodiscard]] bool holds(const std::vector<T>& expected, Uplo shape = {}) {
    std::size_t next = 0;
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i < lda_; ++i) {
        const bool mine = i < m_ && inside(shape, m_, n_, i, j);
        if (mine && next >= expected.size()) return false;
        if (at(i, j) != (mine ? expected[next++] : Make<T>::filler())) return false;
      }
    }
    return next == expected.size() && tail_untouched();
  }

  [[nodiscard]] bool padding_untouched() {
    for (int j = 0; j < n_; ++j) {
      for (int i = m_; i < lda_; ++i) {
        if (at(i, j) != Make<T>::filler()) return false;
      }
    }
    return tail_untouched();
  }

 private:
  static constexpr std::size_t tail = 4;
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(lda_) * static_cast<std::size_t>(n_) + tail;
  }
  [[nodiscard]] bool tail_untouched() const {
    for (std::size_t k = size() - tail; k < size(); ++k) {
      if (data_[k] != Make<T>::filler()) return false;
    }
    return true;
  }

  int m_, n_, lda_;
  std::vector<T> data_;
};

// Returns the elements of rank's filled array in the shape, column by column.
template <class T>
std::vector<T> contents(std::uint64_t seed, int rank, int m, int n, Uplo shape = {}) {
  std::vector<T> all;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      if (inside(shape, m, n, i, j)) all.push_back(Make<T>::value(seed, rank, i, j));
    }
  }
  return all;
}

struct Size {
  int m, n;
};

// Zero sizes, lines, tall and wide matrices, and one that does not fit into a ring of cache lines.
inline constexpr Size sizes[] = {{0, 0}, {0, 3}, {3, 0}, {1, 1},  {3, 4},
                                 {4, 3}, {7, 1}, {1, 7}, {40, 30}};
inline constexpr char scopes[] = {'R', 'C', 'A'};
inline constexpr Uplo shapes[] = {{0, 'N'}, {'U', 'N'}, {'U', 'U'}, {'L', 'N'}, {'L', 'U'}};

}  // namespace conformance
