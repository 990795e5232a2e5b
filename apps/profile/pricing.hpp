// SPDX-License-Identifier: BSD-3-Clause
// The predicted time of supersteps, for programs that choose by it.
#pragma once

#include <string>
#include <vector>

#include "costs.hpp"

namespace profile {

class Pricing {
 public:
  // The machine is named as for `tutti predict`; an empty name is this host. Throws
  // std::runtime_error if there is no such machine or it has another number of processes.
  Pricing(const std::string& machine, int processes);

  // By process.
  [[nodiscard]] double seconds(const std::vector<Superstep>& steps) const;

 private:
  tutti::tools::BspMachine machine_;
};

}  // namespace profile
