// SPDX-License-Identifier: BSD-3-Clause
// Packs values with distances, runs the rounds, and unpacks winners and their ranks.
#include "engine/maxloc.hpp"

#include <algorithm>

#include "schedule/printer.hpp"

namespace tutti::engine {

void Maxloc::run(Run& run, std::uint32_t number, const Arguments& arguments) {
  const std::int64_t n = vector_elements(caller_, arguments);
  const std::size_t bytes = arguments.op->wire_bytes();
  const std::int64_t at_once = tuning_->located_part;
  wire_.resize(std::max(wire_.size(), static_cast<std::size_t>(std::min(n, at_once)) * bytes));
  std::int64_t first = 0;
  do {
    const Part part{arguments, first, std::min(n - first, at_once)};
    collect(part);
    const CallOperand wire{wire_.data(), data::Layout::contiguous(part.count), bytes};
    run.start(number, {&wire, &wire, arguments.op});
    run.run(arguments.question);
    const bool has_result =
        caller_.operation != schedule::Operation::reduce || caller_.rank == caller_.root;
    if (has_result) deliver(part);
    first += part.count;
  } while (first < n);
}

void Maxloc::collect(const Part& part) {
  const data::Operator& op = *part.arguments.op;
  const Locations* const where = part.arguments.locations;
  const int root = where == nullptr ? 0 : where->distance_root;
  const std::int32_t distance = schedule::mod(caller_.rank - root, caller_.p);
  const auto wire = static_cast<std::int64_t>(op.wire_bytes()),
             value = static_cast<std::int64_t>(op.value_bytes());
  const auto* values = static_cast<const std::byte*>(part.arguments.input->address);
  part.arguments.input->layout.for_each_run(
      part.first, part.count, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
        op.leaf_map()(wire_.data() + (position - part.first) * wire, values + offset * value,
                      length, distance);
      });
}

// Few elements are turned into values and ranks at a time, so that they are still in the
// first-level cache when their ranks are written.
void Maxloc::deliver(const Part& whole) {
  for (std::int64_t done = 0; done < whole.count; done += tuning_->maxloc_part) {
    const Part part{whole.arguments, whole.first + done,
                    std::min(whole.count - done, tuning_->maxloc_part)};
    deliver_values(part, whole.first);
    if (whole.arguments.locations != nullptr) deliver_ranks(part, whole.first);
  }
}

void Maxloc::deliver_values(const Part& part, std::int64_t of_wire) const {
  const data::Operator& op = *part.arguments.op;
  const auto wire = static_cast<std::int64_t>(op.wire_bytes()),
             value = static_cast<std::int64_t>(op.value_bytes());
  auto* values = static_cast<std::byte*>(part.arguments.output->address);
  part.arguments.output->layout.for_each_run(
      part.first, part.count, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
        op.final_map()(values + offset * value, nullptr, wire_.data() + (position - of_wire) * wire,
                       length);
      });
}

void Maxloc::deliver_ranks(const Part& part, std::int64_t of_wire) const {
  const data::Operator& op = *part.arguments.op;
  const auto wire = static_cast<std::int64_t>(op.wire_bytes());
  const Locations& where = *part.arguments.locations;
  where.layout.for_each_run(
      part.first, part.count, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
        std::int32_t* const ranks = where.ranks + offset;
        op.final_map()(nullptr, ranks, wire_.data() + (position - of_wire) * wire, length);
        distances_to_ranks(ranks, length, where.distance_root);
      });
}

void Maxloc::distances_to_ranks(std::int32_t* ranks, std::int64_t count, int root) const {
  const int first = schedule::mod(root, caller_.p);
  if (first == 0) return;
  // The sum avoids mod(), because a division per element takes longer than the combining.
  for (std::int64_t i = 0; i < count; ++i)
    ranks[i] += ranks[i] < caller_.p - first ? first : first - caller_.p;
}

}  // namespace tutti::engine
