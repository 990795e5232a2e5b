// SPDX-License-Identifier: BSD-3-Clause
// Collectives that move equal blocks. All ranks know the bytes of a block, so a call without any
// returns at once.
#include "collectives.hpp"
#include "perform.hpp"

namespace tutti::mpi {
namespace {

bool in_place(const MpiBuffer& message) {
  return message.address == MPI_IN_PLACE;
}

// Returns the blocks of all ranks, of which a call of MPI describes one.
MpiBuffer for_all(const KnownCommunicator& with, const MpiBuffer& block) {
  return {block.address, block.count < 0 ? block.count : block.count * with.size, block.type};
}

// Serves a rank that gets the blocks of all. call(input, output) calls tutti.
template <class Call>
CallOutcome collect(const KnownCommunicator& with, const MpiBuffer& send, const MpiBuffer& receive,
                    MpiOperation operation, const Call& call) {
  MessageBytes all(for_all(with, receive));
  MessageBytes mine(send);
  if (!all.valid() || (!in_place(send) && !mine.valid())) return refused_by_mpi();
  if (all.count() == 0) return {};
  const Count block = all.count() / with.size, place = block * with.rank;
  if (const char* why = with.servers->judge(operation, block)) return by_mpi(why);
  if (!all.make_room()) return no_memory;
  if (in_place(send) ? !all.fill_part(place, block) : !mine.fill()) return no_memory;
  const tutti_data input = in_place(send) ? all.part(place, block) : mine.all();
  const tutti_data output = all.all();
  return delivered(call(&input, &output), all);
}

}  // namespace

CallOutcome barrier(const KnownCommunicator& with) {
  if (with.has_open_window()) return by_mpi("a window of the communicator is open");
  if (const char* why = with.servers->judge(MpiOperation::barrier, 0)) return by_mpi(why);
  return {perform("MPI_Barrier", library.barrier, library.ibarrier, with.group), nullptr};
}

CallOutcome bcast(const KnownCommunicator& with, const MpiBuffer& data, int root) {
  MessageBytes bytes(data);
  if (!bytes.valid() || !with.has(root)) return refused_by_mpi();
  if (bytes.count() == 0) return {};
  if (const char* why = with.servers->judge(MpiOperation::bcast, bytes.count())) return by_mpi(why);
  const bool sends = with.rank == root;
  if (sends ? !bytes.fill() : !bytes.make_room()) return no_memory;
  const tutti_data all = bytes.all();
  const tutti_status status =
      perform("MPI_Bcast", library.bcast, library.ibcast, with.group, &all, root);
  return sends ? CallOutcome{status, nullptr} : delivered(status, bytes);
}

namespace {

CallOutcome scatter_at_root(const KnownCommunicator& with, const MpiBuffer& send,
                            const MpiBuffer& receive) {
  MessageBytes all(for_all(with, send));
  MessageBytes mine(receive);
  if (!all.valid() || (!in_place(receive) && !mine.valid())) return refused_by_mpi();
  if (all.count() == 0) return {};
  if (const char* why = with.servers->judge(MpiOperation::scatter, all.count() / with.size))
    return by_mpi(why);
  const Count block = all.count() / with.size;
  if (!all.fill() || (!in_place(receive) && !mine.make_room())) return no_memory;
  const tutti_data input = all.all();
  const tutti_data output = in_place(receive) ? all.part(block * with.rank, block) : mine.all();
  const tutti_status status = perform("MPI_Scatter", library.scatter, library.iscatter, with.group,
                                      &input, &output, with.rank);
  return in_place(receive) ? CallOutcome{status, nullptr} : delivered(status, mine);
}

}  // namespace

CallOutcome gather(const KnownCommunicator& with, const MpiBuffer& send, const MpiBuffer& receive,
                   int root) {
  if (!with.has(root)) return refused_by_mpi();
  if (with.rank == root) {
    return collect(with, send, receive, MpiOperation::gather,
                   [&](const tutti_data* input, const tutti_data* output) {
                     return perform("MPI_Gather", library.gather, library.igather, with.group,
                                    input, output, root);
                   });
  }
  MessageBytes mine(send);
  if (!mine.valid()) return refused_by_mpi();
  if (mine.count() == 0) return {};
  if (const char* why = with.servers->judge(MpiOperation::gather, mine.count())) return by_mpi(why);
  if (!mine.fill()) return no_memory;
  const tutti_data input = mine.all();
  constexpr const tutti_data* none = nullptr;
  return {perform("MPI_Gather", library.gather, library.igather, with.group, &input, none, root),
          nullptr};
}

CallOutcome scatter(const KnownCommunicator& with, const MpiBuffer& send, const MpiBuffer& receive,
                    int root) {
  if (!with.has(root)) return refused_by_mpi();
  if (with.rank == root) return scatter_at_root(with, send, receive);
  MessageBytes mine(receive);
  if (!mine.valid()) return refused_by_mpi();
  if (mine.count() == 0) return {};
  if (const char* why = with.servers->judge(MpiOperation::scatter, mine.count()))
    return by_mpi(why);
  if (!mine.make_room()) return no_memory;
  const tutti_data output = mine.all();
  constexpr const tutti_data* none = nullptr;
  return delivered(
      perform("MPI_Scatter", library.scatter, library.iscatter, with.group, none, &output, root),
      mine);
}

CallOutcome allgather(const KnownCommunicator& with, const MpiBuffer& send,
                      const MpiBuffer& receive) {
  return collect(with, send, receive, MpiOperation::allgather,
                 [&](const tutti_data* input, const tutti_data* output) {
                   return perform("MPI_Allgather", library.allgather, library.iallgather,
                                  with.group, input, output);
                 });
}

CallOutcome alltoall(const KnownCommunicator& with, const MpiBuffer& send,
                     const MpiBuffer& receive) {
  MessageBytes to(for_all(with, receive));
  MessageBytes from(for_all(with, send));
  if (!to.valid() || (!in_place(send) && !from.valid())) return refused_by_mpi();
  if (to.count() == 0) return {};
  if (const char* why = with.servers->judge(MpiOperation::alltoall, to.count() / with.size))
    return by_mpi(why);
  if (in_place(send) ? !to.fill() : !(to.make_room() && from.fill())) return no_memory;
  const tutti_data input = in_place(send) ? to.all() : from.all();
  const tutti_data output = to.all();
  return delivered(
      perform("MPI_Alltoall", library.alltoall, library.ialltoall, with.group, &input, &output),
      to);
}

}  // namespace tutti::mpi
