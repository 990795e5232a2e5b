// SPDX-License-Identifier: BSD-3-Clause
// Functions that leave the result in their first argument, as those of old interfaces do, as
// functions of an operator. tutti_op_create_in_place makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tutti/tutti_runtime.h"

namespace tutti::api {

// The function, and memory for operands that it must not change or that are not aligned.
class InPlace {
 public:
  InPlace(tutti_in_place_fn function, std::size_t element_bytes, void* user)
      : function_(function), element_bytes_(element_bytes), user_(user) {}

  // The function of the operator. `in_place` is an object of this class.
  static void combine(void* result, const void* left, const void* right, std::int64_t count,
                      void* in_place);

 private:
  using Memory = std::vector<std::max_align_t>;
  [[nodiscard]] static void* room_for(std::size_t bytes, Memory& memory);

  tutti_in_place_fn function_;
  std::size_t element_bytes_;
  void* user_;
  Memory x_, y_;
};

}  // namespace tutti::api
