// SPDX-License-Identifier: BSD-3-Clause
// Recognises a call that repeats an earlier one: the same collective or plan, with the same sizes.
// A few comparisons then replace everything that was looked up, checked and chosen for that one.
// Collectives and plans use it.
#pragma once

#include "api/state.hpp"

namespace tutti::api {

// Returns the number by which calls with an operator are remembered. A built-in operator has that
// of its handle. Operators of the program with the same signature have the same number, because
// plans are chosen and run alike for them. The operator itself is looked up for each call, since
// the program may free it in between. Returns 0 for an operator that may fail, because ranks must
// then tell each other whether it has failed.
[[nodiscard]] inline std::uint64_t number_of(tutti_op handle, const data::Operator* op) {
  if (handle.id <= data::builtin_kinds || op == nullptr) return handle.id;
  constexpr std::uint64_t first_user_number = 64;  // handles of user's operators are above 32 bits
  return op->may_fail() ? 0 : first_user_number + op->signature();
}

// The operands and the operator of a call.
struct CallOperands {
  const tutti_data* input = nullptr;
  const tutti_data* output = nullptr;
  tutti_op op{0};

  // Returns a number, not 0, that stands for the type, the operator and the operands that are
  // present.
  [[nodiscard]] std::uint64_t what(std::uint64_t op_number) const {
    const tutti_data* side = any();
    const std::uint64_t present = (input != nullptr ? 1U : 0U) | (output != nullptr ? 2U : 0U) | 4U;
    return present | (side == nullptr ? 0 : static_cast<std::uint64_t>(side->type) << 8) |
           op_number << 16;
  }
  [[nodiscard]] std::int64_t input_count() const { return input == nullptr ? 0 : input->m; }
  [[nodiscard]] std::int64_t output_count() const { return output == nullptr ? 0 : output->m; }
  [[nodiscard]] bool one_type() const {
    return input == nullptr || output == nullptr || input->type == output->type;
  }
  [[nodiscard]] std::uintptr_t displacement() const {
    return input == nullptr || output == nullptr
               ? 0
               : reinterpret_cast<std::uintptr_t>(output->address) -
                     reinterpret_cast<std::uintptr_t>(input->address);
  }
  [[nodiscard]] static std::uint64_t bytes(const tutti_data* side) {
    return side == nullptr
               ? 0
               : static_cast<std::uint64_t>(side->m) * data::size_of(element_of(side->type));
  }
  [[nodiscard]] static void* address(const tutti_data* side) {
    return side == nullptr ? nullptr : side->address;
  }
  [[nodiscard, gnu::always_inline]] engine::Signature signature(std::uint64_t op_number,
                                                                int root) const {
    return {.what = what(op_number),
            .input_count = input_count(),
            .output_count = output_count(),
            .root = root};
  }
  [[nodiscard]] engine::Extent extent() const {
    return {bytes(input), bytes(output), displacement()};
  }
  // Returns true if a call with these operands can be known again: they are contiguous, and of one
  // type.
  [[nodiscard]] bool plain() const { return simple() && one_type(); }

 private:
  [[nodiscard]] bool simple() const { return is_simple(input) && is_simple(output); }
  [[nodiscard]] const tutti_data* any() const { return input != nullptr ? input : output; }
  [[nodiscard]] static bool is_simple(const tutti_data* side) {
    return side == nullptr || (side->shape == TUTTI_CONTIGUOUS && side->address != nullptr);
  }
};

// Runs the call if it repeats one of its operation that the group remembers. Otherwise returns
// false. It is always inlined, because most of its comparisons are with constants of the caller,
// and because operands that stay in registers need not be written to memory.
[[gnu::always_inline]] inline bool run_repeated(ApiState& mine, tutti_group handle,
                                                schedule::Operation operation, int root,
                                                const CallOperands& operands) {
  // The handle of an operator of the program is not the number by which its calls are remembered.
  if (operands.op.id > data::builtin_kinds || !operands.plain() || mine.watched) return false;
  return mine.group(handle).run_again(operation, operands.signature(operands.op.id, root),
                                      CallOperands::address(operands.input),
                                      CallOperands::address(operands.output));
}

// Returns the signature by which the call is remembered after it has run; one that is never known
// again if it must not be. `op_number` is that of number_of().
[[nodiscard]] inline engine::Signature lasting(const engine::Signature& call,
                                               const CallOperands& operands,
                                               std::uint64_t op_number, const engine::Plan& plan) {
  const bool lasts = operands.op.id == 0 || op_number != 0;
  return lasts && operands.plain() && !plan.native() ? call : engine::Signature{};
}

}  // namespace tutti::api
