// SPDX-License-Identifier: BSD-3-Clause
#include "bsp_model/machine_rates.hpp"

#include <bit>

#include "base/error.hpp"

namespace tutti::tools {
namespace {

constexpr double word_bytes = 8;

}  // namespace

BspMachine bsp_machine_of(double alpha_us, double beta_us, int processes) {
  const double alpha = alpha_us * 1e-6, beta = beta_us * 1e-6;
  BspMachine rates;
  rates.l = std::bit_width(static_cast<unsigned>(processes - 1)) * alpha;
  rates.l_busy = rates.l + alpha;
  rates.gap.g_inf = word_bytes * beta;
  rates.gap.h_half = beta > 0 ? alpha / rates.gap.g_inf : 0;
  return rates;
}

BspMachine bsp_machine_of(const machine::Machine& machine, int processes) {
  const int nodes = machine.network.topology->nodes();
  if (processes < 1 || processes > nodes)
    base::fail(base::Status::invalid_argument, "{} has {} nodes; {} processes do not fit",
               machine.name, nodes, processes);
  return bsp_machine_of(machine.node.alpha, machine.node.beta, processes);
}

}  // namespace tutti::tools
