// SPDX-License-Identifier: BSD-3-Clause
// Questions about the operations of a round that several statements ask.
#pragma once

#include "statement.hpp"

namespace tutti::prove {

[[nodiscard]] inline bool is_message(const schedule::Op& op) {
  return op.what == schedule::Do::receive || op.what == schedule::Do::receive_combine;
}
[[nodiscard]] int number_of_sends(const Round& round);
// The ranks from which an operation takes messages.
[[nodiscard]] std::vector<Int> senders_of(const schedule::Op& op);
// Returns one of the senders; each is taken on some path. The path ends if there is none.
[[nodiscard]] Int some_sender(const schedule::Op& op);

// Shows that the cell which an operation writes is none of the blocks of another operation.
void require_apart(const Step& step, const Cell& cell, const Blocks& used, const char* obligation);
// Shows that the rank has at most one send in the round, which may have many destinations.
void require_one_send(const Step& step, const Int& rank, const char* obligation);

}  // namespace tutti::prove
