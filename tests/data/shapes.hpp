// SPDX-License-Identifier: BSD-3-Clause
// Layouts for tests, each with the offsets of its elements as a naive double loop lists them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/layout.hpp"

namespace tutti::data::test {

struct Shape {
  std::string name;
  Layout layout;
  std::vector<std::int64_t> offsets;
};

using Holds = std::function<bool(std::int64_t row, std::int64_t column)>;

inline Shape make_shape(std::string name, const Layout& layout, std::int64_t m, std::int64_t n,
                        std::int64_t ld, const Holds& holds) {
  Shape shape{std::move(name), layout, {}};
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      if (holds(i, j)) shape.offsets.push_back(i + j * ld);
    }
  }
  return shape;
}

inline Shape contiguous_shape(std::int64_t count) {
  return make_shape(fmt::format("contiguous {}", count), Layout::contiguous(count), count, 1, count,
                    [](auto, auto) { return true; });
}

inline Shape matrix_shape(std::int64_t m, std::int64_t n, std::int64_t ld) {
  return make_shape(fmt::format("matrix {}x{} ld {}", m, n, ld), Layout::matrix(m, n, ld), m, n, ld,
                    [](auto, auto) { return true; });
}

inline Shape trapezoid_shape(Uplo uplo, Diag diag, std::int64_t m, std::int64_t n,
                             std::int64_t ld) {
  const bool upper = uplo == Uplo::upper, unit = diag == Diag::unit;
  // The diagonal ends in the last corner of the longer side of an upper trapezoid. In a lower
  // The diagonal ends in the last corner if an upper trapezoid has more rows than columns, or a
  // lower one more columns than rows. Otherwise it begins in the first corner.
  const std::int64_t shift =
      upper ? std::max<std::int64_t>(0, m - n) : -std::max<std::int64_t>(0, n - m);
  return make_shape(fmt::format("{} {} {}x{} ld {}", upper ? "upper" : "lower",
                                unit ? "unit" : "non-unit", m, n, ld),
                    Layout::trapezoid(uplo, diag, m, n, ld), m, n, ld,
                    [=](std::int64_t i, std::int64_t j) {
                      const std::int64_t below = i - j - shift;  // 0 on the diagonal
                      return below == 0 ? !unit : upper == (below < 0);
                    });
}

// Returns every kind of layout with up to `limit` rows and columns.
inline std::vector<Shape> small_shapes(std::int64_t limit) {
  std::vector<Shape> shapes;
  for (std::int64_t m = 0; m <= limit; ++m) {
    shapes.push_back(contiguous_shape(m));
    for (std::int64_t n = 0; n <= limit; ++n) {
      for (const std::int64_t ld : {m, m + 1, m + 5}) {
        shapes.push_back(matrix_shape(m, n, ld));
        for (const Uplo uplo : {Uplo::upper, Uplo::lower}) {
          for (const Diag diag : {Diag::non_unit, Diag::unit}) {
            shapes.push_back(trapezoid_shape(uplo, diag, m, n, ld));
          }
        }
      }
    }
  }
  return shapes;
}

}  // namespace tutti::data::test
