// SPDX-License-Identifier: BSD-3-Clause
// Tests the cost expressions of the thesis's programs against counts over their blocks, and where
// they give what its appendices print.
#include <gtest/gtest.h>
#include <tutti-bspwrapper/costs.h>

#include <algorithm>
#include <utility>

namespace {

using BSPWrapper::BSPModel;
using BSPWrapper::BSPRates;
using BSPWrapper::ProductCost;
using BSPWrapper::SubsequenceCost;

BSPRates rates(double f, double l, double l_empty, double g, double h_half, double o) {
  BSPRates made;
  made.f = f;
  made.l = l;
  made.l_empty = l_empty;
  made.gap.g_inf = g;
  made.gap.h_half = h_half;
  made.gap.overhead = o;
  return made;
}

// The blocks of each diagonal of the grid are dealt to the processors, and the one with the most
// blocks counts.
TEST(SubsequenceCost, WorkIsThatOfTheFullestProcessorOfEachDiagonal) {
  for (const int p : {1, 3, 4})
    for (const int alpha : {1, 2, 5}) {
      const int blocks = alpha * p;
      long most = 0, moved = 0;
      for (int diagonal = 0; diagonal < 2 * blocks - 1; ++diagonal) {
        const int on_diagonal = std::min(diagonal, 2 * blocks - 2 - diagonal) + 1;
        most += (on_diagonal + p - 1) / p;
      }
      for (int row = 0; row < blocks; ++row)
        for (int column = 0; column < blocks; ++column) moved += column < blocks - 1 ? 1 : 0;
      const SubsequenceCost cost(1000, alpha, p, SubsequenceCost::Standard);
      const double width = (1000 + blocks - 1) / blocks;
      EXPECT_DOUBLE_EQ(cost.W(), static_cast<double>(most) * width * width) << p << ' ' << alpha;
      EXPECT_DOUBLE_EQ(cost.H() * p, static_cast<double>(moved) * width * 5 / 8);
      EXPECT_DOUBLE_EQ(cost.S(), (2 * blocks - 1) * alpha);
    }
}

TEST(SubsequenceCost, BitsNeedFewerWordsAndOneMoreSuperstep) {
  const SubsequenceCost table(4096, 2, 4, SubsequenceCost::Standard);
  const SubsequenceCost bits(4096, 2, 4, SubsequenceCost::BitParallel);
  EXPECT_DOUBLE_EQ(table.H() / bits.H(), 10);
  EXPECT_DOUBLE_EQ(bits.S() - table.S(), 1);
  EXPECT_DOUBLE_EQ(table.W(), bits.W());
}

// Without communication, the wavefront alone limits the efficiency to alpha p / (alpha p + p - 1).
TEST(SubsequenceCost, TheWavefrontBoundsTheEfficiency) {
  const BSPRates computing = rates(1e-9, 0, 0, 0, 0, 0);
  const SubsequenceCost cost(4000, 5, 4, SubsequenceCost::Standard);
  EXPECT_NEAR(BSPWrapper::Efficiency(cost.Operations(), 1e-9,
                                     cost.Seconds(computing, BSPModel::overhead), 4),
              20.0 / 23, 1e-12);
}

TEST(SubsequenceCost, EachModelAddsItsTerms) {
  const SubsequenceCost cost(800, 2, 4, SubsequenceCost::Standard);  // 14 transfers of 62.5 words
  const BSPRates all = rates(0, 3, 2, 5, 7, 11);
  const double words = 14 * 62.5;
  EXPECT_DOUBLE_EQ(cost.Seconds(all, BSPModel::plain), 5 * words + 3 * 30);
  EXPECT_DOUBLE_EQ(cost.Seconds(all, BSPModel::startup), 5 * (words + 14 * 7) + 2 * 30);
  EXPECT_DOUBLE_EQ(cost.Seconds(all, BSPModel::overhead), 5 * (words + 14 * (7 + 11)) + 2 * 30);
}

TEST(SubsequenceCost, ARowOfABlockFitsIntoTheCache) {
  EXPECT_DOUBLE_EQ(SubsequenceCost::BestAlpha(65536, 4, 16384), 5);
}

TEST(ProductCost, BlocksThatDivideEvenlyNeedNoOutput) {
  const ProductCost cost(400, 64, 16, ProductCost::Customized, ProductCost::AsPrinted);
  EXPECT_DOUBLE_EQ(cost.W() * 16, cost.Operations());
  EXPECT_DOUBLE_EQ(cost.H(), 4 * 2 * 100.0 * 100);
  EXPECT_DOUBLE_EQ(cost.S(), 8);
  EXPECT_DOUBLE_EQ(cost.MessageSize(), 100.0 * 100);
}

// 25 block columns on 4 processors leave one, whose 5 products are shared: two supersteps send.
TEST(ProductCost, TheOutputIsReadInTwoWays) {
  const ProductCost printed(500, 125, 4, ProductCost::Customized, ProductCost::AsPrinted);
  const ProductCost text(500, 125, 4, ProductCost::Customized, ProductCost::OutputOnce);
  EXPECT_DOUBLE_EQ(printed.H(), 32 * 1e4 * (2 + 2));
  EXPECT_DOUBLE_EQ(text.H(), 32 * 1e4 * 2 + 2 * 1e4);
}

TEST(ProductCost, AStaticDistributionStoresEachBlockColumn) {
  const ProductCost cost(400, 64, 16, ProductCost::Static);
  EXPECT_DOUBLE_EQ(cost.H(), 100.0 * 100 * (4 * 2 + 1));
}

TEST(ProductCost, EachModelAddsItsTerms) {
  const ProductCost cost(500, 125, 4, ProductCost::Customized);
  const BSPRates all = rates(2, 3, 1, 5, 7, 11);
  const double work = 2 * 32 * 1e6, words = 66e4;
  EXPECT_DOUBLE_EQ(cost.Seconds(all, BSPModel::plain), work + 5 * words + 3 * 64);
  EXPECT_DOUBLE_EQ(cost.Seconds(all, BSPModel::startup), work + 5 * (words + 34 * 7) + 64);
  EXPECT_DOUBLE_EQ(cost.Seconds(all, BSPModel::overhead),
                   work + 5 * (words + 34 * 7 + 66 * 11) + 64);
}

// The last column of blocks has rows of 32 elements instead of 34, and is sent by rows.
TEST(ProductCost, SmallerBlocksAtTheEdgeAreSentByRows) {
  long messages = 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) messages += column < 2 ? 1 : row < 2 ? 34 : 32;
  const ProductCost cost(100, 27, 4, ProductCost::Customized);
  EXPECT_DOUBLE_EQ(cost.MessageSize(), 100.0 * 100 / static_cast<double>(messages));
}

TEST(ProductCost, RowsOfAStaticDistributionAreCutByBlocksAndSquares) {
  for (const int n : {100, 450, 2000})
    for (const int side : {3, 5, 9})
      for (const auto& [p, grid] : {std::pair{4, 2}, std::pair{10, 4}, std::pair{32, 6}}) {
        const int width = (n + side - 1) / side, square = (n + grid - 1) / grid;
        int pieces = 0;
        for (int element = 0; element < n; ++element)
          pieces += element % width == 0 || element % square == 0 ? 1 : 0;
        const ProductCost cost(n, side * side * side, p, ProductCost::Static);
        EXPECT_DOUBLE_EQ(cost.MessageSize(), static_cast<double>(n) / pieces)
            << n << ' ' << side << ' ' << p;
      }
  EXPECT_DOUBLE_EQ(ProductCost(400, 64, 10, ProductCost::Static).MessageSize(), 100.0 * 100);
  EXPECT_DOUBLE_EQ(ProductCost(400, 64, 16, ProductCost::Static).MessageSize(), 100.0 * 100);
}

// The first cell of table D.3, where the thesis measured 91.20 %. The rates are those of
// tables 4.2, C.8 and C.9: 5 s of computation, 0.73592 s for 4 million words, and four times 87.5
// us.
TEST(ProductCost, ACellOfTheAppendixByHand) {
  const BSPRates aracari = rates(2.5e-9, 87.5e-6, 43.4e-6, 0.18398e-6, 140, 134);
  const ProductCost cost(2000, 8, 4, ProductCost::Customized);
  EXPECT_NEAR(cost.Seconds(aracari, BSPModel::plain), 5 + 0.73592 + 0.00035, 1e-9);
  EXPECT_NEAR(BSPWrapper::Efficiency(cost.Operations(), 2.5e-9, 5.73627, 4), 0.8716, 5e-5);
}

}  // namespace
