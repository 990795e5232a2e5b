// SPDX-License-Identifier: BSD-3-Clause
// The rows of the tuning table that the machine file sets, in its table [tuning]: each a name of
// base/tuning.def with a number or a text, such as spin = "50us".
#pragma once

#include "base/tuning.hpp"

namespace tutti::machine {

// The values that a job made here gets: those of the table, then those that suit this processor,
// then those of the measured profile of this machine (machine/host.hpp), then those of
// TUTTI_TUNING. A table that was measured on another kind of processor is not read. A profile that
// this one is `like`
// adds nothing. Throws Error that names the file and line, or the variable.
[[nodiscard]] base::TuningSettings job_tuning();

}  // namespace tutti::machine
