// SPDX-License-Identifier: BSD-3-Clause
// Machines and jobs that the tests of the simulator use.
#pragma once

#include <string>

#include "machine/machine.hpp"
#include "simulate/simulate.hpp"

namespace tutti::simulate {

// Returns the circuit-switched hypercube of paper 004, section 2: 95 + 0.394 m + 10.3 d, in
// microseconds.
[[nodiscard]] machine::Machine ipsc(int dimensions, double hop = 10.3);

// Returns the machine of the charts, with circuits. Every message takes one unit of time, for any
// size.
[[nodiscard]] machine::Machine unit_steps(const std::string& topology, machine::Ports ports);

// Returns a machine on which every message takes alpha + beta m, at its sender and its receiver.
// The network never delays it.
[[nodiscard]] machine::Machine plain(int nodes, double alpha, double beta, double gamma);

[[nodiscard]] JobOperation operation(schedule::Operation what, const char* algorithm,
                                     schedule::Shape shape, std::int64_t bytes);

}  // namespace tutti::simulate
