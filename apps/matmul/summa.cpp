// SPDX-License-Identifier: BSD-3-Clause
// Each step broadcasts the next columns of A along the rows of the grid and the next rows of B
// along its columns. A step ends where the columns or the rows of one process end.
#include <algorithm>
#include <complex>

#include "product.hpp"

namespace matmul {
namespace {

using BSPWrapper::Pid;

constexpr int widest_panel = 256;

template <class T>
class Summa : public Product<T> {
 public:
  Summa(const Sizes& sizes, Shape grid)
      : Product<T>(Distribution::Static({sizes.m, sizes.k}, grid.rows, grid.columns),
                   Distribution::Static({sizes.k, sizes.n}, grid.rows, grid.columns),
                   Distribution::Static({sizes.m, sizes.n}, grid.rows, grid.columns)),
        sizes_(sizes),
        row_(Pid / grid.columns),
        column_(Pid % grid.columns),
        along_row_(row_, column_),
        along_column_(column_, row_),
        rows_(share_of(sizes.m, this->a.Where().Block().rows, row_)),
        columns_(share_of(sizes.n, this->b.Where().Block().columns, column_)),
        left_(static_cast<std::size_t>(rows_) * widest_panel),
        right_(static_cast<std::size_t>(columns_) * widest_panel) {}

  void run(const typename Product<T>::Tell& tell) override {
    const int of_a = this->a.Where().Block().columns, of_b = this->b.Where().Block().rows;
    for (int k = 0; k < sizes_.k;) {
      const int end =
          std::min({(k / of_a + 1) * of_a, (k / of_b + 1) * of_b, k + widest_panel, sizes_.k});
      step(k, end - k);
      k = end;
      tell(1.0 * k / sizes_.k);
    }
  }
  [[nodiscard]] long extra_elements() const override {
    return static_cast<long>(left_.size() + right_.size());
  }

 private:
  static int share_of(int size, int block, int part) {
    return std::clamp(size - part * block, 0, block);
  }

  void step(int k, int width) {
    const int a_owner = k / this->a.Where().Block().columns,
              b_owner = k / this->b.Where().Block().rows;
    if (a_owner == column_ && rows_ > 0) {
      const T* const first = &this->a.At(row_ * this->a.Where().Block().rows, k);
      for (int i = 0; i < rows_; ++i)
        std::copy_n(first + static_cast<long>(i) * this->a.Where().Block().columns, width,
                    left_.data() + static_cast<long>(i) * width);
    }
    if (b_owner == row_ && columns_ > 0) {
      const int stride = this->b.Where().Block().columns;
      const T* const first = &this->b.At(k, column_ * stride);
      for (int i = 0; i < width; ++i)
        std::copy_n(first + static_cast<long>(i) * stride, columns_,
                    right_.data() + static_cast<long>(i) * columns_);
    }
    broadcast(along_row_, a_owner, left_.data(), rows_ * width);
    broadcast(along_column_, b_owner, right_.data(), columns_ * width);
    if (rows_ == 0 || columns_ == 0) return;
    T* const result =
        &this->c.At(row_ * this->c.Where().Block().rows, column_ * this->c.Where().Block().columns);
    this->multiply({rows_, columns_, width}, {left_.data(), width}, {right_.data(), columns_},
                   {result, this->c.Where().Block().columns},
                   k == 0 ? Before::dropped : Before::added);
  }
  // A member of the group copies its values to the others.
  void broadcast(const BSPWrapper::Group& group, int from, T* values, int count) {
    const BSPWrapper::Group::Within within(group);
    if (BSPWrapper::P == 1 || count == 0) return;
    if (BSPWrapper::Pid != from) this->account.words += count;
    BSPWrapper::Broadcast(from, static_cast<int>(static_cast<std::size_t>(count) * sizeof(T)),
                          values, values);
    ++this->account.supersteps;
  }

  Sizes sizes_;
  int row_, column_;  // of this process in the grid
  BSPWrapper::Group along_row_, along_column_;
  int rows_, columns_;           // of C here
  std::vector<T> left_, right_;  // panels
};

}  // namespace

template <class T>
std::unique_ptr<Product<T>> product_by_summa(const Sizes& sizes, Shape grid) {
  return std::make_unique<Summa<T>>(sizes, grid);
}
template std::unique_ptr<Product<float>> product_by_summa(const Sizes&, Shape);
template std::unique_ptr<Product<double>> product_by_summa(const Sizes&, Shape);
template std::unique_ptr<Product<std::complex<double>>> product_by_summa(const Sizes&, Shape);

}  // namespace matmul
