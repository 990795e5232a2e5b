// SPDX-License-Identifier: BSD-3-Clause
// Rounds that are bound to bytes: all that a network, and so a simulator, sees of them. The
// simulator binds the rounds of a generator, and a recorded run has those that the engine has
// bound. Both use these functions, so they cannot differ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schedule/program.hpp"

namespace tutti::schedule {

struct BoundSend {
  int to;  // a member of the group, or what the user of the round makes of it
  std::int64_t bytes;
};

// Tells if a message is combined when it has come.
enum class OnArrival : std::uint8_t { taken, combined };

struct BoundReceive {
  int from;
  OnArrival then;
};

// Local operands of that many bytes are combined, one less than `operands` times.
struct LocalCombine {
  std::int64_t bytes;
  std::int64_t operands;
};

// The part of one member in one round. Sends and receives are in the order written.
struct BoundRound {
  std::vector<BoundSend> sends;
  std::vector<BoundReceive> receives;
  std::vector<std::int64_t> copies;  // bytes of each
  std::vector<LocalCombine> combines;
  bool passes_on = false;  // it sends data that earlier messages may have brought

  [[nodiscard]] bool empty() const {
    return sends.empty() && receives.empty() && copies.empty() && combines.empty();
  }
  void clear() {
    sends.clear();
    receives.clear();
    copies.clear();
    combines.clear();
    passes_on = false;
  }
};

// Returns true if a send passes on what earlier messages may have brought: it reads more than the
// input, or it has no data, as in a barrier, and tells that they have come.
[[nodiscard]] inline bool reads_beyond_input(const Op& send) {
  return send.blocks.empty() ||
         std::any_of(send.blocks.begin(), send.blocks.end(),
                     [](const Block& block) { return block.buffer != Buffer::input; });
}

// Adds what an op does to the round, except passes_on. `bytes()` returns the length of its blocks.
template <class Bytes>
void bind(BoundRound& round, const Op& op, const Bytes& bytes) {
  if (op.what == Do::send) {
    const std::int64_t length = bytes();
    for (int i = 0; i < op.to.count; ++i) {
      const int to = op.to.first + i * op.to.stride;
      if (to != op.to.except) round.sends.push_back({to, length});
    }
    return;
  }
  if (op.what == Do::receive) return round.receives.push_back({op.to.first, OnArrival::taken});
  if (op.what == Do::copy) return round.copies.push_back(bytes());
  // If k operands arrive, k are combined if there is a local one, and k - 1 otherwise.
  const std::int64_t local =
      std::count_if(op.operands.begin(), op.operands.end(),
                    [](const Operand& operand) { return operand.is_local(); });
  OnArrival then = local > 0 ? OnArrival::combined : OnArrival::taken;
  for (const Operand& operand : op.operands) {
    if (operand.is_local()) continue;
    round.receives.push_back({num(operand.from), then});
    then = OnArrival::combined;
  }
  if (local > 1) round.combines.push_back({bytes(), local});
}

}  // namespace tutti::schedule
