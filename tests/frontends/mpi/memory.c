/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Alloc_mem gives memory that the processes share, where there is room, and else the MPI's.
 * Both serve in collectives, messages and windows, and both are freed by MPI_Free_mem. Prints how
 * many pieces are shared. Words: how many pieces rank 0 asks for, and of how many bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 1 << 17 };

static int rank, size;

static void require(int right, const char* what) {
  if (right) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Returns 1 if the address lies in the segment of tutti. */
static int is_shared(const void* address) {
  char line[512];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin = 0, end = 0;
    if (sscanf(line, "%lx-%lx", &begin, &end) != 2) continue;
    if (begin <= (unsigned long)address && (unsigned long)address < end)
      found = strstr(line, "memfd:tutti") != NULL;
  }
  if (maps != NULL) fclose(maps);
  return found;
}

static double* numbers(void) {
  double* memory = NULL;
  require(MPI_Alloc_mem(count * sizeof *memory, MPI_INFO_NULL, &memory) == MPI_SUCCESS,
          "no memory");
  return memory;
}

static void use(double* in, double* out) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Win window;
  for (int i = 0; i < count; i++) in[i] = rank + i;
  MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; i++)
    require(out[i] == (double)size * i + size * (size - 1) / 2, "a wrong sum");
  MPI_Alltoall(in, count / size, MPI_DOUBLE, out, count / size, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    require(out[r * (count / size)] == r + rank * (count / size), "a wrong block");
  MPI_Irecv(out, count, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &request);
  MPI_Send(in, count, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(out[count - 1] == before + count - 1, "a wrong message");
  MPI_Win_create(out, count * sizeof *out, sizeof *out, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(in, 10, MPI_DOUBLE, next, 5, 10, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  require(out[14] == before + 9, "a wrong put");
  MPI_Win_free(&window);
}

int main(int argc, char** argv) {
  double *in, *out, *own = malloc(count * sizeof *own), *early = NULL;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in = numbers();
  out = numbers();
  require(is_shared(in) && is_shared(out), "the memory is not shared");
  use(in, out);
  use(own, out);
  use(in, own);
  MPI_Info_create(&info);
  MPI_Alloc_mem(100, info, &early);
  require(!is_shared(early), "a wish is for the MPI");
  MPI_Free_mem(early);
  MPI_Info_free(&info);
  MPI_Free_mem(in);
  const int pieces = argc > 2 ? atoi(argv[1]) : 0;
  void** all = calloc((size_t)pieces + 1, sizeof *all);
  int shared = 0;
  for (int i = 0; rank == 0 && i < pieces; i++) {
    MPI_Alloc_mem(atol(argv[2]), MPI_INFO_NULL, &all[i]);
    memset(all[i], i, 1000);
    shared += is_shared(all[i]);
  }
  use(own, out);
  for (int i = 0; rank == 0 && i < pieces; i++) MPI_Free_mem(all[i]);
  if (rank == 0) printf("right: %d of %d are shared\n", shared, pieces);
  MPI_Finalize();
  /* What was not freed can be read on. */
  return out[14] == (rank + size - 1) % size + 9 ? 0 : 1;
}
