// SPDX-License-Identifier: BSD-3-Clause
// The pictures of figures that show messages between nodes.
#pragma once

#include <string>

#include "papers/common/printed.hpp"
#include "papers/common/result.hpp"
#include "schedule/generator.hpp"
#include "traffic/message.hpp"

namespace tutti::papers {

// Adds the picture of an item that has no curves. A part of a figure has a letter or another mark
// after the name of the file.
void add_drawing(Result& result, const Item& item, std::string svg, const std::string& part = "");

// Draws the rounds of the algorithm on a line as text and as a chart, and notes what is drawn.
[[nodiscard]] Result drawn_rounds(const Item& item, const schedule::Generator& generator,
                                  const schedule::Shape& shape);

// Adds a chart of the messages, each on its route.
void add_messages(Result& result, const Item& item, const traffic::Messages& messages,
                  const machine::Topology& topology);

}  // namespace tutti::papers
