// SPDX-License-Identifier: BSD-3-Clause
// Describes where the elements of an operand lie in one rank's memory. A layout numbers its
// elements 0..size()-1 column by column. It finds the contiguous runs of memory that
// hold a given range of numbers. Layouts never travel: two ranks may use different ones for the
// same operand, and only the numbers agree. The engine and pack.hpp use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace tutti::data {

enum class Uplo : std::uint8_t { upper, lower };
enum class Diag : std::uint8_t { non_unit, unit };

class Layout {
 public:
  // A contiguous run of memory, `offset` and `length` in elements. `position` is the number of its
  // first element.
  struct Run {
    std::int64_t offset, length, position;
  };

  constexpr Layout() = default;

  // Makes a contiguous layout. Throws Error(invalid_argument) if count is negative.
  [[nodiscard]] static Layout contiguous(std::int64_t count) {
    if (count < 0) reject(count);
    Layout layout;
    layout.size_ = count;
    return layout;
  }

  // Makes the layout of a column-major matrix whose column j begins at j * ld. It is contiguous
  // where the columns touch (ld == m) or there is at most one. Throws Error(invalid_argument) if m
  // or n is negative, or if n > 1 and ld < m.
  [[nodiscard]] static Layout matrix(std::int64_t m, std::int64_t n, std::int64_t ld);

  // Makes a trapezoid of the BLACS: the used part of an m x n matrix, without the diagonal if
  // Diag::unit. With the diagonal, column j holds:
  //    Upper: rows 0 .. max(0, m-n) + j. The first column has m-n+1 elements if m > n, and
  //    from j = m-1 on each column has all rows.
  //    Lower: rows max(0, j - max(0, n-m)) .. m-1. The first n-m+1 columns are full if n > m.
  // Checked against ScaLAPACK's BLACS for all m, n up to 5 (tests/data/trapezoid_reference.inc).
  [[nodiscard]] static Layout trapezoid(Uplo uplo, Diag diag, std::int64_t m, std::int64_t n,
                                        std::int64_t ld);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] bool is_contiguous() const { return kind_ == Kind::contiguous; }

  // One past the largest offset used: how much memory, in elements, the operand spans. It is 0 for
  // an empty operand.
  [[nodiscard]] std::int64_t extent() const;

  // Calls f(offset, length, position) for the runs that hold the elements [first, first + count),
  // in ascending order of position; no run is empty. Positions count from element 0 of the layout.
  // The range must lie within 0..size(). The first run is found in O(1), in trapezoids in O(log n).
  template <class Function>
  void for_each_run(std::int64_t first, std::int64_t count, Function&& f) const {
    if (count <= 0) return;
    if (kind_ == Kind::contiguous) return static_cast<void>(f(first, count, first));
    const std::int64_t column = column_of(first);
    const std::int64_t skipped = first - before(column);
    if (kind_ == Kind::matrix) {
      for_each_matrix_run(column, skipped, first, first + count, f);
    } else {
      for_each_trapezoid_run(column, skipped, first, first + count, f);
    }
  }

  // Returns the first of the runs that for_each_run() would visit, for a caller that works through
  // several layouts side by side; count >= 1.
  [[nodiscard]] Run run_at(std::int64_t first, std::int64_t count) const {
    if (kind_ == Kind::contiguous) return {first, count, first};
    const std::int64_t column = column_of(first);
    const std::int64_t skipped = first - before(column);
    const std::int64_t whole = length_of(column);
    const std::int64_t top = kind_ == Kind::lower ? rows_ - whole : 0;
    return {column * ld_ + top + skipped, std::min(whole - skipped, count), first};
  }

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  [[noreturn]] static void reject(std::int64_t count);

  enum class Kind : std::uint8_t { contiguous, matrix, upper, lower };

  // Visits the runs of a matrix. Thin matrices have short runs, so the loop over whole columns has
  // no other work.
  template <class Function>
  void for_each_matrix_run(std::int64_t column, std::int64_t skipped, std::int64_t position,
                           std::int64_t last, Function& f) const {
    std::int64_t offset = column * ld_;
    if (skipped > 0) {
      const std::int64_t length = std::min(rows_ - skipped, last - position);
      f(offset + skipped, length, position);
      position += length;
      offset += ld_;
    }
    for (; last - position >= rows_; position += rows_, offset += ld_) f(offset, rows_, position);
    if (position < last) f(offset, last - position, position);
  }

  template <class Function>
  void for_each_trapezoid_run(std::int64_t column, std::int64_t skipped, std::int64_t position,
                              std::int64_t last, Function& f) const {
    for (; position < last; ++column, skipped = 0) {
      const std::int64_t whole = length_of(column);
      const std::int64_t length = std::min(whole - skipped, last - position);
      if (length <= 0) continue;  // with Diag::unit one column may be empty
      f(column * ld_ + top_of(column) + skipped, length, position);
      position += length;
    }
  }

  [[nodiscard]] std::int64_t length_of(std::int64_t column) const {
    if (kind_ == Kind::matrix) return rows_;
    return std::min(rows_, shortest_ + (kind_ == Kind::upper ? column : columns_ - 1 - column));
  }
  [[nodiscard]] std::int64_t top_of(std::int64_t column) const {
    return kind_ == Kind::lower ? rows_ - length_of(column) : 0;
  }
  [[nodiscard]] std::int64_t first_columns(std::int64_t columns) const;
  [[nodiscard]] std::int64_t before(std::int64_t column) const;
  [[nodiscard]] std::int64_t column_of(std::int64_t position) const;

  std::int64_t rows_ = 0, columns_ = 0, ld_ = 0;
  // Elements in the shortest column of a trapezoid, which is the first if upper, the last if lower.
  std::int64_t shortest_ = 0;
  std::int64_t size_ = 0;
  Kind kind_ = Kind::contiguous;
};

static_assert(std::is_trivially_copyable_v<Layout>);

}  // namespace tutti::data
