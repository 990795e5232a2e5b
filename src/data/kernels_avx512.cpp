// SPDX-License-Identifier: BSD-3-Clause
// The kernels on float16 and bfloat16 for processors with AVX-512. The compiler options are in
// CMakeLists.txt.
#include <immintrin.h>

#include "data/kernel_loops.inc"

namespace tutti::data {
namespace {

struct Lanes {
  using Bits = __m256i;
  using Floats = __m512;
  using Mask = __mmask16;
  static constexpr std::int64_t width = 16;
  // The forms without a mask take registers of undefined contents, of which GCC 12 warns.
  static constexpr Mask all = 0xffff;

  static Bits load(const std::uint16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store(std::uint16_t* to, Bits bits) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bits);
  }
  static Floats widened(Bits bits) { return _mm512_maskz_cvtph_ps(all, bits); }
  static Bits narrowed(Floats x) {
    return _mm512_maskz_cvtps_ph(all, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Floats plus(Floats x, Floats y) { return _mm512_add_ps(x, y); }
  static Floats times(Floats x, Floats y) { return _mm512_mul_ps(x, y); }
  static Floats magnitude(Floats x) { return _mm512_abs_ps(x); }
  static Mask less(Floats x, Floats y) { return _mm512_cmp_ps_mask(x, y, _CMP_LT_OQ); }
  static Mask not_less(Floats x, Floats y) { return _mm512_cmp_ps_mask(x, y, _CMP_GE_OQ); }
  static Mask equal(Floats x, Floats y) { return _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ); }
  static Mask is_nan(Floats x) { return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q); }
  static Mask either(Mask p, Mask q) { return static_cast<Mask>(p | q); }
  static Mask both(Mask p, Mask q) { return static_cast<Mask>(p & q); }
  static bool any(Mask p) { return p != 0; }
  static Bits with_sign_of(Bits bits);
  static Bits chosen(Mask first, Bits a, Bits b) { return _mm256_mask_mov_epi16(b, first, a); }
};

#include "data/float16_lanes.inc"

Bits Lanes::with_sign_of(Bits bits) {
  return _mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi16(float16_sign)),
                         _mm256_set1_epi16(float16_nan));
}

constexpr HalfKernels halves = [] {
  HalfKernels made{};
  for (int builtin = 0; builtin < builtin_kinds; ++builtin) {
    made.combine[builtin][0] = by_lanes(static_cast<Builtin>(builtin));
    made.combine[builtin][1] = table.combine[builtin][static_cast<int>(Element::bfloat16)];
  }
  return made;
}();

}  // namespace

const HalfKernels& kernels_avx512() {
  return halves;
}

}  // namespace tutti::data
