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

// A call of MPI describes the block of one rank. Returns the blocks of all ranks.
MpiBuffer for_all(const KnownCommunicator& with, const MpiBuffer& block) {
  return {block.address, block.count < 0 ? block.count : block.count * with.size, block.type};
}

// Serves a rank that gets shorter blocks than it has room for: they come into memory apart, and go
// to the beginnings of their places.
template <class Call>
CallOutcome collect_shorter(const KnownCommunicator& with, const tutti_data& input,
                            const MessageBytes& all, Count block, const Call& call) {
  const Count place = all.count() / with.size;
  const OwnMemory room = allocate(block * with.size);
  if (room == nullptr) return no_memory;
  const tutti_data output = tutti_array(room.get(), block * with.size, TUTTI_BYTE);
  const tutti_status status = call(&input, &output);
  for (int rank = 0; status == TUTTI_OK && rank < with.size; ++rank)
    if (!all.deliver_part(rank * place, room.get() + rank * block, block)) return not_delivered;
  return {status, nullptr, nullptr, all.element()};
}

// Serves a rank that gets the blocks of all. All ranks know the size of what they send, and one may
// have more room than that for each block. call(input, output) calls tutti.
template <class Call>
CallOutcome collect(const KnownCommunicator& with, const MpiBuffer& send, const MpiBuffer& receive,
                    MpiOperation operation, const Call& call) {
  MessageBytes all(for_all(with, receive));
  MessageBytes mine(send);
  if (!all.valid() || (!in_place(send) && !mine.valid())) return refused_by_mpi();
  const Count place = all.count() / with.size, block = in_place(send) ? place : mine.count();
  if (block == 0) return {};
  if (block > place) return too_much_for_oneself;
  if (const char* why = with.servers->judge(operation, block)) return by_mpi(why);
  if (block < place)
    return mine.fill() ? collect_shorter(with, mine.all(), all, block, call) : no_memory;
  if (!all.make_room()) return no_memory;
  const Count first = block * with.rank;
  if (in_place(send) ? !all.fill_part(first, block) : !mine.fill()) return no_memory;
  const tutti_data input = in_place(send) ? all.part(first, block) : mine.all();
  const tutti_data output = all.all();
  const Receipt receipt(output.address);
  return delivered(call(&input, &output), all, receipt);
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
  const Receipt receipt(all.address);
  const tutti_status status =
      perform("MPI_Bcast", library.bcast, library.ibcast, with.group, &all, root);
  return sends ? CallOutcome{status} : delivered(status, bytes, receipt);
}

namespace {

// Only the root knows how much it sends, because others may have more room.
const char* judge_scatter(const KnownCommunicator& with, Count block) {
  constexpr Count unknown = 0;
  return with.servers->judge(MpiOperation::scatter, unknown, Applier::tutti, block);
}

CallOutcome scatter_at_root(const KnownCommunicator& with, const MpiBuffer& send,
                            const MpiBuffer& receive) {
  MessageBytes all(for_all(with, send));
  MessageBytes mine(receive);
  if (!all.valid() || (!in_place(receive) && !mine.valid())) return refused_by_mpi();
  if (all.count() == 0) return {};
  if (const char* why = judge_scatter(with, all.count() / with.size)) return by_mpi(why);
  const Count block = all.count() / with.size;
  if (!in_place(receive) && mine.count() < block) return too_much_for_oneself;
  if (!in_place(receive) && !mine.shorten(block)) return part_of_element;
  if (!all.fill() || (!in_place(receive) && !mine.make_room())) return no_memory;
  const tutti_data input = all.all();
  const tutti_data output = in_place(receive) ? all.part(block * with.rank, block) : mine.all();
  const Receipt receipt(output.address);
  const tutti_status status = perform("MPI_Scatter", library.scatter, library.iscatter, with.group,
                                      &input, &output, with.rank);
  return in_place(receive) ? CallOutcome{status} : delivered(status, mine, receipt);
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
  return {perform("MPI_Gather", library.gather, library.igather, with.group, &input, none, root)};
}

CallOutcome scatter(const KnownCommunicator& with, const MpiBuffer& send, const MpiBuffer& receive,
                    int root) {
  if (!with.has(root)) return refused_by_mpi();
  if (with.rank == root) return scatter_at_root(with, send, receive);
  MessageBytes mine(receive);
  if (!mine.valid()) return refused_by_mpi();
  if (mine.count() == 0) return {};
  if (const char* why = judge_scatter(with, mine.count())) return by_mpi(why);
  if (!mine.make_room()) return no_memory;
  const tutti_data output = mine.all();
  const Receipt receipt(output.address, with.size);
  constexpr const tutti_data* none = nullptr;
  return delivered(
      perform("MPI_Scatter", library.scatter, library.iscatter, with.group, none, &output, root),
      mine, receipt);
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
  const Count place = to.count() / with.size;
  const Count block = in_place(send) ? place : from.count() / with.size;
  if (block == 0) return {};
  if (block > place) return too_much_for_oneself;
  if (const char* why = with.servers->judge(MpiOperation::alltoall, block)) return by_mpi(why);
  const auto call = [&](const tutti_data* input, const tutti_data* output) {
    return perform("MPI_Alltoall", library.alltoall, library.ialltoall, with.group, input, output);
  };
  if (block < place)
    return from.fill() ? collect_shorter(with, from.all(), to, block, call) : no_memory;
  if (in_place(send) ? !to.fill() : !(to.make_room() && from.fill())) return no_memory;
  const tutti_data input = in_place(send) ? to.all() : from.all();
  const tutti_data output = to.all();
  const Receipt receipt(output.address);
  return delivered(call(&input, &output), to, receipt);
}

}  // namespace tutti::mpi
