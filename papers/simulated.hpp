// SPDX-License-Identifier: BSD-3-Clause
// Runs of the simulator on the papers' machines.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "papers/result.hpp"
#include "schedule/generator.hpp"
#include "simulate/job.hpp"

namespace tutti::papers {

// The machine, on another network if one is given. With `half`, or where the file says so, nodes
// send or receive.
enum class Ports { of_file, half };
[[nodiscard]] machine::Machine simulated_machine(const std::string& file, Ports ports,
                                                 const std::string& topology = "");
// Says so.
void add_ports(Result& result, const machine::Machine& machine);

// When the last rank has finished, in microseconds.
[[nodiscard]] double time_of(const machine::Machine& machine, const simulate::Job& job);

// One collective on the first nodes, `times` times one after the other without a barrier between.
[[nodiscard]] double collective_time(const machine::Machine& machine,
                                     const schedule::Generator& generator,
                                     const schedule::Shape& shape, std::int64_t bytes,
                                     int times = 1);

// One message of so many bytes for each pair of source and destination, all at once.
[[nodiscard]] double messages_time(const machine::Machine& machine,
                                   const std::vector<std::pair<int, int>>& pairs,
                                   std::int64_t bytes);

// Every number and word of the machine that its file gives, and those that follow from them.
void add_parameters(Result& result, const machine::Machine& machine);

}  // namespace tutti::papers
