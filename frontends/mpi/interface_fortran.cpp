// SPDX-License-Identifier: BSD-3-Clause
// The subroutines of Fortran. Those of Open MPI call the MPI by its PMPI names and so pass by this
// library's functions of C. Those of MPICH are in interface_f08.cpp.
#include "fortran.hpp"

#if defined(OPEN_MPI)
#include <dlfcn.h>
#include <tutti/tutti.h>

#include <vector>

#include "bound_symbol.hpp"
#include "start.hpp"

namespace tutti::mpi {
namespace {

// The addresses that stand for a constant: that of the program or of the first library of Fortran,
// which the MPI uses, and that of the module mpi_f08.
struct Constant {
  explicit Constant(const char* name)
      : in_program(::dlsym(RTLD_DEFAULT, name)),
        in_library(bound_symbol("libmpi_mpifh.so.40", name)) {
    if (void* module = ::dlopen("libmpi_usempif08.so.40", RTLD_LAZY | RTLD_NOLOAD))
      in_module = ::dlsym(module, name);
  }
  [[nodiscard]] bool is(const void* address) const {
    return address != nullptr &&
           (address == in_program || address == in_library || address == in_module);
  }
  void* in_program;
  void* in_library;
  void* in_module = nullptr;
};

// Returns the address as C knows it.
void* data(void* address) {
  static const Constant in_place("mpi_fortran_in_place_"), bottom("mpi_fortran_bottom_");
  if (in_place.is(address)) return MPI_IN_PLACE;
  return bottom.is(address) ? MPI_BOTTOM : address;
}
MPI_Comm comm(const Integer* handle) {
  find_mpi();
  return plain.Comm_f2c(*handle);
}
MPI_Datatype type(const Integer* handle) {
  find_mpi();
  return plain.Type_f2c(*handle);
}
MPI_Op op(const Integer* handle) {
  find_mpi();
  return plain.Op_f2c(*handle);
}

// Returns the types of all ranks, or none where they mean nothing.
enum class Need : std::uint8_t { no, yes };
constexpr Need needed = Need::yes;
Need needed_unless_in_place(void* address) {
  return data(address) == MPI_IN_PLACE ? Need::no : Need::yes;
}
std::vector<MPI_Datatype> types(const Integer* handles, const Integer* of, Need need) {
  int size = 0, inter = 0;
  plain.Comm_test_inter(comm(of), &inter);
  if (inter != 0) {
    plain.Comm_remote_size(comm(of), &size);
  } else {
    plain.Comm_size(comm(of), &size);
  }
  std::vector<MPI_Datatype> found;
  for (int rank = 0; need == needed && rank < size; ++rank) found.push_back(type(handles + rank));
  return found;
}

}  // namespace
}  // namespace tutti::mpi

using namespace tutti::mpi;

extern "C" {

TUTTI_SUBROUTINE(mpi_init, MPI_INIT, (Integer * error), (initialise(nullptr, nullptr)))
TUTTI_SUBROUTINE(mpi_init_thread, MPI_INIT_THREAD,
                 (const Integer* required, Integer* provided, Integer* error),
                 (initialise_with_threads(nullptr, nullptr, *required, provided)))
TUTTI_SUBROUTINE(mpi_finalize, MPI_FINALIZE, (Integer * error), (finalise()))

TUTTI_SUBROUTINE(mpi_barrier, MPI_BARRIER, (const Integer* c, Integer* error),
                 (MPI_Barrier(comm(c))))
TUTTI_SUBROUTINE(mpi_bcast, MPI_BCAST,
                 (void* a, const Integer* n, const Integer* t, const Integer* root,
                  const Integer* c, Integer* error),
                 (MPI_Bcast(data(a), *n, type(t), *root, comm(c))))

TUTTI_SUBROUTINE(mpi_reduce, MPI_REDUCE,
                 (void* a, void* b, const Integer* n, const Integer* t, const Integer* o,
                  const Integer* root, const Integer* c, Integer* error),
                 (MPI_Reduce(data(a), data(b), *n, type(t), op(o), *root, comm(c))))
TUTTI_SUBROUTINE(mpi_allreduce, MPI_ALLREDUCE,
                 (void* a, void* b, const Integer* n, const Integer* t, const Integer* o,
                  const Integer* c, Integer* error),
                 (MPI_Allreduce(data(a), data(b), *n, type(t), op(o), comm(c))))
TUTTI_SUBROUTINE(mpi_scan, MPI_SCAN,
                 (void* a, void* b, const Integer* n, const Integer* t, const Integer* o,
                  const Integer* c, Integer* error),
                 (MPI_Scan(data(a), data(b), *n, type(t), op(o), comm(c))))
TUTTI_SUBROUTINE(mpi_exscan, MPI_EXSCAN,
                 (void* a, void* b, const Integer* n, const Integer* t, const Integer* o,
                  const Integer* c, Integer* error),
                 (MPI_Exscan(data(a), data(b), *n, type(t), op(o), comm(c))))
TUTTI_SUBROUTINE(mpi_reduce_scatter_block, MPI_REDUCE_SCATTER_BLOCK,
                 (void* a, void* b, const Integer* n, const Integer* t, const Integer* o,
                  const Integer* c, Integer* error),
                 (MPI_Reduce_scatter_block(data(a), data(b), *n, type(t), op(o), comm(c))))
// Here n is the list of the counts of all ranks.
TUTTI_SUBROUTINE(mpi_reduce_scatter, MPI_REDUCE_SCATTER,
                 (void* a, void* b, const Integer* n, const Integer* t, const Integer* o,
                  const Integer* c, Integer* error),
                 (MPI_Reduce_scatter(data(a), data(b), n, type(t), op(o), comm(c))))

TUTTI_SUBROUTINE(mpi_gather, MPI_GATHER,
                 (void* a, const Integer* n, const Integer* t, void* b, const Integer* m,
                  const Integer* u, const Integer* root, const Integer* c, Integer* error),
                 (MPI_Gather(data(a), *n, type(t), data(b), *m, type(u), *root, comm(c))))
TUTTI_SUBROUTINE(mpi_scatter, MPI_SCATTER,
                 (void* a, const Integer* n, const Integer* t, void* b, const Integer* m,
                  const Integer* u, const Integer* root, const Integer* c, Integer* error),
                 (MPI_Scatter(data(a), *n, type(t), data(b), *m, type(u), *root, comm(c))))
TUTTI_SUBROUTINE(mpi_allgather, MPI_ALLGATHER,
                 (void* a, const Integer* n, const Integer* t, void* b, const Integer* m,
                  const Integer* u, const Integer* c, Integer* error),
                 (MPI_Allgather(data(a), *n, type(t), data(b), *m, type(u), comm(c))))
TUTTI_SUBROUTINE(mpi_alltoall, MPI_ALLTOALL,
                 (void* a, const Integer* n, const Integer* t, void* b, const Integer* m,
                  const Integer* u, const Integer* c, Integer* error),
                 (MPI_Alltoall(data(a), *n, type(t), data(b), *m, type(u), comm(c))))

// p and q are displacements.
TUTTI_SUBROUTINE(mpi_gatherv, MPI_GATHERV,
                 (void* a, const Integer* n, const Integer* t, void* b, const Integer* m,
                  const Integer* q, const Integer* u, const Integer* root, const Integer* c,
                  Integer* error),
                 (MPI_Gatherv(data(a), *n, type(t), data(b), m, q, type(u), *root, comm(c))))
TUTTI_SUBROUTINE(mpi_scatterv, MPI_SCATTERV,
                 (void* a, const Integer* n, const Integer* p, const Integer* t, void* b,
                  const Integer* m, const Integer* u, const Integer* root, const Integer* c,
                  Integer* error),
                 (MPI_Scatterv(data(a), n, p, type(t), data(b), *m, type(u), *root, comm(c))))
TUTTI_SUBROUTINE(mpi_allgatherv, MPI_ALLGATHERV,
                 (void* a, const Integer* n, const Integer* t, void* b, const Integer* m,
                  const Integer* q, const Integer* u, const Integer* c, Integer* error),
                 (MPI_Allgatherv(data(a), *n, type(t), data(b), m, q, type(u), comm(c))))
TUTTI_SUBROUTINE(mpi_alltoallv, MPI_ALLTOALLV,
                 (void* a, const Integer* n, const Integer* p, const Integer* t, void* b,
                  const Integer* m, const Integer* q, const Integer* u, const Integer* c,
                  Integer* error),
                 (MPI_Alltoallv(data(a), n, p, type(t), data(b), m, q, type(u), comm(c))))
TUTTI_SUBROUTINE(mpi_alltoallw, MPI_ALLTOALLW,
                 (void* a, const Integer* n, const Integer* p, const Integer* t, void* b,
                  const Integer* m, const Integer* q, const Integer* u, const Integer* c,
                  Integer* error),
                 (MPI_Alltoallw(data(a), n, p, types(t, c, needed_unless_in_place(a)).data(),
                                data(b), m, q, types(u, c, needed).data(), comm(c))))

TUTTI_SUBROUTINE(mpi_type_set_name, MPI_TYPE_SET_NAME,
                 (const Integer* t, const void* name, Integer* error, std::size_t length),
                 (renamed("mpi_type_set_name_", type(t), t, name, length)))

}  // extern "C"
#endif
