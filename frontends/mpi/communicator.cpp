// SPDX-License-Identifier: BSD-3-Clause
// The life of a communicator (communicator.hpp).
#include "communicator.hpp"

#include <atomic>
#include <numeric>
#include <vector>

#include "handle_cache.hpp"
#include "perform.hpp"

namespace tutti::mpi {
namespace {

// With more members than this, the MPI serves.
constexpr int most_members = 1024;

int keyval = MPI_KEYVAL_INVALID;
[[gnu::tls_model(
    "initial-exec")]] constinit thread_local HandleCache<MPI_Comm, KnownCommunicator, 8>
    cache;

int forget(MPI_Comm, int, void* attribute, void*) {
  auto* const gone = static_cast<KnownCommunicator*>(attribute);
  objects_freed.fetch_add(1, std::memory_order_relaxed);
  if (gone->group.id != 0 && job.joined) {
    const ThreadTurn turn("MPI_Comm_free");
    if (turn.allowed()) library.group_free(gone->group);
  }
  delete gone;
  return MPI_SUCCESS;
}

int copy_nothing(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

// Returns the ranks in MPI_COMM_WORLD; MPI_UNDEFINED for a member that is not in it.
std::vector<int> world_ranks(MPI_Comm handle, int size) {
  MPI_Group mine{}, all{};
  std::vector<int> from(static_cast<std::size_t>(size)), to(from.size());
  std::iota(from.begin(), from.end(), 0);
  plain.Comm_group(handle, &mine);
  plain.Comm_group(MPI_COMM_WORLD, &all);
  plain.Group_translate_ranks(mine, size, from.data(), all, to.data());
  plain.Group_free(&mine);
  plain.Group_free(&all);
  return to;
}

// Returns why the MPI must serve the communicator for ever; nullptr if tutti may. All members find
// the same without an agreement, in which members outside of this job would not take part.
const char* never(MPI_Comm handle, const KnownCommunicator& communicator) {
  int inter = 0;
  plain.Comm_test_inter(handle, &inter);
  if (inter != 0) return "it is an intercommunicator";
  if (communicator.size == 1) return "the communicator has one member";
  if (communicator.size > most_members) return "the communicator has more than 1024 members";
  for (const int rank : world_ranks(handle, communicator.size))
    if (rank == MPI_UNDEFINED) return "a member is not in MPI_COMM_WORLD";
  return nullptr;
}

KnownCommunicator* make_record(MPI_Comm handle) {
  auto* const made = new KnownCommunicator;
  plain.Comm_size(handle, &made->size);
  plain.Comm_rank(handle, &made->rank);
  made->why_not = never(handle, *made);
  made->settled = made->why_not != nullptr;
  if (!made->settled) made->why_not = "the communicator is new";
  plain.Comm_set_attr(handle, keyval, made);
  return made;
}

// Rank 0 makes a number that no other communicator of its members has.
std::uint64_t label_for(MPI_Comm handle, const KnownCommunicator& communicator) {
  static std::atomic<std::uint32_t> made = 0;
  std::uint64_t label = 0;
  if (communicator.rank == 0) {
    int world_rank = 0;
    plain.Comm_rank(MPI_COMM_WORLD, &world_rank);
    label = (static_cast<std::uint64_t>(world_rank) + 1) << 32 | ++made;
  }
  plain.Bcast(&label, 1, MPI_UINT64_T, 0, handle);
  return label;
}

bool make_group(MPI_Comm handle, KnownCommunicator& communicator, std::uint64_t label) {
  const ThreadTurn turn("MPI_Comm_create");
  if (!turn.allowed()) return false;
  std::vector<int> members = world_ranks(handle, communicator.size);
  for (int& member : members) member = library.endpoint(library.world(), member);
  return library.group_of_endpoints(communicator.size, members.data(), label,
                                    &communicator.group) == TUTTI_OK;
}

// Makes the group on all members, or on none. The messages of the agreement are in the order of the
// communicator's own calls, so they disturb no other communicator.
void become_ours(MPI_Comm handle, KnownCommunicator& communicator) {
  const std::uint64_t label = label_for(handle, communicator);
  communicator.label = label;
  int made = make_group(handle, communicator, label) ? 1 : 0;
  plain.Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_MIN, handle);
  communicator.ours = made != 0;
  if (communicator.ours) communicator.servers = std::make_unique<Servers>(communicator.size);
  communicator.settled = true;
  communicator.why_not = "a member could not make a group of tutti";
}

}  // namespace

// MPI_COMM_WORLD lives as long as the job, so it is worth a group from the beginning. All members
// are here anyway, and no later call then waits for another process inside of the MPI, where
// reports of a hang would not see it.
void set_up_communicators() {
  plain.Comm_create_keyval(copy_nothing, forget, &keyval, nullptr);
  KnownCommunicator* const world = find_communicator(MPI_COMM_WORLD);
  if (world != nullptr && !world->settled) become_ours(MPI_COMM_WORLD, *world);
}

KnownCommunicator* find_communicator(MPI_Comm handle) {
  if (KnownCommunicator* const known = cache.find(handle)) return known;
  if (handle == MPI_COMM_NULL) return nullptr;
  void* attribute = nullptr;
  int found = 0;
  if (plain.Comm_get_attr(handle, keyval, &attribute, &found) != MPI_SUCCESS) return nullptr;
  auto* const record =
      found != 0 ? static_cast<KnownCommunicator*>(attribute) : make_record(handle);
  cache.keep(handle, record);
  return record;
}

bool count_call(KnownCommunicator& communicator, MPI_Comm handle) {
  if (communicator.settled) return communicator.ours;
  if (++communicator.calls >= job.first_call) become_ours(handle, communicator);
  return communicator.ours;
}

}  // namespace tutti::mpi
