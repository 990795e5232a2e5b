// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a job that an MPI has started do some things by themselves while they join, and then all
// agree that they have succeeded. A rank that failed alone would leave the others waiting for it.
#pragma once

#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

struct Attempt {
  char problem[200] = "";  // empty if it has succeeded
};

template <class Act>
[[nodiscard]] Attempt attempt(const Act& act) {
  Attempt result;
  try {
    act();
  } catch (const base::Error& error) {
    std::strncpy(result.problem, error.what(), sizeof result.problem - 1);
  }
  return result;
}

// Returns the place of the first attempt that has failed, -1 if none has.
[[nodiscard]] int first_failed(const std::vector<Attempt>& all);

// Collective over the ranks. If the attempt of one has failed, all throw Error(system_error) with
// the rank and its problem.
void agree(const transport::wire::WireJob& job, const Attempt& mine);

}  // namespace tutti::launch
