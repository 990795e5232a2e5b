// SPDX-License-Identifier: BSD-3-Clause
#include "pricing.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bsp_model/machine.hpp"

namespace profile {

Pricing::Pricing(const std::string& machine, int processes) {
  const tutti::tools::Subject subject = machine.empty()
                                            ? tutti::tools::host_subject(processes)
                                            : tutti::tools::subject_of({machine, processes});
  if (subject.processes != processes)
    throw std::runtime_error(fmt::format("'{}' is a machine of {} processes, not of {}", machine,
                                         subject.processes, processes));
  machine_ = subject.machine;
}

double Pricing::seconds(const std::vector<Superstep>& steps) const {
  return predicted(machine_, steps, tutti::tools::Model::by_process);
}

}  // namespace profile
