// SPDX-License-Identifier: BSD-3-Clause
// The error of a call that needs a process which has ended. Transports throw it, and the C
// interface tells front ends which process it was.
#pragma once

#include <string>

#include "base/error.hpp"

namespace tutti::transport {

class DepartedError : public base::Error {
 public:
  DepartedError(int endpoint, const std::string& context)
      : Error(base::Status::peer_left, context), endpoint_(endpoint) {}
  [[nodiscard]] int endpoint() const { return endpoint_; }

 private:
  int endpoint_;
};

}  // namespace tutti::transport
