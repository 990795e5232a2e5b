/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Implements the collectives that BSPlib's C++ interface needs, with those of MPI.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "bsp.h"

void bsp_broadcast(int root, void* data, int size) {
  MPI_Bcast(data, size, MPI_BYTE, root, MPI_COMM_WORLD);
}

void bsp_fold(void (*op)(void* result, void* left, void* right, int* size), const void* source,
              void* destination, int size) {
  const int p = bsp_nprocs();
  const size_t bytes = (size_t)size;
  char* const all = malloc((size_t)(p + 2) * bytes);
  char *left = all + (size_t)p * bytes, *result = left + bytes;
  MPI_Allgather(source, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD);
  memcpy(left, all, bytes);
  for (int pid = 1; pid < p; ++pid) {
    int each = size;
    op(result, left, all + (size_t)pid * bytes, &each);
    char* const swapped = left;
    left = result;
    result = swapped;
  }
  memcpy(destination, left, bytes);
  free(all);
}

void bsp_total_exchange(const void* source, void* destination, int size) {
  MPI_Alltoall(source, size, MPI_BYTE, destination, size, MPI_BYTE, MPI_COMM_WORLD);
}

void bsp_total_exchangev(const void* source, const int* source_sizes, void* destination,
                         const int* destination_sizes) {
  const int p = bsp_nprocs();
  int* const places = calloc(2 * (size_t)p, sizeof(int));
  for (int i = 1; i < p; ++i) {
    places[i] = places[i - 1] + source_sizes[i - 1];
    places[p + i] = places[p + i - 1] + destination_sizes[i - 1];
  }
  MPI_Alltoallv(source, source_sizes, places, MPI_BYTE, destination, destination_sizes, places + p,
                MPI_BYTE, MPI_COMM_WORLD);
  free(places);
}
