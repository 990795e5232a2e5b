// SPDX-License-Identifier: BSD-3-Clause
// The functions of C that open and close windows and files (windows.hpp). All calls are the MPI's.
#include "windows.hpp"

#include <map>
#include <mutex>

#include "communicator.hpp"
#include "perform.hpp"
#include "report.hpp"
#include "start.hpp"

namespace tutti::mpi {
namespace {

std::mutex counting;
int open_objects = 0;

// The number in the communicator of each open window.
std::map<MPI_Win, std::shared_ptr<std::atomic<int>>>& numbers_by_window() {
  static auto* const all = new std::map<MPI_Win, std::shared_ptr<std::atomic<int>>>;
  return *all;
}

const Plain& mpi() {
  find_mpi();
  return plain;
}

int opened(int code, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] const MPI_Win* win) {
#if !defined(OPEN_MPI)
  KnownCommunicator* const with =
      code == MPI_SUCCESS && job.joined ? find_communicator(comm) : nullptr;
  if (with != nullptr) {
    if (with->open_windows == nullptr) with->open_windows = std::make_shared<std::atomic<int>>(0);
    ++*with->open_windows;
    const std::lock_guard lock(counting);
    numbers_by_window()[*win] = with->open_windows;
  }
#endif
  return counted(code, 1);
}

#if MPI_VERSION >= 4
// Returns the unit of a window for an MPI older than MPI 4. It refuses 0, which stands for a unit
// that is too large for it.
int in_int(MPI_Aint unit) {
  return unit == static_cast<int>(unit) ? static_cast<int>(unit) : 0;
}
#endif

// `win` is the handle before the MPI has freed it.
int closed(int code, MPI_Win win) {
  if (code == MPI_SUCCESS) {
    const std::lock_guard lock(counting);
    const auto found = numbers_by_window().find(win);
    if (found != numbers_by_window().end()) {
      --*found->second;
      numbers_by_window().erase(found);
    }
  }
  return counted(code, -1);
}

}  // namespace

int counted(int code, int change) {
  if (code != MPI_SUCCESS || !job.joined) return code;
  const std::lock_guard lock(counting);
  const int before = open_objects;
  open_objects += change;
  if (change > 0) ++opened_objects;
  if ((before > 0) == (open_objects > 0)) return code;
  const ThreadTurn turn("MPI_Win_create");
  // Failure is harmless: the MPI then works less often; nothing is lost.
  if (turn.allowed()) static_cast<void>(library.let_mpi_work_often(open_objects > 0 ? 1 : 0));
  return code;
}

}  // namespace tutti::mpi

using namespace tutti::mpi;

extern "C" {

TUTTI_API int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                             MPI_Win* win) {
  return opened(mpi().Win_create(base, size, unit, info, comm, win), comm, win);
}
TUTTI_API int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return opened(mpi().Win_create_dynamic(info, comm, win), comm, win);
}
TUTTI_API int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                               MPI_Win* win) {
  return opened(mpi().Win_allocate(size, unit, info, comm, base, win), comm, win);
}
TUTTI_API int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                                      void* base, MPI_Win* win) {
  return opened(mpi().Win_allocate_shared(size, unit, info, comm, base, win), comm, win);
}
#if MPI_VERSION >= 4
TUTTI_API int MPI_Win_create_c(void* base, MPI_Aint size, MPI_Aint unit, MPI_Info info,
                               MPI_Comm comm, MPI_Win* win) {
  if (mpi().Win_create_c == nullptr)
    return MPI_Win_create(base, size, in_int(unit), info, comm, win);
  return opened(plain.Win_create_c(base, size, unit, info, comm, win), comm, win);
}
TUTTI_API int MPI_Win_allocate_c(MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm,
                                 void* base, MPI_Win* win) {
  if (mpi().Win_allocate_c == nullptr)
    return MPI_Win_allocate(size, in_int(unit), info, comm, base, win);
  return opened(plain.Win_allocate_c(size, unit, info, comm, base, win), comm, win);
}
TUTTI_API int MPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm,
                                        void* base, MPI_Win* win) {
  if (mpi().Win_allocate_shared_c == nullptr)
    return MPI_Win_allocate_shared(size, in_int(unit), info, comm, base, win);
  return opened(plain.Win_allocate_shared_c(size, unit, info, comm, base, win), comm, win);
}
#endif
TUTTI_API int MPI_Win_free(MPI_Win* win) {
  const MPI_Win freed = win != nullptr ? *win : MPI_Win{};
  return closed(mpi().Win_free(win), freed);
}
TUTTI_API int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info,
                            MPI_File* file) {
  return counted(mpi().File_open(comm, name, mode, info, file), 1);
}
TUTTI_API int MPI_File_close(MPI_File* file) {
  return counted(mpi().File_close(file), -1);
}

}  // extern "C"
