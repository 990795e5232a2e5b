// SPDX-License-Identifier: BSD-3-Clause
// Reads bytes, UTF-8 and FASTA, and refuses what is malformed.
#include "text.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace llcs {
namespace {

std::vector<std::uint32_t> all_of(std::string_view bytes, Characters characters) {
  std::vector<std::uint32_t> all;
  Reader reader(bytes, characters);
  for (std::uint32_t character = 0; reader.next(character);) all.push_back(character);
  return all;
}
std::string text_of(std::string_view bytes, Characters characters) {
  std::string text;
  for (const std::uint32_t character : all_of(bytes, characters))
    append(text, character, characters);
  return text;
}

TEST(Text, ReadsCodePointsOfAllLengths) {
  const std::string text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f";
  EXPECT_EQ(all_of(text, Characters::code_points),
            (std::vector<std::uint32_t>{'a', 0xe9, 0x20ac, 0x1f600, 0x7f}));
  EXPECT_EQ(text_of(text, Characters::code_points), text);
  EXPECT_EQ(all_of(text, Characters::bytes).size(), text.size());
}

TEST(Text, RefusesMalformedCodePoints) {
  // A byte of the middle, forms that are too long, a surrogate, a number too large, an end too
  // soon.
  for (const char* text : {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3",
                           "\xe2\x82", "\xf0\x9f\x98", "\xc3z", "\xff"})
    EXPECT_THROW(all_of(text, Characters::code_points), std::runtime_error) << text;
}

TEST(Text, DropsHeadersAndWhiteSpaceOfFasta) {
  EXPECT_EQ(text_of(">one | x\nAC GT\r\n\n;note\n>two\nTT\n", Characters::letters), "ACGTTT");
  EXPECT_EQ(text_of("AC>GT;\n", Characters::letters), "AC>GT;");
  EXPECT_EQ(text_of(">only a header", Characters::letters), "");
  EXPECT_EQ(text_of("", Characters::letters), "");
  EXPECT_EQ(text_of("A\n>h", Characters::letters), "A");
}

TEST(Text, KnowsFastaByItsEnding) {
  for (const char* name : {"a.fa", "b.fasta", "c.fna", "d.faa"})
    EXPECT_EQ(characters_of(name), Characters::letters);
  for (const char* name : {"a.txt", "fa", "a.fa.txt"})
    EXPECT_EQ(characters_of(name), Characters::bytes);
}

TEST(Text, NumbersTheCharactersOfBothStrings) {
  Alphabet alphabet;
  EXPECT_EQ(alphabet.add("cab", Characters::bytes), 3U);
  EXPECT_EQ(alphabet.add("\xe2\x82\xac"
                         "a",
                         Characters::code_points),
            2U);
  alphabet.number();
  EXPECT_EQ(alphabet.size(), 4U);
  EXPECT_EQ(alphabet.code_of('a'), 0U);
  EXPECT_EQ(alphabet.code_of(0x20ac), 3U);
  EXPECT_EQ(alphabet.character_of(2), static_cast<std::uint32_t>('c'));
}

}  // namespace
}  // namespace llcs
