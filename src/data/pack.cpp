// SPDX-License-Identifier: BSD-3-Clause
// Packs and unpacks, by plain and by streaming (non-temporal) copies. Streaming stores want long
// ascending sequences. The columns of a matrix may be short, so they pass through a buffer that
// stays in the first-level cache.
#include "data/pack.hpp"

#include <algorithm>
#include <cstring>

#include "base/copy.hpp"

#if defined(__SSE2__) && !defined(TUTTI_TSAN)
#include <emmintrin.h>
#define TUTTI_STREAMING_STORES 1
#endif

namespace tutti::data {
namespace {

constexpr std::size_t stage_bytes = 4096;
// Length from which columns are written by streaming stores. At shorter ones the lines shared by
// two columns would be flushed twice.
constexpr std::size_t long_run_bytes = 1024;
// Length from which arrived data is worth a copy of several pages in turn.
constexpr std::size_t long_arrival_bytes = 16384;

const char* bytes_at(const void* base, std::int64_t index, std::size_t element_bytes) {
  return static_cast<const char*>(base) + index * static_cast<std::int64_t>(element_bytes);
}
char* bytes_at(void* base, std::int64_t index, std::size_t element_bytes) {
  return static_cast<char*>(base) + index * static_cast<std::int64_t>(element_bytes);
}

// Copies short multiples of 8 bytes in a loop, because for the short columns of thin matrices the
// call of memcpy costs more than the copy.
inline void copy_run(char* to, const char* from, std::size_t bytes) {
  if (bytes > 64 || bytes % 8 != 0) {
    base::copy_bytes(to, from, bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes; i += 8) std::memcpy(to + i, from + i, 8);
}

void pack_plain(char* to, const void* base, const Layout& layout, std::size_t size,
                std::int64_t first, std::int64_t count) {
  layout.for_each_run(first, count,
                      [=](std::int64_t offset, std::int64_t length, std::int64_t position) {
                        copy_run(bytes_at(to, position - first, size), bytes_at(base, offset, size),
                                 static_cast<std::size_t>(length) * size);
                      });
}

// Data that is unpacked was written by another process.
inline void copy_arrived_run(char* to, const char* from, std::size_t bytes) {
  if (bytes < long_arrival_bytes) return copy_run(to, from, bytes);
  base::copy_arrived(to, from, bytes);
}

void unpack_plain(void* base, const char* from, const Layout& layout, std::size_t size,
                  std::int64_t first, std::int64_t count) {
  layout.for_each_run(
      first, count, [=](std::int64_t offset, std::int64_t length, std::int64_t position) {
        copy_arrived_run(bytes_at(base, offset, size), bytes_at(from, position - first, size),
                         static_cast<std::size_t>(length) * size);
      });
}

#if defined(TUTTI_STREAMING_STORES)
void copy_streaming(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t line = 64;
  const std::size_t head =
      std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, head);
  to += head, from += head, bytes -= head;
  for (; bytes >= line; to += line, from += line, bytes -= line) {
    __m128i part[4];
    std::memcpy(part, from, line);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, part[i]);
  }
  std::memcpy(to, from, bytes);
}

void pack_streaming(char* to, const void* base, const Layout& layout, std::size_t size,
                    std::int64_t first, std::int64_t count) {
  alignas(64) char stage[stage_bytes];
  const auto per_stage = static_cast<std::int64_t>(stage_bytes / size);
  while (count > 0) {
    const std::int64_t now = std::min(per_stage, count);
    const std::size_t bytes = static_cast<std::size_t>(now) * size;
    pack_plain(stage, base, layout, size, first, now);
    copy_streaming(to, stage, bytes);
    to += bytes, first += now, count -= now;
  }
}
#else
void copy_streaming(char* to, const char* from, std::size_t bytes) {
  base::copy_bytes(to, from, bytes);
}

void pack_streaming(char* to, const void* base, const Layout& layout, std::size_t size,
                    std::int64_t first, std::int64_t count) {
  pack_plain(to, base, layout, size, first, count);
}
#endif

}  // namespace

void copy(void* to, const void* from, std::size_t bytes, Store store) {
  if (bytes == 0) return;
  if (store == Store::plain) {
    base::copy_bytes(to, from, bytes);
  } else {
    copy_streaming(static_cast<char*>(to), static_cast<const char*>(from), bytes);
  }
}

void pack(void* to, const void* base, const Layout& layout, std::size_t element_bytes,
          std::int64_t first, std::int64_t count, Store store) {
  if (count <= 0) return;
  if (layout.is_contiguous()) {
    copy(to, bytes_at(base, first, element_bytes), static_cast<std::size_t>(count) * element_bytes,
         store);
  } else if (store == Store::plain || element_bytes > stage_bytes) {
    pack_plain(static_cast<char*>(to), base, layout, element_bytes, first, count);
  } else {
    pack_streaming(static_cast<char*>(to), base, layout, element_bytes, first, count);
  }
}

void unpack(void* base, const void* from, const Layout& layout, std::size_t element_bytes,
            std::int64_t first, std::int64_t count, Store store) {
  if (count <= 0) return;
  const auto* packed = static_cast<const char*>(from);
  if (store == Store::plain) return unpack_plain(base, packed, layout, element_bytes, first, count);
  layout.for_each_run(first, count,
                      [=](std::int64_t offset, std::int64_t length, std::int64_t position) {
                        const std::size_t bytes = static_cast<std::size_t>(length) * element_bytes;
                        char* to = bytes_at(base, offset, element_bytes);
                        const char* piece = bytes_at(packed, position - first, element_bytes);
                        if (bytes < long_run_bytes) {
                          copy_run(to, piece, bytes);
                        } else {
                          copy_streaming(to, piece, bytes);
                        }
                      });
}

void store_fence() {
#if defined(TUTTI_STREAMING_STORES)
  _mm_sfence();
#endif
}

}  // namespace tutti::data
