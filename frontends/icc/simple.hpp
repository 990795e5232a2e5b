// SPDX-License-Identifier: BSD-3-Clause
// The simple interface for both languages. Its errors end the job.
#pragma once

#include <tutti-icc/icc.h>

#include <cstdint>
#include <vector>

namespace tutti::icc {

// A vector of the program. Its elements have the same type on all nodes.
struct Vector {
  void* address;
  std::int64_t count;
  tutti_type type;
};

// The lengths of the nodes' parts, in elements.
using Lengths = std::vector<std::int64_t>;

void sync(const char* call);
void broadcast(const char* call, const Vector& x, long root);
void combine_to_all(const char* call, const Vector& x, tutti_op op);
void combine_to_one(const char* call, const Vector& x, tutti_op op, long root);
void combine_by(const char* call, const Vector& x, void* work, void (*f)(void*, void*));

// The functions below take a list with a length for each node, of either language's integers.
template <class Integer>
Lengths lengths_of(const char* call, const char* argument, const Integer* list);
void distributed_combine(const char* call, const Vector& x, const Lengths& lengths, void* y,
                         tutti_op op);
void scatter(const char* call, void* x, const Lengths& lengths, void* y, long root);
void gather(const char* call, void* x, const Lengths& lengths, void* y, long root);
void collect(const char* call, void* x, const Lengths& lengths, void* y);
// Returns how many bytes have been collected.
std::int64_t collect_unknown(const char* call, void* x, std::int64_t xlen, void* y,
                             std::int64_t ylen);

}  // namespace tutti::icc
