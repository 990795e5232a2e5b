// SPDX-License-Identifier: BSD-3-Clause
// A quick look at whether a schedule combines in the canonical order (Expressions::canonical). The
// verifier follows all results on all ranks. This follows one result backwards, so it finds most
// schedules that combine in another order in a small part of the time.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::schedule {

// Returns false if a correct schedule of a reduce, allreduce or reduce_scatter combines one of its
// results in another order than the canonical one. If it returns true, only verify() can tell.
[[nodiscard]] bool may_be_canonical(const Generator& generator, const Shape& shape);

}  // namespace tutti::schedule
