// SPDX-License-Identifier: BSD-3-Clause
// A program calls the same collective, or runs the same plan, with the same sizes again and again.
// Such a call is recognised by a few comparisons and runs at once; everything that was looked up,
// checked and chosen the first time holds still.
#pragma once

#include "api/state.hpp"

namespace tutti::api {

// The sides of a call. Only built-in operators are remembered: a handle of the user's may be freed
// in between.
struct Sides {
  const tutti_data* input = nullptr;
  const tutti_data* output = nullptr;
  tutti_op op{0};
  bool located = false;  // ranks are asked for, too

  [[nodiscard]] bool simple() const {
    return is_simple(input) && is_simple(output) && op.id <= data::builtin_kinds;
  }
  // Type, operator and which sides there are, as one number. Not 0.
  [[nodiscard]] std::uint64_t what() const {
    const tutti_data* side = any();
    const std::uint64_t present =
        (input != nullptr ? 1U : 0U) | (output != nullptr ? 2U : 0U) | 4U | (located ? 8U : 0U);
    return present | (side == nullptr ? 0 : static_cast<std::uint64_t>(side->type) << 8) |
           op.id << 16;
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
  // Whether a call with these sides is the one remembered but for the addresses.
  [[nodiscard]] bool repeat(const engine::Group::Repeat& last) const {
    return last.what == what() && last.input_count == input_count() &&
           last.output_count == output_count() && simple() && one_type();
  }

 private:
  [[nodiscard]] const tutti_data* any() const { return input != nullptr ? input : output; }
  [[nodiscard]] static bool is_simple(const tutti_data* side) {
    return side == nullptr || (side->shape == TUTTI_CONTIGUOUS && side->address != nullptr);
  }
};

// Runs the call if it repeats the last one of its operation with this root.
inline bool run_repeated(ApiState& mine, tutti_group handle, schedule::Operation operation,
                         int root, const Sides& sides) {
  engine::Group& group = mine.group(handle);
  const engine::Group::Repeat& last = group.repeat(operation, root);
  return sides.repeat(last) && last.root == root && !mine.watched &&
         group.run_again(last, Sides::address(sides.input), Sides::address(sides.output));
}

// After a call that succeeded.
inline void remember(engine::Group::Repeat& last, int root, const Sides& sides,
                     engine::Plan& plan) {
  if (!sides.simple() || !sides.one_type() || plan.native()) return;
  last = {sides.what(),
          sides.input_count(),
          sides.output_count(),
          root,
          plan.bindings(),
          Sides::bytes(sides.input),
          Sides::bytes(sides.output),
          sides.displacement(),
          &plan};
}

}  // namespace tutti::api
