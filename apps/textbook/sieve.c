// SPDX-License-Identifier: BSD-3-Clause
// Sieve of Eratosthenes in blocks. Process 0 finds the small primes and broadcasts them in two
// phases. All processes cross out multiples, and the counts are combined by puts.
#include "programs.h"

static int small_primes(int limit, int* primes) {
  int count = 0;
  for (int k = 2; k * k <= limit; ++k) {
    int prime = 1;
    for (int d = 0; d < count && prime; ++d) prime = k % primes[d] != 0;
    if (prime) primes[count++] = k;
  }
  return count;
}

// Broadcasts in two phases: a scatter, and then each process sends its part to all.
static void broadcast(int* data, int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  bsp_push_reg(data, SIZE(n, int));
  bsp_sync();
  for (int phase = 0; phase < 2; ++phase) {
    for (int t = 0; t < p; ++t) {
      const int part = phase == 0 ? t : s;
      const int first = block(p, part, n), count = block(p, part + 1, n) - first;
      if (phase == 1 || s == 0)
        bsp_put((bsp_pid_t)t, data + first, data, SIZE(first, int), SIZE(count, int));
    }
    bsp_sync();
  }
  bsp_pop_reg(data);
  bsp_sync();
}

void sieve(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int* const primes = calloc((size_t)n, sizeof(int));
  if (s == 0) primes[n - 1] = small_primes(n, primes);
  broadcast(primes, n);
  const int first = block(p, s, n), end = block(p, s + 1, n);
  char* const composite = calloc((size_t)(end - first) + 1, 1);
  for (int d = 0; d < primes[n - 1]; ++d) {
    for (int multiple = 2 * primes[d]; multiple < end; multiple += primes[d]) {
      if (multiple >= first) composite[multiple - first] = 1;
    }
  }
  int count = 0, total = 0;
  for (int i = first; i < end; ++i) count += i >= 2 && !composite[i - first];
  int* const counts = calloc((size_t)p, sizeof(int));
  bsp_push_reg(counts, SIZE(p, int));
  bsp_sync();
  bsp_put(0, &count, counts, SIZE(s, int), SIZE(1, int));
  bsp_sync();
  for (int t = 0; t < p; ++t) total += counts[t];
  REQUIRE(s != 0 || n != 5000 || total == 669);
  bsp_pop_reg(counts);
  bsp_sync();
  free(primes);
  free(composite);
  free(counts);
}
