// SPDX-License-Identifier: BSD-3-Clause
// Items and results as text, as JSON, and as the pages of docs/papers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "papers/printed.hpp"
#include "papers/result.hpp"

namespace tutti::papers {

// "table 9", "figure 12", "section costs" ...
[[nodiscard]] std::string title_of(const Item& item);
// "measured here instead".
[[nodiscard]] const char* words_of(State state);

// Six digits where it is a number; "-" where there is nothing.
[[nodiscard]] std::string to_text(const Value& value);
// Ours over the paper's of two numbers; "same" or "differs" of two texts; empty if one is missing.
[[nodiscard]] std::string ratio_of(const Row& row);

[[nodiscard]] std::string line_of(const Item& item);
[[nodiscard]] std::string text_of(const Item& item, const Result* result);

[[nodiscard]] nlohmann::json json_of(const Item& item, const Result* result);

}  // namespace tutti::papers
