// SPDX-License-Identifier: BSD-3-Clause
// The vector kernel (vector_kernels.hpp) with the instructions of AVX2.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace llcs {
namespace {

struct Isa {
  using Vector = __m256i;
  static constexpr std::size_t lanes = 4;
  static constexpr const char* name = "bit planes, AVX2";

  static Vector zero() { return _mm256_setzero_si256(); }
  static Vector load(const std::uint64_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store(std::uint64_t* to, Vector a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), a);
  }
  static Vector load_one(const std::uint64_t* from) {
    return _mm256_castsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  }
  static void store_one(std::uint64_t* to, Vector a) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(a));
  }
  static Vector both(Vector a, Vector b) { return _mm256_and_si256(a, b); }
  static Vector add(Vector a, Vector b) { return _mm256_add_epi64(a, b); }
  static Vector and_equal(Vector a, Vector b, Vector c) {  // a & ~(b ^ c)
    return _mm256_andnot_si256(_mm256_xor_si256(b, c), a);
  }
  static Vector or_without(Vector a, Vector b, Vector c) {  // a | (b & ~c)
    return _mm256_or_si256(a, _mm256_andnot_si256(c, b));
  }
  // Returns 1 where r + matched + carry = sum has a carry. All bits of `matched` are bits of r.
  static Vector carry_of(Vector r, Vector matched, Vector sum) {
    return _mm256_srli_epi64(_mm256_or_si256(matched, _mm256_andnot_si256(sum, r)), 63);
  }
  // Returns lanes 1 to 3 of a, and lane 0 of `next`.
  static Vector shifted(Vector a, Vector next) {
    return _mm256_permute4x64_epi64(_mm256_blend_epi32(a, next, 0x03), 0x39);
  }
};

}  // namespace
}  // namespace llcs

#include "vector_run.inc"

namespace llcs {

const VectorKernel& avx2_kernel() {
  return kernel;
}

}  // namespace llcs
