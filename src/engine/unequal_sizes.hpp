// SPDX-License-Identifier: BSD-3-Clause
// The error of a collective to which ranks have given different sizes. Arrivals throw it, and
// the C interface tells front ends that have an error code for it.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"

namespace tutti::engine {

// The two sizes in bytes, of the vector or of one rank's block; or of one part, where the schedule
// cuts the vector and the sizes of parts do not tell that of the whole.
struct TwoSizes {
  int sender = -1;  // rank of the process that sent
  std::int64_t expected = 0, sent = 0;
  bool of_part = false;
};

class UnequalSizes : public base::Error {
 public:
  UnequalSizes(const std::string& context, const TwoSizes& sizes)
      : Error(base::Status::mismatch, context), sizes_(sizes) {}
  [[nodiscard]] const TwoSizes& sizes() const { return sizes_; }

 private:
  TwoSizes sizes_;
};

}  // namespace tutti::engine
