// SPDX-License-Identifier: BSD-3-Clause
// The command line of tutti-matmul.
#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"
#include "matrix_file.hpp"
#include "product.hpp"

namespace matmul {

enum class Mode { automatic, blocks, gather, split, summa };

struct Options {
  std::string first, second;  // files; empty: random numbers
  Sizes sizes{1000, 1000, 1000};
  Mode mode = Mode::automatic;
  matrix::Element type = matrix::Element::double_;
  int blocks = 27;
  Dealt dealt = Dealt::custom;
  Primitive primitive = Primitive::HpGet;
  Shape grid{0, 0};        // of SUMMA; 0: as square as possible
  Cube cube{0, 0, 0};      // of the split; 0: the one with the fewest words
  std::string machine;     // for mode auto; empty: this host
  double predicted_s = 0;  // by mode auto
  std::string output;
  std::string predict;  // a file for the supersteps, instead of a product
  int runs = 5;
  long seed = 1;
  int processes = 1;  // of a program that no launcher has started
  bool json = false;
};

using CommandLine = support::CommandLine<Options>;
CommandLine parse(int argc, char** argv);

// The whole number whose cube is q; 0 if there is none.
int cube_root(int q);

}  // namespace matmul
