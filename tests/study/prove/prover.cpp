// SPDX-License-Identifier: BSD-3-Clause
#include "prover.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>

#include "algorithms/registry.hpp"
#include "schedule/operation.hpp"

namespace tutti {

std::istringstream lines_of_prover(const std::string& words) {
  std::string text;
  FILE* pipe = popen(("'" TUTTI_PROVE "' " + words).c_str(), "r");
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
  EXPECT_EQ(pclose(pipe), 0);
  return std::istringstream(text);
}

const schedule::Generator& named(const std::string& name) {
  for (const schedule::Generator* g : algorithms::all())
    if (std::string(schedule::to_text(g->operation)) + "/" + g->name == name) return *g;
  throw std::runtime_error(name);
}

}  // namespace tutti
