// SPDX-License-Identifier: BSD-3-Clause
// Tests the thesis's classes (paper 003, appendix A.1): CAVector, CMultiQueue and its arrays, which
// are exchanged with the arguments of MPI_Alltoallv.
#include "BSPWrapper.h"
#include "avector.h"
#include "error.h"
#include "multiqueue.h"

#include <new>

using namespace BSPWrapper;

static void vectors() {
  CAVector<int> empty, sized(10, 4);
  ASSERT(empty.size == 0 && empty.data == nullptr && sized.size == 12 && sized[11] == 0);
  const int some[5] = {1, 2, 3, 4, 5};
  sized.Put(some, 10, 5);
  ASSERT(sized.size == 16 && sized[10] == 1 && sized[14] == 5 && sized[15] == 0);
  int found[8] = {0};
  ASSERT(sized.Get(13, found, 8) == 3 && found[0] == 4 && found[1] == 5 && found[2] == 0);
  ASSERT(sized.Get(16, found, 1) == 0 && sized.Get(-1, found, 1) == 0);
  sized.Shrink(20);
  ASSERT(sized.size == 16);
  sized.Shrink(11);
  ASSERT(sized.size == 12 && sized[10] == 1 && sized[11] == 2);
  sized.SetSize(30);
  ASSERT(sized.size == 30 && sized[11] == 2 && sized[12] == 0);
  CAVector<int> copy(sized);
  copy[0] = 9;
  ASSERT(sized[0] == 0 && copy.size == 30);
  empty = copy;
  ASSERT(empty.size == 30 && empty[0] == 9 && empty.data != copy.data);
}

static int arrays_left = 100, copies_left = 1000;

// A value for whose arrays there is sometimes no memory, or whose copies sometimes fail.
struct Scarce {
  int value = 0;

  Scarce& operator=(const Scarce& other) {
    if (copies_left-- == 0) throw 1;
    value = other.value;
    return *this;
  }
  static void* operator new[](std::size_t bytes) {
    if (arrays_left-- == 0) throw std::bad_alloc();
    return ::operator new[](bytes);
  }
  static void operator delete[](void* address) { ::operator delete[](address); }
};

// Returns true if the change fails and leaves the vector as it is.
template <class Change>
static bool fails_without_harm(CAVector<Scarce>& vector, Change change) {
  bool failed = false;
  try {
    change();
  } catch (...) {
    failed = true;
  }
  arrays_left = 100;
  copies_left = 1000;
  bool same = failed && vector.size == 3 && vector.data != nullptr;
  for (int i = 0; same && i < vector.size; ++i) same = vector[i].value == i + 1;
  return same;
}

static void without_memory() {
  CAVector<Scarce> vector(3), longer(50);
  for (int i = 0; i < 3; ++i) vector[i].value = i + 1;
  arrays_left = 0;
  ASSERT(fails_without_harm(vector, [&] { vector = longer; }));
  arrays_left = 0;
  ASSERT(fails_without_harm(vector, [&] { vector.SetSize(20); }));
  copies_left = 20;
  ASSERT(fails_without_harm(vector, [&] { vector = longer; }));
  copies_left = 2;
  ASSERT(fails_without_harm(vector, [&] { vector.SetSize(20); }));
  vector = longer;
  ASSERT(vector.size == 50);
}

static void borrowed() {
  int buffer[4] = {1, 2, 3, 4};
  CAVector<int> vector(4, buffer);
  vector[0] = 7;
  ASSERT(buffer[0] == 7 && vector.data == buffer);
  vector.Shrink(2);
  ASSERT(vector.size == 2 && vector.data == buffer);
  const int more[3] = {5, 6, 7};
  vector.Put(more, 2, 3);
  ASSERT(vector.size == 5 && vector.data != buffer && vector[0] == 7 && vector[4] == 7);
  ASSERT(buffer[2] == 3);
}

static void queues() {
  CMultiQueue<short> queues(3, 2, 4);
  const short values[6] = {10, 11, 12, 13, 14, 15};
  short* head = nullptr;
  int count = -1;
  queues.FirstHead(head, count);
  ASSERT(count == 0);
  queues.DeleteFirstHead(1);
  queues.Enqueue(1, values, 3);
  queues.Enqueue(2, values + 3, 1);
  queues.Enqueue(1, values + 4, 2);
  queues.FirstHead(head, count);
  ASSERT(count == 5 && head[0] == 10 && head[2] == 12 && head[3] == 14 && head[4] == 15);
  queues.DeleteHead(1, 3);
  queues.Head(1, head, count);
  ASSERT(count == 2 && head[0] == 14);
  queues.DeleteFirstHead(77);
  queues.FirstHead(head, count);
  ASSERT(count == 1 && head[0] == 13);
  for (int i = 0; i < 1000; ++i) queues.Enqueue(0, values + i % 6, 1);
  queues.Head(0, head, count);
  ASSERT(count == 1000 && head[0] == 10 && head[999] == values[999 % 6]);
  queues.Reset();
  queues.FirstHead(head, count);
  ASSERT(count == 0 && queues.Queues() == 3);
  queues.SetSize(1);
  queues.Enqueue(0, values, 1);
  queues.Head(0, head, count);
  ASSERT(queues.Queues() == 1 && count == 1);
}

// Process s has s + q + 1 values for process q. One was taken off each queue.
static void arrays() {
  CMultiQueue<double> out(P);
  for (int q = 0; q < P; ++q) {
    for (int k = -1; k <= Pid + q; ++k) {
      const double value = 100 * Pid + q + k / 64.0;
      out.Enqueue(q, &value, 1);
    }
    out.DeleteHead(q, 1);
  }
  char *bytes = nullptr, *received = nullptr;
  int *counts = nullptr, *displacements = nullptr;
  out.ToArray(bytes, counts, displacements);
  CAVector<int> from(P), places(P);
  int all = 0;
  for (int q = 0; q < P; ++q) {
    ASSERT(counts[q] == (Pid + q + 1) * (int)sizeof(double));
    ASSERT(displacements[q] == (q == 0 ? 0 : displacements[q - 1] + counts[q - 1]));
    from[q] = counts[q];  // the matrix of counts is symmetric
    places[q] = all;
    all += from[q];
  }
  received = new char[all];
  Backend().total_exchangev(bytes, counts, received, from.data);
  CMultiQueue<double> in(P, received, from.data, places.data), again;
  again.FromArray(P, received, from.data, places.data);
  delete[] bytes;
  delete[] received;
  delete[] counts;
  delete[] displacements;
  for (int q = 0; q < P; ++q) {
    double *head = nullptr, *same = nullptr;
    int count = 0, equal = 0;
    in.Head(q, head, count);
    again.Head(q, same, equal);
    ASSERT(count == Pid + q + 1 && equal == count);
    for (int k = 0; k < count; ++k)
      ASSERT(head[k] == 100 * q + Pid + k / 64.0 && same[k] == head[k]);
  }
}

int main(int argc, char** argv) {
  Init(argc, argv);
  vectors();
  without_memory();
  borrowed();
  queues();
  arrays();
  Print(0, "the thesis's classes work on %d processes\n", P);
  Exit();
  return 0;
}
