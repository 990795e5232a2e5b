// SPDX-License-Identifier: BSD-3-Clause
// Process 0 sends to processes 1 and 2. They receive at first and then stop, until there is no
// memory. `blacs_unreceived FILE ELEMENTS`: before every send, FILE gets the numbers of messages
// that 1 and 2 have not received. unreceived.py runs it.
#include <tutti-blacs/tutti_blacs.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int received = 70;

void note(std::FILE* file, const int* waiting) {
  char line[64];
  const int length = std::snprintf(line, sizeof line, "%10d %10d\n", waiting[1], waiting[2]);
  if (pwrite(fileno(file), line, static_cast<std::size_t>(length), 0) != length) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int me = 0, processes = 0, context = 0;
  char order[] = "Row", all[] = "All";
  Cblacs_pinfo(&me, &processes);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, order, 1, processes);
  const int n = std::atoi(argv[2]);
  std::vector<double> x(static_cast<std::size_t>(n));
  for (int i = 0; i < received; ++i) {
    if (me == 0) Cdgesd2d(context, n, 1, x.data(), n, 0, 1);
    if (me == 1) Cdgerv2d(context, n, 1, x.data(), n, 0, 0);
  }
  Cblacs_barrier(context, all);
  if (me == 0) {
    std::FILE* file = std::fopen(argv[1], "w");
    if (file == nullptr) return 2;
    int waiting[3] = {};
    // Process 1 is sent twice as many messages as process 2.
    for (int i = 0; i < 10'000'000; ++i) {
      const int to = i % 3 == 2 ? 2 : 1;
      note(file, waiting);
      Cdgesd2d(context, n, 1, x.data(), n, 0, to);
      ++waiting[to];
    }
  }
  Cblacs_barrier(context, all);
  Cblacs_exit(0);
  return 0;
}
