// SPDX-License-Identifier: BSD-3-Clause
// Compares the order and grouping in which every reduction combines its operands with
// golden/trees.txt, which has fingerprints of them. A change alters the last bits of users'
// results, so it must be intended. The present table is written to trees.txt in the working folder.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "algorithms/registry.hpp"
#include "schedule/verifier.hpp"
#include "shapes.hpp"

namespace tutti {
namespace {

constexpr int largest_p = 9;

std::map<std::string, std::string> trees_now() {
  std::map<std::string, std::string> table;
  for (const schedule::Generator* g : algorithms::all()) {
    for (int p = 2; p <= largest_p; ++p) {
      const Shapes shapes = shapes_of(*g, p);
      for (schedule::Shape s : shapes.all) {
        if (g->applies != nullptr && !g->applies(s)) continue;
        s.root = roots_of(*g, s).back();
        const schedule::Verdict verdict = verify(*g, s);
        if (verdict.trees != 0) table[describe(*g, s)] = fmt::format("{:016x}", verdict.trees);
      }
    }
  }
  return table;
}

std::map<std::string, std::string> trees_kept() {
  std::map<std::string, std::string> table;
  std::ifstream file(TUTTI_GOLDEN_DIR "/trees.txt");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos && line[0] != '#')
      table[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return table;
}

TEST(trees, are_those_of_earlier_versions) {
  const auto now = trees_now(), kept = trees_kept();
  std::ofstream file("trees.txt");
  for (const auto& [name, tree] : now) file << name << ": " << tree << '\n';
  EXPECT_FALSE(kept.empty());
  for (const auto& [name, tree] : now) {
    const auto found = kept.find(name);
    if (found == kept.end()) {
      ADD_FAILURE() << "not in golden/trees.txt: " << name;
    } else {
      EXPECT_EQ(found->second, tree) << name << " combines in another order than before";
    }
  }
  for (const auto& [name, tree] : kept)
    EXPECT_TRUE(now.contains(name)) << "no longer there: " << name;
}

}  // namespace
}  // namespace tutti
