// SPDX-License-Identifier: BSD-3-Clause
// The costs of a schedule on a network whose links are shared. Formulas do not tell the sender and
// receiver of each message, so this counts.
#pragma once

#include "machine/topology.hpp"
#include "schedule/generator.hpp"

namespace tutti::selection {

// The coefficient of beta per byte of the whole vector: each round lasts as long as its busiest
// port or its busiest link, a link being `kappa` times as fast as a port. Rank r is node r of the
// topology, which has shape.p nodes.
[[nodiscard]] double shared_beta(const schedule::Generator& generator, const schedule::Shape& shape,
                                 const machine::Topology& topology, double kappa);

}  // namespace tutti::selection
