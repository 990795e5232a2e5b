// SPDX-License-Identifier: BSD-3-Clause
// Runs the simulator on the papers' machines.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "papers/common/result.hpp"
#include "schedule/generator.hpp"
#include "simulate/job.hpp"

namespace tutti::papers {

// Loads the machine. With `half`, or if the file says so, a
// node cannot send and receive at the same time.
enum class Ports { of_file, half };
[[nodiscard]] machine::Machine simulated_machine(const std::string& file, Ports ports);

// Loads the machine with another network than its file has. The page says why.
[[nodiscard]] machine::Machine machine_on(const std::string& file, const std::string& topology,
                                          const char* why);
// The reason of paper 004's smaller cubes.
inline constexpr const char* part_of_the_cube =
    "the nodes that take part, a cube within the machine's";
// A note that says how nodes send and receive.
void add_ports(Result& result, const machine::Machine& machine);

// Returns the time in microseconds at which the last rank has finished.
[[nodiscard]] double time_of(const machine::Machine& machine, const simulate::SimulatedJob& job);

// Simulates one collective on the first nodes, repeated `times` times without a barrier in between.
[[nodiscard]] double collective_time(const machine::Machine& machine,
                                     const schedule::Generator& generator,
                                     const schedule::Shape& shape, std::int64_t bytes,
                                     int times = 1);

// Simulates one message of this size for each pair of source and destination, all at once.
[[nodiscard]] double messages_time(const machine::Machine& machine,
                                   const std::vector<std::pair<int, int>>& pairs,
                                   std::int64_t bytes);

// A number of a machine's file as a parameter, with where it is from.
[[nodiscard]] Parameter parameter_of(std::string name, const machine::Number& number,
                                     std::string unit = "us");
// Adds every number and word of the machine that its file gives, and those that follow from them.
void add_parameters(Result& result, const machine::Machine& machine);

}  // namespace tutti::papers
