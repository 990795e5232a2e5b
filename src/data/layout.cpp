// SPDX-License-Identifier: BSD-3-Clause
// Computes sizes and positions of layouts by closed forms. A lower trapezoid has the column lengths
// of the upper one in reverse order, so both use the sum over the first columns of the upper.
#include "data/layout.hpp"

#include "base/error.hpp"

namespace tutti::data {

void Layout::reject(std::int64_t count) {
  base::fail(base::Status::invalid_argument, "a layout cannot have {} elements", count);
}

Layout Layout::matrix(std::int64_t m, std::int64_t n, std::int64_t ld) {
  if (m < 0 || n < 0)
    base::fail(base::Status::invalid_argument, "a matrix cannot have {} rows and {} columns", m, n);
  if (n > 1 && ld < m) {
    base::fail(base::Status::invalid_argument,
               "leading dimension {} is less than the {} rows of the matrix", ld, m);
  }
  constexpr std::int64_t widest_element = 24;
  std::int64_t span = 0;
  if (__builtin_mul_overflow(std::max(m, ld), n, &span) ||
      __builtin_mul_overflow(span, widest_element, &span)) {
    base::fail(base::Status::invalid_argument,
               "{} columns, {} elements apart, are more than memory can hold", n, std::max(m, ld));
  }
  if (ld == m || n <= 1 || m == 0) return contiguous(m * n);
  Layout layout;
  layout.kind_ = Kind::matrix;
  layout.rows_ = m;
  layout.columns_ = n;
  layout.ld_ = ld;
  layout.size_ = m * n;
  return layout;
}

Layout Layout::trapezoid(Uplo uplo, Diag diag, std::int64_t m, std::int64_t n, std::int64_t ld) {
  const Layout full = matrix(m, n, ld);
  const std::int64_t shortest = std::max<std::int64_t>(0, m - n) + (diag == Diag::unit ? 0 : 1);
  if (shortest >= m || n == 0) return full;
  Layout layout;
  layout.kind_ = uplo == Uplo::upper ? Kind::upper : Kind::lower;
  layout.rows_ = m;
  layout.columns_ = n;
  layout.ld_ = ld;
  layout.shortest_ = shortest;
  layout.size_ = layout.first_columns(n);
  return layout;
}

std::int64_t Layout::extent() const {
  if (size_ == 0 || kind_ == Kind::contiguous) return size_;
  // Only a lower trapezoid without its diagonal may have an empty last column. Then the column
  // before has one element, in the last row.
  const std::int64_t last = length_of(columns_ - 1) > 0 ? columns_ - 1 : columns_ - 2;
  return last * ld_ + (kind_ == Kind::upper ? length_of(last) : rows_);
}

// Number of elements in the first columns of the upper trapezoid, which grow by one per column up
// to the full height.
std::int64_t Layout::first_columns(std::int64_t columns) const {
  const std::int64_t growing = std::min(rows_ - shortest_, columns);
  return growing * shortest_ + growing * (growing - 1) / 2 + (columns - growing) * rows_;
}

std::int64_t Layout::before(std::int64_t column) const {
  switch (kind_) {
    case Kind::matrix:
      return column * rows_;
    case Kind::upper:
      return first_columns(column);
    case Kind::lower:
      return size_ - first_columns(columns_ - column);
    default:
      return 0;
  }
}

// Returns the last column that begins at or before `position`, so empty columns before it are
// passed over.
std::int64_t Layout::column_of(std::int64_t position) const {
  if (position == 0 && kind_ != Kind::upper) return 0;
  if (kind_ == Kind::matrix) return position / rows_;
  std::int64_t low = 0, high = columns_;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (before(middle) <= position ? low : high) = middle;
  }
  return low;
}

}  // namespace tutti::data
