// SPDX-License-Identifier: BSD-3-Clause
// Takes the operations of a registered generator and checks each of them.
#include "algorithms/registered_round.hpp"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <utility>

#include "base/printable.hpp"
#include "formats/check.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

constexpr std::size_t most_shown = 400;           // bytes of a reason
constexpr std::size_t most_operations = 1 << 16;  // of a rank in a round

}  // namespace

// The functions are called by foreign code, which no exception may cross.
template <class Add>
void RegisteredRound::guarded(tutti_round* round, const Add& add) {
  auto& self = *static_cast<RegisteredRound*>(round->inside);
  if (!self.problem_.empty()) return;
  try {
    add(self);
  } catch (const std::exception& error) {
    self.problem_ = error.what();
  }
}

RegisteredRound::RegisteredRound(const formats::Schedule& header, int rank)
    : header_(header), rank_(rank), given_{} {
  given_.inside = this;
  given_.send = [](tutti_round* round, int to, const tutti_blocks* blocks, int count) {
    guarded(round, [&](RegisteredRound& self) {
      self.add({Do::send, self.blocks_of(blocks, count), {to}, {}});
    });
  };
  given_.receive = [](tutti_round* round, int from, const tutti_blocks* blocks, int count) {
    guarded(round, [&](RegisteredRound& self) {
      self.add({Do::receive, self.blocks_of(blocks, count), {from}, {}});
    });
  };
  given_.receive_combine = [](tutti_round* round, const tutti_blocks* result, int count,
                              const tutti_operand* operands, int operand_count) {
    guarded(round, [&](RegisteredRound& self) {
      self.combine_as(Do::receive_combine, result, count, operands, operand_count);
    });
  };
  given_.combine = [](tutti_round* round, const tutti_blocks* result, int count,
                      const tutti_operand* operands, int operand_count) {
    guarded(round, [&](RegisteredRound& self) {
      self.combine_as(Do::combine, result, count, operands, operand_count);
    });
  };
  given_.copy = [](tutti_round* round, const tutti_blocks* result, int count,
                   const tutti_blocks* source, int source_count) {
    guarded(round, [&](RegisteredRound& self) {
      Op op{Do::copy, self.blocks_of(result, count), {}, {}};
      op.operands.push_back(schedule::local(self.blocks_of(source, source_count)));
      self.add(std::move(op));
    });
  };
  given_.fail = [](tutti_round* round, const char* why) {
    guarded(round, [&](RegisteredRound& self) {
      const char* const text = why == nullptr ? "failed" : why;
      self.refuse(fmt::format("it says: {}", base::printable(text, most_shown)));
    });
  };
}

Blocks RegisteredRound::blocks_of(const tutti_blocks* blocks, int count) {
  if (count < 0 || (count > 0 && blocks == nullptr))
    throw std::runtime_error(fmt::format("a list of {} blocks is given", count));
  Blocks list;
  std::int64_t total = 0;
  for (int i = 0; i < count; ++i) {
    const tutti_blocks& given = blocks[i];
    const auto buffer = static_cast<int>(given.buffer);
    if (buffer < TUTTI_INPUT || buffer > TUTTI_SCRATCH)
      throw std::runtime_error(fmt::format("there is no buffer {}", buffer));
    const Block block{static_cast<Buffer>(buffer), given.first, given.count, given.stride,
                      given.times == 0 ? 1 : given.times};
    const std::string problem = formats::problem_of_block(block, header_, total);
    if (!problem.empty()) throw std::runtime_error(problem);
    list.push_back(block);
  }
  return list;
}

void RegisteredRound::combine_as(Do what, const tutti_blocks* result, int count,
                                 const tutti_operand* operands, int operand_count) {
  if (operand_count < 0 || (operand_count > 0 && operands == nullptr))
    throw std::runtime_error(fmt::format("a list of {} operands is given", operand_count));
  Op op{what, blocks_of(result, count), {}, {}};
  for (int i = 0; i < operand_count; ++i) {
    const tutti_operand& given = operands[i];
    op.operands.push_back(given.from == TUTTI_LOCAL
                              ? schedule::local(blocks_of(given.blocks, given.count))
                              : schedule::remote(Rank{given.from}));
  }
  add(std::move(op));
}

void RegisteredRound::add(Op op) {
  for (const Operand& operand : op.operands)
    if (num(operand.from) < TUTTI_LOCAL)
      throw std::runtime_error(fmt::format("there is no rank {}", num(operand.from)));
  const std::string problem = formats::problem_of_operation(op, header_, rank_);
  if (!problem.empty()) throw std::runtime_error(problem);
  if (round_.ops.size() == most_operations)
    throw std::runtime_error(fmt::format("a rank has more than {} operations", most_operations));
  round_.ops.push_back(std::move(op));
}

void RegisteredRound::refuse(std::string why) {
  problem_ = std::move(why);
}

}  // namespace tutti::algorithms
