// SPDX-License-Identifier: BSD-3-Clause
// Two supersteps: the first brings the parts of A and B, the second the sums.
#include <algorithm>
#include <complex>
#include <limits>

#include "product.hpp"

namespace matmul {
namespace {

using BSPWrapper::Pid;

// A process's place in the cube.
struct Place {
  int i, j, l;
};
Place place_of(int process, const Cube& cube) {
  return {process / cube.k / cube.n, process / cube.k % cube.n, process % cube.k};
}
int process_at(const Place& place, const Cube& cube) {
  return (place.i * cube.n + place.j) * cube.k + place.l;
}
int processes(const Cube& cube) {
  return cube.m * cube.n * cube.k;
}

// The parts into which the cube cuts the matrices. Each part of A is kept by the processes that
// need it together, and so are those of B and C; therefore heights are multiples of their number.
struct Parts {
  Parts(const Sizes& sizes, const Cube& cube)
      : m(rounded(Distribution::Share(sizes.m, cube.m), cube.n * cube.k)),
        n(Distribution::Share(sizes.n, cube.n)),
        k(rounded(Distribution::Share(sizes.k, cube.k), cube.m)) {}
  static int rounded(int size, int multiple) { return (size + multiple - 1) / multiple * multiple; }
  int m, n, k;
};

template <class T>
class Split : public Product<T> {
 public:
  Split(const Sizes& sizes, const Cube& cube, const Parts& parts)
      : Product<T>(Distribution({sizes.m, sizes.k}, {parts.m / cube.n, parts.k}, processes(cube),
                                [cube](int row, int l) {
                                  return process_at({row / cube.n, row % cube.n, l}, cube);
                                }),
                   Distribution({sizes.k, sizes.n}, {parts.k / cube.m, parts.n}, processes(cube),
                                [cube](int row, int j) {
                                  return process_at({row % cube.m, j, row / cube.m}, cube);
                                }),
                   Distribution({sizes.m, sizes.n}, {parts.m / cube.k, parts.n}, processes(cube),
                                [cube](int row, int j) {
                                  return process_at({row / cube.k, j, row % cube.k}, cube);
                                })),
        cube_(cube),
        parts_(parts),
        place_(place_of(Pid, cube)),
        takes_part_(Pid < processes(cube)),
        left_(clipped(place_.i * parts.m, place_.l * parts.k, parts.m, parts.k, sizes.m, sizes.k)),
        right_(clipped(place_.l * parts.k, place_.j * parts.n, parts.k, parts.n, sizes.k, sizes.n)),
        result_(
            clipped(place_.i * parts.m, place_.j * parts.n, parts.m, parts.n, sizes.m, sizes.n)) {
    BSPWrapper::SetTagSize(sizeof(int));
    if (takes_part_ && cube.n > 1) left_values_.resize(elements(parts.m, parts.k));
    if (takes_part_ && cube.m > 1) right_values_.resize(elements(parts.k, parts.n));
    if (takes_part_ && cube.k > 1) sums_.resize(elements(parts.m, parts.n));
    BSPWrapper::Sync();
  }

  void run() override {
    fetch(this->a, left_, left_values_, parts_.k);
    fetch(this->b, right_, right_values_, parts_.n);
    if (cube_.n > 1 || cube_.m > 1) this->account.sync();
    T* const sums = zeroed_sums();
    if (takes_part_ && left_.columns > 0 && sums != nullptr)
      this->multiply(result_.rows, result_.columns, left_.columns,
                     here(this->a, left_, left_values_), parts_.k,
                     here(this->b, right_, right_values_), parts_.n, sums, parts_.n);
    if (cube_.k == 1) return;
    send_sums();
    this->account.sync();
    add_sums();
  }

  [[nodiscard]] long extra_elements() const override {
    return static_cast<long>(left_values_.size() + right_values_.size() + sums_.size());
  }

 private:
  static std::size_t elements(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
  static Rectangle clipped(int row, int column, int rows, int columns, int all_rows,
                           int all_columns) {
    row = std::min(row, all_rows);
    column = std::min(column, all_columns);
    return {row, column, std::min(rows, all_rows - row), std::min(columns, all_columns - column)};
  }
  static bool empty(const Rectangle& r) { return r.rows == 0 || r.columns == 0; }

  // A part that one process has alone is used where it is.
  void fetch(Array<T>& array, const Rectangle& from, std::vector<T>& to, int stride) {
    if (!takes_part_ || to.empty()) return;
    this->count_foreign(array, from);
    array.Get(from, to.data(), stride);
  }
  static const T* here(Array<T>& array, const Rectangle& part, const std::vector<T>& fetched) {
    if (!fetched.empty()) return fetched.data();
    return empty(part) ? nullptr : &array.At(part.row, part.column);
  }

  // Where the local product is summed: a buffer, or this process's part of C.
  T* zeroed_sums() {
    this->c.ForEachOwn([](int, int, T& element) { element = T(); });
    std::ranges::fill(sums_, T());
    if (!sums_.empty()) return sums_.data();
    return !takes_part_ || empty(result_) ? nullptr : &this->c.At(result_.row, result_.column);
  }
  // The rows of the sums that process l of those with the same part of C keeps, counted from the
  // first row of the part.
  [[nodiscard]] Rectangle kept_by(int l) const {
    const int height = parts_.m / cube_.k;
    return clipped(l * height, 0, height, result_.columns, result_.rows, result_.columns);
  }
  void send_sums() {
    for (int l = 0; l < cube_.k && takes_part_; ++l) {
      const Rectangle kept = kept_by(l);
      if (l == place_.l || empty(kept)) continue;
      const std::size_t count = elements(kept.rows, parts_.n);
      BSPWrapper::Send(process_at({place_.i, place_.j, l}, cube_), &l,
                       sums_.data() + elements(kept.row, parts_.n),
                       static_cast<int>(count * sizeof(T)));
      this->account.words += static_cast<long>(count);
    }
  }
  void add_sums() {
    const Rectangle kept = kept_by(place_.l);
    if (!takes_part_ || empty(kept)) return;
    add(kept, sums_.data() + elements(kept.row, parts_.n));
    for (int status = 0, tag = 0;;) {
      BSPWrapper::GetTag(status, &tag);
      if (status < 0) return;
      void* data = nullptr;
      int size = 0;
      BSPWrapper::HpMove(data, size);
      add(kept, static_cast<const T*>(data));
    }
  }
  void add(const Rectangle& kept, const T* values) {
    for (int i = 0; i < kept.rows; ++i) {
      T* const row = &this->c.At(result_.row + kept.row + i, result_.column);
      for (int j = 0; j < kept.columns; ++j)
        row[j] += values[elements(i, parts_.n) + static_cast<std::size_t>(j)];
    }
  }

  Cube cube_;
  Parts parts_;
  Place place_;
  bool takes_part_;
  Rectangle left_, right_, result_;
  std::vector<T> left_values_, right_values_, sums_;  // empty where they are not needed
};

// The words that a process receives.
double words_of(const Sizes& sizes, const Cube& cube) {
  const double m = static_cast<double>(sizes.m) / cube.m, n = static_cast<double>(sizes.n) / cube.n,
               k = static_cast<double>(sizes.k) / cube.k;
  return m * k * (1 - 1.0 / cube.n) + k * n * (1 - 1.0 / cube.m) + m * n * (1 - 1.0 / cube.k);
}

}  // namespace

Cube best_cube(const Sizes& sizes, int processes) {
  Cube best{1, 1, 1};
  double fewest = std::numeric_limits<double>::infinity();
  // Sums cost an addition, too, so a cut through k has to be better than the others.
  for (int k = 1; k <= processes; ++k)
    for (int m = processes / k; m >= 1; --m) {
      if (processes % k != 0 || processes / k % m != 0) continue;
      const Cube cube{m, processes / k / m, k};
      const double words = words_of(sizes, cube);
      if (words < fewest) {
        fewest = words;
        best = cube;
      }
    }
  return best;
}

template <class T>
std::unique_ptr<Product<T>> product_by_split(const Sizes& sizes, const Cube& cube) {
  return std::make_unique<Split<T>>(sizes, cube, Parts(sizes, cube));
}
template std::unique_ptr<Product<float>> product_by_split(const Sizes&, const Cube&);
template std::unique_ptr<Product<double>> product_by_split(const Sizes&, const Cube&);
template std::unique_ptr<Product<std::complex<double>>> product_by_split(const Sizes&, const Cube&);

}  // namespace matmul
