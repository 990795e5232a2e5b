// SPDX-License-Identifier: BSD-3-Clause
// Two supersteps: the first brings the parts of A and B, the second the sums.
#include <algorithm>
#include <complex>
#include <limits>

#include "split_plan.hpp"

namespace matmul {
namespace {

using BSPWrapper::Pid;

template <class T>
class Split : public Product<T> {
 public:
  explicit Split(const SplitPlan& plan)
      : Product<T>(plan.a, plan.b, plan.c),
        plan_(plan),
        left_(plan.left_of(Pid)),
        right_(plan.right_of(Pid)),
        result_(plan.result_of(Pid)) {
    BSPWrapper::SetTagSize(sizeof(int));
    if (plan.cube.n > 1) left_values_.resize(elements(plan.m, plan.k));
    if (plan.cube.m > 1) right_values_.resize(elements(plan.k, plan.n));
    if (plan.cube.k > 1) sums_.resize(elements(plan.m, plan.n));
    BSPWrapper::Sync();
  }

  void run(const typename Product<T>::Tell& tell) override {
    fetch(this->a, left_, left_values_, plan_.k);
    fetch(this->b, right_, right_values_, plan_.n);
    if (plan_.cube.n > 1 || plan_.cube.m > 1) this->account.sync();
    if (T* const sums = place_of_sums())
      this->multiply({result_.rows, result_.columns, left_.columns},
                     {here(this->a, left_, left_values_), plan_.k},
                     {here(this->b, right_, right_values_), plan_.n}, {sums, plan_.n},
                     Before::dropped);
    tell(1);
    if (plan_.cube.k == 1) return;
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
  static bool empty(const Rectangle& r) { return r.rows == 0 || r.columns == 0; }

  // A part that one process has alone is used where it is.
  void fetch(Array<T>& array, const Rectangle& from, std::vector<T>& to, int stride) {
    if (to.empty()) return;
    this->count_foreign(array, from);
    array.Get(from, to.data(), stride);
  }
  static const T* here(Array<T>& array, const Rectangle& part, const std::vector<T>& fetched) {
    if (!fetched.empty()) return fetched.data();
    return empty(part) ? nullptr : &array.At(part.row, part.column);
  }

  // Returns the memory in which the local product is summed: a buffer, or this process's part of C.
  T* place_of_sums() {
    if (!sums_.empty()) return sums_.data();
    return empty(result_) ? nullptr : &this->c.At(result_.row, result_.column);
  }
  void send_sums() {
    for (int l = 0; l < plan_.cube.k; ++l) {
      const Rectangle kept = plan_.kept_by(Pid, l);
      if (l == plan_.place_of(Pid).l || empty(kept)) continue;
      const std::size_t count = elements(kept.rows, plan_.n);
      BSPWrapper::Send(plan_.partner(Pid, l), &l, sums_.data() + elements(kept.row, plan_.n),
                       static_cast<int>(count * sizeof(T)));
      this->account.words += static_cast<long>(count);
    }
  }
  void add_sums() {
    this->c.ForEachOwn([](int, int, T& element) { element = T(); });
    const Rectangle kept = plan_.kept_by(Pid, plan_.place_of(Pid).l);
    if (empty(kept)) return;
    add(kept, sums_.data() + elements(kept.row, plan_.n));
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
        row[j] += values[elements(i, plan_.n) + static_cast<std::size_t>(j)];
    }
  }

  SplitPlan plan_;
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

std::vector<Cube> cubes(int processes) {
  std::vector<Cube> all;
  for (int k = 1; k <= processes; ++k)
    for (int m = processes / k; m >= 1; --m)
      if (processes % k == 0 && processes / k % m == 0) all.push_back({m, processes / k / m, k});
  return all;
}

Cube best_cube(const Sizes& sizes, int processes) {
  Cube best{1, 1, 1};
  double fewest = std::numeric_limits<double>::infinity();
  // Sums cost an addition, too, so a cut through k has to be better than the others.
  for (const Cube& cube : cubes(processes)) {
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
  return std::make_unique<Split<T>>(SplitPlan(sizes, cube));
}
template std::unique_ptr<Product<float>> product_by_split(const Sizes&, const Cube&);
template std::unique_ptr<Product<double>> product_by_split(const Sizes&, const Cube&);
template std::unique_ptr<Product<std::complex<double>>> product_by_split(const Sizes&, const Cube&);

}  // namespace matmul
