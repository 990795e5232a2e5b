// SPDX-License-Identifier: BSD-3-Clause
// Starts the programs that have most verbs.
#include "commands.hpp"
#include "support/child.hpp"

namespace tutti::tools {

int run_in(Elsewhere program, int argc, char** argv) {
  become_helper(program == Elsewhere::study ? study_program : measure_program,
                {argv + 1, argv + argc});
}

}  // namespace tutti::tools
