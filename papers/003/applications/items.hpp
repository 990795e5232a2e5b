// SPDX-License-Identifier: BSD-3-Clause
// Entries of paper 003 whose programs run here, too.
#pragma once

#include "papers/003/applications/runs.hpp"

namespace tutti::papers {

// Makes the entries show these runs. Without this, the first entry measures for some seconds.
void use_applications(Applications applications);

}  // namespace tutti::papers
