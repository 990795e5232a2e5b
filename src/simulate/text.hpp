// SPDX-License-Identifier: BSD-3-Clause
// What things are called in errors and lists.
#pragma once

#include <string>

#include "machine/topology.hpp"
#include "simulate/report.hpp"

namespace tutti::simulate {

// "0->3 (phase 1, round 2)".
[[nodiscard]] std::string to_text(const Name& name);
// A link by its index, or "the medium" on a bus.
[[nodiscard]] std::string link_text(const machine::Machine& machine, int link);
// "step 3, link 010->000: message 011->000 waited 12.5 us for 010->100".
[[nodiscard]] std::string to_text(const Contention& contention, const machine::Machine& machine);

}  // namespace tutti::simulate
