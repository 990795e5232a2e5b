// SPDX-License-Identifier: BSD-3-Clause
// The kernels on float16 and bfloat16 for processors with AVX2 and F16C. The compiler options are
// in CMakeLists.txt.
#include <immintrin.h>

#include "data/kernel_loops.inc"

namespace tutti::data {
namespace {

struct Lanes {
  using Bits = __m128i;
  using Floats = __m256;
  using Mask = __m256;  // all bits of a number are set or none is
  static constexpr std::int64_t width = 8;

  static Bits load(const std::uint16_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static void store(std::uint16_t* to, Bits bits) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bits);
  }
  static Floats widened(Bits bits) { return _mm256_cvtph_ps(bits); }
  static Bits narrowed(Floats x) { return _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT); }
  static Floats plus(Floats x, Floats y) { return _mm256_add_ps(x, y); }
  static Floats times(Floats x, Floats y) { return _mm256_mul_ps(x, y); }
  static Floats magnitude(Floats x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x); }
  static Mask less(Floats x, Floats y) { return _mm256_cmp_ps(x, y, _CMP_LT_OQ); }
  static Mask not_less(Floats x, Floats y) { return _mm256_cmp_ps(x, y, _CMP_GE_OQ); }
  static Mask equal(Floats x, Floats y) { return _mm256_cmp_ps(x, y, _CMP_EQ_OQ); }
  static Mask is_nan(Floats x) { return _mm256_cmp_ps(x, x, _CMP_UNORD_Q); }
  static Mask either(Mask p, Mask q) { return _mm256_or_ps(p, q); }
  static Mask both(Mask p, Mask q) { return _mm256_and_ps(p, q); }
  static bool any(Mask p) { return _mm256_movemask_ps(p) != 0; }
  static Bits with_sign_of(Bits bits);
  static Bits chosen(Mask first, Bits a, Bits b) {
    const __m256i wide = _mm256_castps_si256(first);
    const Bits mask =
        _mm_packs_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    return _mm_blendv_epi8(b, a, mask);
  }
};

#include "data/float16_lanes.inc"

Bits Lanes::with_sign_of(Bits bits) {
  return _mm_or_si128(_mm_and_si128(bits, _mm_set1_epi16(float16_sign)),
                      _mm_set1_epi16(float16_nan));
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

const HalfKernels& kernels_f16c() {
  return halves;
}

}  // namespace tutti::data
