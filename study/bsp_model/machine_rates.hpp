// SPDX-License-Identifier: BSD-3-Clause
// The BSP parameters of a machine that a machine file describes (machine/machine.hpp).
#pragma once

#include "bsp_model/model.hpp"
#include "machine/machine.hpp"

namespace tutti::tools {

// Takes the costs of messages for those of a BSPlib that sends one message to each partner and
// synchronises in ceil(log2 P) steps. Messages of a superstep to one partner are combined, so none
// has an overhead of its own. Throws base::Error if the machine has fewer nodes than `processes`.
[[nodiscard]] BspMachine bsp_machine_of(const machine::Machine& machine, int processes);
// Takes the start-up of messages and the time per byte, in us, as those of any machine.
[[nodiscard]] BspMachine bsp_machine_of(double alpha_us, double beta_us, int processes);

}  // namespace tutti::tools
