// SPDX-License-Identifier: BSD-3-Clause
// A superstep fetches the two blocks of a product that this process does not have, and then
// computes. Results move only at the end of a block column that was computed elsewhere.
#include <algorithm>
#include <complex>
#include <map>

#include "product.hpp"
#include "schedule.hpp"

namespace matmul {
namespace {

using BSPWrapper::Pid;

template <class T>
class Blocks : public Product<T> {
 public:
  Blocks(const Sizes& sizes, const BlocksOptions& options)
      : Product<T>(deal({sizes.m, sizes.k}, options), deal({sizes.k, sizes.n}, options),
                   deal({sizes.m, sizes.n}, options)),
        sizes_(sizes),
        options_(options),
        rows_(Distribution::Share(sizes.m, options.side)),
        columns_(Distribution::Share(sizes.n, options.side)),
        depth_(Distribution::Share(sizes.k, options.side)),
        schedule_(options.side, BSPWrapper::P),
        left_(elements(rows_, depth_)),
        right_(elements(depth_, columns_)) {
    BSPWrapper::PushReg(left_.data(), bytes(left_));
    BSPWrapper::PushReg(right_.data(), bytes(right_));
    for (int process = 0; process < BSPWrapper::P; ++process)
      products_.push_back(schedule_.of(process));
    int tag_size = sizeof(int);
    BSPWrapper::SetTagSize(tag_size);
    BSPWrapper::Sync();
  }
  ~Blocks() override {
    BSPWrapper::PopReg(left_.data());
    BSPWrapper::PopReg(right_.data());
  }

  void run() override {
    this->c.ForEachOwn([](int, int, T& element) { element = T(); });
    for (int step = 0; step < schedule_.length(); ++step) {
      fetch(step);
      this->account.sync();
      const auto& mine = products_[static_cast<std::size_t>(Pid)];
      if (step < static_cast<int>(mine.size())) compute(mine[static_cast<std::size_t>(step)]);
      // A column that is complete may have to go to the processes that keep its parts.
      if (options_.dealt == Dealt::fixed && step % options_.side == options_.side - 1)
        this->account.sync();
    }
    send_shared();
  }

  [[nodiscard]] long extra_elements() const override {
    return static_cast<long>(left_.size() + right_.size()) + most_sums_;
  }

 private:
  static Distribution deal(Shape array, const BlocksOptions& options) {
    if (options.dealt == Dealt::fixed) {
      const Shape grid = square_grid(BSPWrapper::P);
      return Distribution::Static(array, grid.rows, grid.columns);
    }
    // Schedule::keeper() counts in the same way, also blocks that are empty.
    return Distribution(array,
                        {Distribution::Share(array.rows, options.side),
                         Distribution::Share(array.columns, options.side)},
                        BSPWrapper::P, [side = options.side](int i, int j) {
                          return (i * side + j) % BSPWrapper::P;
                        });
  }
  static std::size_t elements(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
  static int bytes(const std::vector<T>& values) {
    return static_cast<int>(values.size() * sizeof(T));
  }

  // A block, which is smaller or empty at the end of the matrix.
  static Rectangle block(int i, int rows, int all_rows, int j, int columns, int all_columns) {
    const int row = std::min(i * rows, all_rows), column = std::min(j * columns, all_columns);
    return {row, column, std::min(rows, all_rows - row), std::min(columns, all_columns - column)};
  }
  [[nodiscard]] Rectangle left_of(const BlockProduct& v) const {
    return block(v.column / options_.side, rows_, sizes_.m, v.j, depth_, sizes_.k);
  }
  [[nodiscard]] Rectangle right_of(const BlockProduct& v) const {
    return block(v.j, depth_, sizes_.k, v.column % options_.side, columns_, sizes_.n);
  }
  [[nodiscard]] Rectangle result_of(int column) const {
    return block(column / options_.side, rows_, sizes_.m, column % options_.side, columns_,
                 sizes_.n);
  }
  static bool empty(const Rectangle& r) { return r.rows == 0 || r.columns == 0; }
  // Tells whether a process has a block whole, as a block of the distribution.
  static bool whole_at(int process, const Array<T>& array, const Rectangle& r) {
    const Shape size = array.Where().Block();
    return !empty(r) && r.row % size.rows == 0 && r.column % size.columns == 0 &&
           r.rows <= size.rows && r.columns <= size.columns &&
           array.Where().Owner(r.row, r.column) == process;
  }
  // The place of a block that this process has whole, else null.
  static T* whole_here(Array<T>& array, const Rectangle& r) {
    return whole_at(Pid, array, r) ? &array.At(r.row, r.column) : nullptr;
  }

  void fetch(int step) {
    if (options_.primitive == Primitive::Put) {
      for (int process = 0; process < BSPWrapper::P; ++process) {
        const auto& products = products_[static_cast<std::size_t>(process)];
        if (step >= static_cast<int>(products.size())) continue;
        const BlockProduct& v = products[static_cast<std::size_t>(step)];
        if (!whole_at(process, this->a, left_of(v)))
          this->a.PutTo(process, left_of(v), left_.data(), depth_);
        if (!whole_at(process, this->b, right_of(v)))
          this->b.PutTo(process, right_of(v), right_.data(), columns_);
      }
    }
    const auto& mine = products_[static_cast<std::size_t>(Pid)];
    if (step >= static_cast<int>(mine.size())) return;
    const BlockProduct& v = mine[static_cast<std::size_t>(step)];
    fetch(this->a, left_of(v), left_, depth_);
    fetch(this->b, right_of(v), right_, columns_);
  }
  void fetch(Array<T>& array, const Rectangle& from, std::vector<T>& to, int stride) {
    if (whole_here(array, from) != nullptr) return;
    this->count_foreign(array, from);
    if (options_.primitive != Primitive::Put)
      array.Get(from, to.data(), stride, options_.primitive);
  }

  void compute(const BlockProduct& v) {
    const Rectangle left = left_of(v), right = right_of(v), result = result_of(v.column);
    const T* a_block = whole_here(this->a, left);
    const T* b_block = whole_here(this->b, right);
    const int a_stride = a_block != nullptr ? this->a.Where().Block().columns : depth_;
    const int b_stride = b_block != nullptr ? this->b.Where().Block().columns : columns_;
    const bool in_place = !schedule_.shared(v.column) && options_.dealt == Dealt::custom;
    T* const sum = empty(result) ? nullptr
                   : in_place    ? &this->c.At(result.row, result.column)
                                 : sum_of(v.column).data();
    this->multiply(result.rows, result.columns, left.columns,
                   a_block != nullptr ? a_block : left_.data(), a_stride,
                   b_block != nullptr ? b_block : right_.data(), b_stride, sum, columns_);
    if (!in_place && !schedule_.shared(v.column) && v.j == options_.side - 1) put(v.column);
  }
  std::vector<T>& sum_of(int column) {
    std::vector<T>& sum = sums_[column];
    sum.resize(elements(rows_, columns_));
    most_sums_ = std::max(most_sums_, static_cast<long>(sums_.size() * sum.size()));
    return sum;
  }

  // Stores the sum of a complete block column.
  void put(int column) {
    const Rectangle result = result_of(column);
    if (!empty(result)) {
      this->count_foreign(this->c, result);
      this->c.Put(result, sum_of(column).data(), columns_);
    }
    sums_.erase(column);
  }

  // Sends what this process has of the shared block columns to the processes that keep them.
  void send_shared() {
    if (side_columns_shared() == 0) return;
    for (int column = options_.side * options_.side - side_columns_shared();
         column < options_.side * options_.side; ++column) {
      const auto sum = sums_.find(column);
      if (sum == sums_.end() || schedule_.keeper(column) == Pid) continue;
      BSPWrapper::Send(schedule_.keeper(column), &column, sum->second.data(), bytes(sum->second));
      this->account.words += static_cast<long>(sum->second.size());
      sums_.erase(sum);
    }
    this->account.sync();
    add_arrived();
    std::vector<int> kept;
    for (const auto& [column, sum] : sums_) kept.push_back(column);
    for (const int column : kept) put(column);
    this->account.sync();
  }
  [[nodiscard]] int side_columns_shared() const {
    return options_.side * options_.side % BSPWrapper::P;
  }
  void add_arrived() {
    for (int status = 0, column = 0;;) {
      BSPWrapper::GetTag(status, &column);
      if (status < 0) return;
      void* data = nullptr;
      int size = 0;
      BSPWrapper::HpMove(data, size);
      std::vector<T>& sum = sum_of(column);
      const T* const values = static_cast<const T*>(data);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
    }
  }

  Sizes sizes_;
  BlocksOptions options_;
  int rows_, columns_, depth_;  // of blocks
  Schedule schedule_;
  std::vector<std::vector<BlockProduct>> products_;  // of each process
  std::vector<T> left_, right_;                      // blocks that others have
  std::map<int, std::vector<T>> sums_;               // of block columns that are not in place
  long most_sums_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Product<T>> product_by_blocks(const Sizes& sizes, const BlocksOptions& options) {
  return std::make_unique<Blocks<T>>(sizes, options);
}
template std::unique_ptr<Product<float>> product_by_blocks(const Sizes&, const BlocksOptions&);
template std::unique_ptr<Product<double>> product_by_blocks(const Sizes&, const BlocksOptions&);
template std::unique_ptr<Product<std::complex<double>>> product_by_blocks(const Sizes&,
                                                                          const BlocksOptions&);

}  // namespace matmul
