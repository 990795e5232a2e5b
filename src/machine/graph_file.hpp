// SPDX-License-Identifier: BSD-3-Clause
// Reads networks that list their links, in the table [graph] of a TOML file; tutti-machine(5)
// describes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "machine/topology.hpp"

namespace tutti::machine {

// `name` is the name of the resulting topology. Throws Error(invalid_argument) that names origin,
// line, key and the error: an unlisted name, a repeated link, a route that lacks a link or visits a
// vertex twice, or nodes that cannot reach each other.
[[nodiscard]] std::unique_ptr<Topology> parse_graph(std::string_view toml,
                                                    const std::string& origin,
                                                    const std::string& name);

// Reads the graph in the file at `path`.
[[nodiscard]] std::unique_ptr<Topology> load_graph(const std::string& path);

}  // namespace tutti::machine
