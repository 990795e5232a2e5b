/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tutti for authors of front ends: everything that is not a collective. It may change in any
 * version before 1.0. A front end has error rules of its own. So the functions of this header
 * always return their status, and between tutti_enter and tutti_leave those of tutti.h do so, too.
 */
#ifndef TUTTI_TUTTI_RUNTIME_H
#define TUTTI_TUTTI_RUNTIME_H
#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- this process and its job ---- */

/* Returns 1 if a launcher has started this process or the world was spawned, 0 if a user has. */
TUTTI_API int tutti_launched(void);
/* Returns how many processors the processes of this job may use on this machine: those of their
 * affinity masks, but no more than the control groups allow. Before tutti_init it is the number for
 * this process. */
TUTTI_API int tutti_processors(void);
/* The same, as far as the environment of this process tells before tutti_init. */
TUTTI_API int tutti_has_launcher(void);
/* Calls tutti_init for a program that may belong to a machine, which is a job that runs under a
 * name. If the program was started by hand and another program has made the machine, it becomes a
 * task without a parent there. If there is no such machine and `make` is not 0, it makes one that
 * tolerates deaths; when it exits, it waits for those that have joined. */
TUTTI_API tutti_status tutti_init_in_machine(const char* machine, int make);
/* Calls tutti_init over this transport, whatever TUTTI_TRANSPORT says. "pvmd" means the tasks of an
 * existing PVM. Endpoints are then task identifiers, and the world is the group that one pvm_spawn
 * has started. Tasks of several spawns make groups by tutti_group_of_endpoints. Nothing is
 * communicated. */
TUTTI_API tutti_status tutti_init_over(const char* transport);
/* Makes a program that was started by hand rank 0 of n: starts a supervisor and n-1 copies of the
 * program with the same arguments. Allowed only before any group other than the world, any plan or
 * any message exists. */
TUTTI_API tutti_status tutti_spawn_world(int n);
TUTTI_API int tutti_endpoint(tutti_group group, int rank); /* returns -1 if there is none */
/* Returns the number of the job's hosts: machines that share no memory with each other. It is 1
 * unless MPI has started the job. */
TUTTI_API int tutti_hosts(void);
/* Returns the host of a rank. Hosts count from 0 in the order of their lowest world ranks; -1 if
 * there is no such rank. */
TUTTI_API int tutti_host(tutti_group group, int rank);
/* Makes a group of the ordered list of endpoints. Only its members call it, with the same list and
 * the same label; a list may be used again with another label. Nothing is communicated. Each member
 * may order the calls of such a group among those of its other groups as it likes. */
TUTTI_API tutti_status tutti_group_of_endpoints(int count, const int* endpoints, uint64_t label,
                                                tutti_group* group);

/* From now on, the algorithm "native" serves the group, as it serves tutti_world: the collectives
 * of the MPI that has started the job. All ranks of the group call it, and it waits for them. The
 * status is TUTTI_NO_SUCH_PLAN if no MPI has started them. */
TUTTI_API tutti_status tutti_group_use_mpi(tutti_group group);

/* Loads what tutti needs of its own for the MPI that has started this process, if one has.
 * tutti_init does that, too. A caller that can do without tutti does it before, and lets all
 * processes agree: tutti_init waits for those that fail here. */
TUTTI_API tutti_status tutti_load_mpi(void);

/* From now on, or with 0 no longer, each wait of this process lets the MPI that has started the job
 * work at least about every 20 us, because other processes may access a window or a file of MPI for
 * which they need this process. If each process has a processor, the wait then does not sleep for
 * half a second. Otherwise long waits do so about once in a millisecond. Between hosts it changes
 * nothing. */
TUTTI_API tutti_status tutti_let_mpi_work_often(int on);

/* Leaves the job as tutti_finalize does, for a caller that calls MPI_Finalize next, whoever has
 * begun MPI. If an MPI has started the job, this waits until all processes of the host have left.
 * `may_end` receives 0 if one of them has failed: the launcher is about to end this process, which
 * must not call MPI_Finalize. Otherwise it receives 1. */
TUTTI_API tutti_status tutti_finalize_before_mpi(int* may_end);

/* Returns 1 if a row of rank 0's tables gives a call of a program of MPI to the MPI itself, else 0.
 * All processes of the job get the same answer. `mpi` is openmpi or mpich, and `operation` a name
 * such as alltoallv. mpi_combines is 1 for reductions whose operator the MPI applies. `bytes` is
 * the size as far as all members know it. */
TUTTI_API int tutti_mpi_serves(const char* mpi, const char* operation, int mpi_combines, int ranks,
                               int64_t bytes);

/* ---- collectives ---- */

/* From now on, every wait of this process asks `give_up`: in collectives, plans, requests,
 * messages, sends that wait for memory or room, arrivals, and in tutti_init, before which it may be
 * set. A result other than 0 ends the call with TUTTI_WOULD_WAIT. A request then goes on, and a
 * message that was waited for stays. After a blocking collective or plan, the group cannot be used
 * any more, and messages of its members are never received; only groups of tutti_group_of_endpoints
 * tolerate that. A wait inside of an MPI's own call is not asked. NULL removes the predicate. */
TUTTI_API void tutti_on_wait(tutti_give_up_fn give_up, void* user);
/* From now on a rank may have room for more than it is sent, and a result may be shorter than its
 * room: that of bcast, scatter, scatterv, gatherv, allgatherv and alltoallv, if the algorithm sends
 * whole vectors or whole blocks. Otherwise, and with NULL, that is an error. A call that receives
 * less calls `tell`: `output` is the address of its result, `block` the number of the block that is
 * shorter, or -1 if it is the whole vector (that of all ranks in scatter), `bytes` its size. */
typedef void (*tutti_shorter_fn)(void* user, const void* output, int block, int64_t bytes);
TUTTI_API void tutti_accept_shorter(tutti_shorter_fn tell, void* user);
/* Leaves x op y in x, element by element or not. Both have `count` elements, and their memory is
 * aligned for any type. The function may change y, too. */
typedef void (*tutti_in_place_fn)(void* x, void* y, int64_t count, void* user);
/* Makes an operator as tutti_op_create does, of a function that changes its arguments. It is always
 * called with all elements of an operand, never with a part of them. It serves only algorithms that
 * do not cut the vector, and contiguous operands; otherwise a call gives TUTTI_INVALID_ARGUMENT. */
TUTTI_API tutti_status tutti_op_create_in_place(tutti_type type, tutti_in_place_fn combine,
                                                int commutative, void* user, tutti_op* op);

/* ---- tasks: processes that come and go while the job runs ---- */

/* Starts `count` processes of a program, or none. `arguments` follow its name: a list that ends
 * with NULL, or NULL for none. A path without a slash is looked up in PATH. endpoints[0..count-1]
 * name the tasks for ever: no later task has the same number. The tasks are a world of their own
 * and share stdout with the caller; stdin is empty, and the environment is that of the launcher. A
 * program started by hand gets a supervisor first. Where MPI has started the job, each task needs a
 * spare rank on the one host of the job. If too few are free, nothing is started and the status is
 * TUTTI_NO_SLOT. */
TUTTI_API tutti_status tutti_spawn(const char* path, const char* const* arguments, int count,
                                   int* endpoints);
/* Starts tasks as tutti_spawn does. Their stdout and stderr are the descriptor `output`. */
TUTTI_API tutti_status tutti_spawn_logged(const char* path, const char* const* arguments, int count,
                                          int output, int* endpoints);
/* Takes the place of tutti_init in a process that MPI has started and that does nothing else. The
 * process is no rank of the world but a spare rank, like `tutti spare`. Collective over
 * MPI_COMM_WORLD, together with tutti_init of the ranks. Returns when the ranks have left and their
 * tasks have ended. exit_code, which may be NULL, gets the code with which the process should exit.
 */
TUTTI_API tutti_status tutti_serve_as_spare(int* exit_code);
/* Returns the endpoint that started this task; -1 for a process that the job started with. */
TUTTI_API int tutti_parent(void);
/* Returns 1 while messages to the endpoint can be received; 0 if it has left, was killed, or never
 * existed. */
TUTTI_API int tutti_present(int endpoint);
/* Returns how often a task has left or a process has died so far, without deaths that end the job.
 * Costs one load. */
TUTTI_API int64_t tutti_departures(void);
/* Writes how the process at an endpoint has ended: a text such as "was killed by signal 9
 * (Killed)", "has exited with code 3" or "has left the job"; "has ended" if a later task has its
 * place; nothing if it has not ended or is on another host. Returns the length without the final 0
 * and writes at most `size` bytes. */
TUTTI_API size_t tutti_ending_text(int endpoint, char* text, size_t size);
typedef enum {
  TUTTI_NOT_ENDED = 0,
  TUTTI_LEFT,    /* in good order */
  TUTTI_KILLED,  /* by a signal */
  TUTTI_EXITED,  /* with an exit code, without leaving the job */
  TUTTI_FAILED,  /* it was killed or has exited; more is not known */
  TUTTI_REPLACED /* a later task has its place, so no more is known */
} tutti_end;
typedef struct {
  size_t struct_size;
  tutti_end how;
  int signal;    /* of TUTTI_KILLED, else 0 */
  int exit_code; /* of TUTTI_EXITED, else 0 */
} tutti_ending;
/* Says in numbers what tutti_ending_text says in words. The caller sets struct_size; a structure of
 * a smaller size is left as it is. */
TUTTI_API void tutti_ending_of(int endpoint, tutti_ending* ending);
/* Makes the launcher send a signal to the process at an endpoint. The status is TUTTI_PEER_LEFT if
 * the process is gone. */
TUTTI_API tutti_status tutti_signal(int endpoint, int signal);
/* From now on, the death of a process does not end the job. Waiting for it, or sending to it, gives
 * TUTTI_PEER_LEFT. If all processes wait without a time limit, so that nobody can end a wait, all
 * these waits give TUTTI_PEER_LEFT, unless other programs may still join the job. Allowed in a
 * program started by hand, before it starts others. In a job of MPI's that has spare ranks it
 * concerns the tasks. Elsewhere TUTTI_DEATHS=tolerant does the same. */
TUTTI_API tutti_status tutti_tolerate_deaths(void);

/* Returns the value of an integer, flag or seconds variable of `tutti info --vars`, or its default
 * if it is not set. Returns -1, with a tutti_error_text, for an unknown name or a wrong value. */
TUTTI_API int64_t tutti_setting(const char* name);
/* Writes the value of any variable as text. Returns its length without the final 0 and writes at
 * most `size` bytes. */
TUTTI_API size_t tutti_setting_text(const char* name, char* text, size_t size);

/* Returns the value of a row of `tutti info --tuning` for this process: bytes, nanoseconds, or a
 * count. It never changes after tutti_init, so a front end reads it once; before tutti_init it is
 * the value for a job that this process would make. Returns -1, with a tutti_error_text, for an
 * unknown row, or if TUTTI_TUNING or the machine file is wrong. */
TUTTI_API int64_t tutti_tuning(const char* row);

/* Returns a rate of the machine profile by which the job chooses its algorithms, in microseconds:
 * "alpha", the start of a message; "beta", a byte of it; "gamma", the combination of a byte. The
 * result is equal in all processes; -1 for another name, or if the profile cannot be used. */
TUTTI_API double tutti_profile_rate(const char* name);

/* ---- descriptors ---- */

/* Returns this descriptor if it is 3 or above, or else a copy that is, and closes the lower one;
 * -1, with errno, for -1 or if there is no copy. The copy closes on exec. A program may have closed
 * 0, 1 or 2; a library that opens something must not get these numbers, because what the program
 * prints would go there. */
TUTTI_API int tutti_raise_descriptor(int descriptor);
/* Opens a file that has a foreseeable name in a folder where other users may write, such as /tmp.
 * `flags` are those of open(); a file that is made can be read and written by this user alone. The
 * result is -1, with errno EACCES, if another user has put something at that name: a file, a link,
 * a queue, a folder. It never waits. */
TUTTI_API int tutti_open_in_shared_folder(const char* path, int flags);
/* Opens those of 0, 1 and 2 that are closed. They stay unusable, so that output that is lost is an
 * error. It is for main functions; a library leaves the descriptors of its program alone. */
TUTTI_API void tutti_open_missing_stdio(void);

/* ---- what this process is doing, for reports ---- */

/* tutti_enter marks the start of a call of the front end, tutti_leave its end. Reports show the
 * name, of which at most 23 characters are kept; NULL means none. In between, failed calls of
 * tutti.h return their status, as after tutti_errors_push_return(). Both cost a few stores. The
 * status is TUTTI_WRONG_THREAD if another thread of the process is inside a call; the front end
 * must then touch nothing that its threads share, and does not call tutti_leave. */
TUTTI_API tutti_status tutti_enter(const char* call);
TUTTI_API void tutti_leave(void);
/* on = 0: the next calls are the front end's own, and TUTTI_EXPLAIN does not report them; on = 1:
 * they are the program's again. */
TUTTI_API void tutti_explain(int on);

/* Adds a text to what reports of a hang or a failure say about the call that this process is in. At
 * most 191 characters are kept, until the next call of this function; NULL takes the text away. */
TUTTI_API void tutti_describe_call(const char* text);

/* Adds a line to each report of a failure of the job. The first text that a process of the job
 * gives stays. */
TUTTI_API tutti_status tutti_add_to_failure_report(const char* text);
/* From now on, or with 0 no longer, this process measures for how long it waits for others in calls
 * of tutti. */
TUTTI_API void tutti_measure_waits(int on);
/* Returns the seconds that this process has waited while it measured that. What it waits inside of
 * the MPI's own collectives is not seen. */
TUTTI_API double tutti_seconds_waited(void);
/* Counts the long messages of collectives that this process has sent without packets. The caller
 * sets struct_size; a smaller structure is left as it is. Where there is no job, all are 0. */
typedef struct {
  size_t struct_size;
  int64_t in_place; /* the receiver has read them in the memory of this process */
  int64_t together; /* one of the two ends, or both, have copied them into the receiver's memory */
} tutti_sent_long;
TUTTI_API void tutti_count_sent_long(tutti_sent_long* counts);
/* Returns nanoseconds since some moment, by the clock that all waits of the job go by. It never
 * goes back. It may be called before tutti_init and after tutti_finalize, too. */
TUTTI_API uint64_t tutti_nanoseconds(void);

/* What tutti_error_text is about, for a front end that has words or codes of its own. The caller
 * sets struct_size; a structure of a smaller size is left as it is. */
typedef struct {
  size_t struct_size;
  int departed;      /* the endpoint of the process that is needed and has ended; -1: none */
  int unequal_sizes; /* 1 if ranks have given different sizes to one collective, else 0 */
  /* Then: the rank that sent another size than this one expected, and both sizes. They are those
   * of the vector, or of one rank's block; with of_part = 1 those of a part of the vector. */
  int sender;
  int of_part;
  int64_t expected_bytes, sent_bytes;
} tutti_error_subject;
TUTTI_API void tutti_error_about(tutti_error_subject* subject);

/* Returns where the call in progress comes from: the innermost return address outside of tutti's
 * libraries; 0 if there is none. If that is in a module of Python, it is a number with the highest
 * bit, which stands for the line of Python that the thread executes. */
TUTTI_API uint64_t tutti_call_site(void);
/* Says where the call in progress comes from, if a front end has asked before tutti_enter. So
 * TUTTI_EXPLAIN need not ask inside of tutti, where another thread may wait that holds the
 * interpreter of Python. 0: it asks. */
TUTTI_API void tutti_call_comes_from(uint64_t site);
/* Writes a text such as "solve+0x5f (prog+0x1a5f)", or "kmeans.py:22" for a line of Python. ",
 * solve.c:12" follows if the program has line numbers and addr2line is installed. Returns the
 * length without the final 0 and writes at most `size` bytes. Takes milliseconds, so it is for
 * error messages. */
TUTTI_API size_t tutti_call_site_text(uint64_t site, char* text, size_t size);

/* ---- mailbox: locally blocking sends between endpoints ---- */

/* A message carries a 64-bit key. A receive takes the first message, in order of arrival per
 * sender, that comes from `source` (an endpoint, or TUTTI_ANY), has (key & mask) == wanted, and for
 * which accept (if not NULL) does not return 0. */
typedef int (*tutti_accept_fn)(void* user, int source, uint64_t key, int64_t bytes);
typedef struct {
  size_t struct_size;
  int source;
  uint64_t wanted, mask;
  tutti_accept_fn accept;
  void* user;
} tutti_match;
/* For `accept`: `user` is a set. Its bit i < 30 selects a key with i in the low 32 bits, bit 30 all
 * others. In virtual time, posted receives may have no other function. */
TUTTI_API int tutti_accept_set(void* user, int source, uint64_t key, int64_t bytes);
typedef struct {
  int source;
  uint64_t key;
  int64_t bytes;
} tutti_envelope;

TUTTI_API tutti_status tutti_mail_send(int endpoint, uint64_t key, const void* data, int64_t bytes);
/* Sends one copy of the data to all receivers. */
TUTTI_API tutti_status tutti_mail_multicast(int count, const int* endpoints, uint64_t key,
                                            const void* data, int64_t bytes);
/* Starts a multicast and returns. The data must stay until the request is done; its id is 0 if it
 * is done already. Messages from here to one receiver arrive in the order in which their sends were
 * called or started. */
TUTTI_API tutti_status tutti_mail_start(int count, const int* endpoints, uint64_t key,
                                        const void* data, int64_t bytes, tutti_request* request);
/* Posts a receive and returns. It takes the first matching message, before any receive or probe
 * that is called later. `match` is copied. `envelope`, which may be NULL, is set when the request
 * is done. If the message is longer than `space`, it is lost, and the wait for the request gives
 * TUTTI_TRUNCATED. */
TUTTI_API tutti_status tutti_mail_post(const tutti_match* match, void* data, int64_t space,
                                       tutti_envelope* envelope, tutti_request* request);
/* From now on, a message to this process with (key & mask) == wanted is discarded when it is found
 * in the mailbox and no receive that was posted takes it. `discarded` is called for each such
 * message, inside of any call of tutti, and must not call tutti, but it may end the job. NULL
 * instead ends this. A receive or probe that is not posted never sees such a message. */
typedef void (*tutti_discarded_fn)(void* user, int source, uint64_t key, int64_t bytes);
TUTTI_API tutti_status tutti_mail_discard_unposted(uint64_t wanted, uint64_t mask,
                                                   tutti_discarded_fn discarded, void* user);
/* From now on, messages with (key & mask) == wanted wait for room. A send of one from here begins
 * when no more than `bytes` bytes of such messages from here lie at each of its receivers, not
 * received by their programs. It is over when, together with it, no more do. So the send of a
 * longer message is over when that is received. Each message counts as its length and 64 bytes. All
 * processes set the same kind before they send or receive such a message. A negative `bytes` ends
 * this; by default there is no bound. */
TUTTI_API tutti_status tutti_mail_bound(uint64_t wanted, uint64_t mask, int64_t bytes);
/* From now on, when a report shows that this process waits for a message with (key & mask) ==
 * wanted, `describe` says what it waits for. It gets the match of the receive or probe, and writes
 * words such as "a message of type 8" as snprintf does, of which 191 characters are kept. It must
 * not call tutti. NULL instead ends this. */
typedef void (*tutti_describe_fn)(void* user, const tutti_match* match, char* text, size_t size);
TUTTI_API tutti_status tutti_mail_describe(uint64_t wanted, uint64_t mask,
                                           tutti_describe_fn describe, void* user);
/* Waits for a matching message and copies it. If it is longer than `space`, the status is
 * TUTTI_TRUNCATED and the message stays. */
TUTTI_API tutti_status tutti_mail_receive(const tutti_match* match, void* data, int64_t space,
                                          tutti_envelope* envelope);
/* Does the same, but ends as tutti_mail_await does. Describes also a message that is too long. */
TUTTI_API tutti_status tutti_mail_receive_unless(const tutti_match* match, void* data,
                                                 int64_t space, double seconds,
                                                 tutti_give_up_fn give_up, void* user,
                                                 tutti_envelope* envelope);
/* Describes a matching message, which stays. With wait = 0 the status is TUTTI_WOULD_WAIT if
 * nothing matches now. */
TUTTI_API tutti_status tutti_mail_probe(const tutti_match* match, int wait,
                                        tutti_envelope* envelope);
/* Waits for a matching message, which stays. The status is TUTTI_WOULD_WAIT if `seconds` have
 * passed (negative: never), or if give_up, which may be NULL, does not return 0. */
TUTTI_API tutti_status tutti_mail_await(const tutti_match* match, double seconds,
                                        tutti_give_up_fn give_up, void* user,
                                        tutti_envelope* envelope);
/* Frees the idle send buffer and the memory that plans keep for intermediate results. With wait !=
 * 0, first waits until all sends of this process have been received. */
TUTTI_API tutti_status tutti_mail_release(int wait);

/* ---- directory of shared records and arrival counters, and locks ---- */

/* Records and counters exist only in a job on one host; elsewhere the status is
 * TUTTI_INVALID_ARGUMENT. A record is `bytes` zeroed bytes that all processes of the job share
 * under a name of up to 63 characters. The first process that asks makes it; all must ask for the
 * same size. `address` stays valid until finalize. */
TUTTI_API tutti_status tutti_record(const char* name, int64_t bytes, void** address);
/* Waits until `count` processes, the caller included, have arrived at the counter of this name. The
 * counter then starts anew. All callers of one round give the same count. */
TUTTI_API tutti_status tutti_arrive(const char* name, int count);
/* Waits like tutti_arrive until give_up does not return 0. The arrival is then taken back, and the
 * status is TUTTI_WOULD_WAIT. */
TUTTI_API tutti_status tutti_arrive_unless(const char* name, int count, tutti_give_up_fn give_up,
                                           void* user);
/* Waits for a lock, which is a number in memory that all processes of the job share, such as a
 * record. A lock that nobody has is 0. `repair` receives 1 if the process that had the lock last
 * has ended without giving it back. What the lock guards may then be half changed, so the caller
 * repairs it, and may find that another one has begun to. Otherwise it receives 0. The holder soon
 * gives the lock back: nobody sleeps meanwhile, and nothing else goes on in a process that waits.
 */
TUTTI_API tutti_status tutti_lock(uint32_t* lock, int* repair);
TUTTI_API tutti_status tutti_unlock(uint32_t* lock);
/* Waits until is_over(user) does not return 0: for what other processes do in memory, and do not
 * wake this one for. It is asked again and again, and this process never sleeps meanwhile. It may
 * call tutti. */
TUTTI_API tutti_status tutti_await(tutti_give_up_fn is_over, void* user);

/* ---- windows: memory of one process that the others of its machine read and write directly ----
 */

/* Does the same as tutti_alloc for a caller that can do without. *address is NULL unless half of
 * TUTTI_SHM_LIMIT is left then, even if all processes of this machine ask for as much at once. */
TUTTI_API tutti_status tutti_alloc_if_room(int64_t bytes, void** address);
/* Memory of tutti_alloc is a window. This function gives one that is filled, read and freed again
 * and again, by tutti_free, in memory in which such windows of middle length follow each other.
 * Memory that was written just now lies in the caches of both sides, and writing it again takes
 * twice as long. *address is NULL if that does not pay yet, or if there is no room: then
 * tutti_alloc serves. */
TUTTI_API tutti_status tutti_window_in_turn(int64_t bytes, void** address);
/* Copies data, which must not overlap, into a window of this process in the way that is faster now.
 * Others see it after a message or a collective. It fails if `to` lies in no shared memory. */
TUTTI_API tutti_status tutti_window_write(void* to, const void* from, int64_t bytes);
/* Returns the number by which other processes find this place in a window; 0 if it lies in no
 * window. */
TUTTI_API uint64_t tutti_window_name(const void* address);
/* Returns where this process sees the place that the endpoint calls `name`; NULL if it cannot be
 * reached from here. The processes must agree on who reads or writes when. Data written before a
 * message or a collective is visible after it. */
TUTTI_API void* tutti_window_address(int endpoint, uint64_t name);

#ifdef __cplusplus
}
#endif
#endif
