// SPDX-License-Identifier: BSD-3-Clause
// Sample sort: regular samples go to all processes, which choose splitters. Every part is one
// message, and the parts are merged by sorting.
#include "programs.h"

static int compare(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static void choose_splitters(const int* keys, int count, int* splitters) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int* const samples = malloc((size_t)(p * p) * sizeof(int));
  int* const own = malloc((size_t)p * sizeof(int));
  bsp_push_reg(samples, SIZE(p * p, int));
  bsp_sync();
  for (int k = 0; k < p; ++k) own[k] = keys[(long)k * count / p];
  for (int t = 0; t < p; ++t) bsp_put((bsp_pid_t)t, own, samples, SIZE(s * p, int), SIZE(p, int));
  bsp_sync();
  qsort(samples, (size_t)(p * p), sizeof(int), compare);
  for (int k = 1; k < p; ++k) splitters[k - 1] = samples[k * p];
  bsp_pop_reg(samples);
  bsp_sync();
  free(samples);
  free(own);
}

static int receive(int* keys) {
  void *tag = NULL, *payload = NULL;
  int count = 0;
  for (;;) {
    const bsp_size_t bytes = bsp_hpmove(&tag, &payload);
    if (bytes == (bsp_size_t)-1) return count;
    memcpy(keys + count, payload, (size_t)bytes);
    count += (int)((size_t)bytes / sizeof(int));
  }
}

// Checks the order by every process's largest key, number of keys and sum, which all processes get.
static void check_order(const int* keys, int count, int n, long sum) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  for (int i = 1; i < count; ++i) REQUIRE(keys[i - 1] <= keys[i]);
  long facts[4] = {count, 0, count > 0 ? keys[0] : 1L << 40, count > 0 ? keys[count - 1] : -1};
  for (int i = 0; i < count; ++i) facts[1] += keys[i];
  long* const all = malloc((size_t)p * sizeof facts);
  bsp_push_reg(all, SIZE(4 * p, long));
  bsp_sync();
  for (int t = 0; t < p; ++t) bsp_put((bsp_pid_t)t, facts, all, SIZE(4 * s, long), SIZE(4, long));
  bsp_sync();
  long total = 0, found = 0, largest = -1;
  for (int t = 0; t < p; ++t) {
    total += all[4 * t];
    found += all[4 * t + 1];
    REQUIRE(all[4 * t + 2] >= largest);
    if (all[4 * t + 3] > largest) largest = all[4 * t + 3];
  }
  REQUIRE(total == n && found == sum);
  bsp_pop_reg(all);
  bsp_sync();
  free(all);
}

void sample_sort(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int* const keys = malloc((size_t)n * sizeof(int));
  int* const splitters = malloc((size_t)p * sizeof(int));
  long sum = 0;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const int key = (int)((i * 7919LL + 13) * 104729LL % 1000003);
    sum += key;
    if (i >= block(p, s, n) && i < block(p, s + 1, n)) keys[count++] = key;
  }
  qsort(keys, (size_t)count, sizeof(int), compare);
  choose_splitters(keys, count, splitters);
  int at = 0;
  for (int t = 0; t < p; ++t) {
    int end = at;
    while (end < count && (t == p - 1 || keys[end] < splitters[t])) ++end;
    if (end > at) bsp_send((bsp_pid_t)t, NULL, &keys[at], SIZE(end - at, int));
    at = end;
  }
  bsp_sync();
  count = receive(keys);
  qsort(keys, (size_t)count, sizeof(int), compare);
  check_order(keys, count, n, sum);
  free(keys);
  free(splitters);
}
