// SPDX-License-Identifier: BSD-3-Clause
// Prints items and results as text and as JSON. reproduce.cpp and page.cpp use it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "papers/common/exhibit.hpp"
#include "support/table.hpp"

namespace tutti::papers {

// Returns text such as "table 9", "figure 12" or "statement costs".
[[nodiscard]] std::string title_of(const Item& item);
// Numbers have six digits; a missing value is "-".
[[nodiscard]] std::string to_text(const Value& value);
// Divides our number by the paper's; compares two texts as "same" or "differs". Empty if one of the
// values is missing.
[[nodiscard]] std::string ratio_of(const Row& row);

// Returns text such as "10 %", "exact" or "10 %, 0.05 us"; empty where texts are compared.
[[nodiscard]] std::string tolerance_of(const Row& row);

// Three sentences about a question that was reworded; none if it was not.
[[nodiscard]] std::vector<std::string> sentences_of(const Reworded& words);
// The state with what the data say about it.
[[nodiscard]] std::string state_text(const Exhibit& exhibit);
// A row for each exhibit: its name, its state, what it shows.
[[nodiscard]] tools::Table list_of(const std::vector<Exhibit>& exhibits);
// The rows of a result: the paper's figure, ours, their ratio, the tolerance, whether they agree,
// the source of ours.
[[nodiscard]] tools::Table table_of(const Result& result);
// A sentence for each tolerance that is not the default.
[[nodiscard]] std::vector<std::string> tolerances_of(const Result& result);
[[nodiscard]] std::string text_of(const Exhibit& exhibit);

// The part of an exhibit that the list has, and all of it.
[[nodiscard]] nlohmann::json head_json(const Exhibit& exhibit);
[[nodiscard]] nlohmann::json json_of(const Exhibit& exhibit);

}  // namespace tutti::papers
