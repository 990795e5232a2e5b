// SPDX-License-Identifier: BSD-3-Clause
// The vector kernel (vector_kernels.hpp) with the instructions of AVX-512, which combine any three
// bits at once.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace llcs {
namespace {

struct Isa {
  using Vector = __m512i;
  static constexpr std::size_t lanes = 8;
  static constexpr const char* name = "bit planes, AVX-512";

  static Vector zero() { return _mm512_setzero_si512(); }
  static Vector load(const std::uint64_t* from) { return _mm512_loadu_si512(from); }
  static void store(std::uint64_t* to, Vector a) { _mm512_storeu_si512(to, a); }
  static Vector load_one(const std::uint64_t* from) {
    return _mm512_castsi128_si512(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  }
  static void store_one(std::uint64_t* to, Vector a) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm512_castsi512_si128(a));
  }
  static Vector both(Vector a, Vector b) { return _mm512_and_si512(a, b); }
  static Vector add(Vector a, Vector b) { return _mm512_add_epi64(a, b); }
  // The last argument of ternarylogic is the table of results for the bits of a, b and c.
  static Vector and_equal(Vector a, Vector b, Vector c) {  // a & ~(b ^ c)
    return _mm512_ternarylogic_epi64(a, b, c, 0x90);
  }
  static Vector or_without(Vector a, Vector b, Vector c) {  // a | (b & ~c)
    return _mm512_ternarylogic_epi64(a, b, c, 0xf4);
  }
  // Returns 1 where r + matched + carry = sum has a carry. All bits of `matched` are bits of r.
  static Vector carry_of(Vector r, Vector matched, Vector sum) {
    return _mm512_srli_epi64(_mm512_ternarylogic_epi64(r, sum, matched, 0xba), 63);
  }
  // Returns lanes 1 to 7 of a, and lane 0 of `next`.
  static Vector shifted(Vector a, Vector next) { return _mm512_alignr_epi64(next, a, 1); }
};

}  // namespace
}  // namespace llcs

#include "vector_run.inc"

namespace llcs {

const VectorKernel& avx512_kernel() {
  return kernel;
}

}  // namespace llcs
