// SPDX-License-Identifier: BSD-3-Clause
// Collectives that move blocks of any sizes. In all but MPI_Allgatherv a rank knows the sizes of
// its own blocks only, so a rank without any takes part as well.
#include "collectives.hpp"
#include "perform.hpp"

namespace tutti::mpi {
namespace {

// The bytes of a call are not known to all ranks.
constexpr Count unknown = 0;

// Makes a rank's room for its own block as long as the block.
CallOutcome own_block(IrregularBlocks& room, int rank, Count bytes) {
  const Count place = room.counts()[rank];
  if (bytes > place) return too_much_for_oneself;
  return bytes == place || room.shorten(rank, bytes) ? CallOutcome{} : part_of_element;
}

// Serves a rank that gets the blocks of all. call(input, output, counts) calls tutti.
template <class Call>
CallOutcome collect(const KnownCommunicator& with, const MpiBuffer& send, const BlockList& receive,
                    MpiOperation operation, const Call& call) {
  const bool in_place = send.address == MPI_IN_PLACE;
  IrregularBlocks all(receive, with.size);
  MessageBytes mine(send);
  if (!all.valid() || (!in_place && !mine.valid())) return refused_by_mpi();
  const bool known = operation == MpiOperation::allgatherv;  // all ranks know the sizes
  if (!in_place) {
    const CallOutcome own = own_block(all, with.rank, mine.count());
    if (own.status != TUTTI_OK) return own;
  }
  if (known && all.total() == 0) return {};
  const Count bytes = known ? all.total() : unknown, block = all.total() / with.size;
  if (const char* why = with.servers->judge(operation, bytes, Applier::tutti, block))
    return by_mpi(why);
  if (!all.make_room()) return no_memory;
  if (in_place ? !all.fill_block(with.rank) : !mine.fill()) return no_memory;
  const tutti_data input = in_place ? all.block(with.rank) : mine.all();
  const tutti_data output = all.all();
  const Receipt receipt(output.address);
  return delivered(call(&input, &output, all.counts()), all, receipt);
}

CallOutcome scatterv_at_root(const KnownCommunicator& with, const BlockList& send,
                             const MpiBuffer& receive) {
  const bool in_place = receive.address == MPI_IN_PLACE;
  IrregularBlocks all(send, with.size);
  MessageBytes mine(receive);
  if (!all.valid() || (!in_place && !mine.valid())) return refused_by_mpi();
  const Count block = all.total() / with.size, own = all.counts()[with.rank];
  if (!in_place && mine.count() < own) return too_much_for_oneself;
  if (!in_place && !mine.shorten(own)) return part_of_element;
  if (const char* why = with.servers->judge(MpiOperation::scatterv, unknown, Applier::tutti, block))
    return by_mpi(why);
  if (!all.fill() || (!in_place && !mine.make_room())) return no_memory;
  const tutti_data input = all.all();
  const tutti_data output = in_place ? all.block(with.rank) : mine.all();
  const Receipt receipt(output.address);
  const tutti_status status = perform("MPI_Scatterv", library.scatterv, library.iscatterv,
                                      with.group, &input, &output, all.counts(), with.rank);
  return in_place ? CallOutcome{status} : delivered(status, mine, receipt);
}

constexpr const tutti_data* no_data = nullptr;
constexpr const std::int64_t* no_counts = nullptr;

}  // namespace

CallOutcome gatherv(const KnownCommunicator& with, const MpiBuffer& send, const BlockList& receive,
                    int root) {
  if (!with.has(root)) return refused_by_mpi();
  if (with.rank == root) {
    return collect(
        with, send, receive, MpiOperation::gatherv,
        [&](const tutti_data* input, const tutti_data* output, const std::int64_t* counts) {
          return perform("MPI_Gatherv", library.gatherv, library.igatherv, with.group, input,
                         output, counts, root);
        });
  }
  MessageBytes mine(send);
  if (!mine.valid()) return refused_by_mpi();
  if (const char* why =
          with.servers->judge(MpiOperation::gatherv, unknown, Applier::tutti, mine.count()))
    return by_mpi(why);
  if (!mine.fill()) return no_memory;
  const tutti_data input = mine.all();
  return {perform("MPI_Gatherv", library.gatherv, library.igatherv, with.group, &input, no_data,
                  no_counts, root)};
}

CallOutcome scatterv(const KnownCommunicator& with, const BlockList& send, const MpiBuffer& receive,
                     int root) {
  if (!with.has(root)) return refused_by_mpi();
  if (with.rank == root) return scatterv_at_root(with, send, receive);
  MessageBytes mine(receive);
  if (!mine.valid()) return refused_by_mpi();
  if (const char* why =
          with.servers->judge(MpiOperation::scatterv, unknown, Applier::tutti, mine.count()))
    return by_mpi(why);
  if (!mine.make_room()) return no_memory;
  const tutti_data output = mine.all();
  const Receipt receipt(output.address);
  return delivered(perform("MPI_Scatterv", library.scatterv, library.iscatterv, with.group, no_data,
                           &output, no_counts, root),
                   mine, receipt);
}

CallOutcome allgatherv(const KnownCommunicator& with, const MpiBuffer& send,
                       const BlockList& receive) {
  return collect(
      with, send, receive, MpiOperation::allgatherv,
      [&](const tutti_data* input, const tutti_data* output, const std::int64_t* counts) {
        return perform("MPI_Allgatherv", library.allgatherv, library.iallgatherv, with.group, input,
                       output, counts);
      });
}

CallOutcome alltoallv(const KnownCommunicator& with, const BlockList& send,
                      const BlockList& receive, MpiOperation operation) {
  const bool in_place = send.address == MPI_IN_PLACE;
  IrregularBlocks to(receive, with.size);
  IrregularBlocks from(send, with.size);
  if (!to.valid() || (!in_place && !from.valid())) return refused_by_mpi();
  if (!in_place) {
    const CallOutcome own = own_block(to, with.rank, from.counts()[with.rank]);
    if (own.status != TUTTI_OK) return own;
  }
  const Count block = to.total() / with.size;
  if (const char* why = with.servers->judge(operation, unknown, Applier::tutti, block))
    return by_mpi(why);
  if (in_place ? !to.fill() : !(to.make_room() && from.fill())) return no_memory;
  const tutti_data input = in_place ? to.all() : from.all();
  const tutti_data output = to.all();
  const Receipt receipt(output.address);
  return delivered(
      perform(function_of(operation), library.alltoallv, library.ialltoallv, with.group, &input,
              &output, in_place ? to.counts() : from.counts(), to.counts()),
      to, receipt);
}

}  // namespace tutti::mpi
