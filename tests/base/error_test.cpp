// SPDX-License-Identifier: BSD-3-Clause
// Checks that status codes have texts of their own, and that errors carry code and context.
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>

#include "base/printable.hpp"

namespace tutti::base::test {
namespace {

TEST(Status, EveryCodeHasItsOwnNumberAndText) {
  struct Row {
    Status status;
    int value;
  };
  const Row rows[] = {
#define TUTTI_STATUS(name, value, text) {Status::name, value},
#include "base/status.def"
#undef TUTTI_STATUS
  };
  std::set<int> values;
  std::set<std::string> texts;
  for (const Row& row : rows) {
    EXPECT_EQ(static_cast<int>(row.status), row.value);
    values.insert(row.value);
    texts.insert(text_of(row.status));
  }
  EXPECT_EQ(values.size(), std::size(rows));
  EXPECT_EQ(texts.size(), std::size(rows));
  EXPECT_EQ(static_cast<int>(Status::ok), 0);
  EXPECT_STREQ(text_of(static_cast<Status>(12345)), "unknown status");
}

TEST(Error, CarriesStatusAndContext) {
  try {
    fail(Status::mismatch, "rank {} sent {} bytes", 3, 17);
    FAIL() << "fail returned";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::mismatch);
    EXPECT_STREQ(error.what(), "rank 3 sent 17 bytes");
  }
}

TEST(Error, ErrnoIsAppended) {
  try {
    errno = ENOENT;
    fail_errno("opening the segment");
    FAIL() << "fail_errno returned";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::system_error);
    EXPECT_STREQ(error.what(), "opening the segment: No such file or directory");
  }
}

TEST(Printable, ShowsOtherBytesAsNumbers) {
  EXPECT_EQ(printable("a b~", 10), "a b~");
  EXPECT_EQ(printable("a\n\x1b[2J\x7f\xc3", 10), "a\\x0a\\x1b[2J\\x7f\\xc3");
  EXPECT_EQ(printable("abcd", 4), "abcd");
  EXPECT_EQ(printable("abcde", 4), "abcd...");
  EXPECT_EQ(without_controls("a\nb\x1b[2J\r\x7f\xc3\xa9"), "a\nb\\x1b[2J\\x0d\\x7f\xc3\xa9");
  EXPECT_EQ(without_controls("\xc2\x9b[1m \xc2\xa9"), "\\xc2\\x9b[1m \xc2\xa9");
}

}  // namespace
}  // namespace tutti::base::test
