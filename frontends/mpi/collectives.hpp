// SPDX-License-Identifier: BSD-3-Clause
// The collectives of MPI by those of tutti. Every form of a call comes here: that of C, the one
// with large counts, and that of Fortran.
#pragma once

#include "blocks.hpp"
#include "communicator.hpp"
#include "message.hpp"
#include "outcome.hpp"

namespace tutti::mpi {

// Moves of equal blocks.
[[nodiscard]] CallOutcome barrier(const KnownCommunicator& with);
[[nodiscard]] CallOutcome bcast(const KnownCommunicator& with, const MpiBuffer& data, int root);
[[nodiscard]] CallOutcome gather(const KnownCommunicator& with, const MpiBuffer& send,
                                 const MpiBuffer& receive, int root);
[[nodiscard]] CallOutcome scatter(const KnownCommunicator& with, const MpiBuffer& send,
                                  const MpiBuffer& receive, int root);
[[nodiscard]] CallOutcome allgather(const KnownCommunicator& with, const MpiBuffer& send,
                                    const MpiBuffer& receive);
[[nodiscard]] CallOutcome alltoall(const KnownCommunicator& with, const MpiBuffer& send,
                                   const MpiBuffer& receive);

// Moves of blocks of any sizes.
[[nodiscard]] CallOutcome gatherv(const KnownCommunicator& with, const MpiBuffer& send,
                                  const BlockList& receive, int root);
[[nodiscard]] CallOutcome scatterv(const KnownCommunicator& with, const BlockList& send,
                                   const MpiBuffer& receive, int root);
[[nodiscard]] CallOutcome allgatherv(const KnownCommunicator& with, const MpiBuffer& send,
                                     const BlockList& receive);
// MPI_Alltoallv and MPI_Alltoallw.
[[nodiscard]] CallOutcome alltoallv(const KnownCommunicator& with, const BlockList& send,
                                    const BlockList& receive, MpiOperation operation);

// Reductions. `send` and `receive` are addresses of `count` elements.
struct Reduction {
  const void* send;
  void* receive;
  Count count;
  MPI_Datatype type;
  MPI_Op op;
};
[[nodiscard]] CallOutcome reduce(const KnownCommunicator& with, const Reduction& what, int root);
[[nodiscard]] CallOutcome allreduce(const KnownCommunicator& with, const Reduction& what);
[[nodiscard]] CallOutcome scan(const KnownCommunicator& with, const Reduction& what);
[[nodiscard]] CallOutcome exscan(const KnownCommunicator& with, const Reduction& what);
// `count` is that of each rank.
[[nodiscard]] CallOutcome reduce_scatter_block(const KnownCommunicator& with,
                                               const Reduction& what);
// The counts of all ranks; `what.count` does not count.
[[nodiscard]] CallOutcome reduce_scatter(const KnownCommunicator& with, const Reduction& what,
                                         const Numbers& counts);

}  // namespace tutti::mpi
