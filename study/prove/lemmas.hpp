// SPDX-License-Identifier: BSD-3-Clause
// Facts about numbers that proofs use, each with a proof of its own from the sources.
#pragma once

#include <string>

#include "path.hpp"

namespace tutti::prove {

// Proves the lemma of that name once and returns what its proof found. A lemma that nobody has
// written is reported as unsupported.
const Report& lemma_proof(const std::string& name);

}  // namespace tutti::prove
