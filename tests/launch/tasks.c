/* SPDX-License-Identifier: BSD-3-Clause
 * Starts copies of itself as tasks through tutti_runtime.h; test_tasks.py and mpi_spares.py run
 * it. The first argument says which test. A copy gets "task" and a word that says what it does. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tasks.h"

enum { tasks = 3, long_bytes = 100000 };
const char* self;

void spawn(const char* word, int count, int* endpoints) {
  const char* const arguments[] = {"task", word, NULL};
  OK(tutti_spawn(self, arguments, count, endpoints));
}

static tutti_match from(int source) {
  tutti_match match = {sizeof match, source, 0, 0, NULL, NULL};
  return match;
}

int receive(int source, uint64_t* key) {
  const tutti_match match = from(source);
  tutti_envelope envelope;
  int value = -1;
  const tutti_status status = tutti_mail_receive(&match, &value, sizeof value, &envelope);
  if (status != TUTTI_OK) return -(int)status;
  CHECK(envelope.source == source && envelope.bytes == sizeof value);
  if (key != NULL) *key = envelope.key;
  return value;
}

static int entries(const char* folder) {
  DIR* directory = opendir(folder);
  int count = 0;
  while (readdir(directory) != NULL) ++count;
  closedir(directory);
  return count;
}

/* Descriptors of this process and of its supervisor, and pages of the job's memory in use. */
typedef struct {
  int mine, supervisor;
  long pages;
} usage;

static usage usage_now(void) {
  char path[300], line[300];
  usage now = {entries("/proc/self/fd"), 0, 0};
  int supervisor = getppid();
  DIR* all = opendir("/proc");
  for (struct dirent* entry = readdir(all); entry != NULL; entry = readdir(all)) {
    int pid = atoi(entry->d_name), parent = 0;
    char name[64] = "";
    snprintf(path, sizeof path, "/proc/%.20s/stat", entry->d_name);
    FILE* file = pid > 0 ? fopen(path, "r") : NULL;
    if (file == NULL) continue;
    if (fscanf(file, "%*d (%63[^)]) %*c %d", name, &parent) == 2 && parent == getpid() &&
        strcmp(name, "tutti-supervise") == 0) {
      supervisor = pid;
    }
    fclose(file);
  }
  closedir(all);
  snprintf(path, sizeof path, "/proc/%d/fd", supervisor);
  now.supervisor = entries(path);
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long start = 0, end = 0;
    struct stat status;
    if (strstr(line, "memfd:tutti") == NULL || sscanf(line, "%lx-%lx", &start, &end) != 2) continue;
    snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", start, end);
    if (stat(path, &status) == 0) now.pages = (long)status.st_blocks / 8;
  }
  fclose(maps);
  return now;
}

/* ---- what tasks do ---- */

/* Takes a number, exchanges a collective and a long message with its spawn group, and answers.
 * It leaves mail that it has not received. */
static void echo(void) {
  const int parent = tutti_parent(), me = tutti_rank(tutti_world()), p = tutti_size(tutti_world());
  const char *rank = getenv("TUTTI_RANK"),
             *size = getenv("TUTTI_SIZE"); /* those of the task, not of its parent */
  CHECK(rank != NULL && atoi(rank) == me && size != NULL && atoi(size) == p);
  CHECK(parent >= 0 && tutti_present(parent));
  uint64_t key = 0;
  const int number = receive(parent, &key);
  double x = number, sum = 0;
  const tutti_data in = tutti_array(&x, 1, TUTTI_DOUBLE), out = tutti_array(&sum, 1, TUTTI_DOUBLE);
  OK(tutti_allreduce(tutti_world(), &in, &out, TUTTI_SUM));
  char* text = malloc(long_bytes);
  memset(text, me + number, long_bytes);
  const tutti_data bytes = tutti_array(text, long_bytes, TUTTI_BYTE);
  OK(tutti_bcast(tutti_world(), &bytes, 0));
  OK(tutti_mail_send(parent, key + 1, &(int){(int)sum}, sizeof(int)));
  OK(tutti_mail_send(parent, key + 2, text, long_bytes));
  const tutti_status unread =
      tutti_mail_send(tutti_endpoint(tutti_world(), (me + 1) % p), 99, text, long_bytes);
  CHECK(unread == TUTTI_OK || unread == TUTTI_PEER_LEFT);
  free(text);
  OK(tutti_finalize());
}

/* Parent and child make groups, each the same number but in different orders. */
enum { labels = 3 };
static void sums_by_label(int parent, int child, const int* order) {
  const int endpoints[2] = {parent, child};
  tutti_group groups[labels];
  for (int i = 0; i < labels; ++i)
    OK(tutti_group_of_endpoints(2, endpoints, (uint64_t)i, &groups[i]));
  for (int i = 0; i < labels; ++i) {
    const int label = order[i];
    int value[2] = {label, tutti_rank(groups[label])}, sum[2] = {0, 0};
    const tutti_data in = tutti_array(value, 2, TUTTI_INT32),
                     out = tutti_array(sum, 2, TUTTI_INT32);
    const int root = tutti_rank(groups[label]) == 0;
    OK(tutti_reduce(groups[label], &in, root ? &out : NULL, TUTTI_SUM, 0));
    if (root) CHECK(sum[0] == 2 * label && sum[1] == 1);
  }
}

/* Prints the processors where this task may run, as a mask. */
static void place(void) {
  cpu_set_t set;
  int mask = 0;
  CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
  CHECK(getenv("OMPI_COMM_WORLD_RANK") == NULL &&
        getenv("PMI_RANK") == NULL); /* tasks do without MPI */
  for (int i = 0; i < 31; ++i) mask |= CPU_ISSET((size_t)i, &set) ? 1 << i : 0;
  OK(tutti_mail_send(tutti_parent(), 1, &mask, sizeof mask));
  OK(tutti_finalize());
}

static int task(const char* word) {
  if (strcmp(word, "silent") == 0) return 0; /* never joins */
  OK(tutti_init());
  if (strcmp(word, "echo") == 0) echo();
  if (strcmp(word, "labels") == 0) {
    sums_by_label(tutti_parent(), tutti_endpoint(tutti_world(), 0), (const int[labels]){0, 1, 2});
    OK(tutti_finalize());
  }
  if (strcmp(word, "place") == 0) place();
  if (strcmp(word, "outlive") == 0) {
    while (tutti_present(tutti_parent())) usleep(1000);
    usleep(200000);
    printf("the task ends\n");
    OK(tutti_finalize());
  }
  if (strcmp(word, "abort") == 0) tutti_abort(9, "so be it");
  if (strcmp(word, "finish") == 0) OK(tutti_finalize());
  if (strcmp(word, "exit") == 0) return 3;
  if (strcmp(word, "lock") == 0) take_lock();
  if (strcmp(word, "hang") == 0 || strcmp(word, "lock") == 0) {
    const int pid = getpid();
    OK(tutti_mail_send(tutti_parent(), 1, &pid, sizeof pid));
    for (;;) pause();
  }
  if (strcmp(word, "killed") == 0) { /* rank 1, while rank 0 waits for it in a collective */
    if (tutti_rank(tutti_world()) == 1) {
      const int pid = getpid();
      OK(tutti_mail_send(tutti_parent(), 1, &pid, sizeof pid));
      for (;;) pause();
    }
    const int status = (int)tutti_barrier(tutti_world());
    OK(tutti_mail_send(tutti_parent(), 2, &status, sizeof status));
    OK(tutti_finalize());
  }
  return 0;
}

/* ---- the tests ---- */

static void one_round(int round, int* endpoints) {
  static char text[long_bytes];
  spawn("echo", tasks, endpoints);
  for (int i = 0; i < tasks; ++i) {
    const int number = round + i;
    OK(tutti_mail_send(endpoints[i], (uint64_t)round * 10, &number, sizeof number));
    const tutti_status unread =
        tutti_mail_send(endpoints[i], 7, text, long_bytes); /* the last one may be quick */
    CHECK(unread == TUTTI_OK || unread == TUTTI_PEER_LEFT);
  }
  for (int i = 0; i < tasks; ++i) {
    uint64_t key = 0;
    CHECK(receive(endpoints[i], &key) == tasks * round + tasks * (tasks - 1) / 2);
    CHECK(key == (uint64_t)round * 10 + 1);
    const tutti_match match = from(endpoints[i]);
    tutti_envelope envelope;
    OK(tutti_mail_receive(&match, text, long_bytes, &envelope));
    CHECK(envelope.key == (uint64_t)round * 10 + 2 && envelope.bytes == long_bytes);
    for (int k = 0; k < long_bytes; k += 999) CHECK(text[k] == (char)round);
  }
}

static void wait_until_gone(const int* endpoints, int count) {
  for (int i = 0; i < count; ++i) {
    while (tutti_present(endpoints[i])) usleep(1000);
    const tutti_match match = from(endpoints[i]);
    CHECK(tutti_mail_probe(&match, 0, NULL) == TUTTI_WOULD_WAIT);
    CHECK(tutti_mail_send(endpoints[i], 0, NULL, 0) == TUTTI_PEER_LEFT);
    CHECK(strstr(tutti_error_text(), "endpoint") != NULL);
  }
}

/* `spawners` processes do this at the same time, so their use of memory cannot be told apart. */
static void rounds(int count, int spawners) {
  int endpoints[tasks], highest = 0;
  usage early = {0, 0, 0}, late;
  for (int round = 0; round < count; ++round) {
    one_round(round, endpoints);
    wait_until_gone(endpoints, tasks);
    for (int i = 0; i < tasks; ++i) {
      if (endpoints[i] % 1024 > highest) highest = endpoints[i] % 1024;
    }
    usleep(2000);
    if (round == count / 4) early = usage_now();
  }
  usleep(100000);
  late = usage_now();
  printf("slots up to %d; pages %ld then %ld; descriptors %d, supervisor's %d then %d\n", highest,
         early.pages, late.pages, late.mine, early.supervisor, late.supervisor);
  CHECK(highest < tutti_size(tutti_world()) + 4 * tasks * spawners);
  if (spawners > 1) return;
  CHECK(late.mine == early.mine && late.supervisor <= early.supervisor + 3 * tasks);
  /* A slot keeps its send ring, of 1024 pages, for the next task; which slot sends so much first
   * depends on timing. A long message lost in each round would be more. */
  CHECK(late.pages <= early.pages + 400 + (highest - tutti_size(tutti_world()) + 1) * 1100L);
}

/* A message whose sender ended after sending it is received, even if another process has the
 * slot now. */
static void late_mail(void) {
  int first[tasks], second[tasks];
  spawn("echo", tasks, first);
  for (int i = 0; i < tasks; ++i) OK(tutti_mail_send(first[i], 0, &i, sizeof i));
  while (tutti_present(first[0]) || tutti_present(first[1]) || tutti_present(first[2]))
    usleep(1000);
  usleep(100000);
  spawn("echo", tasks, second);
  for (int i = 0; i < tasks; ++i) OK(tutti_mail_send(second[i], 0, &i, sizeof i));
  for (int i = 0; i < tasks; ++i) {
    CHECK(first[i] != second[i] && first[i] % 1024 == second[i] % 1024);
    CHECK(receive(first[i], NULL) == 3 && receive(second[i], NULL) == 3);
  }
}

/* Checks what numbers say of the process whose end was the last error. */
static void check_end(int endpoint, tutti_end how, int signal, int exit_code) {
  tutti_error_subject subject = {0};
  subject.struct_size = sizeof subject;
  subject.unequal_sizes = 1;
  tutti_ending ending = {sizeof ending, TUTTI_NOT_ENDED, -1, -1};
  tutti_error_about(&subject);
  tutti_ending_of(endpoint, &ending);
  CHECK(subject.departed == endpoint && subject.unequal_sizes == 0);
  CHECK(ending.how == how && ending.signal == signal && ending.exit_code == exit_code);
  subject.struct_size = ending.struct_size = 1; /* too small, so they must stay as they are */
  subject.departed = ending.signal = -7;
  tutti_error_about(&subject);
  tutti_ending_of(endpoint, &ending);
  CHECK(subject.departed == -7 && ending.signal == -7);
}

static void kill_one(int tolerant) {
  int endpoints[tasks];
  if (tolerant) OK(tutti_tolerate_deaths());
  spawn("hang", 1, endpoints);
  const int pid = receive(endpoints[0], NULL);
  kill(pid, SIGKILL);
  CHECK(receive(endpoints[0], NULL) == -TUTTI_PEER_LEFT); /* with `together` the job ends here */
  check_end(endpoints[0], TUTTI_KILLED, SIGKILL, 0);
  CHECK(strstr(tutti_error_text(), "was killed") != NULL && !tutti_present(endpoints[0]));
  CHECK(receive(endpoints[0], NULL) == -TUTTI_PEER_LEFT);
  spawn("exit", 1, endpoints);
  CHECK(receive(endpoints[0], NULL) == -TUTTI_PEER_LEFT);
  check_end(endpoints[0], TUTTI_EXITED, 0, 3);
  spawn("finish", 1, endpoints);
  CHECK(receive(endpoints[0], NULL) == -TUTTI_PEER_LEFT);
  check_end(endpoints[0], TUTTI_LEFT, 0, 0);
  spawn("silent", 1, endpoints);
  CHECK(receive(endpoints[0], NULL) == -TUTTI_PEER_LEFT);
  spawn("killed", 2, endpoints);
  kill(receive(endpoints[1], NULL), SIGKILL);
  CHECK(receive(endpoints[0], NULL) == TUTTI_PEER_LEFT); /* what its spawn group's barrier said */
  rounds(5, 1);
  printf("still here\n");
}

static int never(void* looks) {
  return ++*(int*)looks < 0;
}
static int at_once(void* looks) {
  return ++*(int*)looks > 0;
}

static void end_with_23(int signal) {
  (void)signal;
  _exit(23);
}

/* A task dies while this process computes, or this process gets SIGTERM from elsewhere. */
static void compute(int own_end) {
  int endpoints[1];
  volatile double sum = 0;
  spawn("hang", 1, endpoints);
  const int pid = receive(endpoints[0], NULL);
  kill(own_end ? getpid() : pid, own_end ? SIGTERM : SIGKILL);
  for (;;) sum += 1;
}

/* Tests waits that give up, signals, locks, and groups that are named by a label. */
static void limits(void) {
  int endpoints[1], looks = 0;
  const tutti_match any = from(TUTTI_ANY);
  OK(tutti_tolerate_deaths());
  const int64_t before = tutti_departures();
  CHECK(tutti_mail_await(&any, 0.01, never, &looks, NULL) == TUTTI_WOULD_WAIT && looks > 0);
  CHECK(tutti_mail_await(&any, -1, at_once, &looks, NULL) == TUTTI_WOULD_WAIT);
  CHECK(tutti_arrive_unless("nobody comes", 2, at_once, &looks) == TUTTI_WOULD_WAIT);
  OK(tutti_arrive_unless("nobody comes", 1, NULL, NULL));
  spawn("labels", 1, endpoints);
  sums_by_label(tutti_endpoint(tutti_world(), 0), endpoints[0], (const int[labels]){2, 0, 1});
  spawn("hang", 1, endpoints);
  receive(endpoints[0], NULL);
  OK(tutti_signal(endpoints[0], SIGKILL));
  CHECK(receive(endpoints[0], NULL) == -TUTTI_PEER_LEFT && tutti_departures() > before);
  CHECK(tutti_signal(endpoints[0], SIGKILL) == TUTTI_PEER_LEFT &&
        tutti_signal(0, 999) == TUTTI_INVALID_ARGUMENT);
  tutti_group group;
  lock_of_the_dead();
  const int twice[2] = {0, 0}, other = 1;
  CHECK(tutti_group_of_endpoints(2, twice, 0, &group) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_group_of_endpoints(0, twice, 0, &group) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_group_of_endpoints(1, &other, 0, &group) == TUTTI_NOT_A_MEMBER);
  printf("still here\n");
}

static void errors(void) {
  int endpoints[1100];
  CHECK(tutti_spawn("/no/such/program", NULL, 2, endpoints) == TUTTI_SYSTEM_ERROR);
  CHECK(strstr(tutti_error_text(), "/no/such/program") != NULL &&
        strstr(tutti_error_text(), "No such file") != NULL);
  CHECK(tutti_spawn("no-such-program", NULL, 1, endpoints) == TUTTI_SYSTEM_ERROR);
  CHECK(tutti_spawn(self, NULL, 1100, endpoints) == TUTTI_NO_SLOT);
  CHECK(strstr(tutti_error_text(), "1100 tasks") != NULL);
  CHECK(tutti_spawn(self, NULL, 0, endpoints) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_spawn(NULL, NULL, 1, endpoints) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_mail_send(1000, 0, NULL, 0) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_parent() == -1 && !tutti_present(1000) && !tutti_present(-1));
  rounds(4, 1);
}

/* Prints the error that a spare rank gets if it calls something after it has served. */
static int be_spare(void) {
  int code = 1;
  OK(tutti_serve_as_spare(&code));
  tutti_errors_return();
  if (tutti_rank(tutti_world()) < 0) printf("%s\n", tutti_error_text());
  return code;
}

int main(int argc, char** argv) {
  self = argv[0];
  if (argc > 2 && strcmp(argv[1], "task") == 0) return task(argv[2]);
  const char* test = argc > 1 ? argv[1] : "";
  if (strcmp(test, "spare") == 0) return be_spare();
  OK(tutti_init());
  if (tutti_rank(tutti_world()) == 0 || strcmp(test, "everybody") == 0) {
    if (strcmp(test, "rounds") == 0) rounds(argc > 2 ? atoi(argv[2]) : 100, 1);
    if (strcmp(test, "everybody") == 0) rounds(10, tutti_size(tutti_world()));
    if (strcmp(test, "late_mail") == 0) late_mail();
    if (strcmp(test, "together") == 0) kill_one(0);
    if (strcmp(test, "handling") == 0) signal(SIGTERM, end_with_23);
    if (strcmp(test, "computing") == 0 || strcmp(test, "handling") == 0) compute(0);
    if (strcmp(test, "terminated") == 0) compute(1);
    if (strcmp(test, "tolerant") == 0) kill_one(1);
    if (strcmp(test, "errors") == 0) errors();
    if (strcmp(test, "limits") == 0) limits();
    under_mpi(test, argc > 2 ? atoi(argv[2]) : 0);
  }
  OK(tutti_finalize());
  return 0;
}
