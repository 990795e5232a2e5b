// SPDX-License-Identifier: BSD-3-Clause
// Calls the runs of an item and joins their results.
#include "papers/common/exhibit.hpp"

#include <iterator>

#include "base/error.hpp"
#include "papers/common/row_charts.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace {

template <class List>
void append(List& to, List from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void add(Result& to, Result from) {
  append(to.rows, std::move(from.rows));
  append(to.parameters, std::move(from.parameters));
  append(to.notes, std::move(from.notes));
  append(to.charts, std::move(from.charts));
  if (to.picture.empty()) to.picture = std::move(from.picture);
  if (to.x_axis.empty()) {
    to.x_axis = std::move(from.x_axis);
    to.y_axis = std::move(from.y_axis);
    to.scale = from.scale;
  }
}

Result result_of(const Item& item, const Run& run) {
  Result result = run.run(item);
  if (result.rows.empty() && result.picture.empty())
    base::fail(base::Status::system_error, "{} has nothing to show: its programs gave no figures",
               item.name);
  if (run.side == Side::here)
    for (Row& row : result.rows) row.measured = true;
  return result;
}

}  // namespace

Exhibit exhibit_of(const Item& item, Extent extent) {
  Exhibit exhibit{&item, {}, {}};
  const Run* model = run_of(item.name, Side::model);
  const Run* here = run_of(item.name, Side::here);
  if (model != nullptr) add(exhibit.result, result_of(item, *model));
  if (here != nullptr && extent == Extent::measured_too)
    add(exhibit.result, result_of(item, *here));
  append(exhibit.result.charts, charts_of_rows(item, exhibit.result));
  exhibit.verdict = verdict_of(item, exhibit.result);
  exhibit.verdict.measured = here != nullptr;
  return exhibit;
}

void check_items() {
  for (const auto runs : all_runs())
    for (const Run& run : runs) (void)printed(run.item);
  for (const Paper& paper : papers()) {
    for (const Item& item : paper.items) {
      const bool computed = run_of(item.name, Side::model) != nullptr;
      const State declared = item.declared.value_or(State::drawn);
      const bool needed = declared == State::drawn || declared == State::beyond;
      if (computed != needed)
        base::fail(base::Status::invalid_argument, "{} {}", item.name,
                   computed ? "declares a state that follows from its rows"
                            : "has no rows of a model, and does not say why");
    }
  }
}

}  // namespace tutti::papers
