// SPDX-License-Identifier: BSD-3-Clause
// Command lines for messages that tell a user what to type instead.
#pragma once

#include <string>
#include <string_view>

namespace tutti::base {

// "tutti run -n 4 ./prog" with the name under which this program was started; "-n N" where n is not
// known (0).
[[nodiscard]] std::string run_line(std::string_view launcher, int n);

}  // namespace tutti::base
