// SPDX-License-Identifier: BSD-3-Clause
// Writes papers/data/exchange_seeds.csv to standard output: the seeds of the shortest and of the
// longest run of each implementation, dimension and size of blocks that the entries of paper 004
// ask for. With the word `missing` it searches only those that the file lacks.
#include <fmt/format.h>

#include <string_view>

#include "papers/004/exchange_longest.hpp"
#include "papers/common/exhibit.hpp"
#include "papers/common/runs.hpp"

int main(int argc, char** argv) {
  using namespace tutti::papers;
  if (argc < 2 || std::string_view(argv[1]) != "missing") search_all_seeds();
  for (const Paper& paper : papers()) {
    if (paper.name != "004") continue;
    for (const Item& item : paper.items)
      if (run_of(item.name, Side::model) != nullptr) (void)exhibit_of(item, Extent::computed);
  }
  fmt::print(
      "# SPDX-License-Identifier: BSD-3-Clause\n"
      "# Written by tutti-exchange-seeds: see papers/004/exchange_seeds.hpp.\n"
      "# implementation,dimension,bytes,synchronisation,seed of the shortest run,of the longest\n");
  for (const auto& [cell, seeds] : seeds_in_use())
    fmt::print("{},{},{},{},{},{}\n", cell.name, cell.dimension, cell.block,
               tutti::tools::to_text(cell.sync), seeds.shortest, seeds.longest);
  return 0;
}
