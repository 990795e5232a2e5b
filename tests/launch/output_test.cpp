// SPDX-License-Identifier: BSD-3-Clause
// Tests the lines that go from the ranks to a reader.
#include "launch/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string>

namespace tutti::launch {
namespace {

TEST(LineTagger, PutsTheRankBeforeWholeLines) {
  LineTagger tagger(2);
  std::string all = tagger.add("one\ntw");
  EXPECT_EQ(all, "[2] one\n");
  all += tagger.add("o\n\nthree");
  all += tagger.finish();
  EXPECT_EQ(all, "[2] one\n[2] two\n[2] \n[2] three\n");
}

// Returns all bytes in the pipe, which must not be empty.
std::string read_some(const Descriptor& pipe) {
  std::array<char, 65536> bytes;
  const auto got = ::read(pipe.get(), bytes.data(), bytes.size());
  return {bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

TEST(Outlet, StopsOnlyAtTheEndOfALineWhenThePipeIsFull) {
  const DescriptorPair pipe = pipe_pair();
  ASSERT_EQ(::fcntl(pipe.second.get(), F_SETPIPE_SZ, PIPE_BUF), PIPE_BUF);
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "line " + std::to_string(i) + "\n";
  Outlet outlet(pipe.second.get());
  outlet.add(text);
  ASSERT_TRUE(outlet.pending());
  std::string all;
  while (all.size() < text.size()) {
    const std::string some = read_some(pipe.first);
    ASSERT_EQ(some.back(), '\n') << some;
    all += some;
    outlet.flush();
  }
  EXPECT_EQ(all, text);
}

TEST(Outlet, PassesOnALineThatIsLongerThanAPieceInOrder) {
  const DescriptorPair pipe = pipe_pair();
  const std::string text = "short\n" + std::string(3 * PIPE_BUF, 'x') + "\nshort\n";
  Outlet outlet(pipe.second.get());
  outlet.add(text);
  EXPECT_FALSE(outlet.pending());
  EXPECT_EQ(read_some(pipe.first), text);
}

}  // namespace
}  // namespace tutti::launch
