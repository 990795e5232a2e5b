// SPDX-License-Identifier: BSD-3-Clause
// Counts messages of forced types that were discarded, or ends the job at the first (forced.hpp).
#include "forced.hpp"

#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "failure.hpp"
#include "nodes.hpp"
#include "selector.hpp"

namespace tutti::nx {
namespace {

std::int64_t discarded = 0;
bool is_error = false;

void note(std::uint64_t key, std::int64_t bytes, const std::string& way) {
  ++discarded;
  if (!is_error) return;
  end_job("TUTTI_NX_FORCED=error",
          fmt::format("no receive was posted for the message of type {} {}, of {} bytes",
                      type_of(key), way, bytes)
              .c_str());
}

void note_found(void*, int source, std::uint64_t key, std::int64_t bytes) {
  note(key, bytes, fmt::format("from node {}", nodes().node_of(source)));
}

}  // namespace

void discard_forced() {
  std::array<char, 16> text{};
  tutti_setting_text("TUTTI_NX_FORCED", text.data(), text.size());
  const std::string_view value = text.data();
  if (value != "discard" && value != "error") {
    fail(EINVAL, "environment variable TUTTI_NX_FORCED is '{}' but must be discard or error",
         text.data());
  }
  is_error = value == "error";
  check(tutti_mail_discard_unposted(key_space | forced_bit, space_bits | forced_bit, note_found,
                                    nullptr));
}

void find_forced() {
  constexpr tutti_match forced{sizeof forced,           TUTTI_ANY, key_space | forced_bit,
                               space_bits | forced_bit, nullptr,   nullptr};
  tutti_envelope envelope{};
  // The answer is always that there is none, because note_found() has been called for each.
  // Failure is harmless: only note_found() matters, which is called for each message.
  static_cast<void>(tutti_mail_probe(&forced, 0, &envelope));
}

void find_forced_if_error() {
  if (is_error) [[unlikely]]
    find_forced();
}

void discard_for_those_who_left(std::span<const int> to, std::uint64_t key, long bytes) {
  if ((key & forced_bit) == 0) [[likely]]
    return;
  for (const int endpoint : to) {
    tutti_ending ending{sizeof ending, TUTTI_NOT_ENDED, 0, 0};
    tutti_ending_of(endpoint, &ending);
    if (ending.how == TUTTI_NOT_ENDED) continue;
    note(key, bytes, fmt::format("to node {}, which has ended", nodes().node_of(endpoint)));
  }
}

void count_discarded() {
  if (discarded == 0) return;
  std::fprintf(
      stderr,
      "nx: node %d has discarded %lld message%s of forced types, for which no receive was posted\n",
      nodes().self(), static_cast<long long>(discarded), discarded == 1 ? "" : "s");
}

}  // namespace tutti::nx
