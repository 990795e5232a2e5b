// SPDX-License-Identifier: BSD-3-Clause
// Tests the search for the known word that a misspelt word stands for.
#include "base/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace tutti::base::test {
namespace {

constexpr std::array<std::string_view, 6> verbs = {"run",    "explain",  "draw",
                                                   "verify", "simulate", "bench"};

TEST(Nearest, EveryKindOfTypingError) {
  EXPECT_EQ(nearest("expliain", verbs), "explain");  // a letter too many
  EXPECT_EQ(nearest("simlate", verbs), "simulate");  // one too few
  EXPECT_EQ(nearest("drew", verbs), "draw");         // a wrong one
  EXPECT_EQ(nearest("rnu", verbs), "run");           // neighbours exchanged
  EXPECT_EQ(nearest("vreiyf", verbs), "verify");     // two errors
  EXPECT_EQ(nearest("bench", verbs), "bench");
}

TEST(Nearest, AnExchangeIsOneError) {
  constexpr std::array<std::string_view, 2> two_errors_first = {"abxy", "bacd"};
  EXPECT_EQ(nearest("abcd", two_errors_first), "bacd");
}

TEST(Nearest, OfEquallyNearWordsTheFirst) {
  constexpr std::array<std::string_view, 2> known = {"abdd", "acbd"};
  EXPECT_EQ(nearest("abcd", known), "abdd");
}

TEST(Nearest, AWordThatIsNearNothing) {
  for (const char* word : {"", "x", "n", "allreduce", "zzzzz", "--"})
    EXPECT_EQ(nearest(word, verbs), std::nullopt) << word;
  EXPECT_EQ(nearest("run", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(1000, 'r'), verbs), std::nullopt);
}

TEST(Nearest, LongWordsMayHaveMoreErrors) {
  constexpr std::array<std::string_view, 1> known = {"TUTTI_REPRODUCIBLE"};
  EXPECT_EQ(nearest("TUTI_REPRODUCABEL", known), "TUTTI_REPRODUCIBLE");
  EXPECT_EQ(nearest("TUTTI_WINDOWS", known), std::nullopt);
}

}  // namespace
}  // namespace tutti::base::test
