// SPDX-License-Identifier: BSD-3-Clause
// Makes the network that a machine's switching needs (network.hpp).
#include "simulate/network.hpp"

#include "simulate/exclusive.hpp"
#include "simulate/packets.hpp"
#include "simulate/shared.hpp"

namespace tutti::simulate {

std::unique_ptr<SimulatedNetwork> make_network(World& world) {
  using machine::Switching;
  switch (world.machine.network.switching) {
    case Switching::share_equal:
    case Switching::share_max_min:
      return std::make_unique<SharedNetwork>(world);
    case Switching::store_and_forward:
    case Switching::bus:
      return std::make_unique<Packets>(world);
    default:
      return std::make_unique<Exclusive>(world);
  }
}

}  // namespace tutti::simulate
