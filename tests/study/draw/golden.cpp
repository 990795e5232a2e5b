// SPDX-License-Identifier: BSD-3-Clause
// Reads golden files and makes the messages of golden.hpp.
#include "golden.hpp"

#include <fstream>
#include <sstream>

#include "algorithms/registry.hpp"

namespace tutti {

std::string golden(const std::string& name) {
  std::ifstream file(std::string(TUTTI_GOLDEN_DIR) + "/" + name + ".txt");
  if (!file) file.open(std::string(TUTTI_CHARTS_DIR) + "/" + name + ".txt");
  std::string text, line;
  bool comment = true;
  while (std::getline(file, line)) {
    comment = comment && line.starts_with('#');
    if (!comment) text += line + "\n";
  }
  return text;
}

traffic::Messages messages_on(const machine::Topology& topology, schedule::Operation operation,
                              const char* name, schedule::Shape shape) {
  shape.p = topology.nodes();
  return traffic::routed(traffic::messages_of(*algorithms::find(operation, name), shape), topology);
}

}  // namespace tutti
