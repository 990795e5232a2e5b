// SPDX-License-Identifier: BSD-3-Clause
// Looks up the functions and handles of the MPI (plain.hpp).
#include "plain.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "narrow.hpp"

namespace tutti::mpi {

constinit Plain plain{};
#if defined(OPEN_MPI)
constinit PlainData plain_data{};
#endif

namespace {

#if defined(OPEN_MPI)
constexpr const char* this_mpi = "Open MPI";
constexpr const char* files[] = {"libmpi.so.40"};
constexpr const char* files_of_others[] = {"libmpich.so.12", "libmpi.so.12", "libmpi_abi.so.1"};
constexpr const char* files_of_fortran[] = {"libmpi_usempif08.so.40", "libmpi_mpifh.so.40"};
#elif defined(TUTTI_STANDARD_ABI)
constexpr const char* this_mpi = "the standard interface of MPI 5";
constexpr const char* files[] = {"libmpi_abi.so.1"};
constexpr const char* files_of_others[] = {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12"};
constexpr const char* files_of_fortran[] = {"libmpifort_abi.so.1"};
#else
constexpr const char* this_mpi = "MPICH";
constexpr const char* files[] = {"libmpich.so.12", "libmpi.so.12"};
constexpr const char* files_of_others[] = {"libmpi.so.40", "libmpi_abi.so.1"};
constexpr const char* files_of_fortran[] = {"libmpichfort.so.12", "libmpifort.so.12"};
#endif

void* loaded(const char* file) {
  return ::dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
}

// Ends the process, because the handles of its MPI are not those for which this library was
// compiled.
[[noreturn]] void refuse(const char* file) {
  std::fprintf(
      stderr,
      "tutti: this process uses the MPI of %s, but tutti mpi has prepared it for %s; write "
      "tutti mpi directly before the program that uses MPI, behind the launcher of its "
      "MPI\n",
      file, this_mpi);
  std::exit(2);
}

// Python opens its MPI for itself alone, so the names of that library cannot be found in the whole
// process. The library itself can. One with another file name is only found by its functions.
void* library() {
  static void* const found = [] {
    for (const char* file : files)
      if (void* handle = loaded(file)) return handle;
    for (const char* file : files_of_others)
      if (loaded(file) != nullptr) refuse(file);
    return RTLD_NEXT;
  }();
  return found;
}

#if defined(OPEN_MPI)
// The loader may have moved an object of the library into the program, which uses it by its name.
// Then the library uses it there, too.
void* object_of_mpi(const char* name) {
  void* const found = ::dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : symbol_of_mpi(name);
}
#endif

void* required(const char* name, void* found) {
  if (found != nullptr) return found;
  std::fprintf(stderr, "tutti: the MPI of this process has no %s, so tutti cannot take its place\n",
               name);
  std::abort();
}

template <class Pointer>
void look_up(Pointer& where, const char* name) {
  where = reinterpret_cast<Pointer>(required(name, symbol_of_mpi(name)));
}

template <class Pointer>
[[maybe_unused]] void look_up_if_there(Pointer& where, const char* name) {
  where = reinterpret_cast<Pointer>(symbol_of_mpi(name));
}

// Gives functions with large counts to an MPI that has none.
void make_large_forms() {
#if MPI_VERSION >= 4
  if (plain.Bcast_c != nullptr) return;
#define TUTTI_MPI_OPERATION(operation, Name)
#define TUTTI_MPI_COUNTED(operation, Name) \
  plain.Name##_c = LargeForm<&Plain::Name, ListsOf::all, decltype(plain.Name##_c)>::call;
#include "operations.def"
  plain.Gatherv_c = LargeForm<&Plain::Gatherv, ListsOf::root, decltype(plain.Gatherv_c)>::call;
  plain.Scatterv_c = LargeForm<&Plain::Scatterv, ListsOf::root, decltype(plain.Scatterv_c)>::call;
#endif
}

bool look_up_all() {
#define TUTTI_MPI_FUNCTION(name) look_up(plain.name, "PMPI_" #name);
#define TUTTI_MPI_FUNCTION_4(name) look_up_if_there(plain.name, "PMPI_" #name);
#include "functions.def"
#undef TUTTI_MPI_FUNCTION
  make_large_forms();
#if defined(OPEN_MPI)
#define TUTTI_MPI_DATA(name) plain_data.name = required(#name, object_of_mpi(#name));
#include "data.def"
#undef TUTTI_MPI_DATA
#endif
  return true;
}

}  // namespace

void* symbol_of_mpi(const char* name) {
  return ::dlsym(library(), name);
}

void* symbol_if_loaded(const char* name) {
  for (const char* file : files)
    if (void* handle = loaded(file)) return ::dlsym(handle, name);
  return nullptr;
}

void* symbol_of_fortran(const char* name) {
  for (const char* file : files_of_fortran) {
    void* const opened = ::dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (opened == nullptr) continue;
    void* const found = ::dlsym(opened, name);
    ::dlclose(opened);
    if (found != nullptr) return found;
  }
  return ::dlsym(RTLD_NEXT, name);
}

void find_mpi() {
  [[maybe_unused]] static const bool found = look_up_all();
}

}  // namespace tutti::mpi
