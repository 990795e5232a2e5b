// SPDX-License-Identifier: BSD-3-Clause
// The conditions of theorem T4 on a generator whose rounds are pipelined. A round of the pipeline
// has operations of several rounds of the generator, each for another chunk, the latest round
// first.
#include "operations.hpp"

namespace tutti::prove {
namespace {

using schedule::Do;
using schedule::Op;

Round some_earlier_round(const Step& step) {
  const Int earlier = path().unknown("earlier round");
  path().assume(0 <= earlier);
  path().assume(earlier < step.whole);
  return view_of(*step.subject.generator, step.memory.shape(), Rank{step.me}, earlier, View{});
}

void check_send(const Step& step, const Op& op) {
  if (op.to.count != 1) throw Unsupported{"a send to many ranks"};
  for (const Op& other : some_earlier_round(step).ops) {
    if (other.what != Do::send) continue;
    if (other.to.count != 1) throw Unsupported{"a send to many ranks"};
    path().require(other.to.first != op.to.first, "a rank sends to another one in one round only");
  }
}

void check_message(const Step& step, const Op& op) {
  path().require(senders_of(op).size() == 1, "an operation takes one message");
  if (op.blocks.empty()) return;
  const Cell cell = cell_at(op.blocks, some_place(op.blocks));
  for (const Op& other : step.round.ops) {
    if (other.what != Do::send || other.blocks.empty()) continue;
    const Cell sent = cell_at(other.blocks, some_place(other.blocks));
    path().require(negated(step.memory.same(step.me, cell, sent)),
                   "nothing that is sent is overwritten in the same round");
  }
}

// Messages behind local work wait for it. In the pipeline, those of earlier rounds are behind it.
void check_local_work(const Step& step, const Op& op) {
  for (const Op* other = &op; other <= &step.round.ops.back(); ++other)
    path().require(!is_message(*other), "local work comes after all messages of its round");
  for (const Op& other : some_earlier_round(step).ops)
    path().require(!is_message(other), "no message comes in an earlier round than local work");
}

}  // namespace

void chunks_may_follow(const Subject& subject) {
  const Step step(subject, View{});
  const Op& op = step.some_operation();
  if (op.what == Do::send) return check_send(step, op);
  if (is_message(op)) return check_message(step, op);
  check_local_work(step, op);
}

}  // namespace tutti::prove
