// SPDX-License-Identifier: BSD-3-Clause
// Generators that a program or a plug-in brings through the C interface of tutti_generator.h. Each
// is proved for a shape before anybody gets its schedule.
#pragma once

#include <span>
#include <string>

#include "schedule/generator.hpp"

struct tutti_generator;

namespace tutti::algorithms {

// Makes a generator known. `identity` is what all ranks must have alike, as a hash; empty: what the
// generator does for a few shapes. Throws Error(invalid_argument) if it cannot be one.
void register_generator(const tutti_generator& given, const std::string& identity = {});

// Loads the plug-ins of TUTTI_GENERATORS, once. Throws Error(bad_environment) that names the file.
void load_plugins();

// Returns the registered generators and a hash of each, as text; empty if there are none.
[[nodiscard]] std::string registered_text();

}  // namespace tutti::algorithms
