// SPDX-License-Identifier: BSD-3-Clause
// The pictures of figures that show a schedule on a line of nodes.
#pragma once

#include "papers/common/printed.hpp"
#include "papers/common/result.hpp"
#include "schedule/generator.hpp"

namespace tutti::papers {

// Draws the rounds of the algorithm as text and as a chart, and notes what is drawn.
[[nodiscard]] Result drawn_rounds(const Item& item, const schedule::Generator& generator,
                                  const schedule::Shape& shape);

}  // namespace tutti::papers
