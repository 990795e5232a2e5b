// SPDX-License-Identifier: BSD-3-Clause
// Makes and runs plans.
#include "engine/plan.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "algorithms/adopted.hpp"
#include "algorithms/native.hpp"
#include "base/error.hpp"
#include "engine/local_counts.hpp"
#include "engine/lowered_run.hpp"
#include "engine/native.hpp"
#include "engine/proof.hpp"
#include "schedule/normalize.hpp"
#include "schedule/partition.hpp"
#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

using schedule::Operation;

schedule::Program checked_program(const Request& request, const schedule::Shape& shape, int rank) {
  const schedule::Generator& generator = *request.generator;
  if (generator.applies != nullptr && !generator.applies(shape)) {
    if (const algorithms::Source* source = algorithms::source_of(generator))
      base::fail(base::Status::no_such_plan,
                 "algorithm '{}' does not serve {} in a group of {} (root {}); it needs {}",
                 generator.name, schedule::to_text(generator.operation), shape.p, shape.root,
                 source->needs());
    base::fail(base::Status::no_such_plan,
               "algorithm '{}' does not serve {} in a group of {} (root {}, branches {}, rings {}, "
               "segments {}, factors [{}], cut {})",
               generator.name, schedule::to_text(generator.operation), shape.p, shape.root,
               shape.branches, shape.rings, shape.segments, fmt::join(shape.factors, ","),
               shape.cut);
  }
  return schedule::normalized(schedule::build(generator, shape, schedule::Rank{rank}));
}

bool may_have_local_counts(Operation operation) {
  return operation == Operation::gather || operation == Operation::scatter ||
         operation == Operation::alltoall;
}

}  // namespace

Plan::Plan(const group::Members& members, int rank, const Request& request,
           transport::Transport& transport, const transport::wire::NativeRanks& mpi)
    : members_(&members),
      rank_(rank),
      request_(request),
      mpi_(algorithms::is_native(*request.generator) ? mpi : transport::wire::NativeRanks{}),
      transport_(&transport),
      lowered_(lowered()),
      local_counts_(may_have_local_counts(operation()) && !native() &&
                    serves_local_counts(*request_.generator, shape(), rank)) {}

LoweredPlan Plan::lowered() const {
  if (native()) return {};
  const schedule::Buffers buffers = request_.generator->buffers(shape());
  LoweredPlan plan = lower(checked_program(request_, shape(), rank_), buffers, *transport_,
                           members_->endpoints(), rank_);
  plan.cut_by_rank = schedule::cut_by_rank(operation(), buffers);
  return plan;
}

std::unique_ptr<Run> Plan::make_run(InFlight& in_flight, Mode mode) const {
  const Identity identity{caller(),
                          members_->id(),
                          mode,
                          members_->endpoints(),
                          request_.generator,
                          &request_.settings,
                          name_in_trace(in_flight.recorder())};
  if (native()) return std::make_unique<NativeRun>(mpi_, in_flight, identity);
  return std::make_unique<LoweredRun>(lowered_, *transport_, in_flight, identity);
}

std::uint32_t Plan::name_in_trace(trace::Tracer* recorder) const {
  if (recorder == nullptr) return 0;
  return recorder->number_of(
      fmt::format("{}\t{}\t{}", schedule::to_text(operation()),
                  selection::plan_name(*request_.generator, request_.settings), members_->text()));
}

schedule::Program Plan::program() const {
  return raise(lowered_, members_->endpoints());
}

std::string Plan::text() const {
  if (native()) return "run by the MPI itself: there is no schedule to show\n";
  return schedule::to_text(program());
}

std::string Plan::describe() const {
  return fmt::format("{} {} over {} ranks, root {}, branches {}, rings {}: {} rounds",
                     schedule::to_text(operation()), request_.generator->name, members_->size(),
                     request_.root, request_.settings.branches, request_.settings.rings,
                     request_.generator->rounds(shape()));
}

void Plan::check_executed() const {
  if (program() == checked_program(request_, shape(), rank_)) return;
  base::fail(base::Status::no_such_plan, "{} is lowered to something else", describe());
}

void Plan::verify() const {
  if (native())
    base::fail(base::Status::no_such_plan, "{} cannot be proved: it is the MPI's", describe());
  const int p = members_->size();
  const schedule::Buffers buffers = request_.generator->buffers(shape());
  std::vector<schedule::Program> programs;
  for (int rank = 0; rank < p; ++rank)
    programs.push_back(rank == rank_ ? program()
                                     : executed_program(checked_program(request_, shape(), rank),
                                                        buffers, rank, p));
  const std::string problem = refutation(*request_.generator, shape(), programs);
  if (!problem.empty())
    base::fail(base::Status::no_such_plan, "{} is not right: {}", describe(), problem);
}

void Plan::check(const Arguments& arguments) const {
  check_arguments(caller(), arguments);
  if (native()) return check_native(arguments);
  const bool local_counts =
      arguments.counts.cut == Cut::own_only ||
      (arguments.counts.cut == Cut::by_counts && !arguments.counts.known_everywhere &&
       operation() != Operation::allgather && operation() != Operation::reduce_scatter);
  if (local_counts && !local_counts_) {
    base::fail(base::Status::no_such_plan,
               "algorithm '{}' for {} needs to know all counts on all ranks, which this call does "
               "not give (rank {})",
               request_.generator->name, schedule::to_text(operation()), rank_);
  }
  if (arguments.op != nullptr && arguments.op->takes_vectors()) check_whole_vectors(arguments);
  if (request_.generator->commutative_only() && arguments.op != nullptr &&
      !arguments.op->commutative()) {
    base::fail(base::Status::invalid_argument,
               "algorithm '{}' for {} changes the order of operands, but the operator is not "
               "commutative (rank {})",
               request_.generator->name, schedule::to_text(operation()), rank_);
  }
}

void Plan::check_native(const Arguments& arguments) const {
  const std::string why = native_rejection(caller(), arguments);
  if (why.empty()) return;
  base::fail(base::Status::no_such_plan,
             "algorithm 'native' for {} cannot serve this call: {} (rank {})",
             schedule::to_text(operation()), why, rank_);
}

void Plan::check_whole_vectors(const Arguments& arguments) const {
  const auto contiguous = [](const CallOperand* operand) {
    return operand == nullptr || operand->layout.is_contiguous();
  };
  if (lowered_.buffers.parts != 1) {
    base::fail(
        base::Status::invalid_argument,
        "algorithm '{}' for {} cuts the vector, but the operator takes whole vectors (rank {})",
        request_.generator->name, schedule::to_text(operation()), rank_);
  }
  if (!contiguous(arguments.input) || !contiguous(arguments.output)) {
    base::fail(base::Status::invalid_argument,
               "{}: an operator on whole vectors needs contiguous operands (rank {})",
               schedule::to_text(operation()), rank_);
  }
}

}  // namespace tutti::engine
