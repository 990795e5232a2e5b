// SPDX-License-Identifier: BSD-3-Clause
// The kernel of bit planes (vector_kernels.hpp): cuts x into chunks and the column into the lanes
// of vectors, and picks the vectors that this processor has.
#include <algorithm>
#include <bit>
#include <limits>

#include "bit_parallel.hpp"
#include "vector_kernels.hpp"

namespace llcs {
namespace {

constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

void load(Chunk& chunk, std::span<const std::uint8_t> x, const std::uint8_t* carries) {
  chunk.size = x.size();
  for (std::size_t b = 0; b < most_planes; ++b) {
    std::ranges::fill(chunk.bits[b], 0);
    for (std::size_t k = 0; k < x.size(); ++k)
      chunk.bits[b][most_lanes + k] = (x[k] >> b & 1) != 0 ? all_ones : 0;
  }
  std::ranges::fill(chunk.inside, 0);
  std::fill_n(chunk.inside + most_lanes, x.size(), all_ones);
  std::ranges::fill(chunk.carries, 0);
  std::copy_n(carries, x.size(), chunk.carries + most_lanes);
}

// Gives the words of R, and the planes of y, their lanes.
void load(Lanes& lanes, std::span<const std::uint8_t> y, std::span<const std::uint64_t> right) {
  std::ranges::fill(lanes.right, all_ones);
  std::ranges::fill(lanes.inside, 0);
  for (auto& plane : lanes.planes) std::ranges::fill(plane, 0);
  std::reverse_copy(right.begin(), right.end(), lanes.right);
  for (std::size_t j = 0; j < y.size(); ++j) {
    const std::size_t lane = right.size() - 1 - j / 64;
    const std::uint64_t bit = std::uint64_t{1} << (j % 64);
    lanes.inside[lane] |= bit;
    for (std::size_t b = 0; b < most_planes; ++b)
      if ((y[j] >> b & 1) != 0) lanes.planes[b][lane] |= bit;
  }
}

class Planes final : public BitKernel<std::uint8_t> {
 public:
  Planes(const VectorKernel& kernel, std::size_t alphabet)
      : kernel_(kernel),
        planes_(std::max<std::size_t>(1, std::bit_width(std::max<std::size_t>(alphabet, 1) - 1))),
        chunk_(std::make_unique<Chunk>()) {}

  void run(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y, std::uint64_t* right,
           std::uint8_t* carries) override {
    for (std::size_t k = 0; k < x.size(); k += Chunk::most) {
      const std::size_t size = std::min(Chunk::most, x.size() - k);
      load(*chunk_, x.subspan(k, size), carries + k);
      down(y, {right, words_of(y.size())});
      for (std::size_t i = 0; i < size; ++i)
        carries[k + i] = static_cast<std::uint8_t>(chunk_->carries[most_lanes + i]);
    }
  }
  [[nodiscard]] std::string name() const override { return kernel_.name; }
  // The lanes of the vectors have to be filled first.
  [[nodiscard]] std::size_t full_speed() const override { return 4096; }

 private:
  // Takes as many vectors at once as the words that are left fill.
  void down(std::span<const std::uint8_t> y, std::span<std::uint64_t> right) {
    Lanes lanes;
    for (std::size_t word = 0, words = 0; word < right.size(); word += words) {
      const std::size_t left = right.size() - word;
      const int doubled = left > 2 * kernel_.lanes ? 2 : left > kernel_.lanes ? 1 : 0;
      words = std::min(kernel_.lanes << doubled, left);
      const std::size_t top = 64 * word;
      const std::span<std::uint64_t> part = right.subspan(word, words);
      load(lanes, y.subspan(top, std::min(64 * words, y.size() - top)), part);
      kernel_.run[doubled][planes_ - 1](lanes, *chunk_);
      std::reverse_copy(lanes.right, lanes.right + words, part.begin());
    }
  }

  const VectorKernel& kernel_;
  std::size_t planes_;
  std::unique_ptr<Chunk> chunk_;
};

}  // namespace

std::unique_ptr<BitKernel<std::uint8_t>> vector_kernel(std::size_t alphabet, int lanes) {
  if (alphabet > std::size_t{1} << most_planes) return nullptr;
#ifdef LLCS_X86_KERNELS
  if ((lanes == 0 || lanes == 8) && __builtin_cpu_supports("avx512f") != 0)
    return std::make_unique<Planes>(avx512_kernel(), alphabet);
  if ((lanes == 0 || lanes == 4) && __builtin_cpu_supports("avx2") != 0)
    return std::make_unique<Planes>(avx2_kernel(), alphabet);
#else
  static_cast<void>(lanes);
#endif
  return nullptr;
}

}  // namespace llcs
