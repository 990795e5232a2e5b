// SPDX-License-Identifier: BSD-3-Clause
// Selects the numbers of a machine that its kind of switching uses (costs.hpp).
#include "simulate/costs.hpp"

#include <algorithm>

namespace tutti::simulate {
namespace {

// Returns the part of a start-up in which the message already holds its path.
Ticks held_of(const machine::Machine& machine, Ticks start_up) {
  return machine::takes_links(machine.network.switching)
             ? std::min(ticks(machine.network.held), start_up)
             : 0;
}

double checked(double per_byte) {
  static_cast<void>(ticks(per_byte));
  return per_byte;
}

}  // namespace

Costs::Costs(const machine::Machine& machine)
    : circuit_(machine::sets_up_path(machine.network.switching)),
      alpha_(ticks(machine.node.alpha)),
      held_(held_of(machine, alpha_)),
      hop_(ticks(machine.network.hop)),
      send_alpha_(ticks(machine.node.send_alpha)),
      receive_alpha_(ticks(machine.node.receive_alpha)),
      gamma_alpha_(ticks(machine.node.gamma_alpha)),
      copy_alpha_(ticks(machine.node.copy_alpha)),
      beta_(checked(machine.node.beta)),
      link_beta_(checked(machine.network.link_beta)),
      send_beta_(checked(machine.node.send_beta)),
      receive_beta_(checked(machine.node.receive_beta)),
      gamma_(checked(machine.node.gamma)),
      copy_(checked(machine.node.copy)) {
  before_ = alpha_ - held_;
  const Ticks control = ticks(machine.protocol.request_alpha);
  control_held_ = held_of(machine, control);
  control_before_ = control - control_held_;
}

}  // namespace tutti::simulate
