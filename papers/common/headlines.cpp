// SPDX-License-Identifier: BSD-3-Clause
// Finds the row of each headline.
#include "papers/common/headlines.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "papers/common/print.hpp"

namespace tutti::papers {
namespace {

const Row& row_of(const Exhibit& exhibit) {
  const std::vector<Row>& rows = exhibit.result.rows;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.label == exhibit.item->headline;
  });
  if (found == rows.end())
    base::fail(base::Status::invalid_argument, "{} has no row '{}', which its headline names",
               exhibit.item->name, exhibit.item->headline);
  return *found;
}

}  // namespace

tools::Table headlines_of(const std::vector<Exhibit>& exhibits) {
  tools::Table table("name;shows;for example;paper;ours;state");
  for (const Exhibit& exhibit : exhibits) {
    if (exhibit.item->headline.empty()) continue;
    const Row& row = row_of(exhibit);
    table.add({exhibit.item->name, exhibit.item->subject,
               row.unit.empty() ? row.label : row.label + ", " + row.unit, to_text(row.paper),
               to_text(row.ours), state_text(exhibit)});
  }
  return table;
}

}  // namespace tutti::papers
