// SPDX-License-Identifier: BSD-3-Clause
// The names of operations.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::schedule {

const char* to_text(Operation operation);

}  // namespace tutti::schedule
