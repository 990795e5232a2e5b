// SPDX-License-Identifier: BSD-3-Clause
// The parts of the matrices in a split among a cube of processes: all that does not depend on the
// values, and is the same for the product and for its prediction.
#pragma once

#include <algorithm>

#include "product.hpp"

namespace matmul {

// Each part of A is kept by the processes that need it together, and so are those of B and C;
// therefore heights are multiples of their number.
class SplitPlan {
 public:
  SplitPlan(const Sizes& matrix_sizes, const Cube& cube_of_processes)
      : sizes(matrix_sizes),
        cube(cube_of_processes),
        m(rounded(Distribution::Share(sizes.m, cube.m), cube.n * cube.k)),
        n(Distribution::Share(sizes.n, cube.n)),
        k(rounded(Distribution::Share(sizes.k, cube.k), cube.m)),
        a({sizes.m, sizes.k}, {m / cube.n, k}, processes(),
          [this](int row, int l) {
            return at({row / cube.n, row % cube.n, l});
          }),
        b({sizes.k, sizes.n}, {k / cube.m, n}, processes(),
          [this](int row, int j) {
            return at({row % cube.m, j, row / cube.m});
          }),
        c({sizes.m, sizes.n}, {m / cube.k, n}, processes(), [this](int row, int j) {
          return at({row / cube.k, j, row % cube.k});
        }) {}

  // A process's place in the cube.
  struct Place {
    int i, j, l;
  };

  Sizes sizes;
  Cube cube;
  int m, n, k;  // sizes of the part of each process
  Distribution a, b, c;

  [[nodiscard]] int processes() const { return cube.m * cube.n * cube.k; }
  [[nodiscard]] Place place_of(int process) const {
    return {process / cube.k / cube.n, process / cube.k % cube.n, process % cube.k};
  }
  [[nodiscard]] int at(const Place& place) const {
    return (place.i * cube.n + place.j) * cube.k + place.l;
  }
  // The process that has the same part of C, and place l.
  [[nodiscard]] int partner(int process, int l) const {
    const Place place = place_of(process);
    return at({place.i, place.j, l});
  }

  [[nodiscard]] Rectangle left_of(int process) const {
    const Place place = place_of(process);
    return clipped({place.i * m, place.l * k, m, k}, sizes.m, sizes.k);
  }
  [[nodiscard]] Rectangle right_of(int process) const {
    const Place place = place_of(process);
    return clipped({place.l * k, place.j * n, k, n}, sizes.k, sizes.n);
  }
  [[nodiscard]] Rectangle result_of(int process) const {
    const Place place = place_of(process);
    return clipped({place.i * m, place.j * n, m, n}, sizes.m, sizes.n);
  }
  // The rows of a process's sums that its partner with place l keeps, counted from the first row of
  // the part.
  [[nodiscard]] Rectangle kept_by(int process, int l) const {
    const Rectangle result = result_of(process);
    const int height = m / cube.k;
    return clipped({l * height, 0, height, result.columns}, result.rows, result.columns);
  }

 private:
  static int rounded(int size, int multiple) { return (size + multiple - 1) / multiple * multiple; }
  static Rectangle clipped(Rectangle r, int rows, int columns) {
    r.row = std::min(r.row, rows);
    r.column = std::min(r.column, columns);
    return {r.row, r.column, std::min(r.rows, rows - r.row),
            std::min(r.columns, columns - r.column)};
  }
};

}  // namespace matmul
