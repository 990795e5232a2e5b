// SPDX-License-Identifier: BSD-3-Clause
// System handles with MPI (communicators.hpp): in Fortran a communicator's own handle, in C a place
// in a table. contexts_mpi.cpp makes the communicators of contexts.
#include <mpi.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <numeric>

#include "communicators.hpp"
#include "communicators_mpi.hpp"
#include "errors.hpp"
#include "processes.hpp"
#include "state.hpp"

namespace tutti::blacs {
namespace {

// Fortran handles from this number on are lists of processes without a communicator. Open MPI
// numbers its handles from 0, and MPICH's have one of the two highest bits set.
constexpr int first_own_number = 0x3f000000;

// A communicator that the program has passed, and its place in the table.
struct Known {
  MPI_Comm communicator;
  int place;
};
std::vector<Known>& known() {
  static auto* const only = new std::vector<Known>;
  return *only;
}

std::vector<int> members_of(const char* routine, MPI_Comm communicator) {
  if (communicator == MPI_COMM_WORLD) return all_numbers();
  int world_size = 1;
  if (mpi_alive()) MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (communicator == MPI_COMM_NULL || !mpi_alive() || world_size != tutti_size(tutti_world())) {
    fail_outside(routine, "the communicator is null, or MPI knows nothing of this job's processes");
  }
  MPI_Group mine = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
  MPI_Comm_group(communicator, &mine);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  int size = 0;
  MPI_Group_size(mine, &size);
  std::vector<int> from(static_cast<std::size_t>(size)), to(from.size());
  std::iota(from.begin(), from.end(), 0);
  MPI_Group_translate_ranks(mine, size, from.data(), all, to.data());
  MPI_Group_free(&mine);
  MPI_Group_free(&all);
  return to;
}

// Returns the communicator that the program has passed for this place; MPI_COMM_NULL if it has
// passed none.
MPI_Comm passed_at(int place) {
  const auto found = std::find_if(known().begin(), known().end(),
                                  [place](const Known& one) { return one.place == place; });
  return found == known().end() || find_system(place) == nullptr ? MPI_COMM_NULL
                                                                 : found->communicator;
}

}  // namespace

bool mpi_alive() {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

int world_handle(Language language) {
  return language == Language::c ? 0 : MPI_Comm_c2f(MPI_COMM_WORLD);
}
int handle_of_place(Language language, int place) {
  return language == Language::c ? place + 1 : first_own_number + place;
}
int place_of_handle(Language language, int handle) {
  const int place = language == Language::c ? handle - 1 : handle - first_own_number;
  return place >= 0 && place < static_cast<int>(state().systems.size()) ? place : -1;
}

bool numbers_communicators(Language language) {
  return language == Language::fortran;
}
std::vector<int> communicator_members(const char* routine, int fortran_handle) {
  return members_of(routine, MPI_Comm_f2c(fortran_handle));
}

std::string advice_on_handles() {
  return {};
}

void end_mpi() {
  if (mpi_alive()) MPI_Finalize();
}

// Tools that replace MPI_Finalize see this call of it, which tutti itself would not make.
tutti_status finalize_with_mpi() {
  int may_end = 0;
  const tutti_status status = tutti_finalize_before_mpi(&may_end);
  if (may_end != 0) end_mpi();
  return status;
}

}  // namespace tutti::blacs

namespace blacs = tutti::blacs;

extern "C" {

TUTTI_API MPI_Comm Cblacs2sys_handle(int handle) {
  constexpr const char* routine = "blacs2sys_handle";
  static_cast<void>(blacs::system_members(routine, blacs::Language::c, handle));
  if (handle == blacs::world_handle(blacs::Language::c)) return MPI_COMM_WORLD;
  const int place = blacs::place_of_handle(blacs::Language::c, handle);
  const blacs::Scope* scope = blacs::scope_at(place);
  const MPI_Comm found =
      scope != nullptr ? blacs::communicator_of(*scope) : blacs::passed_at(place);
  if (found == MPI_COMM_NULL) {
    blacs::fail_outside(
        routine, fmt::format("no communicator of MPI stands behind system handle {}", handle));
  }
  return found;
}

TUTTI_API int Csys2blacs_handle(MPI_Comm communicator) {
  constexpr const char* routine = "sys2blacs_handle";
  blacs::join(routine);
  if (communicator == MPI_COMM_WORLD) return blacs::world_handle(blacs::Language::c);
  // MPI may reuse a handle for other processes, so the members are compared, too.
  std::vector<int> members = blacs::members_of(routine, communicator);
  for (const blacs::Known& one : blacs::known()) {
    const auto* found = blacs::find_system(one.place);
    if (one.communicator == communicator && found != nullptr && *found == members) {
      return blacs::handle_of_place(blacs::Language::c, one.place);
    }
  }
  const int place = blacs::add_system(std::move(members));
  std::erase_if(blacs::known(), [place](const blacs::Known& one) { return one.place == place; });
  blacs::known().push_back({communicator, place});
  return blacs::handle_of_place(blacs::Language::c, place);
}

}  // extern "C"
