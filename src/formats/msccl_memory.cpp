// SPDX-License-Identifier: BSD-3-Clause
// Gives the chunks of MSCCL's buffers places in tutti's. Input is never written here, so a program
// that writes into i gets a copy of the input. Where i and o are the same memory, both are the
// output, or scratch on ranks that have no output of that size.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "formats/check.hpp"
#include "formats/msccl_steps.hpp"
#include "schedule/printer.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Buffer;
using schedule::Operation;

bool writes_input(const std::vector<Gpu>& gpus) {
  for (const Gpu& gpu : gpus)
    for (const ThreadBlock& block : gpu)
      for (const Step& step : block.steps)
        if (step.to.buffer == 'i' && step.type != StepType::s && step.type != StepType::nop &&
            step.type != StepType::rrs)
          return true;
  return false;
}

// The places of i and o: chunk k is block first + k of the buffer, and first of a rank's own part
// grows with the rank.
struct Place {
  Buffer buffer;
  int first = 0;
  int per_rank = 0;
  [[nodiscard]] Block block(int rank, int chunk, int count) const {
    return {buffer, first + rank * per_rank + chunk, count};
  }
};

struct Places {
  Place input{Buffer::input}, output{Buffer::output};
  bool copies_input = false;   // into the place of i, before anything else
  bool copies_output = false;  // from the place of o, after everything else
  int scratch = 0;             // blocks of scratch that i or o take
};

Places places_of(const MscclFile& file) {
  const Operation operation = file.schedule.operation;
  const schedule::Buffers& b = file.schedule.buffers;
  Places places;
  if (operation == Operation::broadcast) {
    places.input = places.output;
  } else if (file.one_memory && (b.output_own_part || operation == Operation::reduce)) {
    places.input = {Buffer::scratch};
    places.output = {Buffer::scratch, 0, b.output_own_part ? b.output : 0};
    places.copies_input = places.copies_output = true;
    places.scratch = b.input;
  } else if (file.one_memory) {
    places.input = {Buffer::output, 0, b.input_own_part ? b.input : 0};
    places.copies_input = true;
  } else if (writes_input(file.gpus)) {
    places.input = {Buffer::scratch};
    places.copies_input = true;
    places.scratch = b.input;
  }
  return places;
}

void set_buffers(MscclFile& file) {
  schedule::Buffers& b = file.schedule.buffers;
  const Operation operation = file.schedule.operation;
  const int own = file.chunks / file.schedule.p;
  b.parts = file.chunks;
  b.input_own_part = operation == Operation::allgather;
  b.output_own_part = operation == Operation::reduce_scatter;
  b.input = operation == Operation::broadcast ? 0 : b.input_own_part ? own : b.parts;
  b.output = b.output_own_part ? own : b.parts;
  file.schedule.operators = schedule::Operators::commutative;
}

std::string problem_of_chunks(const MscclFile& file) {
  const bool by_rank = file.schedule.operation == Operation::allgather ||
                       file.schedule.operation == Operation::reduce_scatter ||
                       file.schedule.operation == Operation::alltoall;
  const int chunks = file.chunks, p = file.schedule.p;
  if (!by_rank || chunks % p == 0) return {};
  return fmt::format(
      "nchunksperloop is {} and ngpus is {}: each GPU has as many chunks as the others in "
      "{}, so the one must be a multiple of the other",
      chunks, p, schedule::to_text(file.schedule.operation));
}

class Giving {
 public:
  Giving(MscclFile& file, const Places& places) : file_(file), places_(places) {}

  std::string run() {
    for (int rank = 0; rank < file_.schedule.p; ++rank) {
      next_ = places_.scratch + file_.scratch;
      for (ThreadBlock& block : file_.gpus[static_cast<std::size_t>(rank)])
        for (Step& step : block.steps) give(step, rank);
      scratch_ = std::max(scratch_, next_);
    }
    if (scratch_ > std::int64_t{1} << 30) return "the sums of rrs take too many chunks";
    file_.schedule.buffers.scratch = static_cast<int>(scratch_);
    const std::string problem = problem_of_sizes(file_.schedule);
    if (problem.empty()) return problem_of_steps();
    return fmt::format("nchunksperloop {} and s_chunks {} are too much for tutti: {}", file_.chunks,
                       file_.scratch, problem);
  }

 private:
  [[nodiscard]] Block block_of(const Chunks& chunks, int rank) const {
    if (chunks.buffer == 's')
      return {Buffer::scratch, places_.scratch + chunks.first, chunks.count};
    const Place& place = chunks.buffer == 'i' ? places_.input : places_.output;
    return place.block(rank, chunks.first, chunks.count);
  }

  // The sum of an rrs is kept nowhere, so it gets scratch of its own.
  void give(Step& step, int rank) {
    if (step.type == StepType::nop) return;
    step.source = block_of(step.from, rank);
    step.destination = block_of(step.to, rank);
    if (step.type != StepType::rrs) return;
    step.destination = {Buffer::scratch, static_cast<int>(std::min<std::int64_t>(next_, 1 << 30)),
                        step.from.count};
    next_ += step.from.count;
  }

  [[nodiscard]] std::string problem_of_steps() const {
    for (std::size_t rank = 0; rank < file_.gpus.size(); ++rank) {
      for (std::size_t b = 0; b < file_.gpus[rank].size(); ++b) {
        const std::vector<Step>& steps = file_.gpus[rank][b].steps;
        for (std::size_t s = 0; s < steps.size(); ++s) {
          const std::string problem = problem_of(steps[s], static_cast<int>(rank));
          if (!problem.empty())
            return fmt::format("step {} of tb {} of gpu {}: {}", s, b, rank, problem);
        }
      }
    }
    return {};
  }

  // A receive has no source, and a send no destination, that a GPU uses.
  [[nodiscard]] std::string problem_of(const Step& step, int rank) const {
    if (step.type == StepType::nop) return {};
    const bool has_source = step.type != StepType::r && step.type != StepType::rcs;
    std::string problem;
    if (has_source) problem = problem_of(step.from, "src", rank);
    if (problem.empty() && step.type != StepType::s && step.type != StepType::rrs)
      problem = problem_of(step.to, "dst", rank);
    std::int64_t total = 0;
    if (problem.empty() && step.type == StepType::rrs)
      problem = problem_of_block(step.destination, file_.schedule, total);
    return problem;
  }

  [[nodiscard]] std::string problem_of(const Chunks& chunks, const char* side, int rank) const {
    const std::int64_t size = size_of(chunks.buffer, rank);
    if (std::int64_t{chunks.first} + chunks.count <= size) return {};
    return fmt::format("{0}off is {1} and cnt is {2}, but buffer {3} has {4} chunks", side,
                       chunks.first, chunks.count, chunks.buffer, size);
  }

  // Returns how many chunks a buffer of MSCCL has on a rank.
  [[nodiscard]] std::int64_t size_of(char buffer, int rank) const {
    if (buffer == 's') return file_.scratch;
    const Place& place = buffer == 'i' ? places_.input : places_.output;
    const int blocks = place.buffer == Buffer::scratch
                           ? places_.scratch
                           : file_.schedule.buffers.blocks_of(place.buffer);
    return std::int64_t{blocks} - place.first - std::int64_t{rank} * place.per_rank;
  }

  MscclFile& file_;
  const Places& places_;
  std::int64_t next_ = 0, scratch_ = 0;
};

}  // namespace

std::string give_blocks(MscclFile& file) {
  const std::string problem = problem_of_chunks(file);
  if (!problem.empty()) return problem;
  set_buffers(file);
  const Places places = places_of(file);
  const std::string wrong = Giving(file, places).run();
  if (!wrong.empty()) return wrong;
  file.schedule.programs.resize(static_cast<std::size_t>(file.schedule.p));
  if (!places.copies_input) return {};
  const int blocks = file.schedule.buffers.input;
  for (int rank = 0; rank < file.schedule.p; ++rank)
    file.schedule.programs[static_cast<std::size_t>(rank)].emplace_back().copy(
        {places.input.block(rank, 0, blocks)}, {{Buffer::input, 0, blocks}});
  return {};
}

void give_result(MscclFile& file) {
  const Places places = places_of(file);
  if (!places.copies_output) return;
  const int blocks = file.schedule.buffers.output;
  for (int rank = 0; rank < file.schedule.p; ++rank) {
    schedule::Round& round = file.schedule.programs[static_cast<std::size_t>(rank)].emplace_back();
    if (file.schedule.operation == Operation::reduce && rank != file.schedule.root) continue;
    round.copy({{Buffer::output, 0, blocks}}, {places.output.block(rank, 0, blocks)});
  }
}

}  // namespace tutti::formats
