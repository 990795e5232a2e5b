/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Algorithms of your own, without a change of tutti. A generator says what one rank does in one
 * round. tutti proves it for each number of ranks before it is used; then it can be drawn, priced,
 * simulated, exported, chosen and run like those of the library.
 *
 * A program registers a generator with tutti_generator_register(). A plug-in is a shared library
 * that defines tutti_generators(); the variable TUTTI_GENERATORS names its file. A plug-in calls
 * only what it is given, so it is linked with no library of tutti.
 */
#ifndef TUTTI_TUTTI_GENERATOR_H
#define TUTTI_TUTTI_GENERATOR_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of a rank. `input` is never written. */
typedef enum { TUTTI_INPUT = 0, TUTTI_OUTPUT, TUTTI_SCRATCH } tutti_buffer;

/* The blocks first, first + 1, ... of a buffer, `count` of them. With `times` above 1 there are so
 * many runs of `count` blocks, and the first blocks of the runs are `stride` apart. */
typedef struct {
  tutti_buffer buffer;
  int first;
  int count;
  int stride;
  int times; /* 0 means 1 */
} tutti_blocks;

/* The arguments of a generator. They are the same on all ranks. */
typedef struct {
  int p;    /* number of ranks, 1 or more */
  int root; /* 0 for operations without a root */
} tutti_schedule_shape;

/* What stands for the rank in an operand of a rank's own. */
#define TUTTI_LOCAL (-1)

/* A summand: the message of rank `from` in this round, or with TUTTI_LOCAL these blocks. */
typedef struct {
  int from;
  const tutti_blocks* blocks;
  int count;
} tutti_operand;

/* What a rank does in a round. All sends read what was there before the round. The other operations
 * follow in the order in which they are added. A send of a to b in a round needs one receive, or
 * one operand, of b from a with as many blocks. Lists are copied. */
typedef struct tutti_round tutti_round;
struct tutti_round {
  void* inside;
  void (*send)(tutti_round* round, int to, const tutti_blocks* blocks, int count);
  void (*receive)(tutti_round* round, int from, const tutti_blocks* blocks, int count);
  /* Makes `result` the sum of the operands, from the first to the last. receive_combine takes at
   * least one message, combine takes none. */
  void (*receive_combine)(tutti_round* round, const tutti_blocks* result, int count,
                          const tutti_operand* operands, int operand_count);
  void (*combine)(tutti_round* round, const tutti_blocks* result, int count,
                  const tutti_operand* operands, int operand_count);
  void (*copy)(tutti_round* round, const tutti_blocks* result, int count,
               const tutti_blocks* source, int source_count);
  /* Says that the generator has failed, and why. */
  void (*fail)(tutti_round* round, const char* why);
};

/* Coefficients of what a schedule costs: start-ups one after another, and how often the whole
 * vector is moved and combined. */
typedef struct {
  double alpha;
  double beta;
  double gamma;
} tutti_terms;

/* The operands change places, so only commutative operators are served. */
#define TUTTI_COMMUTATIVE_ONLY 1
/* Input and output must be different memory. */
#define TUTTI_NOT_IN_PLACE 2
/* tutti may choose the generator where its price is the least. Others are only used by name. */
#define TUTTI_CANDIDATE 4

/* A generator. Texts are copied. The functions must give the same for the same arguments, in every
 * process; `data` is handed to each of them. Those that say "or NULL" may be missing. */
typedef struct tutti_generator {
  size_t struct_size; /* sizeof(tutti_generator) */
  const char* name;   /* small letters, digits and _ */
  tutti_operation operation;
  const char* about;  /* a sentence that says what it does, or NULL */
  const char* source; /* where it is published, or NULL */
  const char* needs;  /* the shapes that it serves, in words behind "it needs", or NULL */
  int flags;
  /* Returns 0 if it does not serve the shape; NULL: it serves all. */
  int (*applies)(const tutti_schedule_shape* shape, void* data);
  int (*rounds)(const tutti_schedule_shape* shape, void* data);
  /* Returns into how many parts the vector is cut; NULL, or 0: one, or one for each rank where
   * the operation gives each rank a part. Block i of a buffer with the whole vector is part i. */
  int (*parts)(const tutti_schedule_shape* shape, void* data);
  /* Returns how many blocks of scratch a rank needs; NULL: none. Block i is as large as part i. */
  int (*scratch)(const tutti_schedule_shape* shape, void* data);
  /* Adds what `rank` does in round t, counted from 0. */
  void (*emit)(tutti_round* round, const tutti_schedule_shape* shape, int rank, int t, void* data);
  /* Tells the cost; NULL: it is counted. `tutti verify` compares it with what is counted. */
  void (*cost)(tutti_terms* terms, const tutti_schedule_shape* shape, void* data);
  void* data;
} tutti_generator;

/* Makes the generator known to this process, before tutti_init. All processes of a job register the
 * same ones. */
TUTTI_API tutti_status tutti_generator_register(const tutti_generator* generator);

/* What a plug-in hands its generators to. */
typedef struct tutti_registrar tutti_registrar;
struct tutti_registrar {
  void* inside;
  void (*add)(tutti_registrar* registrar, const tutti_generator* generator);
};

/* A plug-in defines this function, which is called once when its file is loaded. */
TUTTI_API void tutti_generators(tutti_registrar* registrar);

#ifdef __cplusplus
}
#endif
#endif
