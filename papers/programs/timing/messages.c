/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tc and Ts. In Tc, a receiver returns what it gets; the time of one message is half the time there
 * and back. In Ts, the sender sends to the receivers in turn and measures how long its calls take.
 * Messages of no bytes wake the receivers before the clock starts. Each length is sent once before,
 * and its content is checked.
 */
#include <string.h>

#include "driver/line_time.h"
#include "timing/timing.h"

static void fill(unsigned char* data, int bytes, int receiver) {
  for (int i = 0; i < bytes; ++i) data[i] = (unsigned char)(i * 7 + receiver + bytes);
}

static void check(const timing_job* job, const unsigned char* data, int bytes, int receiver) {
  for (int i = 0; i < bytes; ++i)
    if (data[i] != (unsigned char)(i * 7 + receiver + bytes)) timing_wrong(job, "a message", bytes);
}

static int takes_part(const timing_job* job, const timing_request* request) {
  int part = job->me == request->root;
  for (int i = 0; i < request->receiver_count; ++i) part |= request->receivers[i] == job->me;
  return part;
}

static void wake(const timing_job* job, int sender, int receiver) {
  if (job->me == sender) {
    library_send(receiver, job->data, 0);
    library_receive(receiver, job->data, 0);
  } else if (job->me == receiver) {
    library_receive(sender, job->data, 0);
    library_send(sender, job->data, 0);
  }
}

/* Sends the message `times` times there and back. */
static void echo(const timing_job* job, int sender, int receiver, int bytes, int times) {
  for (int i = 0; i < times; ++i) {
    if (job->me == sender) {
      library_send(receiver, job->data, bytes);
      library_receive(receiver, job->data, bytes);
    } else {
      library_receive(sender, job->data, bytes);
      library_send(sender, job->data, bytes);
    }
  }
}

/* Sends the message there and back once. Both sides forget its content before they receive it. */
static void check_echo(const timing_job* job, int sender, int receiver, int bytes) {
  unsigned char* data = (unsigned char*)job->data;
  const int other = job->me == sender ? receiver : sender;
  if (job->me == sender) {
    fill(data, bytes, receiver);
    library_send(other, data, bytes);
  }
  memset(data, 0, (size_t)bytes);
  library_receive(other, data, bytes);
  check(job, data, bytes, receiver);
  if (job->me == receiver) library_send(other, data, bytes);
}

/* Returns the seconds of all repetitions. */
static double echo_time(const timing_job* job, const timing_request* request, int receiver,
                        int bytes) {
  const int sender = request->root;
  if (job->me != sender && job->me != receiver) return 0;
  check_echo(job, sender, receiver, bytes);
  wake(job, sender, receiver);
  const double start = tutti_bench_seconds();
  echo(job, sender, receiver, bytes, request->reps);
  return tutti_bench_seconds() - start;
}

static void measure_tc(const timing_job* job, const timing_request* request, int bytes) {
  const int prints = job->me == request->root;
  if (prints)
    fprintf(job->out, " Message Len=%d, reps=%d, sender=%d, receivers=%d.\n", bytes, request->reps,
            request->root, request->receiver_count);
  for (int i = 0; i < request->receiver_count; ++i) {
    const int receiver = request->receivers[i];
    const double seconds = echo_time(job, request, receiver, bytes);
    if (prints)
      fprintf(job->out, " Node %d send to %d: length=%d, Tc = %12.4f (us), ThruPut = %f (KB/s).\n",
              request->root, receiver, bytes, 0.5e6 * seconds / request->reps,
              2.0 * bytes * request->reps / (1000 * seconds));
  }
}

static void check_sends(const timing_job* job, const timing_request* request, int bytes) {
  unsigned char* data = (unsigned char*)job->data;
  for (int i = 0; i < request->receiver_count; ++i) {
    const int receiver = request->receivers[i];
    if (job->me == request->root) {
      fill(data, bytes, receiver);
      library_send(receiver, data, bytes);
    } else if (job->me == receiver) {
      memset(data, 0, (size_t)bytes);
      library_receive(request->root, data, bytes);
      check(job, data, bytes, receiver);
    }
  }
}

static void measure_ts(const timing_job* job, const timing_request* request, int bytes) {
  const int count = request->receiver_count;
  check_sends(job, request, bytes);
  for (int i = 0; i < count; ++i) wake(job, request->root, request->receivers[i]);
  const double start = tutti_bench_seconds();
  for (int i = 0; i < request->reps; ++i) {
    const int receiver = request->receivers[i % count];
    if (job->me == request->root)
      library_send(receiver, job->data, bytes);
    else if (job->me == receiver)
      library_receive(request->root, job->data, bytes);
  }
  const double seconds = tutti_bench_seconds() - start;
  if (job->me == request->root)
    fprintf(job->out, " Message Len=%d.\n  %d: length=%d, Ts = %12.4f (us).\n", bytes,
            request->root, bytes, 1e6 * seconds / request->reps);
}

void timing_messages(timing_job* job, const timing_request* request) {
  const int prints = job->me == request->root;
  if (prints) {
    fprintf(job->out,
            "Start of %d node '%s' run: sender=%d, nlengths=%d, nrecvs=%d, reps=%d.\nReceivers:",
            job->p, library_name, request->root, timing_lengths(request), request->receiver_count,
            request->reps);
    for (int i = 0; i < request->receiver_count; ++i)
      fprintf(job->out, " %d", request->receivers[i]);
    fprintf(job->out, "\n");
  }
  if (!takes_part(job, request)) return;
  for (int bytes = request->len1; bytes <= request->lenN;
       bytes = timing_next_length(request, bytes)) {
    if (request->program == timing_tc)
      measure_tc(job, request, bytes);
    else
      measure_ts(job, request, bytes);
    if (prints) fprintf(job->out, " End of tests, length=%d.\n", bytes);
  }
  if (prints) fprintf(job->out, "End of Run.\n");
}
