// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-study, which `tutti` starts for the verbs that study schedules. Its messages
// name `tutti`, because that is the command its users know.
#include "base/descriptor.hpp"
#include "verbs.hpp"

int main(int argc, char** argv) {
  tutti::base::open_missing_stdio();
  return tutti::tools::run_study_verbs(argc, argv);
}
