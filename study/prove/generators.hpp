// SPDX-License-Identifier: BSD-3-Clause
// The generators whose sources are compiled for the prover.
#pragma once

#include <span>

#include "schedule/generator.hpp"

namespace tutti::prove {

std::span<const schedule::Generator* const> generators();

}  // namespace tutti::prove
