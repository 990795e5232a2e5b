// SPDX-License-Identifier: BSD-3-Clause
// The program of the console. `tutti pvm` starts it and makes sure that there is a machine.
#include <pvm3.h>
#include <tutti/tutti_runtime.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "console.hpp"

using namespace tutti::pvm::console;

namespace {

// Returns `code`; 1, after a message, if it is 0 but something that was printed is lost.
int after_output(int code) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != 0) return code;
  std::fprintf(stderr, "tutti pvm: the output cannot be written: %s\n", std::strerror(errno));
  return 1;
}

// A console is never the first process of a machine. If it is, the machine that `tutti pvm` has
// seen has ended since then, or cannot be seen any more.
bool join_machine() {
  std::string name(tutti_setting_text("TUTTI_PVM_MACHINE", nullptr, 0) + 1, '\0');
  tutti_setting_text("TUTTI_PVM_MACHINE", name.data(), name.size());
  constexpr int make = 0;
  if (tutti_init_in_machine(name.c_str(), make) != TUTTI_OK) {
    std::fprintf(stderr, "tutti pvm: %s\n", tutti_error_text());
    return false;
  }
  if (tutti_endpoint(tutti_world(), 0) == 0) {
    std::fprintf(stderr, "tutti pvm: the machine cannot be joined\n");
    return false;
  }
  return pvm_mytid() >= 0;
}

int serve(Words words) {
  if (words.size() == 1 && words.front() == "--keep") return keep();
  if (words.size() == 1 && words.front() == "help") return obey(std::move(words));
  if (!join_machine()) return 1;
  pvm_setopt(PvmAutoErr, 0);
  const int code = words.empty() ? converse() : obey(std::move(words));
  pvm_exit();
  return code;
}

}  // namespace

// fmt::print throws where stdout is closed or full.
int main(int argc, char** argv) {
  tutti_open_missing_stdio();
  try {
    return after_output(serve(Words(argv + 1, argv + argc)));
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "tutti pvm: the output cannot be written: %s\n", error.what());
    return 1;
  }
}
