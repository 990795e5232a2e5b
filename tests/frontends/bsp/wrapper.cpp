// SPDX-License-Identifier: BSD-3-Clause
// The thesis's C++ interface: remote memory, messages as in its example, broadcast, fold, and the exchange of queues.
#include <cstdlib>
#include <cstring>
#include <tutti-bsp/bsp.hpp>

using namespace BSPWrapper;

namespace {

void require(bool holds, int line) {
  if (!holds) bsp_abort("wrapper.cpp:%d does not hold", line);
}
#define REQUIRE(condition) require(condition, __LINE__)

void remote_memory() {
  Vector<int> area(8, -1);
  PushReg(area.data(), static_cast<int>(area.size() * sizeof(int)));
  Sync();
  const int value = 100 + Pid;
  int got = 0, direct = 0;
  Put((Pid + 1) % P, &value, area.data(), 4, sizeof value);
  Get((Pid + 1) % P, area.data(), 0, &got, sizeof got);
  HpPut((Pid + 1) % P, &value, area.data(), 8, sizeof value);
  Sync();
  HpGet((Pid + 1) % P, area.data(), 4, &direct, sizeof direct);
  Sync();
  REQUIRE(area[1] == 100 + (Pid + P - 1) % P && area[2] == area[1] && got == -1 && direct == 100 + Pid);
  PopReg(area.data());
  Sync();
}

void messages() {
  SetTagSize(sizeof(int));
  Sync();
  const char data[10] = "ninechars";
  for (int p = 0; p < P; ++p) Send(p, &Pid, data, sizeof data);
  HpSend(0, &Pid, data, 3);
  Sync();
  int status = 0, tag = 0, count = 0;
  for (GetTag(&status, &tag); status >= 0; GetTag(&status, &tag), ++count) {
    char found[10] = "";
    if (count % 2 == 0) {
      Move(found, status);
    } else {
      void* place = nullptr;
      int size = 0;
      HpMove(place, size);
      REQUIRE(size == status);
      std::memcpy(found, place, static_cast<std::size_t>(size));
    }
    REQUIRE(std::memcmp(found, data, static_cast<std::size_t>(status)) == 0 && tag >= 0 && tag < P);
  }
  REQUIRE(count == P + (Pid == 0 ? P : 0));
}

void larger(char* result, char* left, char* right, int* size) {
  double a = 0, b = 0;
  std::memcpy(&a, left, sizeof a);
  std::memcpy(&b, right, sizeof b);
  const double most = std::max(a, b);
  std::memcpy(result, &most, static_cast<std::size_t>(*size));
}

void collectives() {
  const double own = Pid * 2.5;
  double result = 0;
  Fold(&own, &result, sizeof own, larger);
  REQUIRE(result == (P - 1) * 2.5);
  Broadcast(P - 1, sizeof own, &own, &result);
  REQUIRE(result == (P - 1) * 2.5);
  MultiQueue<long> out(P);
  for (int q = 0; q < P; ++q) {
    for (long k = 0; k <= q; ++k) {
      const long value = 1000L * Pid + k;
      out.Enqueue(q, &value, 1);
    }
  }
  MultiQueue<long> in = Exchange(out);
  for (int q = 0; q < P; ++q) {
    long* data = nullptr;
    int count = 0;
    in.FirstHead(data, count);
    REQUIRE(count == Pid + 1 && data[0] == 1000L * q && data[count - 1] == 1000L * q + Pid);
    in.DeleteFirstHead(count);
  }
  long* data = nullptr;
  int count = 1;
  in.FirstHead(data, count);
  REQUIRE(count == 0);
}

}  // namespace

int main(int argc, char** argv) {
  Init(argc, argv);
  remote_memory();
  messages();
  collectives();
  REQUIRE(Time() > 0);
  Print(0, "the wrapper works on %d processes\n", P);
  Exit();
  return 0;
}
