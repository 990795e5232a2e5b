// SPDX-License-Identifier: BSD-3-Clause
// Machines and jobs that the tests of the simulator use.
#pragma once

#include <string>

#include "machine/machine.hpp"
#include "simulate/simulate.hpp"

namespace tutti::simulate {

// The circuit-switched hypercube of paper 004, section 2: 95 + 0.394 m + 10.3 d, in microseconds.
[[nodiscard]] machine::Machine ipsc(int dimensions, double hop = 10.3);

// Messages of one unit of time, whatever their size, on circuits: the machine of the charts.
[[nodiscard]] machine::Machine unit_steps(const std::string& topology, machine::Ports ports);

// Every message takes alpha + beta m, its sender and its receiver as long; the network is never in
// the way.
[[nodiscard]] machine::Machine plain(int nodes, double alpha, double beta, double gamma);

[[nodiscard]] JobOperation operation(schedule::Operation what, const char* algorithm,
                                     schedule::Shape shape, std::int64_t bytes);

}  // namespace tutti::simulate
