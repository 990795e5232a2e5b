// SPDX-License-Identifier: BSD-3-Clause
// Reductions by operators that are associative only nearly. Their results depend on the order and
// on the sides of the operands, so ranks that combine differently get different bits. same_bits.c
// makes random calls; each interface has a file with the functions below.
#pragma once

#include <stddef.h>
#include <stdint.h>

// How the elements of one kind are combined. An element is so many doubles.
struct kind {
  const char* name;
  int doubles;
  int ordered;  // not 0: the operator is not commutative
  // Leaves left op right in `into`, which may be one of the two.
  void (*combine)(double* into, const double* left, const double* right, int count);
};

enum { NAN_MAX, MEANS, MOMENTS, AFFINE, QUATERNIONS, SUM, MAX, OWN_KINDS };
// Kinds NAN_MAX to QUATERNIONS are functions of the program, SUM and MAX those of the interface.
// A front end may have more kinds of its own behind them.
extern const struct kind own_kinds[OWN_KINDS];
// The kind of the call in progress, for functions that are told nothing.
extern const struct kind* current;

// --- what an interface has ---

extern const char* const interface_name;
extern const struct kind* const kinds;
extern const int kind_count;
extern const int combines_for_all;  // not 0: it has a call with a result on all ranks
// Returns not 0 if the kind is combined by calls with whole vectors.
int takes_whole_vectors(const struct kind* kind);

// Starts; returns the number of ranks and sets that of this one.
int start(int* argc, char*** argv, int* rank);
void finish(void);
// Leaves the result in x, which has count * kind->doubles numbers.
void combine_for_all(const struct kind* kind, double* x, int count);
// Leaves the result in x at the root. Returns 0 if the interface has no such call for this kind.
int combine_at(const struct kind* kind, double* x, int count, int root);
// Gives the numbers of all ranks to all, or at least to rank 0.
void collect(uint64_t mine, uint64_t* all);
