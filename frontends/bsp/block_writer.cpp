// SPDX-License-Identifier: BSD-3-Clause
// Measures from time to time how long copies through the caches take (block_writer.hpp).
#include "block_writer.hpp"

#include <chrono>

namespace tutti::bsp {
namespace {

constexpr std::uint64_t sample_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t bytes_between_samples = 32 * sample_bytes;

}  // namespace

void BlockWriter::copy_long(std::byte* to, const void* from, std::size_t bytes) {
  if (sampled_ == 0 && since_sample_ < bytes_between_samples) {
    since_sample_ += bytes;
    past_caches_ ? copy_past_caches(to, from, bytes) : copy_in_pieces(to, from, bytes);
    return;
  }
  const auto begun = std::chrono::steady_clock::now();
  copy_in_pieces(to, from, bytes);
  sampled_ns_ +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begun)
          .count();
  sampled_ += bytes;
  if (sampled_ < sample_bytes) return;
  past_caches_ = static_cast<std::uint64_t>(sampled_ns_) * slow_bytes_per_ns_ > sampled_;
  since_sample_ = sampled_ = 0;
  sampled_ns_ = 0;
}

}  // namespace tutti::bsp
