// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-measure, which `tutti` starts for the verbs that measure. Its messages name
// `tutti`, because that is the command its users know.
#include "base/descriptor.hpp"
#include "measuring.hpp"

int main(int argc, char** argv) {
  tutti::base::open_missing_stdio();
  return tutti::tools::run_measure_verbs(argc, argv);
}
