// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 broadcasts so many times so many bytes, and asks nothing. Rank 1 asks the clock 100 times
// first, and rank 2 after each tenth broadcast. So rank 0 is far ahead of both. Arguments: how many
// broadcasts, and bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static int is_filled(const unsigned char* bytes, size_t count, unsigned char with) {
  return bytes[0] == with && memcmp(bytes, bytes + 1, count - 1) == 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int times = atoi(argv[1]);
  const size_t count = (size_t)atol(argv[2]);
  unsigned char* const bytes = calloc(count, 1);
  must(tutti_init());
  const int me = tutti_rank(tutti_world());
  uint64_t last = 0;
  for (int i = 0; me == 1 && i < 100; ++i) last = tutti_nanoseconds();
  const tutti_data data = tutti_array(bytes, (int64_t)count, TUTTI_UINT8);
  for (int i = 0; i < times; ++i) {
    const unsigned char value = (unsigned char)(i % 251 + 1);
    if (me == 0) memset(bytes, value, count);
    must(tutti_bcast(tutti_world(), &data, 0));
    if (!is_filled(bytes, count, value)) {
      printf("rank %d: broadcast %d is wrong\n", me, i);
      return 1;
    }
    if (me != 2 || i % 10 != 0) continue;
    const uint64_t now = tutti_nanoseconds();
    if (now <= last) return 3;
    last = now;
  }
  must(tutti_finalize());
  free(bytes);
  printf("rank %d is right\n", me);
  return 0;
}
