// SPDX-License-Identifier: BSD-3-Clause
// The program of the console. `tutti pvm` starts it and makes sure that there is a machine.
#include <pvm3.h>
#include <tutti/tutti_runtime.h>

#include "console.hpp"

using namespace tutti::pvm::console;

int main(int argc, char** argv) {
  tutti_open_missing_stdio();
  Words words(argv + 1, argv + argc);
  if (words.size() == 1 && words.front() == "--keep") return keep();
  if (words.size() == 1 && words.front() == "help") return obey(std::move(words));
  if (pvm_mytid() < 0) return 1;
  pvm_setopt(PvmAutoErr, 0);
  const bool waits = words.size() == 1 && words.front() == "--wait";
  const int code = waits ? wait_for_keeper() : words.empty() ? converse() : obey(std::move(words));
  pvm_exit();
  return code;
}
