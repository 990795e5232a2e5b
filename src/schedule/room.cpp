// SPDX-License-Identifier: BSD-3-Clause
// Counts what a schedule takes in memory and says which parameter makes it too large.
#include "schedule/room.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "schedule/operation.hpp"

namespace tutti::schedule {
namespace {

// Returns for example " with segments=10000000".
std::string cause(const Generator& generator, const Shape& shape) {
  switch (generator.parameter) {
    case Parameter::branches:
      return fmt::format(" with branches={}", shape.branches);
    case Parameter::rings:
      return fmt::format(" with rings={}", shape.rings);
    case Parameter::segments:
      return fmt::format(" with segments={}", shape.segments);
    default:
      return fmt::format(" for {} ranks", shape.p);
  }
}

std::size_t bytes_of(const Blocks& blocks) {
  return blocks.size() * sizeof(Block);
}

}  // namespace

std::size_t bytes_of(const Round& round) {
  std::size_t bytes = sizeof(Round);
  for (const Op& op : round.ops) {
    bytes += sizeof(Op) + bytes_of(op.blocks);
    for (const Operand& operand : op.operands) bytes += sizeof(Operand) + bytes_of(operand.local);
  }
  return bytes;
}

void require_room_for_rounds(const Generator& generator, const Shape& shape) {
  const std::int64_t rounds = generator.rounds(shape);
  if (rounds >= 0 && rounds <= most_rounds) return;
  base::fail(
      base::Status::no_such_plan,
      "algorithm '{}' for {}{} has {} rounds, but a schedule has at most {}, so that it fits "
      "into memory",
      generator.name, to_text(generator.operation), cause(generator, shape), rounds, most_rounds);
}

void refuse_size(const Generator& generator, const Shape& shape) {
  base::fail(base::Status::no_such_plan,
             "the schedule of algorithm '{}' for {}{} takes more than {} MiB on a rank, which is "
             "the limit",
             generator.name, to_text(generator.operation), cause(generator, shape),
             most_program_bytes >> 20);
}

}  // namespace tutti::schedule
