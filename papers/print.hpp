// SPDX-License-Identifier: BSD-3-Clause
// Prints items and results as text and as JSON. reproduce.cpp and page.cpp use it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "papers/printed.hpp"
#include "papers/result.hpp"
#include "support/table.hpp"

namespace tutti::papers {

// Returns text such as "table 9", "figure 12" or "statement costs".
[[nodiscard]] std::string title_of(const Item& item);
// Returns text such as "measured here instead".
[[nodiscard]] const char* words_of(State state);

// Numbers have six digits; a missing value is "-".
[[nodiscard]] std::string to_text(const Value& value);
// Divides our number by the paper's; compares two texts as "same" or "differs". Empty if one of the
// values is missing.
[[nodiscard]] std::string ratio_of(const Row& row);

// A row for each item: its name, its state, what it shows.
[[nodiscard]] tools::Table list_of(const std::vector<const Item*>& items);
// The rows of a result: the paper's figure, ours, their ratio, the source of ours.
[[nodiscard]] tools::Table table_of(const Result& result);
[[nodiscard]] std::string text_of(const Item& item, const Result* result);

[[nodiscard]] nlohmann::json json_of(const Item& item, const Result* result);

}  // namespace tutti::papers
