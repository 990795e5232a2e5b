// SPDX-License-Identifier: BSD-3-Clause
// The operators of reductions: the built-in kernels, the two with location (the BLACS' amx and amn
// with RA and CA), and Operator, the value that carries one of them or a user's function through
// plan and engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "data/element.hpp"

namespace tutti::data {

// result[i] = left[i] op right[i] for i < count. `result` may be exactly `left` or exactly `right`
// (or both), but may not overlap them otherwise. Built-in kernels ignore `user`. Pointers are
// aligned for the element's components.
using CombineFn = void (*)(void* result, const void* left, const void* right, std::int64_t count,
                           void* user);

// Arithmetic on integers wraps around. max, min, absmax and absmin treat NaN as the winner against
// every number, so the result does not depend on the order of the operands; -0 equals +0; of equal
// values the left one stays. absmax and absmin compare |x|, for complex |re| + |im|, and deliver x
// itself. Equal magnitudes give the larger x in both (complex: the larger re, then the larger im).
// The magnitude of the smallest integer is exact (2^31, 2^63). logical_* take every value but 0 as
// true and deliver 0 or 1; complex products use the schoolbook formula.
enum class Builtin : std::uint8_t {
  sum,
  product,
  max,
  min,
  absmax,
  absmin,
  logical_and,
  logical_or,
  logical_xor,
  bit_and,
  bit_or,
  bit_xor
};

inline constexpr int builtin_kinds = 12;

[[nodiscard]] const char* name_of(Builtin builtin);

// sum, product: all but byte; max, min: real types; absmax, absmin: all but byte; logical_*, bit_*:
// byte and integers.
[[nodiscard]] bool supported(Builtin builtin, Element element);

// The kernel for this processor; nullptr where not supported.
[[nodiscard]] CombineFn kernel(Builtin builtin, Element element);

// --- with location
// -------------------------------------------------------------------------------------------------
// Each element travels with the distance of the rank it came from: (number in the scope - number of
// the destination) mod p, or the number itself if the result is left on all; the numbers of a whole
// grid go row by row. Combining keeps the greater (absmin: smaller) magnitude; of equal magnitudes
// the one of smaller distance, whatever the signs. NaN wins against numbers, of two the smaller
// distance. Found equal to ScaLAPACK's BLACS for p = 2 and 4, all sets of tied ranks, all
// destinations, six topologies. Distances are 0 or more. Between two processes plain values travel,
// and join() finds the same winners (engine/pairwise_maxloc.hpp). A wire element is the value
// followed by a signed integer as wide as the value's component, without padding:
//   int32, float32      8 bytes  value, int32 distance
//   int64, float64     16 bytes  value, int64 distance
//   complex64          12 bytes  re, im, int32 distance
//   complex128         24 bytes  re, im, int64 distance
template <class Value, class Distance>
struct Located {
  Value value;
  Distance distance;
};

// values[count] and the distance of this rank -> wire[count].
using LeafFn = void (*)(void* wire, const void* values, std::int64_t count, std::int32_t distance);
// wire[count] -> values[count] and distances[count]; either may be nullptr.
using FinalFn = void (*)(void* values, std::int32_t* distances, const void* wire,
                         std::int64_t count);

// The ranks whose own values two operands are, and which of them wins where magnitudes are equal.
struct TwoRanks {
  std::int32_t left = 0, right = 0;
  bool left_wins_ties = false;
};
// left[count], right[count] -> values[count] and ranks[count]: what leaf_map of both, combine and
// final_map yield, in one pass. `ranks` may be nullptr; `values` may be exactly `left` or exactly
// `right`.
using JoinFn = void (*)(void* values, std::int32_t* ranks, const void* left, const void* right,
                        std::int64_t count, const TwoRanks& of);

struct LocatedKernels {
  std::size_t wire_bytes = 0;
  LeafFn leaf_map = nullptr;
  CombineFn combine = nullptr;
  FinalFn final_map = nullptr;
  JoinFn join = nullptr;
};

// Returns the kernels of absmax and absmin on all element types but byte; in every other case all
// members are null or 0.
[[nodiscard]] LocatedKernels located(Builtin builtin, Element element);

// --- the operator of a reduction
// -------------------------------------------------------------------------------------
enum class Commutes : std::uint8_t { no, yes };
// A user's function is called with any number of whole elements, or with all elements of an operand
// at once.
enum class Grain : std::uint8_t { elements, vector };

class Operator {
 public:
  enum class Kind : std::uint8_t { builtin, located, user };

  Operator() = default;

  // These two throw Error(invalid_argument) where there is no such kernel.
  [[nodiscard]] static Operator of(Builtin builtin, Element element);
  [[nodiscard]] static Operator with_location(Builtin builtin, Element element);
  // `located` on two operands that travel as plain values: `combine` makes winners of them, however
  // it tells their ranks.
  [[nodiscard]] static Operator on_values(const Operator& located, CombineFn combine, void* user);
  // `combine` must be associative; it gets private memory.
  [[nodiscard]] static Operator from_user(std::size_t element_bytes, CombineFn combine, void* user,
                                          Commutes commutes, Grain grain = Grain::elements);

  [[nodiscard]] Kind kind() const { return kind_; }
  // Neither has a meaning for a user's function.
  [[nodiscard]] Builtin builtin() const { return builtin_; }
  [[nodiscard]] Element element() const { return element_; }
  [[nodiscard]] bool commutative() const { return commutes_ == Commutes::yes; }
  [[nodiscard]] bool takes_vectors() const { return grain_ == Grain::vector; }
  // Bytes of one element where it travels and is combined, and in the caller's memory. They differ
  // only with location.
  [[nodiscard]] std::size_t wire_bytes() const { return wire_bytes_; }
  [[nodiscard]] std::size_t value_bytes() const { return value_bytes_; }
  // True if operands go through leaf_map before and final_map after; the distance depends on rank
  // and root.
  [[nodiscard]] bool has_maps() const { return leaf_map_ != nullptr; }
  [[nodiscard]] LeafFn leaf_map() const { return leaf_map_; }
  [[nodiscard]] FinalFn final_map() const { return final_map_; }
  [[nodiscard]] JoinFn join() const { return join_; }

  void combine(void* result, const void* left, const void* right, std::int64_t count) const {
    combine_(result, left, right, count, user_);
  }
  [[nodiscard]] CombineFn function() const { return combine_; }
  [[nodiscard]] void* user() const { return user_; }

  // "sum of float64", "absmax of int32 with location", "user function on 24 bytes".
  [[nodiscard]] std::string describe() const;
  // A number, 1 to 127, equal on all ranks that mean the same operator on the same type (of a
  // user's function it only tells whether it is commutative and whether it takes whole vectors).
  [[nodiscard]] std::uint8_t signature() const;

 private:
  CombineFn combine_ = nullptr;
  void* user_ = nullptr;
  LeafFn leaf_map_ = nullptr;
  FinalFn final_map_ = nullptr;
  JoinFn join_ = nullptr;
  std::size_t wire_bytes_ = 0, value_bytes_ = 0;
  Kind kind_ = Kind::user;
  Builtin builtin_ = Builtin::sum;
  Element element_ = Element::byte;
  Commutes commutes_ = Commutes::no;
  Grain grain_ = Grain::elements;
};

// Returns the operator and type of a signature in the words of describe(); 0 is no operator.
[[nodiscard]] std::string describe_signature(std::uint8_t signature);

}  // namespace tutti::data
