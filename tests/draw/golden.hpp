// SPDX-License-Identifier: BSD-3-Clause
// Files with what drawings should be, and the messages that are drawn.
#pragma once

#include <string>

#include "schedule/generator.hpp"
#include "traffic/message.hpp"

namespace tutti {

// The file golden/<name>.txt without the lines of comment at its top.
std::string golden(const std::string& name);

// The messages of an algorithm on all nodes of a topology.
traffic::Messages messages_on(const machine::Topology& topology, schedule::Operation operation,
                              const char* name, schedule::Shape shape = {});

}  // namespace tutti
