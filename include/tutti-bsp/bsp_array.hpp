// SPDX-License-Identifier: BSD-3-Clause
// Matrices and vectors that are distributed over the processes of a BSP program, block by block.
//
//   BSPWrapper::Array<double> a(BSPWrapper::Distribution::Grid({n, n}, {64, 64}, 2, 3));
//   a.Get({0, 0, 1, n}, row.data(), n);   // the first row, from all that have parts of it
//   BSPWrapper::Sync();                   // now it is there
//
// A vector is a matrix of one row. See bsp_array(7).
#pragma once

#include <tutti-bsp/bsp.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace BSPWrapper {

// Rows and columns, of an array or of a block.
struct Shape {
  int rows, columns;
};

// A part of an array: its first row and column, and its size.
struct Rectangle {
  int row, column, rows, columns;
};

// Says which process has which block of an array. Blocks have the same shape; the last ones of a
// row or column may stick out of the array.
class Distribution {
 public:
  // The block in block row i and block column j belongs to process owner(i, j), from 0 to
  // processes - 1.
  template <class Owner>
  Distribution(Shape array, Shape block, int processes, const Owner& owner)
      : array_(array), block_(block), processes_(processes) {
    if (array.rows < 0 || array.columns < 0 || block.rows < 1 || block.columns < 1)
      throw std::invalid_argument("Distribution: a size is negative, or a block is empty");
    if (block.rows > std::numeric_limits<int>::max() / block.columns)
      throw std::length_error("Distribution: a block has more than 2^31 elements");
    if (processes < 1) throw std::invalid_argument("Distribution: there are no processes");
    counts_.assign(static_cast<std::size_t>(processes), 0);
    for (int i = 0; i < Blocks().rows; ++i)
      for (int j = 0; j < Blocks().columns; ++j) {
        const int process = owner(i, j);
        if (process < 0 || process >= processes)
          throw std::invalid_argument("Distribution: a block belongs to no process");
        places_.push_back({process, counts_[static_cast<std::size_t>(process)]++});
      }
  }

  // Deals blocks to a grid of p x q processes, in both directions cyclically. The process in row i
  // and column j of the grid is number i * q + j.
  static Distribution Grid(Shape array, Shape block, int p, int q) {
    return Distribution(array, block, p * q, [p, q](int i, int j) { return i % p * q + j % q; });
  }
  // Deals one block to each process of a grid of p x q. An array without elements has no blocks.
  static Distribution Static(Shape array, int p, int q) {
    return Grid(array, {std::max(Share(array.rows, p), 1), std::max(Share(array.columns, q), 1)}, p,
                q);
  }
  // Deals blocks to p processes cyclically, counting along block rows.
  static Distribution Cyclic(Shape array, Shape block, int p) {
    const int columns = Share(array.columns, block.columns);
    return Distribution(array, block, p,
                        [columns, p](int i, int j) { return (i * columns + j) % p; });
  }

  Shape Size() const { return array_; }
  Shape Block() const { return block_; }
  // Block rows and block columns.
  Shape Blocks() const {
    return {Share(array_.rows, block_.rows), Share(array_.columns, block_.columns)};
  }
  int Processes() const { return processes_; }
  // The process that has an element.
  int Owner(int row, int column) const { return At(row, column).process; }
  // The number of the block that has an element, among those of its owner along block rows.
  int Place(int row, int column) const { return At(row, column).place; }
  // The number of blocks that a process has.
  int Count(int process) const {
    return process < processes_ ? counts_[static_cast<std::size_t>(process)] : 0;
  }
  int BlockElements() const { return block_.rows * block_.columns; }

  // Calls visit(owner, offset, part) for the part of a rectangle in each block. The part begins
  // at element `offset` of the owner's elements, and its rows are Block().columns apart there.
  template <class Visit>
  void ForEachPart(const Rectangle& all, const Visit& visit) const {
    if (all.row < 0 || all.column < 0 || all.rows < 0 || all.columns < 0 ||
        all.rows > array_.rows - all.row || all.columns > array_.columns - all.column)
      throw std::out_of_range("Distribution: the rectangle lies outside of the array");
    for (int i = all.row; i < all.row + all.rows; i = Next(i, block_.rows, all.row + all.rows))
      for (int j = all.column; j < all.column + all.columns;
           j = Next(j, block_.columns, all.column + all.columns)) {
        const Rectangle part{i, j, Next(i, block_.rows, all.row + all.rows) - i,
                             Next(j, block_.columns, all.column + all.columns) - j};
        const BlockPlace& at = At(i, j);
        visit(at.process,
              static_cast<long>(at.place) * BlockElements() +
                  static_cast<long>(i % block_.rows) * block_.columns + j % block_.columns,
              part);
      }
  }

  // How many of `size` things each of `parts` gets, if all but the last get the same number.
  static int Share(int size, int parts) {
    return parts < 1 ? 0 : size / parts + (size % parts > 0 ? 1 : 0);
  }

 private:
  struct BlockPlace {
    int process, place;
  };
  static int Next(int i, int block, int end) { return std::min((i / block + 1) * block, end); }
  const BlockPlace& At(int row, int column) const {
    return places_[static_cast<std::size_t>(row / block_.rows) *
                       static_cast<std::size_t>(Blocks().columns) +
                   static_cast<std::size_t>(column / block_.columns)];
  }

  Shape array_, block_;
  int processes_;
  std::vector<BlockPlace> places_;  // of block (i, j), along block rows
  std::vector<int> counts_;         // blocks of each process
};

// How a process fetches elements of others: Get is buffered, HpGet is not; with Put the owners
// send.
enum class Primitive { Get, HpGet, Put };

namespace detail {

// Memory that other processes reach directly, if the BSPlib has such memory.
struct FreeReachable {
  void operator()(void* memory) const {
    Backend().free != nullptr ? Backend().free(memory) : ::operator delete(memory);
  }
};
template <class T>
std::unique_ptr<T, FreeReachable> Reachable(std::size_t elements) {
  const std::size_t bytes = elements * sizeof(T);
  std::unique_ptr<T, FreeReachable> memory(
      static_cast<T*>(Backend().alloc != nullptr ? Backend().alloc(bytes) : ::operator new(bytes)));
  std::uninitialized_fill_n(memory.get(), elements, T());
  return memory;
}

}  // namespace detail

// A distributed array of values that can be copied byte by byte. All processes make it and destroy
// it; both register memory, so the first use is after the next Sync.
template <class T>
class Array {
 public:
  explicit Array(Distribution distribution)
      : distribution_(std::move(distribution)),
        // A process without elements has one, too, because the address tells arrays apart.
        count_(
            std::max<std::size_t>(1, static_cast<std::size_t>(distribution_.Count(Pid)) *
                                         static_cast<std::size_t>(distribution_.BlockElements()))) {
    if (distribution_.Processes() > P)
      throw std::invalid_argument("Array: there are fewer processes than the distribution names");
    if (count_ > std::numeric_limits<int>::max() / sizeof(T))
      throw std::length_error("Array: a process would have more than 2 GiB");
    elements_ = detail::Reachable<T>(count_);
    PushReg(elements_.get(), static_cast<int>(count_ * sizeof(T)));
  }
  ~Array() { PopReg(elements_.get()); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const Distribution& Where() const { return distribution_; }
  int Rows() const { return distribution_.Size().rows; }
  int Columns() const { return distribution_.Size().columns; }
  bool Mine(int row, int column) const { return distribution_.Owner(row, column) == Pid; }
  // An element that this process has. Those that follow in its row and block follow in memory; rows
  // of the block are Where().Block().columns apart.
  T& At(int row, int column) {
    const Shape block = distribution_.Block();
    return elements_
        .get()[static_cast<std::size_t>(distribution_.Place(row, column)) *
                   static_cast<std::size_t>(distribution_.BlockElements()) +
               static_cast<std::size_t>(row % block.rows * block.columns + column % block.columns)];
  }
  // Calls visit(row, column, element) for each element that this process has.
  template <class Visit>
  void ForEachOwn(const Visit& visit) {
    distribution_.ForEachPart({0, 0, Rows(), Columns()},
                              [&](int owner, long offset, const Rectangle& part) {
                                if (owner == Pid) VisitPart(offset, part, visit);
                              });
  }

  // Fetches a rectangle into memory whose rows are `stride` elements apart. It is there after the
  // next Sync. With Primitive::Put the owners call PutTo instead.
  void Get(const Rectangle& from, T* to, int stride, Primitive primitive = Primitive::HpGet) {
    if (primitive == Primitive::Put)
      throw std::invalid_argument("Array: Get cannot put; the owners call PutTo");
    const auto get = primitive == Primitive::Get ? BSPWrapper::Get : BSPWrapper::HpGet;
    ForEachPiece(from, stride, [&](int owner, long offset, long place, int count) {
      get(owner, elements_.get(), Bytes(offset), to + place, Bytes(count));
    });
  }
  // Stores a rectangle; the values are taken from `from` at once, and are there after the next
  // Sync.
  void Put(const Rectangle& to, const T* from, int stride) {
    ForEachPiece(to, stride, [&](int owner, long offset, long place, int count) {
      BSPWrapper::Put(owner, from + place, elements_.get(), Bytes(offset), Bytes(count));
    });
  }
  // The other side of Get: puts what this process has of a rectangle into memory of process `pid`
  // that is registered as `to`. If all processes call it, the rectangle is complete after Sync.
  void PutTo(int pid, const Rectangle& from, T* to, int stride) {
    ForEachPiece(from, stride, [&](int owner, long offset, long place, int count) {
      if (owner == Pid)
        BSPWrapper::Put(pid, elements_.get() + offset, to, Bytes(place), Bytes(count));
    });
  }
  // Copies all elements into an array of the same size with any distribution. They are there after
  // the next Sync.
  void Redistribute(Array& to) {
    if (to.Rows() != Rows() || to.Columns() != Columns())
      throw std::invalid_argument("Redistribute: the arrays have different sizes");
    distribution_.ForEachPart(
        {0, 0, Rows(), Columns()}, [&](int owner, long offset, const Rectangle& part) {
          if (owner == Pid) to.Put(part, elements_.get() + offset, distribution_.Block().columns);
        });
  }

 private:
  template <class Visit>
  void VisitPart(long offset, const Rectangle& part, const Visit& visit) {
    for (int i = 0; i < part.rows; ++i)
      for (int j = 0; j < part.columns; ++j)
        visit(part.row + i, part.column + j,
              elements_.get()[offset + static_cast<long>(i) * distribution_.Block().columns + j]);
  }
  // Calls visit(owner, offset there, place here, count) for parts of a rectangle that are
  // consecutive both there and in memory with the given stride.
  template <class Visit>
  void ForEachPiece(const Rectangle& all, int stride, const Visit& visit) const {
    distribution_.ForEachPart(all, [&](int owner, long offset, const Rectangle& part) {
      const int width = distribution_.Block().columns;
      const long place =
          static_cast<long>(part.row - all.row) * stride + (part.column - all.column);
      if (part.columns == width && stride == width) {
        visit(owner, offset, place, part.rows * width);
        return;
      }
      for (int i = 0; i < part.rows; ++i)
        visit(owner, offset + static_cast<long>(i) * width, place + static_cast<long>(i) * stride,
              part.columns);
    });
  }
  static int Bytes(long elements) {
    if (elements > static_cast<long>(std::numeric_limits<int>::max() / sizeof(T)))
      throw std::length_error("Array: a part has more than 2 GiB");
    return static_cast<int>(elements) * static_cast<int>(sizeof(T));
  }

  Distribution distribution_;
  std::size_t count_;
  std::unique_ptr<T, detail::FreeReachable> elements_;  // of this process, block by block
};

}  // namespace BSPWrapper
