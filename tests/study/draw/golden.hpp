// SPDX-License-Identifier: BSD-3-Clause
// Gives the tests of drawings their golden files, which have the expected drawings, and the
// messages to draw.
#pragma once

#include <string>

#include "schedule/generator.hpp"
#include "traffic/message.hpp"

namespace tutti {

// Returns the file golden/<name>.txt, or the paper's chart papers/data/charts/<name>.txt, without
// the comment lines at its top.
std::string golden(const std::string& name);

// Returns the messages of an algorithm on all nodes of a topology.
traffic::Messages messages_on(const machine::Topology& topology, schedule::Operation operation,
                              const char* name, schedule::Shape shape = {});

}  // namespace tutti
