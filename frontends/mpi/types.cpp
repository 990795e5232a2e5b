// SPDX-License-Identifier: BSD-3-Clause
// Looks at types (types.hpp).
#include "types.hpp"

#include <cstring>
#include <mutex>
#include <vector>

#include "handle_cache.hpp"

namespace tutti::mpi {
namespace {

int keyval = MPI_KEYVAL_INVALID;
[[gnu::tls_model("initial-exec")]] constinit thread_local HandleCache<MPI_Datatype, const Type, 32>
    cache;
// An attribute that is set twice is deleted the first time. So only one of the threads that meet a
// type for the first time at once may look at it.
std::mutex looking;

int forget(MPI_Datatype, int, void* attribute, void*) {
  objects_freed.fetch_add(1, std::memory_order_relaxed);
  delete static_cast<Type*>(attribute);
  return MPI_SUCCESS;
}

int copy_nothing(MPI_Datatype, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

struct Envelope {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  bool has_large_counts = false;
};
Envelope envelope_of(MPI_Datatype handle) {
  Envelope found;
#if MPI_VERSION >= 4
  // The function without _c is an error for types of constructors with it.
  if (plain.Type_get_envelope_c != nullptr) {
    MPI_Count integers = 0, addresses = 0, large = 0, types = 0;
    plain.Type_get_envelope_c(handle, &integers, &addresses, &large, &types, &found.combiner);
    found.integers = static_cast<int>(integers);
    found.addresses = static_cast<int>(addresses);
    found.types = static_cast<int>(types);
    found.has_large_counts = large > 0;
    return found;
  }
#endif
  plain.Type_get_envelope(handle, &found.integers, &found.addresses, &found.types, &found.combiner);
  return found;
}

// Returns the type of which a type with one part is made. The caller frees it unless it is named.
MPI_Datatype part_of(MPI_Datatype handle, const Envelope& envelope) {
  std::vector<int> integers(static_cast<std::size_t>(envelope.integers) + 1);
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses) + 1);
  MPI_Datatype part{};
  plain.Type_get_contents(handle, envelope.integers, envelope.addresses, 1, integers.data(),
                          addresses.data(), &part);
  return part;
}

struct Bounds {
  Count size = 0, lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  // True if there is neither a hole nor a shift. The order of the data may be any.
  [[nodiscard]] bool full() const { return lower == 0 && true_lower == 0 && extent == size; }
};
Bounds bounds_of(MPI_Datatype handle) {
  MPI_Count size = 0, lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  plain.Type_size_x(handle, &size);
  plain.Type_get_extent_x(handle, &lower, &extent);
  plain.Type_get_true_extent_x(handle, &true_lower, &true_extent);
  return {size, lower, extent, true_lower, true_extent};
}

// A type with as many bytes as its extent may still have them in another order, as an indexed type
// may. So only constructors that keep the order are looked through.
bool keeps_order(MPI_Datatype handle) {
  const Envelope envelope = envelope_of(handle);
  if (envelope.has_large_counts) return false;
  switch (envelope.combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
      return true;
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_RESIZED:
      break;
    default:
      return false;
  }
  MPI_Datatype part = part_of(handle, envelope);
  const bool kept = bounds_of(part).full() && keeps_order(part);
  const int combiner = envelope_of(part).combiner;
  const bool made = combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
                    combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER;
  if (made) plain.Type_free(&part);
  return kept;
}

struct NamedKind {
  const char* name;
  TypeKind kind;
};
constexpr NamedKind named_kinds[] = {
#define TUTTI_MPI_TYPE(name, kind) {name, TypeKind::kind},
#include "type_names.def"
#undef TUTTI_MPI_TYPE
};

TypeKind kind_of(MPI_Datatype handle) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  plain.Type_get_name(handle, name, &length);
  for (const NamedKind& one : named_kinds)
    if (std::strcmp(one.name, name) == 0) return one.kind;
  return TypeKind::other;
}

// To pack nothing checks the type as other calls do, and does nothing else.
bool is_committed(MPI_Datatype handle) {
  int nothing = 0, packed = 0, position = 0;
  return plain.Pack(&nothing, 0, handle, &packed, sizeof packed, &position, job.quiet) ==
         MPI_SUCCESS;
}

const Type* look(MPI_Datatype handle) {
  if (!is_committed(handle)) return nullptr;
  auto* const made = new Type;
  const Bounds bounds = bounds_of(handle);
  made->size = bounds.size;
  made->extent = bounds.extent;
  made->dense = bounds.full() && keeps_order(handle);
  made->compact = bounds.lower == 0 && bounds.true_lower >= 0 &&
                  bounds.true_lower + bounds.true_extent <= bounds.extent;
  if (envelope_of(handle).combiner == MPI_COMBINER_NAMED) made->kind = kind_of(handle);
  plain.Type_set_attr(handle, keyval, made);
  return made;
}

}  // namespace

void set_up_types() {
  plain.Type_create_keyval(copy_nothing, forget, &keyval, nullptr);
}

const Type* find_type(MPI_Datatype handle) {
  if (const Type* const known = cache.find(handle)) return known;
  if (handle == MPI_DATATYPE_NULL) return nullptr;
  void* attribute = nullptr;
  int found = 0;
  const std::lock_guard lock(looking);
  if (plain.Type_get_attr(handle, keyval, &attribute, &found) != MPI_SUCCESS) return nullptr;
  const Type* const type = found != 0 ? static_cast<const Type*>(attribute) : look(handle);
  if (type != nullptr) cache.keep(handle, type);
  return type;
}

void look_before_renaming(MPI_Datatype handle) {
  if (job.joined) static_cast<void>(find_type(handle));
}

}  // namespace tutti::mpi
