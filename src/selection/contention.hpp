// SPDX-License-Identifier: BSD-3-Clause
// The cost of a schedule where messages meet, on the links of a network or on the ways out of
// hosts. Formulas do not say who sends to whom, so messages are counted, one round after the other.
// Rounds whose messages are the same are counted once (Generator::like).
#pragma once

#include <cstdint>

#include "machine/topology.hpp"
#include "schedule/generator.hpp"
#include "selection/strategies.hpp"
#include "selection/ways.hpp"

namespace tutti::selection {

// The terms of a schedule. Each is a sum over rounds of the largest of any rank, port or link: a
// round lasts as long as its busiest port or link, and as its longest way.
struct Counted {
  Terms terms;
  // Blocks times the distance of the ranks' numbers, of all messages: small if partners are near.
  double distance = 0;
};
[[nodiscard]] Counted counted(const schedule::Generator& generator, const schedule::Shape& shape,
                              const Ways& ways);

// Returns about how many messages and rounds of ranks counted() looks at; `enough` or more if they
// are that many.
[[nodiscard]] std::int64_t steps_to_count(const schedule::Generator& generator,
                                          const schedule::Shape& shape, std::int64_t enough);

// Returns the coefficient of beta per byte of the whole vector, where a link is `kappa` times as
// fast as a port. Rank r is node r of the topology, which has at least shape.p nodes.
[[nodiscard]] double shared_beta(const schedule::Generator& generator, const schedule::Shape& shape,
                                 const machine::Topology& topology, double kappa);

}  // namespace tutti::selection
