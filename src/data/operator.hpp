// SPDX-License-Identifier: BSD-3-Clause
// The operators of reductions: the built-in kernels, two kernels with location (the BLACS' amx and
// amn with RA and CA), and Operator. An Operator carries one of them, or a user's function, through
// plan and engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "data/element.hpp"

namespace tutti::data {

// A kernel that sets result[i] = left[i] op right[i] for i < count. `result` may be exactly `left`
// or exactly `right` (or both), but may not overlap them otherwise. Built-in kernels ignore `user`.
// Pointers are aligned for the element's components.
using CombineFn = void (*)(void* result, const void* left, const void* right, std::int64_t count,
                           void* user);
// A function of a user that may fail. It then returns a number of its own, else 0.
using FallibleFn = int (*)(void* result, const void* left, const void* right, std::int64_t count,
                           void* user);

// The built-in operators. Arithmetic on integers wraps around. In max, min, absmax and absmin NaN
// wins against every number, whichever operand it is. There -0 equals +0, and of equal values the
// left one stays. The operators absmax and absmin compare |x|, for complex |re| + |im|, and deliver
// x itself. Equal magnitudes give the larger x in both (complex: the larger re, then the larger
// im). The magnitude of the smallest integer is exact (2^31, 2^63). The logical operators take
// every value but 0 as true and deliver 0 or 1. Complex products use the schoolbook formula.
// float16 and bfloat16 are combined as float32, and each result is rounded to the nearest value, or
// to the even one of two. Booleans are combined by "or" in sum, max, absmax and bit_or, by "and" in
// product, min, absmin and bit_and, and deliver 0 or 1.
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

// Returns true if there is such a kernel. Sum, product, absmax and absmin take all types but byte;
// max and min take all types but byte and complex; logical and bit operators take byte, booleans
// and integers.
[[nodiscard]] bool supported(Builtin builtin, Element element);

// Returns the kernel for this processor, nullptr if it is not supported.
[[nodiscard]] CombineFn kernel(Builtin builtin, Element element);

// --- with location ---

// One element of an operator with location, as it travels: a value, and the distance of the rank
// from which it came. The distance is (number of that rank in the scope - number of the
// destination) mod p, or the number itself if the result is left on all. The numbers of a whole
// grid go row by row. Distances are 0 or more.
// Combining keeps the greater magnitude, or the smaller one for absmin. If they are equal,
// the smaller distance wins, whatever the signs. NaN wins against numbers; of two NaN that of
// smaller distance wins. The results were found equal to those of ScaLAPACK's BLACS for p = 2 and
// 4, all sets of tied ranks, all destinations, six topologies.
// A distance is a signed integer as wide as the value's component. An element has no padding:
//   int32, float32      8 bytes  value, int32 distance
//   int64, float64     16 bytes  value, int64 distance
//   complex64          12 bytes  re, im, int32 distance
//   complex128         24 bytes  re, im, int64 distance
template <class Value, class Distance>
struct Located {
  Value value;
  Distance distance;
};

// Makes wire elements: values[count] and the distance of this rank -> wire[count].
using LeafFn = void (*)(void* wire, const void* values, std::int64_t count, std::int32_t distance);
// Takes wire elements apart: wire[count] -> values[count] and distances[count]. Either may be
// nullptr.
using FinalFn = void (*)(void* values, std::int32_t* distances, const void* wire,
                         std::int64_t count);

struct LocatedKernels {
  std::size_t wire_bytes = 0;
  LeafFn leaf_map = nullptr;
  CombineFn combine = nullptr;
  FinalFn final_map = nullptr;
};

// Returns the kernels of absmax or absmin with location for the types of that table. In all other
// cases every member is null or 0.
[[nodiscard]] LocatedKernels located(Builtin builtin, Element element);

// --- the operator of a reduction ---

enum class Commutes : std::uint8_t { no, yes };
// How many elements a user's function may be called with: any number of whole elements, or only all
// elements of an operand.
enum class Grain : std::uint8_t { elements, vector };

class Operator {
 public:
  enum class Kind : std::uint8_t { builtin, located, user };

  Operator() = default;

  // Both functions throw Error(invalid_argument) where there is no such kernel.
  [[nodiscard]] static Operator of(Builtin builtin, Element element);
  [[nodiscard]] static Operator with_location(Builtin builtin, Element element);
  // Makes an operator of a user's function. `combine` must be associative. It is never given memory
  // of another process.
  [[nodiscard]] static Operator from_user(std::size_t element_bytes, CombineFn combine, void* user,
                                          Commutes commutes, Grain grain = Grain::elements);
  // Makes such an operator of a function that may fail. It is called by attempt(), not combine().
  [[nodiscard]] static Operator fallible(std::size_t element_bytes, FallibleFn combine, void* user,
                                         Commutes commutes, Grain grain);

  [[nodiscard]] Kind kind() const { return kind_; }
  // builtin() and element() mean nothing for a user's function.
  [[nodiscard]] Builtin builtin() const { return builtin_; }
  [[nodiscard]] Element element() const { return element_; }
  [[nodiscard]] bool commutative() const { return commutes_ == Commutes::yes; }
  [[nodiscard]] bool takes_vectors() const { return grain_ == Grain::vector; }
  // Bytes of one element where it travels and is combined, and in the caller's memory. They differ
  // only for operators with location.
  [[nodiscard]] std::size_t wire_bytes() const { return wire_bytes_; }
  [[nodiscard]] std::size_t value_bytes() const { return value_bytes_; }
  // Returns true if operands go through leaf_map before and final_map after. The distance given to
  // leaf_map depends on rank and root.
  [[nodiscard]] bool has_maps() const { return leaf_map_ != nullptr; }
  [[nodiscard]] LeafFn leaf_map() const { return leaf_map_; }
  [[nodiscard]] FinalFn final_map() const { return final_map_; }

  void combine(void* result, const void* left, const void* right, std::int64_t count) const {
    combine_(result, left, right, count, user_);
  }
  [[nodiscard]] bool may_fail() const { return fallible_ != nullptr; }
  [[nodiscard]] int attempt(void* result, const void* left, const void* right,
                            std::int64_t count) const {
    return fallible_(result, left, right, count, user_);
  }
  [[nodiscard]] CombineFn function() const { return combine_; }
  [[nodiscard]] void* user() const { return user_; }

  // Text such as "sum of float64", "absmax of int32 with location", "user function on 24 bytes".
  [[nodiscard]] std::string describe() const;
  // A number, 1 to 255, equal on all ranks that use the same operator on the same type. It tells of
  // a user's function only whether it is commutative, takes whole vectors and may fail.
  [[nodiscard]] std::uint8_t signature() const;

 private:
  CombineFn combine_ = nullptr;
  FallibleFn fallible_ = nullptr;
  void* user_ = nullptr;
  LeafFn leaf_map_ = nullptr;
  FinalFn final_map_ = nullptr;
  std::size_t wire_bytes_ = 0, value_bytes_ = 0;
  Kind kind_ = Kind::user;
  Builtin builtin_ = Builtin::sum;
  Element element_ = Element::byte;
  Commutes commutes_ = Commutes::no;
  Grain grain_ = Grain::elements;
};

// Returns the operator that a signature stands for, in words like those of describe(). Signature 0
// is no operator.
[[nodiscard]] std::string describe_signature(std::uint8_t signature);

}  // namespace tutti::data
