// SPDX-License-Identifier: BSD-3-Clause
// Asks the supervisor.
#include "support/job_limits.hpp"

#include "launch/supervisor.hpp"

namespace tutti::tools {

int most_ranks_of_a_job() {
  return launch::ranks_that_fit();
}

}  // namespace tutti::tools
