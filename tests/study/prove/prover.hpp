// SPDX-License-Identifier: BSD-3-Clause
// Starts tutti-prove for the tests that compare what it prints with the library.
#pragma once

#include <sstream>
#include <string>

#include "schedule/generator.hpp"

namespace tutti {

// Returns the lines that tutti-prove prints for these words. Fails if it does not end with 0.
std::istringstream lines_of_prover(const std::string& words);
// Returns the library's generator with a name such as allgather/ring.
const schedule::Generator& named(const std::string& name);

}  // namespace tutti
