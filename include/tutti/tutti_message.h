/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests, which are waited for, messages between two ranks, and memory for the data of calls.
 * This file is a part of tutti.h, which includes it.
 */
#ifndef TUTTI_TUTTI_MESSAGE_H
#define TUTTI_TUTTI_MESSAGE_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- requests ---- */

/* Starts a request that tutti_<name>_init has made and that is not in flight. */
TUTTI_API tutti_status tutti_start(tutti_request request);
/* Returns when the operation is done. A request of tutti_i<name> is gone then, and its id is 0; if
 * its id is 0 already, nothing happens. A request of tutti_<name>_init can be started again. */
TUTTI_API tutti_status tutti_wait(tutti_request* request);
TUTTI_API tutti_status tutti_waitall(int count, tutti_request* requests);
/* Returns when one of the operations is done, acts like tutti_wait for it, and sets *index to its
 * place in `requests`; to -1 if all ids are 0. */
TUTTI_API tutti_status tutti_waitany(int count, tutti_request* requests, int* index);
/* These wait for at most `seconds`; a negative number means for ever. If that is not enough, the
 * status is TUTTI_WOULD_WAIT and all requests stay what they were. */
TUTTI_API tutti_status tutti_wait_for(tutti_request* request, double seconds);
TUTTI_API tutti_status tutti_waitall_for(int count, tutti_request* requests, double seconds);
TUTTI_API tutti_status tutti_waitany_for(int count, tutti_request* requests, double seconds,
                                         int* index);
/* Sets *done to 1 and acts like tutti_wait if that would return at once. Otherwise sets *done to 0.
 */
TUTTI_API tutti_status tutti_test(tutti_request* request, int* done);
/* Frees a request that is not in flight. */
TUTTI_API tutti_status tutti_request_free(tutti_request* request);

/* ---- point to point ---- */

#define TUTTI_ANY (-1)
/* Sends `data` and returns when it may be reused, whether or not it has been received. Messages
 * from one rank to another in one group arrive in the order sent. A receive takes the first message
 * whose tag (>= 0) matches. */
TUTTI_API tutti_status tutti_send(tutti_group group, const tutti_data* data, int destination,
                                  int tag);
/* Receives a message that has exactly as many elements as `data`. `source` and `tag` may be
 * TUTTI_ANY; `from` and `with`, which get the sender's rank and the tag, may be NULL. */
TUTTI_API tutti_status tutti_receive(tutti_group group, const tutti_data* data, int source, int tag,
                                     int* from, int* with);
/* Starts tutti_send or tutti_receive and returns. The request is waited for like that of a
 * collective; its id is 0 if the operation is done already. A receive takes its message before any
 * receive that is called later. `from` and `with` are set when it is done. */
TUTTI_API tutti_status tutti_isend(tutti_group group, const tutti_data* data, int destination,
                                   int tag, tutti_request* request);
TUTTI_API tutti_status tutti_ireceive(tutti_group group, const tutti_data* data, int source,
                                      int tag, int* from, int* with, tutti_request* request);
/* Takes back a message of tutti_isend or tutti_ireceive that nobody has seen: sets *cancelled to 1,
 * and the request is gone. Otherwise sets *cancelled to 0 and acts like tutti_test. */
TUTTI_API tutti_status tutti_cancel(tutti_request* request, int* cancelled);
/* Describes the message that tutti_receive would take, which stays. `bytes`, which may be NULL,
 * gets its length. With wait = 0 the status is TUTTI_WOULD_WAIT if there is none now. */
TUTTI_API tutti_status tutti_probe(tutti_group group, int source, int tag, int wait, int* from,
                                   int* with, int64_t* bytes);
/* Waits as tutti_probe does, but for at most `seconds`; a negative number means for ever. */
TUTTI_API tutti_status tutti_probe_for(tutti_group group, int source, int tag, double seconds,
                                       int* from, int* with, int64_t* bytes);

/* ---- memory for data ---- */

/* Allocates memory that all processes of this machine reach, for the data of calls. Long vectors of
 * collectives are copied once there, which elsewhere needs a permission of the system. The memory
 * is aligned to a cache line (64 bytes at least), and to a page if it has one or more; its contents
 * are arbitrary. With 0 bytes it is memory, too, but has no room for data. It counts against
 * TUTTI_SHM_LIMIT. When that is reached, the status is TUTTI_OUT_OF_MEMORY, and *address is NULL.
 * Memory that is never freed lasts as long as this process. */
TUTTI_API tutti_status tutti_alloc(int64_t bytes, void** address);
/* Frees memory of tutti_alloc; NULL does nothing. If an operation that was started and is not over
 * uses it, the status is TUTTI_INVALID_ARGUMENT, and nothing is freed. */
TUTTI_API tutti_status tutti_free(void* address);

#ifdef __cplusplus
}
#endif
#endif
