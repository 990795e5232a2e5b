// SPDX-License-Identifier: BSD-3-Clause
// Processes of another launcher that cannot join a job fail alike and at once, and have nobody to
// report it for them. One of them speaks for all that have the same parent and the same to say.
#pragma once

#include <string>

namespace tutti::launch {

// To be called when this process ends. Writes the line to stderr and stays a moment for those who
// come late, or returns when another process has written it: a launcher that ends all when one has
// ended must not cut off who speaks.
void say_for_all(const std::string& line);

}  // namespace tutti::launch
