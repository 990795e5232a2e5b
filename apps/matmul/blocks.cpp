// SPDX-License-Identifier: BSD-3-Clause
// A superstep fetches the two blocks of a product that this process does not have, and then
// computes. Results move only at the end of a block column that was computed elsewhere.
#include <algorithm>
#include <complex>
#include <limits>
#include <map>
#include <stdexcept>

#include "block_plan.hpp"

namespace matmul {
namespace {

using BSPWrapper::Pid;

template <class T>
class Blocks : public Product<T> {
 public:
  explicit Blocks(const BlockPlan& plan)
      : Product<T>(plan.a, plan.b, plan.c),
        plan_(plan),
        left_(elements(plan.rows, plan.depth)),
        right_(elements(plan.depth, plan.columns)) {
    BSPWrapper::PushReg(left_.data(), bytes(left_));
    BSPWrapper::PushReg(right_.data(), bytes(right_));
    BSPWrapper::SetTagSize(sizeof(int));
    BSPWrapper::Sync();
  }
  ~Blocks() override {
    BSPWrapper::PopReg(left_.data());
    BSPWrapper::PopReg(right_.data());
  }

  void run(const typename Product<T>::Tell& tell) override {
    for (int step = 0; step < plan_.schedule.length(); ++step) {
      fetch(step);
      this->account.sync();
      if (const BlockProduct* const v = plan_.product_of(Pid, step)) compute(*v);
      if (plan_.stores_after(step)) this->account.sync();
      tell((step + 1.0) / plan_.schedule.length());
    }
    if (plan_.first_shared() < plan_.block_columns()) complete_shared();
  }

  [[nodiscard]] long extra_elements() const override {
    return static_cast<long>(left_.size() + right_.size()) + most_sums_;
  }

 private:
  static std::size_t elements(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
  static int bytes(const std::vector<T>& values) {
    if (values.size() > std::numeric_limits<int>::max() / sizeof(T))
      throw std::length_error("a block of the algorithm has more than 2 GiB: more --blocks help");
    return static_cast<int>(values.size() * sizeof(T));
  }
  // The place of a block that this process has whole, else null.
  static T* whole_here(Array<T>& array, const Rectangle& r) {
    return BlockPlan::whole_at(Pid, array.Where(), r) ? &array.At(r.row, r.column) : nullptr;
  }

  void fetch(int step) {
    for (int process = 0; process < BSPWrapper::P && plan_.options.primitive == Primitive::Put;
         ++process) {
      const BlockProduct* const v = plan_.product_of(process, step);
      if (v == nullptr) continue;
      if (!BlockPlan::whole_at(process, plan_.a, plan_.left_of(*v)))
        this->a.PutTo(process, plan_.left_of(*v), left_.data(), plan_.depth);
      if (!BlockPlan::whole_at(process, plan_.b, plan_.right_of(*v)))
        this->b.PutTo(process, plan_.right_of(*v), right_.data(), plan_.columns);
    }
    const BlockProduct* const mine = plan_.product_of(Pid, step);
    if (mine == nullptr) return;
    fetch(this->a, plan_.left_of(*mine), left_, plan_.depth);
    fetch(this->b, plan_.right_of(*mine), right_, plan_.columns);
  }
  void fetch(Array<T>& array, const Rectangle& from, std::vector<T>& to, int stride) {
    if (whole_here(array, from) != nullptr) return;
    this->count_foreign(array, from);
    if (plan_.options.primitive != Primitive::Put)
      array.Get(from, to.data(), stride, plan_.options.primitive);
  }

  void compute(const BlockProduct& v) {
    const Rectangle left = plan_.left_of(v), right = plan_.right_of(v);
    const Rectangle result = plan_.result_of(v.column);
    const T* a_block = whole_here(this->a, left);
    const T* b_block = whole_here(this->b, right);
    const int a_stride = a_block != nullptr ? plan_.a.Block().columns : plan_.depth;
    const int b_stride = b_block != nullptr ? plan_.b.Block().columns : plan_.columns;
    const bool in_place = plan_.in_place(v.column);
    const bool is_first = in_place ? v.j == 0 : !sums_.contains(v.column);
    T* const sum = BlockPlan::empty(result) ? nullptr
                   : in_place               ? &this->c.At(result.row, result.column)
                                            : sum_of(v.column).data();
    this->multiply({result.rows, result.columns, left.columns},
                   {a_block != nullptr ? a_block : left_.data(), a_stride},
                   {b_block != nullptr ? b_block : right_.data(), b_stride}, {sum, plan_.columns},
                   is_first ? Before::dropped : Before::added);
    if (!in_place && !plan_.schedule.shared(v.column) && v.j == plan_.options.side - 1)
      put(v.column);
  }
  // A new sum has any values. Its memory is that of an earlier one if there is any.
  std::vector<T>& sum_of(int column) {
    const auto [place, is_new] = sums_.try_emplace(column);
    std::vector<T>& sum = place->second;
    if (is_new && !spare_.empty()) {
      sum = std::move(spare_.back());
      spare_.pop_back();
    }
    sum.resize(elements(plan_.rows, plan_.columns));
    most_sums_ = std::max(most_sums_, static_cast<long>(sums_.size() * sum.size()));
    return sum;
  }
  void drop_sum(int column) {
    spare_.push_back(std::move(sums_.at(column)));
    sums_.erase(column);
  }

  // Stores the sum of a complete block column.
  void put(int column) {
    const Rectangle result = plan_.result_of(column);
    if (!BlockPlan::empty(result)) {
      this->count_foreign(this->c, result);
      this->c.Put(result, sum_of(column).data(), plan_.columns);
    }
    if (sums_.contains(column)) drop_sum(column);
  }

  // Sends what this process has of the shared block columns to the processes that keep them, which
  // add and store.
  void complete_shared() {
    for (int column = plan_.first_shared(); column < plan_.block_columns(); ++column) {
      const auto sum = sums_.find(column);
      if (sum == sums_.end() || plan_.schedule.keeper(column) == Pid) continue;
      BSPWrapper::Send(plan_.schedule.keeper(column), &column, sum->second.data(),
                       bytes(sum->second));
      this->account.words += static_cast<long>(sum->second.size());
      drop_sum(column);
    }
    this->account.sync();
    add_arrived();
    std::vector<int> kept;
    for (const auto& [column, sum] : sums_) kept.push_back(column);
    for (const int column : kept) put(column);
    this->account.sync();
  }
  void add_arrived() {
    for (int status = 0, column = 0;;) {
      BSPWrapper::GetTag(status, &column);
      if (status < 0) return;
      void* data = nullptr;
      int size = 0;
      BSPWrapper::HpMove(data, size);
      const bool is_new = !sums_.contains(column);
      std::vector<T>& sum = sum_of(column);
      if (is_new) std::ranges::fill(sum, T());
      const T* const values = static_cast<const T*>(data);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
    }
  }

  BlockPlan plan_;
  std::vector<T> left_, right_;         // blocks that others have
  std::map<int, std::vector<T>> sums_;  // of block columns that are not in place
  std::vector<std::vector<T>> spare_;   // memory of earlier sums
  long most_sums_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Product<T>> product_by_blocks(const Sizes& sizes, const BlocksOptions& options) {
  return std::make_unique<Blocks<T>>(BlockPlan(sizes, options, BSPWrapper::P));
}
template std::unique_ptr<Product<float>> product_by_blocks(const Sizes&, const BlocksOptions&);
template std::unique_ptr<Product<double>> product_by_blocks(const Sizes&, const BlocksOptions&);
template std::unique_ptr<Product<std::complex<double>>> product_by_blocks(const Sizes&,
                                                                          const BlocksOptions&);

}  // namespace matmul
