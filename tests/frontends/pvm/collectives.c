/* SPDX-License-Identifier: BSD-3-Clause
 * Tests scatter, gather and reduce of PVM on all types. */
#include "report.h"

static const char* const type_names[] = {"str",    "byte",  "short", "int",    "float", "cplx",
                                         "double", "dcplx", "long",  "ushort", "uint",  "ulong"};
static const int sizes[] = {1, 1, 2, 4, 4, 8, 8, 16, 8, 2, 4, 8};
enum { elements = 5 };
/* Nonzero if types and values are used that the real PVM does not handle: it cuts long to 32
 * bits and refuses unsigned types. */
static int wide = 0;

static void fill(void* data, int type, int rank) {
  for (int i = 0; i < elements; ++i) {
    const int v = (rank + 1) * (i + 1) % 7 + 1;
    switch (type) {
      case PVM_BYTE:
        ((char*)data)[i] = (char)v;
        break;
      case PVM_SHORT:
        ((short*)data)[i] = (short)(v * (i % 2 ? -100 : 100));
        break;
      case PVM_INT:
        ((int*)data)[i] = v * (i % 2 ? -1000 : 1000);
        break;
      case PVM_LONG:
        ((long*)data)[i] = wide ? v * (i % 2 ? -10000000000L : 10000000000L) : v;
        break;
      case PVM_USHORT:
        ((unsigned short*)data)[i] = (unsigned short)(v * 5000);
        break;
      case PVM_UINT:
        ((unsigned*)data)[i] = (unsigned)v * 500000000u;
        break;
      case PVM_ULONG:
        ((unsigned long*)data)[i] = (unsigned long)v;
        break;
      case PVM_FLOAT:
        ((float*)data)[i] = (float)v * 0.5f;
        break;
      case PVM_DOUBLE:
        ((double*)data)[i] = v * -0.25;
        break;
      case PVM_CPLX:
        ((float*)data)[2 * i] = (float)v;
        ((float*)data)[2 * i + 1] = (float)-rank;
        break;
      default:
        ((double*)data)[2 * i] = v;
        ((double*)data)[2 * i + 1] = rank * 0.5;
    }
  }
}

static void print_data(const void* data, int type, int count) {
  for (int i = 0; i < count; ++i) {
    switch (type) {
      case PVM_BYTE:
        printf(" %d", ((const char*)data)[i]);
        break;
      case PVM_SHORT:
        printf(" %d", ((const short*)data)[i]);
        break;
      case PVM_INT:
        printf(" %d", ((const int*)data)[i]);
        break;
      case PVM_LONG:
        printf(" %ld", ((const long*)data)[i]);
        break;
      case PVM_USHORT:
        printf(" %u", ((const unsigned short*)data)[i]);
        break;
      case PVM_UINT:
        printf(" %u", ((const unsigned*)data)[i]);
        break;
      case PVM_ULONG:
        printf(" %lu", ((const unsigned long*)data)[i]);
        break;
      case PVM_FLOAT:
        printf(" %g", ((const float*)data)[i]);
        break;
      case PVM_DOUBLE:
        printf(" %g", ((const double*)data)[i]);
        break;
      case PVM_CPLX:
        printf(" (%g,%g)", ((const float*)data)[2 * i], ((const float*)data)[2 * i + 1]);
        break;
      default:
        printf(" (%g,%g)", ((const double*)data)[2 * i], ((const double*)data)[2 * i + 1]);
    }
  }
  printf("\n");
}

/* Keeps the one of two vectors with the greater first element. Its last element is its place, so
 * the parts belong together. */
static void greatest(int* type, void* x, void* y, int* count, int* info) {
  int *mine = x, *other = y;
  (void)info; /* need not be set */
  if (*type != PVM_INT) abort();
  const int last = *count - 1;
  if (other[0] > mine[0] || (other[0] == mine[0] && other[last] < mine[last]))
    memcpy(mine, other, sizeof(int) * (size_t)*count);
}

/* Adds all but the first element, which stays that of the task that combines. The function may
 * write on the other vector. */
static void sum_of_rest(int* type, void* x, void* y, int* count, int* info) {
  int *mine = x, *other = y;
  (void)type, (void)info;
  for (int i = 1; i < *count; ++i) mine[i] += other[i], other[i] = -1000;
}

static int tag = 100;
static char own[elements * 16], all[ranks * elements * 16];

/* Task 0 gets the result by a gather from the root: all tasks give a part, and the root's part
 * is the result. */
static void reduce_type(int rank, int type) {
  static const struct {
    const char* name;
    void (*function)(int*, void*, void*, int*, int*);
  } functions[] = {{"max", PvmMax}, {"min", PvmMin}, {"sum", PvmSum}, {"product", PvmProduct}};
  for (int f = 0; f < (type == PVM_BYTE ? 2 : 4); ++f) {
    const int root = (type + f) % ranks;
    fill(own, type, rank);
    const int status = pvm_reduce(functions[f].function, own, elements, type, ++tag, group, root);
    if (rank != root && status != 0) printf("error %d\n", status);
    if (rank == root) put(pvm_gettid(group, 0), tag, status);
    if (rank == 0)
      printf("%s %s root %d: %d\n", functions[f].name, type_names[type], root, get(-1, tag));
    pvm_barrier(group, ranks);
    memset(all, 0, sizeof all);
    pvm_gather(all, own, elements * sizes[type], PVM_BYTE, ++tag, group, 0);
    if (rank == 0) print_data(all + root * elements * sizes[type], type, elements);
  }
}

static void there_and_back(int rank, int type) {
  const int root = type % ranks;
  const size_t bytes = (size_t)(elements * sizes[type]);
  char part[elements * 16];
  memset(all, 0, sizeof all);
  fill(own, type, rank);
  const int gathered = pvm_gather(all, own, elements, type, ++tag, group, root);
  const int scattered = pvm_scatter(part, all, elements, type, ++tag, group, root);
  const int same = gathered == 0 && scattered == 0 && memcmp(part, own, bytes) == 0;
  pvm_barrier(group, ranks);
  put(pvm_gettid(group, 0), ++tag, same);
  if (rank != 0) return;
  int right = 0;
  for (int i = 0; i < ranks; ++i) right += get(-1, tag);
  printf("gather and scatter %s: %d right\n", type_names[type], right);
}

static void collectives(int rank) {
  for (int type = PVM_BYTE; type <= (wide ? PVM_ULONG : PVM_LONG); ++type) {
    reduce_type(rank, type);
    there_and_back(rank, type);
  }
  int vector[3] = {rank == 2 || rank == 1 ? 9 : rank, 5 * rank, rank};
  SHOW(pvm_reduce(greatest, vector, 3, PVM_INT, ++tag, group, 0));
  if (rank == 0) printf("greatest %d %d %d\n", vector[0], vector[1], vector[2]);
  int kept[2] = {10 + rank, 1};
  pvm_reduce(sum_of_rest, kept, 2, PVM_INT, ++tag, group, 0);
  if (rank == 0) printf("at the root: its own %d, sum of rest %d\n", kept[0], kept[1]);
  SHOW(pvm_reduce(PvmSum, vector, 1, PVM_INT, ++tag, group, 7));
  SHOW(pvm_reduce(PvmSum, vector, 1, 99, ++tag, group, 0));
  SHOW(pvm_gather(all, vector, 1, PVM_INT, ++tag, group, -1));
  SHOW(pvm_scatter(all, vector, 1, PVM_INT, ++tag, group, 9));
  pvm_barrier(group, ranks);
}

void member(int with_all_types) {
  wide = with_all_types;
  const int rank = pvm_joingroup(group);
  pvm_barrier(group, ranks);
  collectives(rank);
  pvm_exit();
  exit(0);
}

void data(const char* self, const char* word) {
  int tids[ranks - 1];
  int value = 1;
  wide = strcmp(word, "wide") == 0;
  SHOW(pvm_reduce(PvmSum, &value, 1, PVM_INT, 1, group, 0));
  const int rank = pvm_joingroup(group);
  SHOW(pvm_reduce(PvmSum, &value, 1, PVM_INT, 1, group, 0));
  VALUE(value);
  SHOW(pvm_reduce(PvmSum, &value, 0, PVM_INT, 1, group, 0));
  SHOW(pvm_reduce(PvmSum, &value, 1, PVM_BYTE, 1, group, 0)); /* alone, nothing is combined */
  start(self, word, ranks - 1, tids);
  pvm_barrier(group, ranks);
  collectives(rank);
}
