// SPDX-License-Identifier: BSD-3-Clause
// The parameters of the machine that Oxford's programs ask for.
#pragma once

namespace tutti::bsp {

struct BspMachine;

// Operations on floating-point numbers are the unit of time, as in Oxford's library.
struct BspParameters {
  double s = 0;  // million operations in a second
  double l = 0;  // operations in the time of a bsp_sync
  double g = 0;  // operations in the time of a word of 8 bytes
  int half = 0;  // n_1/2: with so many words a message costs twice what its words alone do
};

// All processes of the machine call it, and get the same.
[[nodiscard]] BspParameters parameters_of(const BspMachine& machine);

}  // namespace tutti::bsp
