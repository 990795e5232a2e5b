// SPDX-License-Identifier: BSD-3-Clause
// Tests the seeds of the longest and the shortest runs of paper 004 that are kept in a file: no
// other run is longer or shorter, and the file has what the entries ask for and nothing else.
#include <gtest/gtest.h>

#include <array>

#include "papers/004/exchange_longest.hpp"
#include "papers/common/exhibit.hpp"
#include "papers/common/runs.hpp"
#include "simulation/implementations.hpp"

namespace tutti::papers {
namespace {

TEST(Seeds, TheFirstRunsLieBetweenTheKeptOnes) {
  for (const auto& [cell, seeds] : kept_seeds()) {
    const int runs = cell.dimension <= 5 ? 10 : 2;
    const std::array ends{seeds.shortest, seeds.longest};
    std::vector<double> times(static_cast<std::size_t>(runs) + ends.size());
    on_all_processors(times.size(), [&, &cell = cell](std::size_t i) {
      times[i] = time_of_run(cell, i < ends.size() ? ends[i] : i - ends.size() + 1);
    });
    for (const double time : times) {
      EXPECT_GE(time, times[0]) << cell.name << ", d = " << cell.dimension << ", " << cell.block;
      EXPECT_LE(time, times[1]) << cell.name << ", d = " << cell.dimension << ", " << cell.block;
    }
    EXPECT_LE(seeds.longest, static_cast<std::uint64_t>(runs_of(cell.dimension)));
  }
}

TEST(Seeds, ThoseOfSmallCubesAreFoundAgain) {
  int cells = 0;
  for (const auto& [cell, seeds] : kept_seeds()) {
    if (cell.dimension > 2) continue;
    EXPECT_EQ(searched_seeds(cell), seeds) << cell.name << ", " << cell.dimension;
    ++cells;
  }
  EXPECT_GT(cells, 50);
}

TEST(Seeds, AreThoseOfTheEntries) {
  for (const Paper& paper : papers())
    for (const Item& item : paper.items)
      if (paper.name == "004" && run_of(item.name, Side::model) != nullptr)
        (void)exhibit_of(item, Extent::computed);
  EXPECT_TRUE(seeds_in_use() == kept_seeds())
      << "write papers/data/exchange_seeds.csv again by tutti-exchange-seeds";
}

TEST(Seeds, ThePapersNumbersOfRuns) {
  EXPECT_EQ(runs_of(5), 1000);
  EXPECT_EQ(runs_of(6), 100);
}

}  // namespace
}  // namespace tutti::papers
