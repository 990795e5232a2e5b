// SPDX-License-Identifier: BSD-3-Clause
// Finds the operator for a reduction (operators.hpp).
#include "operators.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "message.hpp"
#include "perform.hpp"

namespace tutti::mpi {

// MPI may use the handles of operators anew, so nothing is remembered by them: an operator of tutti
// serves any operator of the MPI, one call at a time.
struct Combination::Borrowed {
  // Tutti knows this of its operator, and it stays.
  struct Kind {
    tutti_type unit = TUTTI_BYTE;
    bool commutative = false;
    bool whole = false;  // it gets all elements of an operand at once
    friend bool operator==(const Kind&, const Kind&) = default;
  } kind;
  tutti_op made{0};

  // The operator of the MPI that it stands for in one call.
  MPI_Op op{};
  MPI_Datatype handle{};
  Count extent = 0;
  bool failed = false;

  OwnMemory room;  // for a right operand that the MPI is to overwrite
  Count room_bytes = 0;
};

namespace {

using Borrowed = Combination::Borrowed;

constexpr unsigned bit(TypeKind kind) {
  return 1U << static_cast<unsigned>(kind);
}
constexpr unsigned integers_of_c = bit(TypeKind::integer) | bit(TypeKind::natural);
constexpr unsigned integers = integers_of_c | bit(TypeKind::fortran);
constexpr unsigned ordered = integers | bit(TypeKind::address) | bit(TypeKind::floating);
constexpr unsigned numbers = ordered | bit(TypeKind::complex);
#if defined(OPEN_MPI)
constexpr unsigned logical = integers_of_c | bit(TypeKind::logical);
#else
constexpr unsigned logical = integers | bit(TypeKind::logical);
#endif
constexpr unsigned bits = integers | bit(TypeKind::address) | bit(TypeKind::byte);

// An operator of MPI, the kinds of types that it has, and tutti's operator; 0 if tutti has none.
struct Known {
  MPI_Op handle;
  unsigned kinds;
  std::uint64_t ours;
};

const Known* known_operator(MPI_Op op) {
  static const Known all[] = {{MPI_SUM, numbers, 1},
                              {MPI_PROD, numbers, 2},
                              {MPI_MAX, ordered, 3},
                              {MPI_MIN, ordered, 4},
                              {MPI_LAND, logical, 7},
                              {MPI_LOR, logical, 8},
                              {MPI_LXOR, logical, 9},
                              {MPI_BAND, bits, 10},
                              {MPI_BOR, bits, 11},
                              {MPI_BXOR, bits, 12},
                              {MPI_MAXLOC, bit(TypeKind::pair), 0},
                              {MPI_MINLOC, bit(TypeKind::pair), 0},
                              {MPI_REPLACE, 0, 0},
                              {MPI_NO_OP, 0, 0}};
  for (const Known& one : all)
    if (one.handle == op) return &one;
  return nullptr;
}

std::optional<tutti_type> by_size(Count size, const tutti_type (&types)[4]) {
  switch (size) {
    case 1:
      return types[0];
    case 2:
      return types[1];
    case 4:
      return types[2];
    case 8:
      return types[3];
    default:
      return std::nullopt;
  }
}

// Returns tutti's type of elements that it computes with as the MPI does.
std::optional<tutti_type> own_type(const Type& type) {
  constexpr tutti_type integer[] = {TUTTI_INT8, TUTTI_INT16, TUTTI_INT32, TUTTI_INT64};
  constexpr tutti_type natural[] = {TUTTI_UINT8, TUTTI_UINT16, TUTTI_UINT32, TUTTI_UINT64};
  switch (type.kind) {
    case TypeKind::integer:
    case TypeKind::fortran:
    case TypeKind::address:
      return by_size(type.size, integer);
    case TypeKind::natural:
    case TypeKind::byte:
      return by_size(type.size, natural);
    case TypeKind::floating:
      if (type.size == 4) return TUTTI_FLOAT;
      return type.size == 8 ? std::optional(TUTTI_DOUBLE) : std::nullopt;
    case TypeKind::complex:
      if (type.size == 8) return TUTTI_COMPLEX_FLOAT;
      return type.size == 16 ? std::optional(TUTTI_COMPLEX_DOUBLE) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<tutti_type> unit_of(Count bytes) {
  constexpr tutti_type units[] = {TUTTI_BYTE, TUTTI_INT16, TUTTI_INT32, TUTTI_INT64};
  return bytes == 16 ? std::optional(TUTTI_COMPLEX_DOUBLE) : by_size(bytes, units);
}

// Computes right = left op right.
void reduce_locally(Borrowed& with, const void* left, void* right, Count count) {
  constexpr Count most = 1 << 30;
  const auto* from = static_cast<const std::byte*>(left);
  auto* to = static_cast<std::byte*>(right);
  for (Count done = 0; done < count; done += most) {
    const int code =
        plain.Reduce_local(from + done * with.extent, to + done * with.extent,
                           static_cast<int>(std::min(most, count - done)), with.handle, with.op);
    if (code != MPI_SUCCESS) with.failed = true;
  }
}

bool make_room(Borrowed& with, Count bytes) {
  if (bytes <= with.room_bytes) return true;
  with.room = allocate(bytes);
  with.room_bytes = with.room == nullptr ? 0 : bytes;
  with.failed = with.failed || with.room == nullptr;
  return with.room != nullptr;
}

// The MPI overwrites the right operand, and tutti may want the result where the left one lies. The
// sides are never changed, not even for an operator that is declared commutative. Its results may
// depend on the side all the same: a rounding, or which of two NaN stays. The ranks of an allreduce
// lay their operands differently, and must get the same bits.
void combine(void* result, const void* left, const void* right, std::int64_t count, void* user) {
  auto& with = *static_cast<Borrowed*>(user);
  const Count bytes = count * with.extent;
  void* to = result;
  if (result == left) {
    if (!make_room(with, bytes)) return;
    to = with.room.get();
  }
  if (to != right) std::memcpy(to, right, static_cast<std::size_t>(bytes));
  reduce_locally(with, left, to, count);
  if (to != result) std::memcpy(result, to, static_cast<std::size_t>(bytes));
}

// Operators on whole vectors get copies of both operands.
void combine_whole(void* left, void* right, std::int64_t bytes, void* user) {
  auto& with = *static_cast<Borrowed*>(user);
  reduce_locally(with, left, right, bytes / with.extent);
  std::memcpy(left, right, static_cast<std::size_t>(bytes));
}

// Operators that no call uses now.
std::mutex idle_mutex;
std::vector<Borrowed*>& idle() {
  static auto* const all = new std::vector<Borrowed*>;
  return *all;
}

Borrowed* take(const Borrowed::Kind& kind) {
  const std::lock_guard lock(idle_mutex);
  const auto found = std::find_if(idle().begin(), idle().end(),
                                  [&](const Borrowed* one) { return one->kind == kind; });
  if (found == idle().end()) return nullptr;
  Borrowed* const taken = *found;
  idle().erase(found);
  return taken;
}

Borrowed* borrow(const Borrowed::Kind& kind) {
  if (Borrowed* const found = take(kind)) return found;
  auto* const made = new Borrowed;
  made->kind = kind;
  const int commutative = kind.commutative ? 1 : 0;
  const ThreadTurn turn("MPI_Op_create");
  if (!turn.allowed()) return made;
  if (kind.whole) {
    library.op_create_in_place(kind.unit, combine_whole, commutative, made, &made->made);
  } else {
    library.op_create(kind.unit, combine, commutative, made, &made->made);
  }
  return made;
}

}  // namespace

std::optional<Combination> Combination::of(MPI_Op op, MPI_Datatype handle, const Type& type,
                                           Pieces pieces) {
  Combination made;
  if (op == MPI_OP_NULL) return std::nullopt;
  const Known* const known = known_operator(op);
  if (known != nullptr && (known->kinds & bit(type.kind)) == 0) return std::nullopt;
  const auto own = known != nullptr && known->ours != 0 ? own_type(type) : std::nullopt;
  if (own) {
    made.element_ = *own;
    made.op_ = {known->ours};
    return made;
  }
  made.served_ = type.compact && type.extent > 0;
  if (!made.served_) return made;
  int commutative = 1;
  if (known == nullptr) plain.Op_commutative(op, &commutative);
  const auto unit = unit_of(type.extent);
  made.whole_ = !unit || pieces == Pieces::one;
  made.element_ = made.whole_ ? TUTTI_BYTE : *unit;
  made.units_ = made.whole_ ? type.extent : 1;
  made.borrowed_ = borrow({made.element_, commutative != 0, made.whole_});
  made.borrowed_->failed = made.borrowed_->made.id == 0;
  made.borrowed_->op = op;
  made.borrowed_->handle = handle;
  made.borrowed_->extent = type.extent;
  made.op_ = made.borrowed_->made;
  return made;
}

bool Combination::has_failed() const {
  return borrowed_ != nullptr && borrowed_->failed;
}

Combination::Combination(Combination&& other) noexcept
    : served_(other.served_),
      whole_(other.whole_),
      units_(other.units_),
      element_(other.element_),
      op_(other.op_),
      borrowed_(std::exchange(other.borrowed_, nullptr)) {}

Combination::~Combination() {
  if (borrowed_ == nullptr) return;
  constexpr Count kept = 1 << 20;  // bytes of room that an idle operator may have
  if (borrowed_->room_bytes > kept) {
    borrowed_->room.reset();
    borrowed_->room_bytes = 0;
  }
  const std::lock_guard lock(idle_mutex);
  idle().push_back(borrowed_);
}

}  // namespace tutti::mpi
