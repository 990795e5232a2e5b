// SPDX-License-Identifier: BSD-3-Clause
// A square matrix whose rows are dealt to the ranks in blocks of equal height, and its transpose:
// each rank sends every other rank the square of its rows and the other's columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "exchange.hpp"

namespace exchange {

// The rows of a rank: `first` and those that follow. The last ranks may have fewer than the
// others, or none.
struct Rows {
  explicit Rows(std::size_t matrix_size, int rank = Exchange::rank())
      : size(matrix_size),
        height((size + static_cast<std::size_t>(Exchange::ranks()) - 1) /
               static_cast<std::size_t>(Exchange::ranks())),
        first(std::min(size, height * static_cast<std::size_t>(rank))),
        count(std::min(height, size - first)) {}

  std::size_t size;    // of the matrix, in either direction
  std::size_t height;  // most rows of a rank
  std::size_t first, count;
};

// The rows of a rank over those of the rank with most.
inline double share_of(const Rows& rows, int rank) {
  return static_cast<double>(Rows(rows.size, rank).count) / static_cast<double>(rows.height);
}

template <class T>
class Matrix {
 public:
  explicit Matrix(const Rows& mine) : rows(mine), values(mine.count * mine.size) {}
  // Row i of this rank.
  [[nodiscard]] std::span<T> row(std::size_t i) { return {&values[i * rows.size], rows.size}; }
  [[nodiscard]] std::span<const T> row(std::size_t i) const {
    return {&values[i * rows.size], rows.size};
  }

  Rows rows;
  std::vector<T> values;
};

// Transposes matrices of one size. The buffers are kept for the next matrix.
template <class T>
class Transposer {
 public:
  Transposer(const Rows& rows, Exchange& exchange)
      : rows_(rows),
        exchange_(exchange),
        leaving_(static_cast<std::size_t>(Exchange::ranks()) * rows.height * rows.height),
        arriving_(leaving_.size()) {}

  // The three parts of a transposition. Squares are sent transposed, so that the receiver copies
  // whole parts of rows. The matrix that unpack() fills may be the one that was packed.
  void pack(const Matrix<T>& from) {
    const std::size_t h = rows_.height;
    for_each_square(leaving_, [&](T* square, std::size_t first, std::size_t columns) {
      for (std::size_t i = 0; i < rows_.count; ++i) {
        const std::span<const T> row = from.row(i).subspan(first, columns);
        for (std::size_t j = 0; j < columns; ++j) square[j * h + i] = row[j];
      }
    });
  }
  void exchange() { exchange_.equal<T>(leaving_, arriving_); }
  void unpack(Matrix<T>& to) {
    const std::size_t h = rows_.height;
    for_each_square(arriving_, [&](const T* square, std::size_t first, std::size_t columns) {
      for (std::size_t j = 0; j < rows_.count; ++j)
        std::copy_n(square + j * h, columns, &to.row(j)[first]);
    });
  }

  // Lets the squares of this rank arrive here, as a prediction needs it.
  void pretend() { std::ranges::copy(leaving_, arriving_.begin()); }
  // The bytes that leave a rank for the others, and also arrive there.
  [[nodiscard]] double moved() const {
    const auto others = static_cast<std::size_t>(Exchange::ranks() - 1);
    return static_cast<double>(others * rows_.height * rows_.height * sizeof(T));
  }

 private:
  // Calls visit(square, first column, columns) for the square of each rank.
  template <class Visit>
  void for_each_square(std::vector<T>& squares, const Visit& visit) const {
    const std::size_t h = rows_.height;
    for (std::size_t first = 0; first < rows_.size; first += h)
      visit(&squares[first * h], first, std::min(h, rows_.size - first));
  }

  Rows rows_;
  Exchange& exchange_;
  std::vector<T> leaving_, arriving_;
};

}  // namespace exchange
