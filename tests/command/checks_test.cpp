// SPDX-License-Identifier: BSD-3-Clause
// Tests the checks of numbers on the command line: which words they accept, and the texts of
// refusals.
#include "support/checks.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tutti::tools {
namespace {

// Returns an empty text if the check accepts `word`, else the refusal.
std::string refusal(const CLI::Validator& check, std::string word) {
  return check(word);
}

TEST(Checks, CountsAreWholeAndAboveZero) {
  for (const char* word : {"1", "64", "2147483647"})
    EXPECT_EQ(refusal(positive_count(), word), "") << word;
  for (const char* word :
       {"0", "-1", "", "p", "3x", "1.5", "nan", "2147483648", "99999999999999999999"}) {
    EXPECT_EQ(refusal(positive_count(), word),
              "must be a whole number above 0, not '" + std::string(word) + "'");
  }
}

TEST(Checks, RangesNameTheirEnds) {
  EXPECT_EQ(refusal(whole_number(2, 64), "2"), "");
  EXPECT_EQ(refusal(whole_number(2, 64), "64"), "");
  EXPECT_EQ(refusal(whole_number(2, 64), "65"), "must be a whole number from 2 to 64, not '65'");
  EXPECT_EQ(refusal(whole_number(0), "-1"), "must be a whole number, 0 or more, not '-1'");
}

TEST(Checks, TimesAreFinite) {
  for (const char* word : {"1", "0.5", "1e3"})
    EXPECT_EQ(refusal(positive_seconds(), word), "") << word;
  for (const char* word : {"0", "-1", "nan", "inf", "-inf", "soon", "", "1e999", "5s"}) {
    EXPECT_EQ(refusal(positive_seconds(), word),
              "must be a number of seconds above 0, not '" + std::string(word) + "'");
  }
}

TEST(Checks, NumbersMayBeZeroWhereThatIsMeant) {
  EXPECT_EQ(refusal(number_from_zero(), "0"), "");
  EXPECT_EQ(refusal(number_from_zero(), "-0.5"), "must be a number, 0 or more, not '-0.5'");
  EXPECT_EQ(refusal(positive_number(), "0"), "must be a number above 0, not '0'");
  EXPECT_EQ(refusal(positive_number(), "1e-9"), "");
}

}  // namespace
}  // namespace tutti::tools
