// SPDX-License-Identifier: BSD-3-Clause
// Tests the label that names an operation on the wire, and how two operands may overlap.
#include <gtest/gtest.h>

#include <array>

#include "engine/overlap.hpp"
#include "engine/tag.hpp"

namespace tutti::engine {
namespace {

using data::Layout;
using schedule::Operation;

TEST(Tag, KeepsWhatItIsMadeOf) {
  const Tag tag = Tag(0xfedeadbeef, Operation::exscan, 1023, Mode::overlapping)
                      .combining(0xd5)
                      .numbered(10'000'000);
  EXPECT_EQ(tag.group(), 0xfedeadbeef);
  EXPECT_EQ(tag.operation(), Operation::exscan);
  EXPECT_EQ(tag.root(), 1023);
  EXPECT_EQ(tag.mode(), Mode::overlapping);
  EXPECT_EQ(tag.number(), 10'000'000U);
  EXPECT_EQ(tag.signature(), 0xd5);
  EXPECT_EQ(tag.combining(0).signature(), 0);
  EXPECT_EQ(tag.combining(0xff).mode(), Mode::overlapping);
}

TEST(Tag, NumbersAreNearestToEachOtherAcrossTheEndOfTheirRange) {
  const Tag unnumbered(7, Operation::barrier, 0, Mode::blocking);
  for (const std::uint32_t base :
       {0U, 5U, Tag::number_mask - 1, Tag::number_mask, Tag::number_mask + 1, 0xffffffffU}) {
    EXPECT_EQ(unnumbered.numbered(base).later_than(base), 0);
    EXPECT_EQ(unnumbered.numbered(base + 3).later_than(base), 3);
    EXPECT_EQ(unnumbered.numbered(base - 3).later_than(base), -3);
  }
}

class Overlaps : public testing::Test {
 protected:
  CallOperand at(int element, const Layout& layout) {
    return {&memory_[static_cast<std::size_t>(element)], layout, 8};
  }
  std::array<double, 64> memory_{};
};

TEST_F(Overlaps, ContiguousOperands) {
  const Layout four = Layout::contiguous(4), twelve = Layout::contiguous(12);
  EXPECT_EQ(overlap_of(at(0, four), at(0, four), 0), Overlap::in_place);
  EXPECT_EQ(overlap_of(at(0, four), at(4, four), 0), Overlap::apart);
  EXPECT_EQ(overlap_of(at(1, four), at(4, four), 0), Overlap::partly);
  EXPECT_EQ(overlap_of(at(14, four), at(10, twelve), 4), Overlap::in_place);
  EXPECT_EQ(overlap_of(at(10, four), at(10, twelve), 4), Overlap::partly);
  EXPECT_EQ(overlap_of(at(3, Layout::contiguous(0)), at(0, twelve), 4), Overlap::apart);
}

// Two sets of rows of one matrix are apart: their extents overlap, but they share no elements.
TEST_F(Overlaps, InterleavedMatricesAreApart) {
  const Layout rows = Layout::matrix(2, 5, 4);
  EXPECT_EQ(overlap_of(at(0, rows), at(2, rows), 0), Overlap::apart);
  EXPECT_EQ(overlap_of(at(0, rows), at(1, rows), 0), Overlap::partly);
  EXPECT_EQ(overlap_of(at(0, rows), at(0, rows), 0), Overlap::in_place);
  EXPECT_EQ(overlap_of(at(0, rows), at(0, Layout::matrix(4, 5, 4)), 0), Overlap::partly);
  EXPECT_EQ(overlap_of(at(4, Layout::matrix(2, 2, 4)), at(0, rows), 2), Overlap::in_place);
}

}  // namespace
}  // namespace tutti::engine
