// SPDX-License-Identifier: BSD-3-Clause
// The end of a program that does not call tutti_finalize, in a job that an MPI has started.
#pragma once

namespace tutti::api {

// From now on, a process that comes to the end of exit() in its job leaves it and finalises MPI, if
// tutti has initialised MPI and the other processes end as well. A launcher of MPI takes a process
// that ends without MPI_Finalize for a failure and kills the others, which may be about to end.
void leave_at_exit();

}  // namespace tutti::api
