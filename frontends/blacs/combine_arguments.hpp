// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a combine of BLACS 1.1: -1 as RDEST or CDEST leaves the result on all processes,
// and with LDIA = -1 no places are wanted.
#pragma once

#include "combine.hpp"

namespace tutti::blacs {

inline Combine combine_of(const char* scope, const char* top, int rdest, int cdest) {
  return {scope, top, rdest, cdest, rdest == -1 || cdest == -1};
}

inline Places places_of(int* row, int* column, int ldia) {
  return {row, column, ldia, ldia != -1};
}

}  // namespace tutti::blacs
