// SPDX-License-Identifier: BSD-3-Clause
// Writes messages, links and contentions as text, for errors and lists.
#pragma once

#include <string>

#include "machine/topology.hpp"
#include "simulate/job.hpp"
#include "simulate/report.hpp"

namespace tutti::simulate {

// Returns a text such as "0->3 (phase 1, round 2)".
[[nodiscard]] std::string to_text(const Name& name, const JobHosts& hosts);
// Returns the text of the link with this index, or "the medium" on a bus.
[[nodiscard]] std::string link_text(const machine::Machine& machine, int link);
// Returns a text such as "step 3, link 010->000: message 011->000 waited 12.5 us for 010->100".
[[nodiscard]] std::string to_text(const Contention& contention, const machine::Machine& machine);

}  // namespace tutti::simulate
