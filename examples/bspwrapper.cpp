// SPDX-License-Identifier: BSD-3-Clause
// A program of P. Krusche's C++ interface of BSPlib: each process collects values for all others in
// queues, and a superstep delivers them. Compile it with the flags of
// `pkg-config --cflags --libs tutti-bspwrapper`.
#include "BSPWrapper.h"
#include "multiqueue.h"

using namespace BSPWrapper;

int main(int argc, char** argv) {
  Init(argc, argv);
  CMultiQueue<double> out(P);
  for (int q = 0; q < P; ++q) {
    const double value = 10 * Pid + q;
    out.Enqueue(q, &value, 1);
  }
  SetTagSize(0);
  Sync();
  for (int q = 0; q < P; ++q) {
    double* values = 0;
    int count = 0;
    out.Head(q, values, count);
    Send(q, 0, values, count * static_cast<int>(sizeof(double)));
  }
  Sync();
  double sum = 0;
  int status = 0;
  for (GetTag(&status, 0); status >= 0; GetTag(&status, 0)) {
    double value = 0;
    Move(&value, status);
    sum += value;
  }
  Print(-1, "process %d of %d: sum %g\n", Pid, P, sum);
  Exit();
  return 0;
}
