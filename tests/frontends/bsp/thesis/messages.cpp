// SPDX-License-Identifier: BSD-3-Clause
// A program for the thesis's wrapper, with its headers and with the calls in the forms in which the
// thesis prints them (paper 003, 2.6): messages of ten bytes, remote memory, broadcast and fold.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <iostream>

#include "BSPUtils.h"
#include "BSPWrapper.h"
#include "avector.h"
#include "error.h"
#include "memory.h"

using namespace std;
using namespace BSPWrapper;
using namespace BSPUtils;

static void ten_bytes() {
  SetTagSize(sizeof(int));
  Sync();
  int tag = Pid;
  char data[10];
  CAVector<char> receivebuffer(10 * P);
  memset(data, 'a' + Pid, sizeof data);
  for (int p = 0; p < P; ++p) Send(p, &tag, data, 10);
  Sync();
  int status = 0;
  while (status >= 0) {
    GetTag(status, tag);
    if (status > 0) Move(receivebuffer.data + 10 * tag, status);
  }
  for (int i = 0; i < 10 * P; ++i) ASSERT(receivebuffer[i] == 'a' + i / 10);
}

static void unbuffered() {
  SetTagSize(sizeof(int));
  Sync();
  int own[2] = {Pid, Pid * Pid};
  HpSend((Pid + 1) % P, &own[0], own, sizeof own);
  Sync();
  void* data = NULL;
  int size = 0, status = 0, tag = -1;
  GetTag(&status, &tag);
  HpMove(data, size);
  int* values = static_cast<int*>(data);
  const int left = (Pid + P - 1) % P;
  ASSERT(status == sizeof own && size == status && tag == left);
  ASSERT(values[0] == left && values[1] == left * left);
}

static void remote_memory() {
  CAVector<double> table(P, 4);
  ASSERT(table.size % 4 == 0 && table.size >= P);
  PushReg(table.data, table.size * sizeof(double));
  Sync();
  double own = 0.5 * Pid, seen = -1;
  for (int p = 0; p < P; ++p) Put(p, &own, table.data, Pid * sizeof(double), sizeof(double));
  Sync();
  Get((Pid + 1) % P, table.data, 0, &seen, sizeof(double));
  Sync();
  for (int p = 0; p < P; ++p) ASSERT(table[p] == 0.5 * p);
  ASSERT(seen == 0);
  HpPut((Pid + 1) % P, &own, table.data, 0, sizeof(double));
  Sync();
  HpGet((Pid + 1) % P, table.data, 0, &seen, sizeof(double));
  PopReg(table.data);
  Sync();
  ASSERT(table[0] == 0.5 * ((Pid + P - 1) % P) && seen == own);
}

static void multiply(char* result, char* left, char* right, int* size) {
  ASSERT(*size == sizeof(double));
  *reinterpret_cast<double*>(result) =
      *reinterpret_cast<double*>(left) * *reinterpret_cast<double*>(right);
}

static void collectives() {
  double own = Pid + 1, result = 0, most = 0;
  Fold(&own, &result, sizeof(double), multiply);
  ASSERT(fabs(result - tgamma(P + 1)) < 1e-6 * result);
  Fold(&own, &most, sizeof(double), BSP_OPFUN dbl_max);
  ASSERT(most == P);
  Broadcast(P - 1, sizeof(double), &own, &result);
  ASSERT(result == P);
  int permutation[64], seen[64] = {0};
  srand(7);
  randompermutation(permutation, P);
  for (int p = 0; p < P; ++p) ++seen[permutation[p]];
  for (int p = 0; p < P; ++p) ASSERT(seen[p] == 1);
  ASSERT(bsp_dtime() >= 0 && Time() >= 0);
}

int main(int argc, char** argv) {
  Init(argc, argv);
  ten_bytes();
  unbuffered();
  remote_memory();
  collectives();
  if (Pid == 0) cout << "the thesis's calls work on " << P << " processes" << endl;
  Exit();
  return 0;
}
