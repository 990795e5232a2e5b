// SPDX-License-Identifier: BSD-3-Clause
// The two lengths of a cache line. All layouts in the segment use them.
#pragma once

#include <cstddef>

namespace tutti::transport::shm {

// Bytes of memory that move from cache to cache together. Words that different processes write lie
// this far apart. POWER has lines of 128 bytes. TUTTI_LINE_BYTES may say 128 for a machine that
// fetches lines in pairs (docs/internals/building.md, "Two lengths of a cache line").
#if defined(TUTTI_LINE_BYTES)
constexpr std::size_t line_bytes = TUTTI_LINE_BYTES;
#elif defined(__powerpc64__)
constexpr std::size_t line_bytes = 128;
#else
constexpr std::size_t line_bytes = 64;
#endif
constexpr std::size_t packet_bytes = 64;  // of a packet in a ring, whatever the length of a line
static_assert(line_bytes == 64 || line_bytes == 128);

}  // namespace tutti::transport::shm
