// SPDX-License-Identifier: BSD-3-Clause
// The steps of MSCCL's thread blocks as they stand in a file. The reader fills them in, and
// levelling makes rounds of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/schedule.hpp"

namespace tutti::formats {

// The kinds of steps, in the words of MSCCL:
//   `s`: sends the source.           `r`: receives into the destination.
//   `rcs`: receives, and sends on.   `rrs`: adds what it receives to the source, sends the sum.
//   `rrc`: adds what it receives to the source; the sum is the destination.
//   `rrcs`: does the same and sends the sum.
//   `cpy`: copies.                   `re`: adds the source to the destination.
//   `nop`: only waits.
enum class StepType : std::uint8_t { s, r, rcs, rrs, rrc, rrcs, cpy, re, nop };
[[nodiscard]] constexpr bool sends(StepType type) {
  return type == StepType::s || type == StepType::rcs || type == StepType::rrs ||
         type == StepType::rrcs;
}
[[nodiscard]] constexpr bool receives(StepType type) {
  return type == StepType::r || type == StepType::rcs || type == StepType::rrs ||
         type == StepType::rrc || type == StepType::rrcs;
}

// A range of chunks of one of MSCCL's buffers: i, o or s.
struct Chunks {
  char buffer = 'i';
  int first = 0, count = 1;
};

struct Step {
  StepType type = StepType::nop;
  Chunks from, to;                      // as the file has them
  schedule::Block source, destination;  // blocks of tutti's buffers, which give_blocks() fills in
  int thread_block = -1, step = -1;     // the step of the same GPU that it waits for, or -1
};

struct ThreadBlock {
  int send = -1, receive = -1;  // the other GPUs, or -1
  int channel = 0;
  std::vector<Step> steps;
};

using Gpu = std::vector<ThreadBlock>;

struct MscclFile {
  Schedule schedule;        // has no operations yet
  int chunks = 1;           // of the whole vector
  int scratch = 0;          // most chunks of s of a GPU
  bool one_memory = false;  // i and o are the same memory
  std::vector<Gpu> gpus;
};

// Sets the buffers of the schedule, and the blocks of all steps. Where a program writes into i, or
// i and o are the same memory, appends a round that copies the input. Returns what is wrong, in a
// clause; empty if nothing is.
[[nodiscard]] std::string give_blocks(MscclFile& file);

// Says which two steps of a GPU use one chunk although neither waits for the other, and one writes
// it: what they do depends on chance. Empty if there are none.
[[nodiscard]] std::string problem_of_order(const std::vector<Gpu>& gpus);

// Puts the steps into rounds: appends the operations to the programs of the schedule. Returns what
// is wrong, in a clause; empty if nothing is.
[[nodiscard]] std::string level_steps(const std::vector<Gpu>& gpus, Schedule& schedule);

// Appends a round that copies the result where give_blocks() has put it elsewhere than the output.
void give_result(MscclFile& file);

// Gives what stands in scratch blocks of its size, after everything else. Returns what is wrong, in
// a clause; empty if nothing is.
[[nodiscard]] std::string fit_scratch(Schedule& schedule);

}  // namespace tutti::formats
