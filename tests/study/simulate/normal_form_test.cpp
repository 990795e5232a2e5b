// SPDX-License-Identifier: BSD-3-Clause
// Tests that the simulator times the normal form of a generator, which the engine executes, and not
// what the generator emits.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/registry.hpp"
#include "machines.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"

namespace tutti::simulate {
namespace {

// Copies cost much, so that one of them too many is seen.
machine::Machine with_dear_copies(int nodes) {
  machine::Machine machine = plain(nodes, 10, 0.5, 0.25);
  machine.node.copy_alpha = 7;
  machine.node.copy = 0.75;
  return machine;
}

Report timed(const JobOperation& operation) {
  return simulate(with_dear_copies(operation.shape.p), job_of(operation));
}

TEST(NormalForm, IsWhatIsTimed) {
  int changed = 0;
  for (const schedule::Generator* generator : algorithms::all()) {
    for (const int p : {2, 3, 8, 13}) {
      const schedule::Shape shape{.p = p, .branches = 2, .rings = 2, .segments = 3};
      if (!generator->applies(shape)) continue;
      for (const Posting posting : {Posting::by_round, Posting::ahead}) {
        JobOperation emitted;
        emitted.generator = generator;
        emitted.shape = shape;
        emitted.bytes = 64 * std::max(1, generator->buffers(shape).parts);
        emitted.posting = posting;
        JobOperation executed = emitted, raw = emitted;
        executed.generator = raw.generator = nullptr;
        executed.buffers = raw.buffers = generator->buffers(shape);
        executed.programs = schedule::normalized_programs(*generator, shape);
        for (int rank = 0; rank < p; ++rank)
          raw.programs.push_back(schedule::build(*generator, shape, schedule::Rank{rank}));
        const Report ours = timed(emitted), expected = timed(executed);
        for (std::size_t rank = 0; rank < ours.ranks.size(); ++rank)
          EXPECT_EQ(ours.ranks[rank].end, expected.ranks[rank].end)
              << generator->name << ", p = " << p << ", rank " << rank;
        changed += timed(raw).time != ours.time ? 1 : 0;
      }
    }
  }
  EXPECT_GT(changed, 0);
}

}  // namespace
}  // namespace tutti::simulate
