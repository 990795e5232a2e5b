// SPDX-License-Identifier: BSD-3-Clause
// The collective calls of NX, by tutti's collectives of all nodes.
#pragma once

#include <tutti/tutti.h>

namespace tutti::nx {

void synchronise();
// Combines the `n` elements of x on all nodes, element by element. All get the result in x.
void combine(void* x, long n, tutti_type type, tutti_op op);
// Calls function(x, work), which leaves x op work in x, for whole vectors of `bytes` bytes.
using VectorFunction = void (*)(void* x, void* work);
void combine_by(VectorFunction function, void* x, long bytes, void* work);
// Collects `bytes` bytes of each node in `to`, which has room for `space`. Returns the bytes of
// all.
long collect(const void* from, long bytes, void* to, long space);
// Collects bytes[i] bytes of node i. The list has either language's integers.
void collect_known(const void* from, const long* bytes, void* to);
void collect_known(const void* from, const int* bytes, void* to);

}  // namespace tutti::nx
