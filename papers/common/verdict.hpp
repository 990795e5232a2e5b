// SPDX-License-Identifier: BSD-3-Clause
// The state of an exhibit, which follows from its rows, its parameters and what its data declare.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "papers/common/printed.hpp"
#include "papers/common/result.hpp"

namespace tutti::papers {

enum class RowState {
  agrees,    // texts are equal, numbers lie within the tolerance
  differs,   // they do not
  missing,   // the paper has a figure, and we have none
  input,     // the paper's figure is put in: a model takes it or a picture shows it
  alone,     // we compute one, and the paper has none to compare with
  measured,  // ours is a measurement of this machine
};
[[nodiscard]] RowState state_of(const Row& row);
[[nodiscard]] const char* to_text(RowState state);

// The rows of one part of an exhibit that have two sides.
struct PartCount {
  std::string name;
  std::size_t agree = 0, compared = 0;
};

struct Verdict {
  State state = State::open;
  std::size_t agree = 0;
  std::size_t compared = 0;      // rows with two sides, the paper's and the model's
  std::size_t missing = 0;       // rows with the paper's side only
  bool ours = false;             // a compared row has a side that is not the paper's
  std::vector<PartCount> parts;  // none if the rows have no parts
  bool measured = false;         // a mark: this machine's figures stand beside the paper's
};
// Asks for the states in their order. The data declare the first ones. `drawn` also means that no
// row has a figure of the paper. An exhibit contradicts if a statement or more than a quarter of
// the rows fail, and is an erratum if it would not without the failing rows whose two sides are the
// paper's. It is fitted if it is a source of a parameter or a row says so.
[[nodiscard]] Verdict verdict_of(const Item& item, const Result& result);

// Returns text such as "partly, 3 of 5 rows, measured here". Parts stand behind the rows: "3 of 5
// rows (1 of 3 efficiencies, 2 of 2 errors of prediction)".
[[nodiscard]] std::string to_text(const Verdict& verdict);

// The names of the exhibits that the beginning of a parameter's source names: "fitted: to paper
// 002, tables 1 and 2: the slope" gives 002-table-1 and 002-table-2.
[[nodiscard]] std::vector<std::string> exhibits_in(std::string_view source);

}  // namespace tutti::papers
