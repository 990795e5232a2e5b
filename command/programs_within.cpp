// SPDX-License-Identifier: BSD-3-Clause
// Runs the verbs of the other programs in the command itself. A wheel has all of them in one file,
// because each program would bring the layers below once more.
#include "commands.hpp"
#include "measure/measuring.hpp"
#include "subcommands/verbs.hpp"

namespace tutti::tools {

int run_in(Elsewhere program, int argc, char** argv) {
  return program == Elsewhere::study ? run_study_verbs(argc, argv) : run_measure_verbs(argc, argv);
}

}  // namespace tutti::tools
