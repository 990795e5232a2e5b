// SPDX-License-Identifier: BSD-3-Clause
// Variables of the program that process 0 changes where no other process sees it: between bsp_init
// and bsp_begin, or between two parallel parts. Safe mode gives a hint.
#pragma once

#include <cstddef>
#include <vector>

namespace tutti::bsp {

// The variables of the program with static storage, as they were at some time.
class Globals {
 public:
  // Keeps a copy of them.
  void note();
  // Prints a line on stderr if some have changed since note(), and forgets the copy.
  void hint();

 private:
  struct Part {
    std::byte* address;
    std::vector<std::byte> content;
  };
  std::vector<Part> parts_;
};

}  // namespace tutti::bsp
