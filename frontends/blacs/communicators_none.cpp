// SPDX-License-Identifier: BSD-3-Clause
// System handles without MPI (communicators.hpp): small numbers for lists of processes. The C
// interface passes them as pointers. Handle 0 is the world. A program may have MPI all the same,
// and is then told what it cannot have here.
#include <dlfcn.h>
#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <utility>

#include "communicators.hpp"
#include "errors.hpp"
#include "state.hpp"

namespace tutti::blacs {

int world_handle(Language) {
  return 0;
}
int handle_of_place(Language, int place) {
  return place + 1;
}
int place_of_handle(Language, int handle) {
  return handle > 0 ? handle - 1 : -1;
}
bool numbers_communicators(Language) {
  return false;
}
std::vector<int> communicator_members(const char*, int) {
  return {};
}
void end_mpi() {}
tutti_status finalize_with_mpi() {
  return tutti_finalize();
}

void end_communicators() {}
void provide_communicator(const RoutineCall&, Scope&) {}
std::optional<int> communicator_handle(Language, const Scope&) {
  return std::nullopt;
}
void free_communicator(Scope&) {}

namespace {

// The MPI with which the program is linked, as far as it can be seen from outside.
struct ProgramsMpi {
  const char* flavour = nullptr;  // nullptr: the program has not initialised any MPI
  int processes = 0;              // in MPI_COMM_WORLD
};

template <class Function>
Function* function_of_program(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

// MPI_COMM_WORLD is the address of an object in Open MPI and this number in MPICH.
ProgramsMpi mpi_of_program() {
  constexpr int world_of_mpich = 0x44000000;
  auto* const initialized = function_of_program<int(int*)>("MPI_Initialized");
  int begun = 0, processes = 0;
  if (initialized == nullptr || initialized(&begun) != 0 || begun == 0) return {};
  if (void* const world = ::dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world")) {
    if (auto* const size = function_of_program<int(void*, int*)>("MPI_Comm_size"))
      size(world, &processes);
    return {"openmpi", processes};
  }
  if (::dlsym(RTLD_DEFAULT, "MPIR_Dup_fn") == nullptr) return {"", 0};
  if (auto* const size = function_of_program<int(int, int*)>("MPI_Comm_size"))
    size(world_of_mpich, &processes);
  return {"mpich", processes};
}

bool is_handle(std::intptr_t handle) {
  return handle == 0 ||
         (handle > 0 && handle <= static_cast<std::intptr_t>(state().systems.size()) &&
          find_system(static_cast<int>(handle) - 1) != nullptr);
}

}  // namespace

void set_up_communicators() {
  const ProgramsMpi mpi = mpi_of_program();
  if (mpi.processes == 1) warn_of_worlds_of_one(mpi.flavour);
}

// A program may initialise MPI after its first call of the BLACS, but hardly after its first grid.
void offer_communicator(const char*, Scope&) {
  static bool first = true;
  if (std::exchange(first, false)) set_up_communicators();
}

std::string advice_on_handles() {
  const ProgramsMpi mpi = mpi_of_program();
  if (mpi.flavour == nullptr || *mpi.flavour == '\0') return {};
  return fmt::format(
      "; for programs whose handles are communicators of MPI there is libtutti-blacs-{}",
      mpi.flavour);
}

}  // namespace tutti::blacs

namespace blacs = tutti::blacs;

extern "C" {

TUTTI_API void* Cblacs2sys_handle(int handle) {
  if (!blacs::is_handle(handle)) {
    blacs::fail_outside("blacs2sys_handle", fmt::format("{} is not a system handle", handle));
  }
  // The pointer is never null, because callers may take a null pointer for "no communicator".
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(handle) + 1);
}

TUTTI_API int Csys2blacs_handle(void* word) {
  const auto handle = reinterpret_cast<std::intptr_t>(word) - 1;
  if (!blacs::is_handle(handle)) {
    blacs::fail_outside("sys2blacs_handle",
                        "the argument is not a system handle; without MPI these come from "
                        "blacs_get and blacs2sys_handle only" +
                            blacs::advice_on_handles());
  }
  return static_cast<int>(handle);
}

}  // extern "C"
