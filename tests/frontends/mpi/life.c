/* SPDX-License-Identifier: BSD-3-Clause
 *
 * life PART...: tests what happens to communicators and jobs around collectives, part by part.
 * programs.py runs it by `tutti mpi`. The words after the part spawn are the command to start. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank = 0, size = 1, wrong = 0;

static void expect(const char* what, int good) {
  if (good) return;
  ++wrong;
  printf("rank %d: %s is wrong\n", rank, what);
  fflush(stdout);
}

/* Returns the sum of the ranks of a communicator, by a collective on it. */
static int sum_of_ranks(MPI_Comm comm) {
  int mine = 0, sum = -1;
  MPI_Comm_rank(comm, &mine);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}
static int right_sum(MPI_Comm comm) {
  int count = 0;
  MPI_Comm_size(comm, &count);
  return sum_of_ranks(comm) == count * (count - 1) / 2;
}

/* Ten thousand communicators, one after the other. */
static void many(void) {
  int good = 1;
  for (int i = 0; i < 10000; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (i % 10 == 0) good = right_sum(comm) && good;
    MPI_Comm_free(&comm);
  }
  expect("a sum on one of 10000 communicators", good);
}

static void alive(void) {
  enum { number = 1500 };
  static MPI_Comm all[number];
  int good = 1;
  for (int i = 0; i < number; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
  for (int turn = 0; turn < 2; ++turn)
    for (int i = 0; i < number; ++i) good = right_sum(all[i]) && good;
  for (int i = 0; i < number; ++i) MPI_Comm_free(&all[i]);
  expect("a sum on one of 1500 communicators", good);
}

static void self(void) {
  MPI_Comm copy;
  int value = rank, got[1] = {-1};
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  for (int i = 0; i < 10; ++i) {
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Allgather(&value, 1, MPI_INT, got, 1, MPI_INT, i % 2 == 0 ? copy : MPI_COMM_SELF);
    expect("a gather on oneself", got[0] == rank);
    expect("a sum on oneself", right_sum(copy));
  }
  MPI_Comm_free(&copy);
}

/* Collectives on both halves, between them, and on all together. */
static void inter(void) {
  MPI_Comm half, between, merged;
  const int upper = rank >= size / 2, there = upper ? 0 : size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, there, 3, &between);
  for (int i = 0; i < 10; ++i) {
    int sum = -1, others = 0;
    MPI_Comm_remote_size(between, &others);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
    expect("a sum between halves", sum == others * there + others * (others - 1) / 2);
    int told = !upper && rank == 0 ? 5 + i : -1;
    MPI_Bcast(&told, 1, MPI_INT, upper ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
    expect("a broadcast between halves", !upper || told == 5 + i);
    MPI_Barrier(between);
    expect("a sum on a half", right_sum(half));
  }
  MPI_Intercomm_merge(between, upper, &merged);
  for (int i = 0; i < 10; ++i) expect("a sum on both halves", right_sum(merged));
  MPI_Comm_free(&merged);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

/* Ranks that were started later take part in collectives. */
static void merge_with(MPI_Comm family, int high) {
  MPI_Comm merged;
  MPI_Barrier(family);
  MPI_Intercomm_merge(family, high, &merged);
  for (int i = 0; i < 20; ++i) expect("a sum with spawned ranks", right_sum(merged));
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&family);
  for (int i = 0; i < 20; ++i) expect("a sum beside spawned ranks", right_sum(MPI_COMM_WORLD));
}

static void spawn(char** words) {
  MPI_Comm family;
  MPI_Comm_get_parent(&family);
  if (family != MPI_COMM_NULL) {
    merge_with(family, 1);
    return;
  }
  MPI_Comm_spawn(words[0], words + 1, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &family,
                 MPI_ERRCODES_IGNORE);
  merge_with(family, 0);
}

#if MPI_VERSION >= 4
static void sessions(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "life", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  for (int i = 0; i < 20; ++i) expect("a sum in a session", right_sum(comm));
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}
#endif

/* A rank leaves while its message still has to be taken by another one. */
static void pending(void) {
  enum { length = 1 << 20 };
  static char data[length];
  MPI_Request request;
  expect("a sum", right_sum(MPI_COMM_WORLD));
  if (rank == 0) {
    memset(data, 7, length);
    MPI_Isend(data, length, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  } else if (rank == 1) {
    usleep(300000);
    MPI_Recv(data, length, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect("a message of a rank that leaves", data[length - 1] == 7);
  }
}

/* The receiver of a broadcast has less room than is sent. Other communicators go on. */
static void sizes(void) {
  int data[8] = {0}, class = 0;
  MPI_Comm comm, other;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect("a sum", right_sum(comm) && right_sum(other));
  for (int i = 0; i < 2; ++i) {
    const int code = MPI_Bcast(data, rank == 0 ? 8 : 4, MPI_INT, 0, comm);
    MPI_Error_class(code, &class);
    expect("the class of an error", rank == 0 || class == MPI_ERR_TRUNCATE);
  }
  for (int i = 0; i < 5; ++i) expect("a sum elsewhere", right_sum(other));
  MPI_Comm_free(&comm);
  MPI_Comm_free(&other);
}

/* The last rank ends the job while the others wait for it. */
static void end_by(const char* how) {
  right_sum(MPI_COMM_WORLD);
  if (rank == size - 1) {
    usleep(100000);
    if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(how, "death") == 0) kill(getpid(), SIGKILL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Other ranks put numbers into the memory of rank 0, which waits for them in a barrier. */
static void window(void) {
  enum { calls = 50, most = 64 };
  static int slots[most];
  int good = 1;
  MPI_Win win;
  MPI_Win_create(slots, sizeof slots, sizeof *slots, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  right_sum(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  for (int i = 1; rank != 0 && i <= calls; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&i, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - begun;
  MPI_Win_free(&win);
  for (int i = 1; rank == 0 && i < size; ++i) good = good && slots[i] == calls;
  expect("a number in a window", good);
  if (rank == 0) printf("%d accesses of each rank: %.6f s\n", calls, seconds);
}

typedef void Subroutine(void);

static Subroutine* subroutine(const char* name) {
  Subroutine* found = NULL;
  void* const address = dlsym(RTLD_DEFAULT, name);
  memcpy(&found, &address, sizeof found);
  return found;
}

/* A window and a file that Fortran's subroutines open and close. Each name is one of the spellings
 * that compilers use. */
static void fortran(void) {
  typedef void Create(void*, MPI_Aint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
  typedef void Open(MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, size_t);
  typedef void Close(MPI_Fint*, MPI_Fint*);
  int slot = 0;
  MPI_Aint bytes = sizeof slot;
  MPI_Fint unit = 1, info = MPI_Info_c2f(MPI_INFO_NULL), world = MPI_Comm_c2f(MPI_COMM_WORLD);
  MPI_Fint window = -1, file = -1, error = -1, mode = MPI_MODE_RDONLY;
  char name[] = "/dev/nullx"; /* Fortran's texts end by their length */
#if defined(OPEN_MPI)
  dlopen("libmpi_mpifh.so.40", RTLD_NOW | RTLD_GLOBAL);
#else
  dlopen("libmpichfort.so.12", RTLD_NOW | RTLD_GLOBAL);
#endif
  Create* const create = (Create*)subroutine("mpi_win_create_");
  Open* const open = (Open*)subroutine("mpi_file_open__");
  Close *const free = (Close*)subroutine("MPI_WIN_FREE"), *const close =
                                                              (Close*)subroutine("mpi_file_close");
  create(&slot, &bytes, &unit, &info, &world, &window, &error);
  expect("a window of Fortran", error == MPI_SUCCESS);
  expect("a sum beside the window", right_sum(MPI_COMM_WORLD));
  free(&window, &error);
  expect("the end of a window of Fortran", error == MPI_SUCCESS);
  open(&world, name, &mode, &info, &file, &error, sizeof "/dev/null" - 1);
  expect("a file of Fortran", error == MPI_SUCCESS);
  close(&file, &error);
  expect("the end of a file of Fortran", error == MPI_SUCCESS);
}

struct Part {
  const char* name;
  void (*run)(void);
};
static const struct Part parts[] = {{"many", many},        {"alive", alive},    {"self", self},
                                    {"inter", inter},      {"sizes", sizes},    {"window", window},
#if MPI_VERSION >= 4
                                    {"session", sessions},
#endif
                                    {"fortran", fortran},  {"pending", pending}};

static void run(const char* name) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (strcmp(parts[i].name, name) == 0) parts[i].run();
  if (strcmp(name, "abort") == 0 || strcmp(name, "death") == 0) end_by(name);
}

int main(int argc, char** argv) {
#if MPI_VERSION >= 4
  if (argc > 1 && strcmp(argv[1], "session-alone") == 0) {
    sessions();
    if (wrong == 0) printf("right\n");
    return wrong != 0;
  }
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "spawn") == 0) {
      spawn(argv + i + 1);
      break;
    }
    run(argv[i]);
  }
  if (wrong == 0 && rank == 0) printf("right\n");
  MPI_Finalize();
  return wrong != 0;
}
