// SPDX-License-Identifier: BSD-3-Clause
// Holds the names of the ways in which machines work.
#include "machine/machine_words.hpp"

#include "machine/machine.hpp"

namespace tutti::machine {
namespace {

constexpr std::string_view switching_names[] = {
    "circuit",       "circuit_by_links",  "wormhole", "share_equal",
    "share_max_min", "store_and_forward", "bus"};
constexpr std::string_view ports_names[] = {"unlimited", "duplex", "half", "windowed"};
constexpr std::string_view handover_names[] = {"eager", "forced", "reserve", "rendezvous"};

}  // namespace

std::span<const std::string_view> words_of(Switching) {
  return switching_names;
}

std::span<const std::string_view> words_of(Ports) {
  return ports_names;
}

std::span<const std::string_view> words_of(Handover) {
  return handover_names;
}

const char* to_text(Switching switching) {
  return switching_names[static_cast<std::size_t>(switching)].data();
}

const char* to_text(Ports ports) {
  return ports_names[static_cast<std::size_t>(ports)].data();
}

const char* to_text(Handover handover) {
  return handover_names[static_cast<std::size_t>(handover)].data();
}

}  // namespace tutti::machine
