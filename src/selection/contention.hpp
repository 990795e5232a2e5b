// SPDX-License-Identifier: BSD-3-Clause
// The cost of a schedule on a network whose links are shared. Formulas do not say who sends to
// whom, so messages are counted.
#pragma once

#include "machine/topology.hpp"
#include "schedule/generator.hpp"

namespace tutti::selection {

// Returns the coefficient of beta per byte of the whole vector. Each round lasts as long as its
// busiest port or its busiest link; a link is `kappa` times as fast as a port. Rank r is node r of
// the topology, which has at least shape.p nodes.
[[nodiscard]] double shared_beta(const schedule::Generator& generator, const schedule::Shape& shape,
                                 const machine::Topology& topology, double kappa);

}  // namespace tutti::selection
