// SPDX-License-Identifier: BSD-3-Clause
// One line that says why a call is served as it is, for the library's explanations: who decided,
// what the model says of it, and by how much the next best is slower.
#pragma once

#include <cstdint>
#include <string>

#include "selection/choose.hpp"

namespace tutti::selection {

// The plan that serves a call, and the reason why it was chosen.
struct Served {
  const schedule::Generator* generator = nullptr;
  Settings settings;
  std::string reason;
};

// Returns the line, such as "mst: half the traffic ...; 23.1 us on host (a 4, b 2, g 1); runner-up
// ring: start-ups +12 us". On one host the price is that in shared memory: "mst: least price ...;
// 23.1 us in shared memory; runner-up direct: +2 us (messages +2 us)".
[[nodiscard]] std::string reason_text(const Served& served, const Question& question,
                                      std::int64_t bytes, const Chooser& chooser);

}  // namespace tutti::selection
