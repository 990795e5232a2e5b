// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the C interface: arguments are turned into operands, the engine does the rest.
#include "api/plans.hpp"
#include "api/repeat.hpp"
#include "api/state.hpp"

using namespace tutti;
using api::guarded;
using api::state;
using schedule::Operation;

namespace {

engine::Plan& run_chosen(api::State& mine, tutti_group handle, Operation operation, int root, std::int64_t elements,
                         const engine::Arguments& arguments) {
  engine::Group& group = mine.group(handle);
  const engine::Operand* side = arguments.input != nullptr ? arguments.input : arguments.output;
  const std::int64_t bytes = side == nullptr ? 0 : elements * static_cast<std::int64_t>(side->element_bytes);
  const bool commutative = arguments.op == nullptr || arguments.op->commutative();
  engine::Plan& plan = group.chosen(operation, root, bytes, commutative);
  group.run(plan, arguments);
  if (mine.hook.function != nullptr) api::call_hook(mine, handle, plan);
  return plan;
}

void same_type(const tutti_data& input, const tutti_data& output) {
  if (input.type != output.type) {
    base::fail(base::Status::invalid_argument, "input has type {} but output has type {}", int{input.type},
               int{output.type});
  }
}

// The long side of a rooted operation may be missing away from the root.
engine::Operand optional_operand(const tutti_data* data, const char* argument) {
  return data == nullptr ? engine::Operand{} : api::operand_of(data, argument);
}

// The rest of this namespace: calls that do not repeat an earlier one.

[[gnu::noinline]] void run_first(api::State& mine, tutti_group group, Operation operation, int root,
                                 const api::Sides& sides, std::int64_t elements = 0,
                                 const engine::Arguments& arguments = {}) {
  engine::Plan& plan = run_chosen(mine, group, operation, root, elements, arguments);
  api::remember(mine.group(group), operation, root, sides, plan);
}

[[gnu::noinline]] void first_bcast(api::State& mine, tutti_group group, int root, const api::Sides& sides) {
  const engine::Operand operand = api::operand_of(sides.output, "data");
  run_first(mine, group, Operation::broadcast, root, sides, operand.layout.size(),
            {nullptr, &operand, nullptr, nullptr});
}

[[gnu::noinline]] void first_reduce(api::State& mine, tutti_group group, int root, const api::Sides& sides) {
  const engine::Operand from = api::operand_of(sides.input, "input");
  const bool has_output = mine.group(group).rank() == root || sides.output != nullptr;
  const engine::Operand to = has_output ? api::operand_of(sides.output, "output") : engine::Operand{};
  if (has_output) same_type(*sides.input, *sides.output);
  run_first(mine, group, Operation::reduce, root, sides, from.layout.size(),
            {&from, &to, &mine.op(sides.op, sides.input->type), nullptr});
}

[[gnu::noinline]] void first_allreduce(api::State& mine, tutti_group group, const api::Sides& sides) {
  const engine::Operand from = api::operand_of(sides.input, "input");
  const engine::Operand to = api::operand_of(sides.output, "output");
  same_type(*sides.input, *sides.output);
  run_first(mine, group, Operation::allreduce, 0, sides, from.layout.size(),
            {&from, &to, &mine.op(sides.op, sides.input->type), nullptr});
}

}  // namespace

extern "C" {

tutti_status tutti_barrier(tutti_group group) {
  return guarded("tutti_barrier", [&] {
    api::State& mine = state();
    static constexpr api::CallWords words("tutti_barrier");
    const api::CallName name(mine, words);
    if (!api::run_repeated(mine, group, Operation::barrier, 0, {})) run_first(mine, group, Operation::barrier, 0, {});
  });
}

tutti_status tutti_bcast(tutti_group group, const tutti_data* data, int root) {
  return guarded("tutti_bcast", [&] {
    api::State& mine = state();
    static constexpr api::CallWords words("tutti_bcast");
    const api::CallName name(mine, words);
    const api::Sides sides{nullptr, data};
    if (!api::run_repeated(mine, group, Operation::broadcast, root, sides)) first_bcast(mine, group, root, sides);
  });
}

tutti_status tutti_reduce(tutti_group group, const tutti_data* input, const tutti_data* output, tutti_op op, int root) {
  return guarded("tutti_reduce", [&] {
    api::State& mine = state();
    static constexpr api::CallWords words("tutti_reduce");
    const api::CallName name(mine, words);
    const api::Sides sides{input, output, op};
    if (!api::run_repeated(mine, group, Operation::reduce, root, sides)) first_reduce(mine, group, root, sides);
  });
}

tutti_status tutti_allreduce(tutti_group group, const tutti_data* input, const tutti_data* output, tutti_op op) {
  return guarded("tutti_allreduce", [&] {
    api::State& mine = state();
    static constexpr api::CallWords words("tutti_allreduce");
    const api::CallName name(mine, words);
    const api::Sides sides{input, output, op};
    if (!api::run_repeated(mine, group, Operation::allreduce, 0, sides)) first_allreduce(mine, group, sides);
  });
}

tutti_status tutti_gather(tutti_group group, const tutti_data* input, const tutti_data* output, int root) {
  return guarded("tutti_gather", [&] {
    api::State& mine = state();
    static constexpr api::CallWords words("tutti_gather");
    const api::CallName name(mine, words);
    const engine::Operand from = api::operand_of(input, "input");
    const engine::Operand to = optional_operand(output, "output");
    if (output != nullptr) same_type(*input, *output);
    const std::int64_t whole = from.layout.size() * mine.group(group).size();
    run_chosen(mine, group, Operation::gather, root, whole, {&from, &to, nullptr, nullptr});
  });
}

tutti_status tutti_scatter(tutti_group group, const tutti_data* input, const tutti_data* output, int root) {
  return guarded("tutti_scatter", [&] {
    api::State& mine = state();
    static constexpr api::CallWords words("tutti_scatter");
    const api::CallName name(mine, words);
    const engine::Operand to = api::operand_of(output, "output");
    engine::Operand from = optional_operand(input, "input");
    if (input != nullptr) same_type(*input, *output);
    from.element_bytes = to.element_bytes;
    const std::int64_t whole = to.layout.size() * mine.group(group).size();
    run_chosen(mine, group, Operation::scatter, root, whole, {&from, &to, nullptr, nullptr});
  });
}

}  // extern "C"
