// SPDX-License-Identifier: BSD-3-Clause
// The MPI communicators of contexts (communicators.hpp). They are made from a private duplicate of
// MPI_COMM_WORLD, so no communicator of the program is needed or kept. A grid gets its communicator
// when it is made if its list of processes is new, else when somebody asks for it.
#include <mpi.h>
#include <tutti/tutti_runtime.h>

#include <cstring>
#include <map>
#include <vector>

#include "communicators.hpp"
#include "communicators_mpi.hpp"
#include "errors.hpp"

namespace tutti::blacs {
namespace {

// Grids of one list of processes that get a communicator at once. All members count alike, because
// they make the grids of a list in one order.
constexpr int made_at_once = 4;
// Communicators of this process up to which a new grid gets one at once. MPICH has about 2000 in
// all, and most of them are left to the program.
constexpr int most_at_once = 256;
// Nothing else happens on the private duplicate, so one tag of MPI_Comm_create_group serves all.
constexpr int creation_tag = 0;

struct Makers {
  MPI_Comm world = MPI_COMM_NULL;  // null if MPI's processes are not those of the job
  std::map<std::vector<int>, int> grids_of_list;
  int alive = 0;
};
Makers& makers() {
  static auto* const only = new Makers;
  return *only;
}

std::uint64_t number_of(MPI_Comm communicator) {
  static_assert(sizeof communicator <= sizeof(std::uint64_t));
  std::uint64_t number = 0;
  std::memcpy(&number, &communicator, sizeof communicator);
  return number;
}

// Gives a communicator the error handler of MPI_COMM_WORLD, as if it had been duplicated from that.
void set_usual_errors(MPI_Comm communicator) {
  MPI_Errhandler usual = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &usual);
  MPI_Comm_set_errhandler(communicator, usual);
  MPI_Errhandler_free(&usual);
}

// Makes the communicator of a scope together with its other processes. If MPI has no more, it tells
// all of them, and the scope has none.
void make(Scope& scope) {
  MPI_Group all = MPI_GROUP_NULL, mine = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_group(makers().world, &all);
  MPI_Group_incl(all, scope.size, scope.members.data(), &mine);
  const int code = MPI_Comm_create_group(makers().world, mine, creation_tag, &made);
  MPI_Group_free(&mine);
  MPI_Group_free(&all);
  if (code != MPI_SUCCESS || made == MPI_COMM_NULL) return;
  set_usual_errors(made);
  scope.communicator = number_of(made);
  ++makers().alive;
}

// Returns true if all processes of a new grid have few communicators.
bool all_have_room(const char* routine, const Scope& scope) {
  std::int32_t room = makers().alive < most_at_once ? 1 : 0;
  const tutti_data data = tutti_array(&room, 1, TUTTI_INT32);
  if (tutti_enter(routine) != TUTTI_OK) fail_outside(routine, tutti_error_text());
  check_outside(routine, tutti_allreduce, scope.group, &data, &data, TUTTI_MIN);
  tutti_leave();
  return room != 0;
}

}  // namespace

void set_up_communicators() {
  int size = 0;
  if (!mpi_alive()) return;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 1) warn_of_worlds_of_one(TUTTI_MPI_FLAVOUR);
  if (size == 1 || size != tutti_size(tutti_world())) return;
  MPI_Comm_dup(MPI_COMM_WORLD, &makers().world);
  MPI_Comm_set_errhandler(makers().world, MPI_ERRORS_RETURN);
}

void end_communicators() {
  if (makers().world != MPI_COMM_NULL && mpi_alive()) MPI_Comm_free(&makers().world);
  makers().world = MPI_COMM_NULL;
}

// One process alone can make its communicator at any time.
void offer_communicator(const char* routine, Scope& scope) {
  Makers& m = makers();
  if (m.world == MPI_COMM_NULL || scope.size == 1) return;
  if (++m.grids_of_list[scope.members] > made_at_once) return;
  if (all_have_room(routine, scope)) make(scope);
}

// The barrier shows in tutti's reports who waits for whom. In MPI nobody could see it.
void provide_communicator(const RoutineCall& call, Scope& scope) {
  if (makers().world == MPI_COMM_NULL || scope.communicator != 0) return;
  check(call, tutti_barrier(scope.group));
  make(scope);
  if (scope.communicator == 0)
    warn(call, "the MPI has made as many communicators as it can, so this context has none");
}

MPI_Comm communicator_of(const Scope& scope) {
  MPI_Comm communicator = MPI_COMM_NULL;
  if (scope.communicator != 0) std::memcpy(&communicator, &scope.communicator, sizeof communicator);
  return communicator;
}

std::optional<int> communicator_handle(Language language, const Scope& scope) {
  if (language == Language::c || scope.communicator == 0) return std::nullopt;
  return MPI_Comm_c2f(communicator_of(scope));
}

void free_communicator(Scope& scope) {
  if (scope.communicator == 0) return;
  MPI_Comm communicator = communicator_of(scope);
  if (mpi_alive()) MPI_Comm_free(&communicator);
  scope.communicator = 0;
  --makers().alive;
}

}  // namespace tutti::blacs
