/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the arguments of the timing programs, which have the order of appendix D. In front of them
 * stands the program's name in the appendix.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "timing/timing.h"

#define TC_USAGE "Tc <len1> <lenN> <inclen> <reps> <sender> <recv1> <recvN> <recvinc> [<outfile>]"
#define TS_USAGE "Ts <outfile> <reps> <len1> <lenN> <inclen> <sender> <recv1> ... <recvN>"
#define TBS_USAGE "Tbs <top> <len1> <lenN> <inclen> <reps> <source> [<outfile>]"
#define TG_USAGE "Tg <op> <top> <len1> <lenN> <inclen> <reps> <destination> [<outfile>]"

/* Set by number(), so that a caller checks several numbers at once. */
static int bad_number;

/* Sums of two numbers that it has read are integers, too. */
static int number(const char* text) {
  enum { largest = INT_MAX / 2 };
  char* end;
  const long value = strtol(text, &end, 10);
  bad_number |= end == text || *end != '\0' || value < -largest || value > largest;
  return (int)value;
}

static const char* check(const timing_request* request) {
  if (bad_number) return "one of the arguments is not a number, or is too large";
  if (request->len1 < 0 || request->lenN < request->len1)
    return "the lengths must be at least 0, and the last one not below the first";
  if (request->reps < 1) return "the number of repetitions must be positive";
  if (request->lenN > (1 << 28)) return "the last length is above 2^28";
  return NULL;
}

static void read_lengths(char** words, timing_request* request) {
  request->len1 = number(words[0]);
  request->lenN = number(words[1]);
  request->inclen = number(words[2]);
}

/* A negative increment doubles the number of the receiver and adds one. */
static const char* read_tc(int count, char** words, timing_request* request) {
  if (count != 8 && count != 9) return "the arguments are " TC_USAGE;
  read_lengths(words, request);
  request->reps = number(words[3]);
  request->root = number(words[4]);
  const int first = number(words[5]), last = number(words[6]), step = number(words[7]);
  request->outfile = count > 8 ? words[8] : "stdout";
  if (bad_number) return NULL; /* check() says so */
  if (step == 0 || first < 0 || last < first)
    return "the receivers must be first <= last, and their increment not 0";
  for (int one = first; one <= last; one = step < 0 ? 2 * one + 1 : one + step) {
    if (request->receiver_count == timing_most_receivers) return "there are too many receivers";
    request->receivers[request->receiver_count++] = one;
  }
  return NULL;
}

static const char* read_ts(int count, char** words, timing_request* request) {
  if (count < 7) return "the arguments are " TS_USAGE;
  request->outfile = words[0];
  request->reps = number(words[1]);
  read_lengths(words + 2, request);
  request->root = number(words[5]);
  if (count - 6 > timing_most_receivers) return "there are too many receivers";
  for (int i = 6; i < count; ++i) request->receivers[request->receiver_count++] = number(words[i]);
  return NULL;
}

static const char* read_top(const char* word, timing_request* request) {
  request->top = (char)tolower((unsigned char)word[0]);
  if (word[0] == '\0' || word[1] == '\0') return NULL;
  if ((request->top != 'm' && request->top != 't') || !isdigit((unsigned char)word[1]))
    return "TOP is one letter, with a number behind M and T only";
  request->branches = number(word + 1);
  return request->branches > 0 ? NULL : "the number behind TOP must be positive";
}

/* Reads what Tbs and Tg have alike, from TOP on. */
static const char* read_scoped(int count, char** words, timing_request* request) {
  const char* problem = read_top(words[0], request);
  read_lengths(words + 1, request);
  request->reps = number(words[4]);
  request->root = number(words[5]);
  request->outfile = count > 6 ? words[6] : "stdout";
  return problem;
}

static const char* read_tbs(int count, char** words, timing_request* request) {
  if (count != 6 && count != 7) return "the arguments are " TBS_USAGE;
  return read_scoped(count, words, request);
}

static const char* read_tg(int count, char** words, timing_request* request) {
  if (count != 7 && count != 8) return "the arguments are " TG_USAGE;
  request->op = words[0][0];
  if (strlen(words[0]) != 1 || strchr("+><", request->op) == NULL)
    return "the operation is + for a sum, > for a maximum or < for a minimum";
  return read_scoped(count - 1, words + 1, request);
}

static const char* check_messages(const timing_request* request) {
  if (request->len1 % 4 != 0 || request->lenN % 4 != 0 || request->inclen % 4 != 0)
    return "lengths in bytes must be multiples of 4";
  for (int i = 0; i < request->receiver_count; ++i) {
    if (request->receivers[i] == request->root) return "the sender cannot be a receiver";
    if (request->receivers[i] < 0) return "a receiver has a negative number";
  }
  return request->root < 0 ? "the sender has a negative number" : NULL;
}

const char* timing_read(int argc, char** argv, timing_request* request) {
  static const struct {
    const char* name;
    const char* (*read)(int, char**, timing_request*);
  } programs[] = {{"Tc", read_tc}, {"Ts", read_ts}, {"Tbs", read_tbs}, {"Tg", read_tg}};
  const size_t count = sizeof programs / sizeof programs[0];
  size_t which = 0;
  while (which < count && (argc < 2 || strcmp(argv[1], programs[which].name) != 0)) ++which;
  if (which == count)
    return "the arguments are one of\n  " TC_USAGE "\n  " TS_USAGE "\n  " TBS_USAGE "\n  " TG_USAGE;
  request->program = (timing_program)which;
  bad_number = 0;
  const char* problem = programs[which].read(argc - 2, argv + 2, request);
  if (problem == NULL) problem = check(request);
  const int messages = request->program == timing_tc || request->program == timing_ts;
  if (problem == NULL && messages) problem = check_messages(request);
  if (problem == NULL && request->program == timing_tbs && request->root < 0)
    problem = "the source has a negative number";
  return problem;
}

/* Lengths double if the increment is not positive, or not below the last length, as in appendix D.
 */
int timing_next_length(const timing_request* request, int length) {
  const int messages = request->program == timing_tc || request->program == timing_ts;
  if (request->inclen > 0 && request->inclen < request->lenN) return length + request->inclen;
  return length > 0 ? 2 * length : messages ? 4 : 1;
}

int timing_lengths(const timing_request* request) {
  int count = 0;
  for (int length = request->len1; length <= request->lenN;
       length = timing_next_length(request, length))
    ++count;
  return count;
}
