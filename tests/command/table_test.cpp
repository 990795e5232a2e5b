// SPDX-License-Identifier: BSD-3-Clause
// The one writer of tables: columns of text, quotes in CSV, values in JSON, cells of Markdown.
#include "support/table.hpp"

#include <gtest/gtest.h>

namespace tutti::tools {
namespace {

Table example() {
  Table table("name<6; n>3; | time us>0");
  table.add({"ring", 8, 0.5});
  table.add({"a, \"b\" | c", 1000000, nlohmann::json()});
  table.add({"", true, ""});
  return table;
}

TEST(Table, TextHasColumnsAsWideAsTheirCells) {
  EXPECT_EQ(example().text(),
            "name             n | time us\n"
            "ring             8 |     0.5\n"
            "a, \"b\" | c 1000000 |\n"
            "              true |\n");
  EXPECT_EQ(example().rows_text(), example().text().substr(example().text().find('\n') + 1));
}

TEST(Table, WidthsAreTheLeast) {
  Table table("a<4; b>4");
  table.add({"x", "y"});
  EXPECT_EQ(table.text(), "a       b\nx       y\n");
}

TEST(Table, ColumnsThatDoNotFitStandBelow) {
  Table table("name<6; n>3;  why<0");
  table.add({"ring", 8, "few bytes and many rounds"});
  table.add({"tree", 16, ""});
  const std::string whole = table.text({.width = 80});
  EXPECT_EQ(whole, table.text(Screen{}));
  EXPECT_EQ(table.text({.width = 20}),
            "name     n\n    why\nring     8\n    few bytes and\n    many rounds\n"
            "tree    16\n");
  Table numbers("a>6; b>6; c>6");
  numbers.add({1, 2, 3});
  EXPECT_EQ(numbers.text({.width = 15}),
            "     a      b\n          c\n     1      2\n          3\n");
}

TEST(Table, ATerminalHasColours) {
  Table table("name<4; right<6");
  table.add({"a", "yes"});
  table.add({"b", "NO"});
  table.add_best({"c", "yes"});
  const std::string off = "\x1b[0m", green = "\x1b[32m", bold = "\x1b[1m";
  EXPECT_EQ(table.text({.width = 80, .colours = Colours::ansi}),
            bold + "name right" + off + "\na    " + green + "yes" + off + "\nb    " + bold +
                "\x1b[31mNO" + off + "\n" + green + "c    yes" + off + "\n");
}

TEST(Table, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(example().csv(), "name,n,time us\nring,8,0.5\n\"a, \"\"b\"\" | c\",1000000,\n,true,\n");
}

TEST(Table, JsonHasValuesByKey) {
  const nlohmann::json json = example().json();
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0], nlohmann::json({{"name", "ring"}, {"n", 8}, {"time us", 0.5}}));
  EXPECT_TRUE(json[1]["time us"].is_null());
  EXPECT_EQ(json[2]["n"], true);
}

TEST(Table, MarkdownEscapesBars) {
  EXPECT_EQ(example().markdown(),
            "| name | n | time us |\n|---|---|---|\n| ring | 8 | 0.5 |\n"
            "| a, \"b\" \\| c | 1000000 |  |\n|  | true |  |\n");
}

TEST(Table, JsonTextReplacesWhatIsNoUtf8) {
  EXPECT_EQ(json_text(nlohmann::json({{"a", "\xff"}})), "{\n  \"a\": \"\xef\xbf\xbd\"\n}\n");
}

TEST(Table, ColumnsFormatTheirNumbers) {
  Table table("a>6.2f;b>.3g");
  table.add({1, 1234.5});
  table.add({"text", nlohmann::json()});
  EXPECT_EQ(table.csv(), "a,b\n1.00,1.23e+03\ntext,\n");
  EXPECT_EQ(table.json()[0]["b"], 1234.5);
}

}  // namespace
}  // namespace tutti::tools
