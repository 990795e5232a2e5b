// SPDX-License-Identifier: BSD-3-Clause
// Names the routines independently of the element type, through either of two
// interfaces. routines.hpp, which belongs to the BLACS under test, defines Names for each type.
#pragma once

#include <complex>
#include <cstddef>

namespace conformance {

// BLACS 1.1: C and Fortran; BLACS 1.0: names without and with an underscore.
enum class Interface { c, fortran };

struct Uplo {
  char uplo = 0;  // 0: general
  char diag = 'N';
};

// The arguments of all transfers of one element type.
template <class T>
struct Block {
  int m, n;
  T* a;
  int lda;
  Uplo shape;
};

struct Place {
  int row, column;
};

struct How {
  char scope, top;
};

struct Locations {
  int* row;
  int* column;
  int ld;
};

// *_value: without the places that the values come from.
enum class Op { sum, largest, smallest, largest_value, smallest_value };

template <class T>
struct Names;

}  // namespace conformance

#include "routines.hpp"
