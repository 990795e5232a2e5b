// SPDX-License-Identifier: BSD-3-Clause
// The Fortran names of both interfaces. All arguments are references, and INTEGER is int. In the
// group interface, communicators, groups, data types and operators are numbers, which ficc.h names.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "communicators.hpp"
#include "datatypes.hpp"
#include "errors.hpp"
#include "simple.hpp"

using namespace tutti;

namespace {

// The handles of one kind as numbers, beginning with 1. Freed numbers are used again.
template <class Handle>
class Numbers {
 public:
  int number_of(Handle handle) {
    if (handle == nullptr) return 0;
    const auto free = std::find(handles_.begin(), handles_.end(), nullptr);
    const auto place = free - handles_.begin();
    if (free == handles_.end()) {
      handles_.push_back(handle);
    } else {
      *free = handle;
    }
    return static_cast<int>(place) + 1;
  }
  // Returns a null handle for a number that names nothing.
  [[nodiscard]] Handle handle_of(int number) const {
    const bool known = number >= 1 && static_cast<std::size_t>(number) <= handles_.size();
    return known ? handles_[static_cast<std::size_t>(number) - 1] : nullptr;
  }
  void forget(int number) { handles_[static_cast<std::size_t>(number) - 1] = nullptr; }

 private:
  std::vector<Handle> handles_;
};

Numbers<iCC_g_Comm>& comms() {
  static auto* const all = new Numbers<iCC_g_Comm>;
  return *all;
}
Numbers<iCC_g_Group>& groups() {
  static auto* const all = new Numbers<iCC_g_Group>;
  return *all;
}

// A Fortran LONG is an INTEGER, as on the Paragon.
iCC_g_Datatype type_numbered(int number) {
  constexpr int int_type = 3, long_type = 4;
  if (number < 1 || number > icc::datatype_count) return nullptr;
  return &iCC_g_datatypes[(number == long_type ? int_type : number) - 1];
}
iCC_g_Op op_numbered(int number) {
  return number < 1 || number > icc::operator_count ? nullptr : &iCC_g_operators[number - 1];
}

using Longs = std::vector<long>;

// Returns a list with an entry for each rank. It is empty for a communicator that is none, whose
// code the call itself returns.
Longs longs(iCC_g_Comm comm, const int* list) {
  try {
    return {list, list + icc::communicator_of(comm).size};
  } catch (const icc::Refusal&) {
    return {};
  }
}
// Only the root has the lists of a gather or scatter, or all ranks if the algorithm is forced.
bool has_lists(iCC_g_Comm comm, int root) {
  try {
    const icc::Communicator& communicator = icc::communicator_of(comm);
    return communicator.forced || communicator.source == root;
  } catch (const icc::Refusal&) {
    return false;
  }
}
Longs longs_at_root(iCC_g_Comm comm, const int* list, int root) {
  return has_lists(comm, root) ? longs(comm, list) : Longs();
}
long* address(Longs& list) {
  return list.empty() ? nullptr : list.data();
}
int code(long value) {
  return static_cast<int>(value);
}

}  // namespace

extern "C" {

// ---- the simple interface ----

TUTTI_API void icc_initialize_() {
  icc::initialize("ICC_INITIALIZE");
}
TUTTI_API void icc_work_init_(const int*) {
  icc::initialize("ICC_WORK_INIT");
}
TUTTI_API void icc_gsync_() {
  icc::sync("ICC_GSYNC");
}
TUTTI_API void icc_bcast_(void* x, const int* bytes, const int* root) {
  icc::broadcast("ICC_BCAST", {x, *bytes, TUTTI_BYTE}, *root);
}
TUTTI_API void icc_scatter_(void* x, const int* xlens, void* y, const int* root) {
  icc::scatter("ICC_SCATTER", x, icc::lengths_of("ICC_SCATTER", "xlens", xlens), y, *root);
}
TUTTI_API void icc_gather_(void* x, const int* xlens, void* y, const int* root) {
  icc::gather("ICC_GATHER", x, icc::lengths_of("ICC_GATHER", "xlens", xlens), y, *root);
}
TUTTI_API void icc_gcolx_(void* x, const int* xlens, void* y) {
  icc::collect("ICC_GCOLX", x, icc::lengths_of("ICC_GCOLX", "xlens", xlens), y);
}
TUTTI_API void icc_gcol_(void* x, const int* xlen, void* y, const int* ylen, int* ncnt) {
  *ncnt = static_cast<int>(icc::collect_unknown("ICC_GCOL", x, *xlen, y, *ylen));
}
TUTTI_API void icc_gopf_(void* x, const int* xlen, void* work, void (*f)(void*, void*)) {
  icc::combine_by("ICC_GOPF", {x, *xlen, TUTTI_BYTE}, work, f);
}

#define TUTTI_ICC_COMBINE(name, T, type, op)               \
  TUTTI_API void icc_g##name##_(T* x, const int* n, T*) {  \
    icc::combine_to_all("icc_g" #name, {x, *n, type}, op); \
  }
#define TUTTI_ICC_COMBINES(name, T, type, op)                                          \
  TUTTI_ICC_COMBINE(name, T, type, op)                                                 \
  TUTTI_API void icc_g##name##_one_(T* x, const int* n, T*, const int* root) {         \
    icc::combine_to_one("icc_g" #name "_one", {x, *n, type}, op, *root);               \
  }                                                                                    \
  TUTTI_API void icc_g##name##_dist_(T* x, const int* ns, T* y) {                      \
    icc::distributed_combine("icc_g" #name "_dist", {x, 0, type},                      \
                             icc::lengths_of("icc_g" #name "_dist", "ns", ns), y, op); \
  }
#define TUTTI_ICC_INTEGER int
#define TUTTI_ICC_INTEGER_TYPE TUTTI_INT32
#include "combines.def"

// ---- the group interface ----

TUTTI_API int icc_g_group_init_() {
  const bool again = icc::state().has_groups;
  const long result = iCC_g_Group_init();
  if (result == iCC_g_OK && !again) {
    comms().number_of(iCC_g_COMM_WORLD);
    comms().number_of(iCC_g_COMM_SELF);
  }
  return code(result);
}
TUTTI_API int icc_g_comm_group_(const int* comm, int* group) {
  iCC_g_Group made = nullptr;
  const long result = iCC_g_Comm_group(comms().handle_of(*comm), &made);
  *group = groups().number_of(made);
  return code(result);
}
TUTTI_API int icc_g_group_incl_(const int* group, const int* n, const int* ranks, int* newgroup) {
  iCC_g_Group made = nullptr;
  Longs list(ranks, ranks + std::max(*n, 0));
  const long result = iCC_g_Group_incl(groups().handle_of(*group), *n, address(list), &made);
  *newgroup = groups().number_of(made);
  return code(result);
}
TUTTI_API int icc_g_group_free_(int* group) {
  iCC_g_Group handle = groups().handle_of(*group);
  const long result = iCC_g_Group_free(&handle);
  if (result != iCC_g_OK) return code(result);
  groups().forget(*group);
  *group = 0;
  return code(result);
}
TUTTI_API int icc_g_comm_create_(const int* comm, const int* group, int* newcomm) {
  iCC_g_Comm made = nullptr;
  const long result =
      iCC_g_Comm_create(comms().handle_of(*comm), groups().handle_of(*group), &made);
  *newcomm = comms().number_of(made);
  return code(result);
}
TUTTI_API int icc_g_comm_free_(int* comm) {
  iCC_g_Comm handle = comms().handle_of(*comm);
  const long result = iCC_g_Comm_free(&handle);
  if (result != iCC_g_OK) return code(result);
  comms().forget(*comm);
  *comm = 0;
  return code(result);
}

TUTTI_API int icc_g_barrier_(const int* comm) {
  return code(iCC_g_Barrier(comms().handle_of(*comm)));
}
TUTTI_API int icc_g_bcast_(void* buffer, const int* count, const int* type, const int* root,
                           const int* comm) {
  return code(iCC_g_Bcast(buffer, *count, type_numbered(*type), *root, comms().handle_of(*comm)));
}
TUTTI_API int icc_g_reduce_(void* sbuf, void* rbuf, const int* count, const int* type,
                            const int* op, const int* root, const int* comm) {
  return code(iCC_g_Reduce(sbuf, rbuf, *count, type_numbered(*type), op_numbered(*op), *root,
                           comms().handle_of(*comm)));
}
TUTTI_API int icc_g_allreduce_(void* sbuf, void* rbuf, const int* count, const int* type,
                               const int* op, const int* comm) {
  return code(iCC_g_Allreduce(sbuf, rbuf, *count, type_numbered(*type), op_numbered(*op),
                              comms().handle_of(*comm)));
}
TUTTI_API int icc_g_reduce_scatter_(void* sbuf, void* rbuf, const int* counts, const int* type,
                                    const int* op, const int* comm) {
  iCC_g_Comm handle = comms().handle_of(*comm);
  Longs list = longs(handle, counts);
  return code(iCC_g_Reduce_scatter(sbuf, rbuf, address(list), type_numbered(*type),
                                   op_numbered(*op), handle));
}
TUTTI_API int icc_g_gatherv_(void* sbuf, const int* scount, const int* stype, void* rbuf,
                             const int* rcounts, const int* displs, const int* rtype,
                             const int* root, const int* comm) {
  iCC_g_Comm handle = comms().handle_of(*comm);
  Longs counts = longs_at_root(handle, rcounts, *root),
        starts = longs_at_root(handle, displs, *root);
  return code(iCC_g_Gatherv(sbuf, *scount, type_numbered(*stype), rbuf, address(counts),
                            address(starts), type_numbered(*rtype), *root, handle));
}
TUTTI_API int icc_g_scatterv_(void* sbuf, const int* scounts, const int* displs, const int* stype,
                              void* rbuf, const int* rcount, const int* rtype, const int* root,
                              const int* comm) {
  iCC_g_Comm handle = comms().handle_of(*comm);
  Longs counts = longs_at_root(handle, scounts, *root),
        starts = longs_at_root(handle, displs, *root);
  return code(iCC_g_Scatterv(sbuf, address(counts), address(starts), type_numbered(*stype), rbuf,
                             *rcount, type_numbered(*rtype), *root, handle));
}
TUTTI_API int icc_g_allgatherv_(void* sbuf, const int* scount, const int* stype, void* rbuf,
                                const int* rcounts, const int* displs, const int* rtype,
                                const int* comm) {
  iCC_g_Comm handle = comms().handle_of(*comm);
  Longs counts = longs(handle, rcounts), starts = longs(handle, displs);
  return code(iCC_g_Allgatherv(sbuf, *scount, type_numbered(*stype), rbuf, address(counts),
                               address(starts), type_numbered(*rtype), handle));
}

}  // extern "C"
