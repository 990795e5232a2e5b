// SPDX-License-Identifier: BSD-3-Clause
// Making and running plans.
#include "engine/plan.hpp"

#include "base/error.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

using schedule::Operation;

Buffer buffer_of(const Operand* operand) {
  if (operand == nullptr) return {};
  return {static_cast<std::byte*>(operand->address), &operand->layout};
}

std::int64_t size_of(const Operand* operand) {
  return operand == nullptr ? 0 : operand->layout.size();
}

schedule::Program checked_program(const Request& request, const schedule::Shape& shape, int rank) {
  const schedule::Generator& generator = *request.generator;
  if (generator.applies != nullptr && !generator.applies(shape)) {
    base::fail(base::Status::no_such_plan,
               "algorithm '{}' does not serve a group of {} (root {}, branches {}, rings {})", generator.name, shape.p,
               shape.root, shape.branches, shape.rings);
  }
  return schedule::normalized(schedule::build(generator, shape, schedule::Rank{rank}));
}

schedule::Shape shape_of(const Request& request, int p) {
  schedule::Shape shape;
  shape.p = p;
  shape.root = request.root;
  shape.branches = request.branches;
  shape.rings = request.rings;
  shape.segments = request.segments;
  return shape;
}

OperandNeeds needs_of(Operation operation, bool is_root) {
  switch (operation) {
    case Operation::barrier:
      return {false, false, false, false};
    case Operation::broadcast:
      return {false, true, false, true};
    case Operation::reduce:
      return {true, is_root, true, true};
    case Operation::gather:
      return {true, is_root, false, true};
    case Operation::scatter:
      return {is_root, true, true, false};
    case Operation::allgather:
      return {true, true, false, true};
    case Operation::reduce_scatter:
      return {true, true, true, false};
    default:
      return {true, true, true, true};
  }
}

}  // namespace

Plan::Plan(const group::Members& members, int rank, const Request& request, transport::Transport& transport)
    : members_(&members),
      rank_(rank),
      request_(request),
      needs_(needs_of(request.generator->operation, rank == request.root)),
      lowered_(lower(checked_program(request, shape_of(request, members.size()), rank),
                     request.generator->buffers(shape_of(request, members.size())), transport, members.endpoints())),
      executor_(lowered_, transport, {members.id(), request.generator->operation, rank, members.endpoints()}) {}

schedule::Shape Plan::shape() const {
  return shape_of(request_, members_->size());
}

schedule::Program Plan::program() const {
  return raise(lowered_, members_->endpoints());
}

std::string Plan::text() const {
  return schedule::to_text(program());
}

std::string Plan::describe() const {
  return fmt::format("{} {} over {} ranks, root {}, branches {}, rings {}: {} rounds", schedule::to_text(operation()),
                     request_.generator->name, members_->size(), request_.root, request_.branches, request_.rings,
                     request_.generator->rounds(shape()));
}

void Plan::verify() const {
  for (const auto placement : {schedule::Placement::separate, schedule::Placement::in_place}) {
    const schedule::Verdict verdict = schedule::verify_normalized(*request_.generator, shape(), placement);
    if (!verdict.correct()) base::fail(base::Status::no_such_plan, "{} is not right: {}", describe(), verdict.problem);
  }
}

std::int64_t Plan::multiplied(std::int64_t elements) const {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(elements, std::int64_t{members_->size()}, &product)) {
    base::fail(base::Status::invalid_argument, "{} elements for each of {} ranks are too many", elements,
               members_->size());
  }
  return product;
}

std::int64_t Plan::vector_elements(const Arguments& arguments) const {
  switch (operation()) {
    case Operation::barrier:
      return 0;
    case Operation::broadcast:
      return size_of(arguments.output);
    case Operation::scatter:
    case Operation::reduce_scatter:
      return multiplied(size_of(arguments.output));
    case Operation::gather:
    case Operation::allgather:
      return multiplied(size_of(arguments.input));
    default:
      return size_of(arguments.input);
  }
}

bool Plan::receives_result() const {
  const bool rooted = operation() == Operation::reduce || operation() == Operation::gather;
  return !rooted || rank_ == request_.root;
}

// Only what this rank can see: which operands there are, and that their sizes are those the operation gives them.
void Plan::check(const Arguments& arguments) const {
  const std::int64_t n = vector_elements(arguments);
  const Operand* input = arguments.input;
  const Operand* output = arguments.output;
  const auto fits = [n](const Operand* operand, bool whole) {
    return operand != nullptr && (!whole || operand->layout.size() == n);
  };
  const bool input_fits = !needs_.input || fits(input, needs_.input_is_whole);
  const bool output_fits = !needs_.output || fits(output, needs_.output_is_whole);
  if (!input_fits) refuse(input, n, "input");
  if (!output_fits) refuse(output, n, "output");
  if (needs_.input && needs_.output && input->element_bytes != output->element_bytes) {
    base::fail(base::Status::invalid_argument, "{}: input and output have elements of different types",
               request_.generator->name);
  }
  if (request_.generator->commutative_only && arguments.op != nullptr && !arguments.op->commutative()) {
    base::fail(base::Status::invalid_argument,
               "algorithm '{}' changes the order of operands, but the operator is not commutative",
               request_.generator->name);
  }
}

void Plan::refuse(const Operand* operand, std::int64_t wanted, const char* side) const {
  if (operand == nullptr) {
    base::fail(base::Status::invalid_argument, "{}: argument '{}' is needed on rank {}", request_.generator->name, side,
               rank_);
  }
  base::fail(base::Status::invalid_argument, "{}: argument '{}' has {} elements but {} are needed on rank {} of {}",
             request_.generator->name, side, operand->layout.size(), wanted, rank_, members_->size());
}

void Plan::start(std::uint32_t sequence, const Arguments& arguments) {
  ++bindings_;
  const std::int64_t n = vector_elements(arguments);
  const bool by_output = operation() == Operation::broadcast || operation() == Operation::scatter;
  const Operand* side = by_output ? arguments.output : arguments.input;
  const std::size_t element_bytes = side == nullptr ? 1 : side->element_bytes;
  executor_.start(sequence, n, element_bytes, buffer_of(arguments.input), buffer_of(arguments.output), arguments.op);
}

void Plan::run(std::uint32_t sequence, const Arguments& arguments) {
  if (arguments.op != nullptr && arguments.op->has_maps()) return run_located(sequence, arguments);
  start(sequence, arguments);
  executor_.run();
}

void Plan::release() {
  ++bindings_;
  executor_.release();
  std::vector<std::byte>().swap(wire_input_);
  std::vector<std::byte>().swap(wire_output_);
}

// Values become wire elements that carry the distance of their rank, and the winners become values and ranks again.
void Plan::run_located(std::uint32_t sequence, const Arguments& arguments) {
  ++bindings_;
  const std::int64_t n = vector_elements(arguments);
  const data::Operator& op = *arguments.op;
  const auto wire = static_cast<std::int64_t>(op.wire_bytes());
  const auto bytes = static_cast<std::size_t>(n * wire);
  if (wire_input_.size() < bytes) wire_input_.resize(bytes);
  if (wire_output_.size() < bytes) wire_output_.resize(bytes);
  const int p = members_->size();
  const int distance =
      schedule::mod(rank_ - (arguments.locations == nullptr ? 0 : arguments.locations->distance_root), p);
  const auto* values = static_cast<const std::byte*>(arguments.input->address);
  arguments.input->layout.for_each_run(0, n, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
    op.leaf_map()(wire_input_.data() + position * wire, values + offset * static_cast<std::int64_t>(op.value_bytes()),
                  length, distance);
  });
  const data::Layout contiguous = data::Layout::contiguous(n);
  executor_.start(sequence, n, op.wire_bytes(), {wire_input_.data(), &contiguous}, {wire_output_.data(), &contiguous},
                  &op);
  executor_.run();
  if (receives_result()) deliver_located(n, arguments);
}

void Plan::deliver_located(std::int64_t n, const Arguments& arguments) const {
  const data::Operator& op = *arguments.op;
  const auto wire = static_cast<std::int64_t>(op.wire_bytes());
  auto* values = static_cast<std::byte*>(arguments.output->address);
  arguments.output->layout.for_each_run(0, n, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
    op.final_map()(values + offset * static_cast<std::int64_t>(op.value_bytes()), nullptr,
                   wire_output_.data() + position * wire, length);
  });
  if (arguments.locations == nullptr) return;
  const int p = members_->size();
  const Locations& where = *arguments.locations;
  where.layout.for_each_run(0, n, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
    std::int32_t* ranks = where.ranks + offset;
    op.final_map()(nullptr, ranks, wire_output_.data() + position * wire, length);
    for (std::int64_t i = 0; i < length; ++i) ranks[i] = schedule::mod(ranks[i] + where.distance_root, p);
  });
}

}  // namespace tutti::engine
