// SPDX-License-Identifier: BSD-3-Clause
// Networks written down link by link, in the table [graph] of a TOML file; tutti-machine(5)
// describes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "machine/topology.hpp"

namespace tutti::machine {

// `name` is what the topology says it is called. Throws Error(invalid_argument) that names origin,
// line, key and what is wrong: a name that is not listed, a link twice, a route without its link or
// through a vertex twice, nodes that cannot reach each other.
[[nodiscard]] std::unique_ptr<Topology> parse_graph(std::string_view toml,
                                                    const std::string& origin,
                                                    const std::string& name);

// Reads the graph in the file at `path`.
[[nodiscard]] std::unique_ptr<Topology> load_graph(const std::string& path);

}  // namespace tutti::machine
