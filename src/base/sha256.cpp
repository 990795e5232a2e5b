// SPDX-License-Identifier: BSD-3-Clause
// Computes SHA-256, block by block of 64 bytes.
#include "base/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

namespace tutti::base {
namespace {

using Words = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
// The first 32 bits of those of the square roots of the first eight primes.
constexpr Words first_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::size_t block = 64;

std::array<std::uint32_t, 64> expanded(const char* bytes) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < block; ++i)
    w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(bytes[i]);
  for (std::size_t i = 16; i < w.size(); ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  return w;
}

void add_block(Words& state, const char* bytes) {
  const std::array<std::uint32_t, 64> w = expanded(bytes);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Words mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

}  // namespace

std::string sha256(std::string_view text) {
  Words state = first_state;
  const std::size_t whole = text.size() / block * block;
  for (std::size_t i = 0; i < whole; i += block) add_block(state, text.data() + i);
  // The end is a 1 bit, zeros, and the number of bits in eight bytes.
  std::string end(text.substr(whole));
  end += '\x80';
  while (end.size() % block != block - 8) end += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    end += static_cast<char>(std::uint64_t{text.size()} * 8 >> shift & 0xff);
  for (std::size_t i = 0; i < end.size(); i += block) add_block(state, end.data() + i);
  std::string digits;
  for (const std::uint32_t word : state) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace tutti::base
