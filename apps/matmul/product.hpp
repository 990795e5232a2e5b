// SPDX-License-Identifier: BSD-3-Clause
// C = A B, by any of the algorithms. Each deals the matrices to the processes as it needs them.
#pragma once

#include <functional>
#include <memory>
#include <tutti-bsp/bsp_array.hpp>
#include <vector>

#include "gemm.hpp"

namespace matmul {

using BSPWrapper::Array;
using BSPWrapper::Distribution;
using BSPWrapper::Primitive;
using BSPWrapper::Rectangle;
using BSPWrapper::Shape;

// C is m x n, A m x k, B k x n.
struct Sizes {
  int m, n, k;
};

// Counts what has been done in a run.
struct Account {
  double computing_s = 0;  // in local products
  int supersteps = 0;
  long words = 0;  // elements that this process has asked others for, or has sent to them

  void sync() {
    BSPWrapper::Sync();
    ++supersteps;
  }
};

template <class T>
class Product {
 public:
  Product(Distribution of_a, Distribution of_b, Distribution of_c)
      : a(std::move(of_a)), b(std::move(of_b)), c(std::move(of_c)) {}
  virtual ~Product() = default;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  // Computes c, whatever it had before. All processes call it. Calls tell(part), from 0 to 1, after
  // each part of the work.
  using Tell = std::function<void(double part)>;
  virtual void run(const Tell& tell) = 0;
  // The most elements that this process has besides its parts of the matrices.
  [[nodiscard]] virtual long extra_elements() const = 0;

  Array<T> a, b, c;
  Account account;

 protected:
  // Computes a product of blocks, and adds its time to the account.
  void multiply(const Sizes& sizes, Rows<const T> left, Rows<const T> right, Rows<T> result,
                Before before);
  // Counts a rectangle whose elements other processes have.
  void count_foreign(Array<T>& array, const Rectangle& rectangle);
};

// The memory-efficient algorithm of the thesis (Krusche 2008, 4.1): q^(1/3) blocks in each
// direction, one product of blocks at a time. The matrices are dealt in these blocks, or in one
// block per process.
enum class Dealt { custom, fixed };
struct BlocksOptions {
  int side;  // q^(1/3)
  Dealt dealt;
  Primitive primitive;
};
template <class T>
std::unique_ptr<Product<T>> product_by_blocks(const Sizes& sizes, const BlocksOptions& options);

// A grid of m x n x k processes, each with a block of the cube of elementary products: it fetches
// its parts of A and B, and sums are sent to those that keep C. With (p, 1, 1) all fetch B.
struct Cube {
  int m, n, k;
};
template <class T>
std::unique_ptr<Product<T>> product_by_split(const Sizes& sizes, const Cube& cube);
// All cubes of so many processes.
std::vector<Cube> cubes(int processes);
// The cube with the fewest words per process.
Cube best_cube(const Sizes& sizes, int processes);

// The grid that is as square as possible, with no more rows than columns.
Shape square_grid(int processes);

// SUMMA (van de Geijn and Watts 1997) on a grid of p x q processes: panels of A are broadcast along
// the rows of the grid, panels of B along its columns.
template <class T>
std::unique_ptr<Product<T>> product_by_summa(const Sizes& sizes, Shape grid);

}  // namespace matmul
