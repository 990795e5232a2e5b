// SPDX-License-Identifier: BSD-3-Clause
// `tutti mpi --verdict`: all processes record their calls, and at MPI_Finalize the records go to
// rank 0, which writes them to a file. `tutti verdict` judges and makes text of the file; this
// library only measures. These functions do nothing if the job wants no verdict.
#pragma once

namespace tutti::mpi {

// Called in MPI_Init: when the MPI is ready, and when this process has joined.
void note_joining();
void begin_verdict(int rank);
// Called when the program has called MPI_Finalize.
void end_record();
// Called when all processes have made their last collective. Collective. Rank 0 writes the file,
// and has the command print its text. Returns false if it could not.
[[nodiscard]] bool give_verdict();

}  // namespace tutti::mpi
