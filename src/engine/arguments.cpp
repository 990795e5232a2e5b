// SPDX-License-Identifier: BSD-3-Clause
// Checks the arguments that one rank can see. Disagreement between ranks is found when their
// messages meet.
#include "engine/arguments.hpp"

#include "base/error.hpp"
#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

using schedule::Operation;
using schedule::Share;

std::int64_t size_of(const CallOperand* operand) {
  return operand == nullptr ? 0 : operand->layout.size();
}

std::int64_t multiplied(std::int64_t elements, int p) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(elements, std::int64_t{p}, &product)) {
    base::fail(base::Status::invalid_argument, "{} elements for each of {} ranks are too many",
               elements, p);
  }
  return product;
}

std::int64_t summed(std::span<const std::int64_t> counts) {
  std::int64_t sum = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] < 0) {
      base::fail(base::Status::invalid_argument, "argument 'counts' has {} elements for rank {}",
                 counts[rank], rank);
    }
    if (__builtin_add_overflow(sum, counts[rank], &sum)) {
      base::fail(base::Status::invalid_argument,
                 "the sum of argument 'counts' over {} ranks is too large", counts.size());
    }
  }
  return sum;
}

// The argument of the call that is being checked.
enum class Side { input, output };

[[noreturn]] void refuse(const Caller& caller, const CallOperand* operand, std::int64_t wanted,
                         const char* side) {
  if (operand == nullptr) {
    base::fail(base::Status::invalid_argument, "{}: argument '{}' is needed on rank {}",
               schedule::to_text(caller.operation), side, caller.rank);
  }
  base::fail(base::Status::invalid_argument,
             "{}: argument '{}' has {} elements but {} are needed on rank {} of {}",
             schedule::to_text(caller.operation), side, operand->layout.size(), wanted, caller.rank,
             caller.p);
}

// Returns the elements that an operand must have; -1 if any number is allowed.
std::int64_t wanted_elements(const Caller& caller, const Arguments& arguments, Side side,
                             bool whole) {
  const RankCounts& counts = arguments.counts;
  const std::span<const std::int64_t> own = side == Side::input ? counts.input : counts.output;
  if (whole)
    return own.empty() || counts.cut != Cut::by_counts ? vector_elements(caller, arguments)
                                                       : summed(own);
  if (counts.cut != Cut::by_counts) return -1;
  const auto rank = static_cast<std::size_t>(caller.rank);
  return counts.input.empty() ? counts.output[rank] : counts.input[rank];
}

void check_side(const Caller& caller, const Arguments& arguments, Side side, bool whole) {
  const CallOperand* operand = side == Side::input ? arguments.input : arguments.output;
  const std::int64_t wanted =
      operand == nullptr ? 0 : wanted_elements(caller, arguments, side, whole);
  if (operand == nullptr || (wanted >= 0 && operand->layout.size() != wanted)) {
    refuse(caller, operand, wanted, side == Side::input ? "input" : "output");
  }
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(operand->layout.extent(),
                             static_cast<std::int64_t>(operand->element_bytes), &bytes)) {
    base::fail(base::Status::invalid_argument,
               "{}: argument '{}' of {} elements is larger than any memory",
               schedule::to_text(caller.operation), side == Side::input ? "input" : "output",
               operand->layout.size());
  }
}

// Returns the element of the whole vector at which the rank's own part begins.
std::int64_t own_start(const Caller& caller, std::int64_t own, const RankCounts& counts) {
  if (counts.cut != Cut::by_counts) return own * caller.rank;
  const std::span<const std::int64_t> all = counts.input.empty() ? counts.output : counts.input;
  std::int64_t start = 0;
  for (int rank = 0; rank < caller.rank; ++rank) start += all[static_cast<std::size_t>(rank)];
  return start;
}

void check_overlap(const Caller& caller, const Arguments& arguments, const OperandNeeds& needs) {
  const CallOperand& input = *arguments.input;
  const CallOperand& output = *arguments.output;
  if (input.element_bytes != output.element_bytes) {
    base::fail(base::Status::invalid_argument,
               "{}: input and output have elements of different types",
               schedule::to_text(caller.operation));
  }
  const bool input_is_part = needs.output_is_whole && !needs.input_is_whole;
  const bool output_is_part = needs.input_is_whole && !needs.output_is_whole;
  const CallOperand& part = input_is_part ? input : output;
  const CallOperand& whole = input_is_part ? output : input;
  const bool cut = input_is_part || output_is_part;
  const std::int64_t first = cut ? own_start(caller, part.layout.size(), arguments.counts) : 0;
  const Overlap overlap = overlap_of(part, whole, first);
  if (overlap == Overlap::in_place && !caller.in_place) {
    base::fail(base::Status::invalid_argument,
               "{}: input and output are the same memory on rank {}, but the schedule of its file "
               "does not work in place",
               schedule::to_text(caller.operation), caller.rank);
  }
  if (overlap == Overlap::partly) {
    base::fail(base::Status::invalid_argument,
               "{}: input and output overlap on rank {}, but {} elements at {} and {} at {} are "
               "not in place{}",
               schedule::to_text(caller.operation), caller.rank, input.layout.size(), input.address,
               output.layout.size(), output.address,
               cut ? ", where a rank's own part is that part of the whole vector" : "");
  }
}

// Checks the counts of a complete exchange. In place, rank and partner exchange blocks at equal
// positions, so both directions must have equal counts.
void check_exchange(const Caller& caller, const Arguments& arguments) {
  const RankCounts& counts = arguments.counts;
  if (counts.cut == Cut::even) {
    if (size_of(arguments.input) % caller.p == 0) return;
    base::fail(base::Status::invalid_argument,
               "{}: argument 'input' has {} elements, which {} ranks cannot share evenly",
               schedule::to_text(caller.operation), size_of(arguments.input), caller.p);
  }
  const auto rank = static_cast<std::size_t>(caller.rank);
  if (counts.input[rank] != counts.output[rank]) {
    base::fail(
        base::Status::invalid_argument, "{}: rank {} sends itself {} elements but receives {}",
        schedule::to_text(caller.operation), caller.rank, counts.input[rank], counts.output[rank]);
  }
  const bool in_place =
      arguments.input->address == arguments.output->address && size_of(arguments.input) > 0;
  if (in_place && !std::equal(counts.input.begin(), counts.input.end(), counts.output.begin())) {
    base::fail(base::Status::invalid_argument,
               "{}: in place, rank {} must receive as much from each rank as it sends",
               schedule::to_text(caller.operation), caller.rank);
  }
}

}  // namespace

OperandNeeds needs_of(Operation operation, bool is_root) {
  const schedule::OperationFacts& facts = facts_of(operation);
  const auto is_there = [is_root](Share holds) {
    return holds == Share::at_root ? is_root : holds != Share::none;
  };
  const auto is_whole = [](Share holds) { return holds != Share::none && holds != Share::own; };
  return {.input = is_there(facts.input),
          .output = is_there(facts.output),
          .input_is_whole = is_whole(facts.input),
          .output_is_whole = is_whole(facts.output)};
}

std::int64_t vector_elements(const Caller& caller, const Arguments& arguments) {
  const RankCounts& counts = arguments.counts;
  if (counts.cut == Cut::by_counts)
    return summed(counts.input.empty() ? counts.output : counts.input);
  const bool own_only = counts.cut == Cut::own_only;
  switch (caller.operation) {
    case Operation::barrier:
      return 0;
    case Operation::broadcast:
      return size_of(arguments.output);
    case Operation::scatter:
    case Operation::reduce_scatter:
      return own_only ? size_of(arguments.output) : multiplied(size_of(arguments.output), caller.p);
    case Operation::gather:
    case Operation::allgather:
      return own_only ? size_of(arguments.input) : multiplied(size_of(arguments.input), caller.p);
    default:
      return size_of(arguments.input);
  }
}

void check_arguments(const Caller& caller, const Arguments& arguments) {
  const OperandNeeds needs = needs_of(caller.operation, caller.rank == caller.root);
  if (needs.input) check_side(caller, arguments, Side::input, needs.input_is_whole);
  if (needs.output) check_side(caller, arguments, Side::output, needs.output_is_whole);
  if (needs.input && needs.output) check_overlap(caller, arguments, needs);
  if (caller.operation == Operation::alltoall) check_exchange(caller, arguments);
}

}  // namespace tutti::engine
