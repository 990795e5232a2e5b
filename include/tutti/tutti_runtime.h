/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tutti for authors of front ends: what is not a collective. It may change in any version
 * before 1.0. A front end has rules of its own for errors, so the functions of this header always
 * return their status, and between tutti_enter and tutti_leave those of tutti.h do, too.
 */
#ifndef TUTTI_TUTTI_RUNTIME_H
#define TUTTI_TUTTI_RUNTIME_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- this process and its job ---- */

/* 1 when a launcher started this process (or the world was spawned), 0 for a program started by
 * hand. */
TUTTI_API int tutti_launched(void);
/* tutti_init for a program that may belong to a machine, which is a job that runs under a name:
 * when it was started by hand and another program has made the machine, it becomes a task without a
 * parent there. If there is none and `make` is not 0, it makes one that tolerates deaths, and waits
 * for those that have joined it when it exits. */
TUTTI_API tutti_status tutti_init_in_machine(const char* machine, int make);
/* tutti_init over this transport, whatever TUTTI_TRANSPORT says. "pvmd": the tasks of a PVM that is
 * there. Endpoints are task identifiers, the world is what one pvm_spawn has started; tasks of
 * several spawns make groups by tutti_group_of_endpoints. Nothing is communicated. */
TUTTI_API tutti_status tutti_init_over(const char* transport);
/* A program started by hand becomes rank 0 of n: a supervisor and n-1 copies of the program (same
 * arguments) are started. Only before any group, plan or message other than the world. */
TUTTI_API tutti_status tutti_spawn_world(int n);
TUTTI_API int tutti_endpoint(tutti_group group, int rank); /* -1 when there is none */
/* Hosts of the job: machines that share no memory with each other; 1 unless MPI has started the
 * job. */
TUTTI_API int tutti_hosts(void);
/* Which of them, from 0 in the order of their lowest world ranks; -1 when there is no such rank. */
TUTTI_API int tutti_host(tutti_group group, int rank);
/* The ordered list of endpoints becomes a group. Called by its members only, which give the same
 * list and the same label; a list may be used again with another label. Nothing is communicated.
 * Members may make the calls of such a group in another order among those of their other groups
 * than the rest does. */
TUTTI_API tutti_status tutti_group_of_endpoints(int count, const int* endpoints, uint64_t label,
                                                tutti_group* group);

/* ---- collectives ---- */

/* A question that a waiting call asks while it waits, at least every 50 ms: non-zero ends the wait.
 */
typedef int (*tutti_give_up_fn)(void* user);
/* From now on every blocking collective and plan of this process asks it while it waits; non-zero
 * ends the call with TUTTI_WOULD_WAIT. The group is of no more use then, and what its members have
 * sent is never received, which only groups of tutti_group_of_endpoints put up with. NULL = none.
 */
TUTTI_API void tutti_on_wait(tutti_give_up_fn give_up, void* user);
/* tutti_op_create for a function that is always called with all elements of an operand, never with
 * a part of them. Only for algorithms that do not cut the vector, and for contiguous operands;
 * otherwise TUTTI_INVALID_ARGUMENT. */
TUTTI_API tutti_status tutti_op_create_on_vectors(tutti_type type, tutti_combine_fn combine,
                                                  int commutative, void* user, tutti_op* op);

/* ---- tasks: processes that come and go while the job runs ---- */

/* Starts `count` processes of a program, with `arguments` (a list that ends with NULL; NULL for
 * none) after its name. A path without a slash is looked up in PATH. All or none are started;
 * endpoints[0..count-1] names them for ever: no later task has the same number. They are a world of
 * their own and share stdout with the caller; stdin is empty, the environment that of the launcher.
 * A program started by hand gets a supervisor first. Where MPI has started the job, each task needs
 * a spare rank, on the one host of the job: TUTTI_NO_SLOT and nothing is started when too few are
 * free. */
TUTTI_API tutti_status tutti_spawn(const char* path, const char* const* arguments, int count,
                                   int* endpoints);
/* Instead of tutti_init, in a process that MPI has started and that does nothing else: it is no
 * rank of the world but a spare rank, which `tutti spare` is, too. Collective over MPI_COMM_WORLD,
 * with tutti_init of the ranks. Returns when the ranks have left and their tasks have ended;
 * exit_code, which may be NULL, is what the process should exit with. */
TUTTI_API tutti_status tutti_serve_as_spare(int* exit_code);
TUTTI_API int tutti_parent(
    void); /* the endpoint that started this task; -1 for a process the job started with */
/* 1 while messages to the endpoint can be received, 0 when it has left, was killed, or never was.
 */
TUTTI_API int tutti_present(int endpoint);
/* How often a task has left or a process has died so far; of the latter only those that do not end
 * the job. A load. */
TUTTI_API int64_t tutti_departures(void);
/* The launcher sends a signal to the process at an endpoint. TUTTI_PEER_LEFT when there is none any
 * more. */
TUTTI_API tutti_status tutti_signal(int endpoint, int signal);
/* From now on the death of a process does not end the job: waiting for it, and sending to it, gives
 * TUTTI_PEER_LEFT. Only in a program started by hand, before others are started, and, of tasks, in
 * a job of MPI's that has spare ranks; else TUTTI_DEATHS=tolerant does it. */
TUTTI_API tutti_status tutti_tolerate_deaths(void);

/* The value of an integer, flag or seconds variable of `tutti info --vars`; its default when it is
 * not set. -1 (and tutti_error_text) for a name that is not declared or a value that is not
 * understood. */
TUTTI_API int64_t tutti_setting(const char* name);
/* The value of any variable as text; returns its length without the final 0 and writes at most
 * `size` bytes. */
TUTTI_API size_t tutti_setting_text(const char* name, char* text, size_t size);

/* ---- what this process is doing, for reports ---- */

/* A call of the front end begins, and ends. Its name stands in reports (at most 23 characters are
 * kept; NULL: none). Within it failed calls of tutti.h return their status, as after
 * tutti_errors_push_return(). Costs a few stores. */
TUTTI_API void tutti_enter(const char* call);
TUTTI_API void tutti_leave(void);

/* Where the call in progress comes from: the innermost return address outside of tutti's libraries,
 * 0 if there is none. */
TUTTI_API uint64_t tutti_call_site(void);
/* "solve+0x5f (prog+0x1a5f)", and ", solve.c:12" behind it where the program has line numbers and
 * addr2line is there. Returns the length without the final 0 and writes at most `size` bytes. Takes
 * milliseconds: for error messages. */
TUTTI_API size_t tutti_call_site_text(uint64_t site, char* text, size_t size);

/* ---- mailbox: locally blocking sends between endpoints ---- */

/* A message carries a 64-bit key. A receive takes the first message, in order of arrival per
 * sender, with (key & mask) == wanted from `source` (an endpoint, or TUTTI_ANY), and for which
 * accept (if not NULL) returns non-zero. */
typedef int (*tutti_accept_fn)(void* user, int source, uint64_t key, int64_t bytes);
typedef struct {
  size_t struct_size;
  int source;
  uint64_t wanted, mask;
  tutti_accept_fn accept;
  void* user;
} tutti_match;
typedef struct {
  int source;
  uint64_t key;
  int64_t bytes;
} tutti_envelope;

TUTTI_API tutti_status tutti_mail_send(int endpoint, uint64_t key, const void* data, int64_t bytes);
/* One copy of the data for all receivers. */
TUTTI_API tutti_status tutti_mail_multicast(int count, const int* endpoints, uint64_t key,
                                            const void* data, int64_t bytes);
/* Waits for a match and copies it out; TUTTI_TRUNCATED (and nothing is taken) when it is longer
 * than `space`. */
TUTTI_API tutti_status tutti_mail_receive(const tutti_match* match, void* data, int64_t space,
                                          tutti_envelope* envelope);
/* TUTTI_WOULD_WAIT when nothing matches now (wait = 0). The message stays. */
TUTTI_API tutti_status tutti_mail_probe(const tutti_match* match, int wait,
                                        tutti_envelope* envelope);
/* tutti_mail_probe with wait; TUTTI_WOULD_WAIT when `seconds` have passed (negative: never) or
 * give_up (or NULL) says so. */
TUTTI_API tutti_status tutti_mail_await(const tutti_match* match, double seconds,
                                        tutti_give_up_fn give_up, void* user,
                                        tutti_envelope* envelope);
/* Gives back the idle send buffer and the memory that plans keep for intermediate results; with
 * wait != 0 first waits until all sends of this process have been received. */
TUTTI_API tutti_status tutti_mail_release(int wait);

/* ---- directory of shared records and arrival counters ---- */

/* Both only where the job has one host; else TUTTI_INVALID_ARGUMENT.
 * A record is `bytes` zeroed bytes shared by all processes of the job under a name of up to 63
 * characters; made by whoever asks first, the size must agree. `address` stays valid until
 * finalize. */
TUTTI_API tutti_status tutti_record(const char* name, int64_t bytes, void** address);
/* Waits until `count` processes (the caller included) have arrived at the counter of this name; the
 * counter then starts anew. All callers of one round give the same count. */
TUTTI_API tutti_status tutti_arrive(const char* name, int count);
/* The same; when give_up says so, the arrival is taken back and TUTTI_WOULD_WAIT returned. */
TUTTI_API tutti_status tutti_arrive_unless(const char* name, int count, tutti_give_up_fn give_up,
                                           void* user);

/* ---- windows: memory of one process that the others of its machine read and write directly ----
 */

/* `bytes` of memory, aligned to a cache line, contents arbitrary; this process's until it frees it
 * or finalizes. */
TUTTI_API tutti_status tutti_window_allocate(int64_t bytes, void** address);
/* Nobody may use the window any more. */
TUTTI_API tutti_status tutti_window_free(void* address);
/* The number by which other processes find this place, which may lie inside a window; 0 if it lies
 * in none. */
TUTTI_API uint64_t tutti_window_name(const void* address);
/* Where this process sees the place that the endpoint calls `name`; NULL when it cannot be reached
 * from here. Who may read or write when is for the processes to agree on; what was written before a
 * message or a collective is seen after it. */
TUTTI_API void* tutti_window_address(int endpoint, uint64_t name);

#ifdef __cplusplus
}
#endif
#endif
