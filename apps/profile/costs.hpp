// SPDX-License-Identifier: BSD-3-Clause
// The supersteps of a program that has not run yet: what each process computes and moves. They are
// written as a profile, like that of a run (TUTTI_BSP_PROFILE), for `tutti predict`. Their types
// are those of its model.
#pragma once

#include <string>
#include <vector>

#include "bsp_model/model.hpp"

namespace profile {

using tutti::tools::Access;
using tutti::tools::Superstep;
using tutti::tools::Work;

// Returns a superstep in which no process has anything to do yet.
Superstep empty_superstep(int processes);

// Adds messages from one process to another, which may be the same. The process that asks for them
// or sends them counts them.
void add_words(Superstep& step, Access access, int from, int to, double words, double messages);

// Writes the supersteps to a file. `name` says what they are. Throws std::runtime_error.
void write(const std::string& path, const std::vector<Superstep>& steps, const std::string& name);

}  // namespace profile
