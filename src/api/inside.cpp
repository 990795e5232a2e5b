// SPDX-License-Identifier: BSD-3-Clause
// Keeps which thread is inside a call, and says why another one is refused.
#include "api/inside.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "api/state.hpp"

namespace tutti::api {

constinit thread_local int interfaces = 0;
constinit std::atomic<const void*> occupant = nullptr;

namespace {

// These belong to the occupant: the pairs of enter() and leave() that it is in, and whether the
// first of them has made it the occupant.
int pairs = 0;
bool entered_by_pair = false;

// Returns the name of the call that this process is in; empty if it is not known.
std::string call_in_progress() {
  if (current == nullptr) return {};
  const transport::shm::StateLine& line = current->runtime.endpoint().state;
  std::array<std::uint64_t, std::extent_v<decltype(transport::shm::StateLine::call)>> words{};
  std::ranges::transform(line.call, words.begin(), [](const std::atomic<std::uint64_t>& word) {
    return word.load(std::memory_order_relaxed);
  });
  std::array<char, sizeof words + 1> text{};
  std::memcpy(text.data(), words.data(), sizeof words);
  return text.data();
}

}  // namespace

void Inside::refuse() {
  const std::string other = call_in_progress();
  base::fail(base::Status::wrong_thread,
             "another thread of this process is inside {} at the same time: only one thread at a "
             "time may call tutti",
             other.empty() ? "a call of tutti" : other);
}

void enter() {
  const void* const found = occupant.load(std::memory_order_relaxed);
  if (found == nullptr) {
    occupant.store(&interfaces, std::memory_order_relaxed);
    entered_by_pair = true;
  } else if (found != &interfaces) {
    Inside::refuse();
  }
  ++pairs;
}

void leave() {
  if (pairs == 0 || occupant.load(std::memory_order_relaxed) != &interfaces) return;
  if (--pairs > 0 || !entered_by_pair) return;
  entered_by_pair = false;
  occupant.store(nullptr, std::memory_order_relaxed);
}

void forget_occupant() {
  occupant.store(nullptr, std::memory_order_relaxed);
  pairs = 0;
  entered_by_pair = false;
}

}  // namespace tutti::api
