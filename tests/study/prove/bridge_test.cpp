// SPDX-License-Identifier: BSD-3-Clause
// Compares the rounds that the prover's build emits on unknowns with numbers with those of the
// library. tutti-prove prints its own as hashes, and says where a term differs from its number.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "prover.hpp"
#include "round_hash.hpp"

namespace tutti {
namespace {

using schedule::Generator;

std::uint64_t hash_of(const Generator& g, int p) {
  prove::RoundHash hash([](int number) { return std::int64_t{number}; });
  schedule::Shape s;
  s.p = p;
  for (const int root : prove::compared_roots(p, has_root(g.operation))) {
    s.root = root;
    for (int rank = 0; rank < p; ++rank) {
      for (int t = 0; t < g.rounds(s); ++t) {
        schedule::Round round;
        g.emit(round, s, schedule::Rank{rank}, t);
        hash.add(round);
      }
    }
  }
  return hash.value();
}

// Returns how many generators were compared.
int compare(int most, const std::string& names) {
  std::istringstream lines = lines_of_prover("--bridge " + std::to_string(most) + names);
  std::map<std::string, int> compared;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    int p = 0;
    std::uint64_t hash = 0;
    words >> name;
    EXPECT_NE(name, "DIFFERS:") << line;
    if (name == "MISSING:" || name == "DIFFERS:") continue;
    words >> p >> std::hex >> hash;
    EXPECT_EQ(hash, hash_of(named(name), p)) << line;
    ++compared[name];
  }
  return static_cast<int>(compared.size());
}

TEST(bridge, both_builds_emit_the_same_rounds) {
  EXPECT_EQ(compare(6,
                    " allgather/circulant reduce_scatter/ring scatter/mst reduce/split_ring "
                    "allgather/recursive_doubling barrier/dissemination allgather/direct "
                    "reduce_scatter/direct gather/fully_connected alltoall/direct "
                    "alltoall/pairwise"),
            11);
}

TEST(bridge, every_generator_emits_the_same_rounds) {
  std::istringstream known = lines_of_prover("--list");
  const auto lines = std::count(std::istreambuf_iterator<char>(known), {}, '\n');
  EXPECT_EQ(compare(64, ""), lines);
}

}  // namespace
}  // namespace tutti
