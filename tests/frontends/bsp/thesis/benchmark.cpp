// SPDX-License-Identifier: BSD-3-Clause
// Runs all functions of the thesis's benchmark library (paper 003, appendix A.2) with small sizes,
// and reads the files that they write (appendix B.1). Times must be above 0, and the parameters
// must follow from the samples. The argument is a folder for the files.
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>

#include "BSPBenchmark.h"
#include "BSPUtils.h"
#include "BSPWrapper.h"
#include "paramfile.h"

using namespace std;
using namespace BSPWrapper;
using namespace BSPBenchmark;

static void times() {
  const double f[] = {measure_f_dot_int(), measure_f_matmul_int(), measure_f_dot_double(),
                      measure_f_matmul_double()};
  const double l[] = {measure_l_nocomm(), measure_l_localshift(), measure_l_alltoall()};
  for (double seconds : f) ASSERT(seconds > 0 && seconds < 1);
  for (double seconds : l) ASSERT(seconds > 0 && seconds < 1);
}

// Returns the name of the one file in this folder that ends so.
static string file_of(const string& pattern, int function) {
  return BSPBenchmark::detail::FileName(pattern.c_str(), function);
}

static void gaps(int function) {
  srand(1);
  const double random = measure_g_random(8, 4, function, 0.5, 0);
  const double all = measure_g_alltoall(4, 4, function, 0.5, 0);
  const double diagonal = measure_g_random(4, 4, function, 0.5, 0, true);
  ASSERT(random > 0 && all > 0 && diagonal > 0);
  if (Pid == 0) {
    // Four sizes and three numbers of messages, then with `diag` three sizes of one number each.
    const BSPParam one(file_of("random", function)), two(file_of("alltoall", function));
    ASSERT(one.samples.size() == 3 && one.samples[0].size == 4 && one.samples[0].count == 8);
    ASSERT(two.samples.size() == 9 && two.samples[8].size == 1 && two.samples[8].count == 1);
    ASSERT(two.g_inf > 0 && two.error_bsp >= 0 && two.error_bspstar >= 0);
  }
  Sync();
}

// Samples that parameters have made by formula (2.6) give these back, at the limits of large h and
// of many small messages.
static void parameters() {
  const string name = "made.dat";
  {
    ofstream file(name);
    file.precision(17);
    for (double size = 65536; size >= 1; size /= 2) {
      for (double count = 512; count >= 1; count /= 2)
        if (size * count <= 1 << 20)
          file << size << '\t' << count << '\t' << 1e-9 * (1 + 500 / (size * count) + 20 / size)
               << '\n';
      file << '\n';
    }
  }
  BSPParam found(name);
  ASSERT(fabs(found.g_inf / 1e-9 - 1) < 0.01 && fabs(found.h_half / 500 - 1) < 0.1);
  ASSERT(fabs(found.overhead / 20 - 1) < 0.15 && found.error_bspstar < found.error_bsp);
  ASSERT(fabs(found.At(1000) - (1 + found.h_half / 1000) * found.g_inf) < 1e-15);
  for (const char* wrong : {"1 2\n", "1 2 3 4\n", "0 1 1\n", "a b c\n"}) {
    ofstream(name) << wrong;
    bool thrown = false;
    try {
      found.Read(name);
    } catch (const runtime_error&) {
      thrown = true;
    }
    ASSERT(thrown);
  }
}

int main(int argc, char** argv) {
  Init(argc, argv);
  if (argc != 2 || chdir(argv[1]) != 0) ERROR("the argument must be a folder");
  times();
  for (int function = 0; function < HR_FUNCTIONS; ++function) gaps(function);
  if (Pid == 0) parameters();
  Print(0, "the thesis's benchmarks work on %d processes\n", P);
  Exit();
  return 0;
}
