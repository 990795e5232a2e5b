// SPDX-License-Identifier: BSD-3-Clause
// Makes a plug-in of the generator on page 8 of the guide. guide_test.mjs compiles this file behind
// the code of the page, and compares the plug-in with the algorithm in JavaScript.
#include <vector>

#include "tutti/tutti_generator.h"

namespace {

using tutti::schedule::Do;
using tutti::schedule::Rank;
using tutti::schedule::Shape;

constexpr const tutti::schedule::Generator& given = tutti::algorithms::broadcast_relay;

Shape shape_of(const tutti_schedule_shape* shape) {
  Shape made;
  made.p = shape->p;
  made.root = shape->root;
  return made;
}

int rounds(const tutti_schedule_shape* shape, void* /*data*/) {
  return given.rounds(shape_of(shape));
}

std::vector<tutti_blocks> blocks_of(const tutti::schedule::Op& op) {
  std::vector<tutti_blocks> blocks;
  for (const tutti::schedule::Block& block : op.blocks)
    blocks.push_back({static_cast<tutti_buffer>(block.buffer), block.first, block.count,
                      block.stride, block.times});
  return blocks;
}

// A broadcast only sends and receives.
void emit(tutti_round* round, const tutti_schedule_shape* shape, int rank, int t, void* /*data*/) {
  tutti::schedule::Round found;
  given.emit(found, shape_of(shape), Rank{rank}, t);
  for (const tutti::schedule::Op& op : found.ops) {
    const std::vector<tutti_blocks> blocks = blocks_of(op);
    const int count = static_cast<int>(blocks.size());
    if (op.what == Do::send && op.to.count == 1)
      round->send(round, op.to.first, blocks.data(), count);
    else if (op.what == Do::receive)
      round->receive(round, op.to.first, blocks.data(), count);
    else
      round->fail(round, "the page's algorithm does something else than to send and receive");
  }
}

}  // namespace

extern "C" void tutti_generators(tutti_registrar* registrar) {
  tutti_generator made{};
  made.struct_size = sizeof made;
  made.name = given.name;
  made.operation = TUTTI_OP_BROADCAST;
  made.rounds = rounds;
  made.emit = emit;
  registrar->add(registrar, &made);
}
