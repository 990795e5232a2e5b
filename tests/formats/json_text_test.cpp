// SPDX-License-Identifier: BSD-3-Clause
// JSON is read strictly, and every error names its place.
#include <gtest/gtest.h>

#include "formats/json_text.hpp"

namespace tutti {
namespace {

using formats::JsonText;

template <class Read>
std::string error_of(const std::string& text, Read read) {
  try {
    JsonText json(text, "f.json");
    read(json);
    json.end();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

std::string number_error(const std::string& text) {
  return error_of(text, [](JsonText& json) { static_cast<void>(json.integer()); });
}

std::string string_error(const std::string& text) {
  return error_of(text, [](JsonText& json) { static_cast<void>(json.string(20)); });
}

TEST(JsonText, ReadsWholeNumbersOnly) {
  EXPECT_EQ(number_error(" 17 "), "");
  EXPECT_EQ(number_error("-3"), "");
  for (const char* text : {"", "-", "1.0", "1e3", "01", "-0", "+1", "\"1\"", "1 2", "nan", "0x10",
                           "99999999999999999999"})
    EXPECT_NE(number_error(text), "") << text;
}

TEST(JsonText, ReadsStringsOfUtf8) {
  JsonText json(R"("a\"\\\/\n\u00e9\ud83d\ude00")", "f");
  EXPECT_EQ(json.string(40), "a\"\\/\n\u00e9\U0001F600");
  for (const std::string text :
       {"\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"",
        "\"\\ud800\\u0041\"", "\"\x01\"", "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"",
        "\"\xf5\"", "\"123456789012345678901\""})
    EXPECT_NE(string_error(text), "") << text;
}

TEST(JsonText, NamesLineAndPath) {
  const auto read = [](JsonText& json) {
    json.object([&](std::string_view) {
      json.array(
          [&] { json.object([&](std::string_view) { static_cast<void>(json.integer()); }); });
    });
  };
  EXPECT_EQ(error_of("{\"rounds\": [\n{}, {\"0\":\n true}]}", read),
            "f.json line 3, rounds[1].\"0\": a whole number is expected");
  EXPECT_EQ(error_of("{\"a\": [{}", read),
            "f.json line 1, a[1]: the text ends where ',' or the end "
            "of the list is expected");
  EXPECT_EQ(error_of("{\"a\": [{},]}", read), "f.json line 1, a[1]: a comma stands before ']'");
  EXPECT_EQ(error_of("{} {}", read), "f.json line 1: '{' is found behind the end");
}

TEST(JsonText, SkipsAValueAndComesBack) {
  JsonText json(R"([{"a": ["}", "\"]"]}, 12])", "f");
  const std::size_t place = json.place();
  json.skip();
  json.end();
  json.go_to(place);
  json.array([&] { json.skip(); });
  json.end();
}

TEST(JsonText, RefusesDeepNesting) {
  const std::string deep(1 << 20, '[');
  EXPECT_EQ(error_of(deep, [](JsonText& json) { json.skip(); }),
            "f.json line 1: nested more than 64 deep");
}

}  // namespace
}  // namespace tutti
