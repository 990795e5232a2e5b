// SPDX-License-Identifier: BSD-3-Clause
// Rows or columns of a matrix that are dealt to processes block by block, as ScaLAPACK does.
#pragma once

#include <algorithm>

namespace lu {

struct Layout {
  int size;     // of the matrix in this direction
  int block;    // rows or columns of a block
  int parts;    // processes in this direction of the grid
  int my_part;  // place of this process

  // The process that has an index of the matrix.
  [[nodiscard]] int owner(int global) const { return global / block % parts; }
  // How many of this process's indices lie below an index of the matrix. If this process has the
  // index, the result is its place here.
  [[nodiscard]] int below(int global) const {
    const int whole = global / block;  // blocks
    const int mine = whole / parts + (whole % parts > my_part ? 1 : 0);
    return mine * block + (whole % parts == my_part ? global % block : 0);
  }
  [[nodiscard]] int count() const { return below(size); }
  // The reverse of below() for an index that this process has.
  [[nodiscard]] int global(int local) const {
    return (local / block * parts + my_part) * block + local % block;
  }
};

}  // namespace lu
