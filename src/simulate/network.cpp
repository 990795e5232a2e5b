// SPDX-License-Identifier: BSD-3-Clause
// Which network a machine has.
#include "simulate/network.hpp"

#include "simulate/exclusive.hpp"

namespace tutti::simulate {

std::unique_ptr<Network> make_network(World& world) {
  return std::make_unique<Exclusive>(world);
}

}  // namespace tutti::simulate
