// SPDX-License-Identifier: BSD-3-Clause
// Chooses the kernels for this processor, and makes operators of them.
#include "data/operator.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "data/kernel_table.hpp"

#if defined(TUTTI_DATA_X86_KERNELS)
#include <cpuid.h>
#endif

namespace tutti::data {
namespace {

// Chooses by instruction set. It is called when an operator is made, never while data moves.
const KernelTable& kernel_table() {
#if defined(TUTTI_DATA_X86_KERNELS)
  if (__builtin_cpu_supports("avx2")) return kernels_avx2();
#endif
  return kernels_baseline();
}

// Returns the kernels on float16 and bfloat16 that are faster than those of the table; nullptr if
// this processor has none.
const HalfKernels* half_kernels() {
#if defined(TUTTI_DATA_X86_KERNELS)
  if (runs_avx512()) return &kernels_avx512();
  if (runs_f16c()) return &kernels_f16c();
#endif
  return nullptr;
}

}  // namespace

#if defined(TUTTI_DATA_X86_KERNELS)
bool runs_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

// The __builtin_cpu_supports of some compilers does not know F16C. Where the system keeps the
// registers of AVX2, it keeps those of F16C.
bool runs_f16c() {
  constexpr unsigned f16c = 1U << 29;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & f16c) != 0;
}
#endif

const char* name_of(Builtin builtin) {
  constexpr const char* names[builtin_kinds] = {
      "sum",         "product",    "max",         "min",     "absmax", "absmin",
      "logical_and", "logical_or", "logical_xor", "bit_and", "bit_or", "bit_xor"};
  return names[static_cast<std::size_t>(builtin)];
}

bool supported(Builtin builtin, Element element) {
  return kernel(builtin, element) != nullptr;
}

CombineFn kernel(Builtin builtin, Element element) {
  const bool half = element == Element::float16 || element == Element::bfloat16;
  if (const HalfKernels* halves = half ? half_kernels() : nullptr; halves != nullptr) {
    return halves
        ->combine[static_cast<std::size_t>(builtin)][element == Element::float16 ? 0U : 1U];
  }
  return kernel_table()
      .combine[static_cast<std::size_t>(builtin)][static_cast<std::size_t>(element)];
}

LocatedKernels located(Builtin builtin, Element element) {
  if (builtin != Builtin::absmax && builtin != Builtin::absmin) return {};
  return kernel_table()
      .located[builtin == Builtin::absmin ? 1 : 0][static_cast<std::size_t>(element)];
}

Operator Operator::of(Builtin builtin, Element element) {
  Operator made;
  made.combine_ = kernel(builtin, element);
  if (made.combine_ == nullptr) {
    base::fail(base::Status::invalid_argument, "there is no {} of {} elements", name_of(builtin),
               name_of(element));
  }
  made.wire_bytes_ = made.value_bytes_ = size_of(element);
  made.kind_ = Kind::builtin;
  made.builtin_ = builtin;
  made.element_ = element;
  made.commutes_ = Commutes::yes;
  return made;
}

Operator Operator::with_location(Builtin builtin, Element element) {
  const LocatedKernels kernels = located(builtin, element);
  if (kernels.combine == nullptr) {
    base::fail(base::Status::invalid_argument, "there is no {} of {} elements with location",
               name_of(builtin), name_of(element));
  }
  Operator made = of(builtin, element);
  made.kind_ = Kind::located;
  made.combine_ = kernels.combine;
  made.leaf_map_ = kernels.leaf_map;
  made.final_map_ = kernels.final_map;
  made.wire_bytes_ = kernels.wire_bytes;
  return made;
}

Operator Operator::from_user(std::size_t element_bytes, CombineFn combine, void* user,
                             Commutes commutes, Grain grain) {
  if (combine == nullptr || element_bytes == 0) {
    base::fail(base::Status::invalid_argument,
               "an operator needs a function and elements of at least one byte");
  }
  Operator made;
  made.combine_ = combine;
  made.user_ = user;
  made.wire_bytes_ = made.value_bytes_ = element_bytes;
  made.commutes_ = commutes;
  made.grain_ = grain;
  return made;
}

Operator Operator::fallible(std::size_t element_bytes, FallibleFn combine, void* user,
                            Commutes commutes, Grain grain) {
  constexpr CombineFn never_called = [](void*, const void*, const void*, std::int64_t, void*) {};
  Operator made = from_user(element_bytes, never_called, user, commutes, grain);
  made.fallible_ = combine;
  return made;
}

namespace {

// A signature has 4 bits for the operator and 4 bits for the element type.
constexpr int element_bits = 4;
static_assert(element_kinds <= 1 << element_bits);
constexpr std::uint8_t first_located = builtin_kinds + 1, user_operator = first_located + 2;
// A user's function has no element type in its signature: bit 0 is 1 if it is commutative, bit 1 if
// it takes whole vectors, bit 2 if it may fail.
constexpr int user_on_vectors = 2, user_may_fail = 4;

std::string text_of(Builtin builtin, Element element, Operator::Kind kind) {
  return fmt::format("{} of {}{}", name_of(builtin), name_of(element),
                     kind == Operator::Kind::located ? " with location" : "");
}

}  // namespace

std::string Operator::describe() const {
  if (kind_ == Kind::user) return fmt::format("user function on {} bytes", wire_bytes_);
  return text_of(builtin_, element_, kind_);
}

std::uint8_t Operator::signature() const {
  const auto made_of = [](int kind, int detail) {
    return static_cast<std::uint8_t>(kind << element_bits | detail);
  };
  switch (kind_) {
    case Kind::user:
      return made_of(user_operator, static_cast<int>(commutes_) |
                                        (takes_vectors() ? user_on_vectors : 0) |
                                        (may_fail() ? user_may_fail : 0));
    case Kind::located:
      return made_of(first_located + (builtin_ == Builtin::absmin ? 1 : 0),
                     static_cast<int>(element_));
    case Kind::builtin:
      break;
  }
  return made_of(static_cast<int>(builtin_) + 1, static_cast<int>(element_));
}

std::string describe_signature(std::uint8_t signature) {
  const int kind = signature >> element_bits, detail = signature & ((1 << element_bits) - 1);
  const auto element = static_cast<Element>(detail);
  if (kind == 0) return "no operator";
  if (kind == user_operator) {
    return fmt::format("a user's {} function{}{}", (detail & 1) == 0 ? "ordered" : "commutative",
                       (detail & user_on_vectors) == 0 ? "" : " on whole vectors",
                       (detail & user_may_fail) == 0 ? "" : " that may fail");
  }
  if (kind < first_located)
    return text_of(static_cast<Builtin>(kind - 1), element, Operator::Kind::builtin);
  return text_of(kind == first_located ? Builtin::absmax : Builtin::absmin, element,
                 Operator::Kind::located);
}

}  // namespace tutti::data
