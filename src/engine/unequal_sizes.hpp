// SPDX-License-Identifier: BSD-3-Clause
// The error of a collective to which ranks have given different sizes. The executor throws it, and
// the C interface tells front ends that have an error code for it.
#pragma once

#include <string>

#include "base/error.hpp"

namespace tutti::engine {

class UnequalSizes : public base::Error {
 public:
  explicit UnequalSizes(const std::string& context) : Error(base::Status::mismatch, context) {}
};

}  // namespace tutti::engine
