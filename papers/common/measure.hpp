// SPDX-License-Identifier: BSD-3-Clause
// `tutti reproduce --measure`.
#pragma once

#include <string>

#include "reproduce/options.hpp"

namespace tutti::papers {

// Throws base::Error(invalid_argument) if options do not belong together.
void check_measuring(const tools::ReproduceOptions& options);
// Makes entries show the kept times of this file. Throws base::Error if it is none.
void use_measured(const std::string& path);
// Measures what the paper of --measure measures, or takes the times of --from; prints them or
// writes the page.
void reproduce_measured(const tools::ReproduceOptions& options);

}  // namespace tutti::papers
