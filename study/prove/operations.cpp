// SPDX-License-Identifier: BSD-3-Clause
#include "operations.hpp"

namespace tutti::prove {

using schedule::Do;
using schedule::Op;
using schedule::Operand;

int number_of_sends(const Round& round) {
  int sends = 0;
  for (const Op& op : round.ops) sends += op.what == Do::send ? 1 : 0;
  return sends;
}

std::vector<Int> senders_of(const Op& op) {
  if (op.what == Do::receive) return {op.to.first};
  std::vector<Int> senders;
  for (const Operand& operand : op.operands)
    if (!operand.is_local()) senders.push_back(num(operand.from));
  return senders;
}

Int some_sender(const Op& op) {
  const std::vector<Int> senders = senders_of(op);
  if (senders.empty()) path().assume(false);
  return senders[static_cast<std::size_t>(path().choose(static_cast<int>(senders.size())))];
}

void require_apart(const Step& step, const Cell& cell, const Blocks& used, const char* obligation) {
  if (used.empty()) return;
  const Cell other = cell_at(used, some_place(used));
  path().require(negated(step.memory.same(step.me, cell, other)), obligation);
}

void require_one_send(const Step& step, const Int& rank, const char* obligation) {
  path().require(number_of_sends(step.round_of(rank, {Steps::any_two})) <= 1, obligation);
}

}  // namespace tutti::prove
