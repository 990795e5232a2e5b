// SPDX-License-Identifier: BSD-3-Clause
// Deals the products of blocks to the processes and supersteps, in the algorithm of the thesis
// (Krusche 2008, 4.2).
#pragma once

#include <vector>

namespace matmul {

// V_IJK = A_IJ B_JK. `column` is the number of C_IK, whose products are a block column.
struct BlockProduct {
  int column, j;
};

class Schedule {
 public:
  // With `side` blocks in each direction, and p processes.
  Schedule(int side, int p) : side_(side), p_(p), whole_(side * side / p * p) {}

  // The process that keeps the sum of a block column.
  [[nodiscard]] int keeper(int column) const { return column % p_; }
  // True for the block columns whose products are shared by all processes, because there are fewer
  // such columns than processes.
  [[nodiscard]] bool shared(int column) const { return column >= whole_; }

  // The products of a process in their order, one in each superstep. A process computes all of a
  // column's, unless that is shared; of the shared ones each process has the same number, or one
  // more, that follow each other.
  [[nodiscard]] std::vector<BlockProduct> of(int process) const {
    std::vector<BlockProduct> products;
    for (int column = process; column < whole_; column += p_)
      for (int j = 0; j < side_; ++j) products.push_back({column, j});
    for (int e = first_shared(process); e < first_shared(process + 1); ++e)
      products.push_back({whole_ + e / side_, e % side_});
    return products;
  }
  // Supersteps that compute.
  [[nodiscard]] int length() const {
    const int most = (shared_products() + p_ - 1) / p_;
    return whole_ / p_ * side_ + most;
  }

 private:
  [[nodiscard]] int shared_products() const { return (side_ * side_ - whole_) * side_; }
  [[nodiscard]] int first_shared(int process) const {
    return static_cast<int>(static_cast<long>(shared_products()) * process / p_);
  }

  int side_, p_;
  int whole_;  // block columns that one process computes alone
};

}  // namespace matmul
