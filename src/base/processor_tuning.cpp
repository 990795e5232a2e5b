// SPDX-License-Identifier: BSD-3-Clause
// Knows what was measured on processors of two makers.
#include "base/processor_tuning.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace tutti::base {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20;

Maker this_maker() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_is("intel") != 0) return Maker::intel;
  if (__builtin_cpu_is("amd") != 0) return Maker::amd;
#endif
  return Maker::other;
}

}  // namespace

Processor this_processor() {
  Processor found{.maker = this_maker()};
#ifdef _SC_LEVEL2_CACHE_SIZE
  found.second_level = std::max<std::int64_t>(sysconf(_SC_LEVEL2_CACHE_SIZE), 0);
#endif
  return found;
}

void suit(TuningSettings& settings, const Processor& processor) {
  const auto set = [&settings](std::string_view row, std::int64_t value) {
    settings.set(row, value, TuningSource::processor);
  };
  // Such a ring is so long that data has left the second-level cache of its writer when its memory
  // is written again. A cache that both share may still have it.
  const std::int64_t ring = std::clamp(2 * processor.second_level, 2 * mebi, 4 * mebi);
  set("fragment_ring", ring);
  set("mail_ring", ring / 4 * 3);
  if (processor.maker != Maker::intel) return;
  set("far_past_caches", 0);
  set("copy_pieces_to", 0);
  if (processor.second_level < 2 * mebi) return;
  // So large a cache holds the fragments beside the program's data.
  set("fragment_ring", processor.second_level);
  set("fragment_window", processor.second_level / 2);
  set("fragment", 128 << 10);
  set("overlap_long", 32 << 10);
  set("copy_pages", 1);
}

}  // namespace tutti::base
