/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests a process that gives up joining its job, because its launcher does not answer: it has been
 * stopped. Runs as the only process of a job. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

static int asked;

static int second_time(void* user) {
  (void)user;
  return ++asked == 2;
}

int main(void) {
  const pid_t launcher = getppid();
  if (tutti_would_join() != 1) return fprintf(stderr, "no launcher\n"), 1;
  tutti_errors_return();
  tutti_on_wait(second_time, NULL);
  kill(launcher, SIGSTOP);
  const tutti_status first = tutti_init();
  const char* const text = tutti_error_text();
  const int told = strstr(text, "has given up waiting for its launcher") != NULL;
  kill(launcher, SIGCONT);
  /* It must not become a job of one. */
  const tutti_status second = tutti_init();
  if (first == TUTTI_WOULD_WAIT && told && asked == 2 && second == TUTTI_NOT_INITIALIZED &&
      tutti_would_join() == 0 && tutti_rank(tutti_world()) == -1) {
    puts("given up");
    return 0;
  }
  fprintf(stderr, "statuses %d and %d after %d questions: %s\n", first, second, asked, text);
  return 1;
}
