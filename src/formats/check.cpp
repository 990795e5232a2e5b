// SPDX-License-Identifier: BSD-3-Clause
// Checks sizes and operations, and has the verifier check the whole.
#include "formats/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "formats/limits.hpp"
#include "formats/rotate.hpp"
#include "schedule/normalize.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Buffer;
using schedule::Do;
using schedule::Op;
using schedule::Operand;

std::int64_t all_blocks(const schedule::Buffers& b) {
  return std::int64_t{b.input} + b.output + b.scratch;
}

bool writes_input(const Op& op) {
  return op.what != Do::send && std::any_of(op.blocks.begin(), op.blocks.end(), [](const Block& b) {
           return b.buffer == Buffer::input;
         });
}

std::string problem_of_peers(const schedule::Ranks& to, int p, int rank) {
  if (to.count < 1 || to.count > p) return fmt::format("{} ranks are named, of {}", to.count, p);
  for (int i = 0; i < to.count; ++i) {
    const std::int64_t peer = to.first + std::int64_t{i} * to.stride;
    if (peer == to.except) continue;
    if (peer < 0 || peer >= p) return fmt::format("there is no rank {}, only 0 to {}", peer, p - 1);
    if (peer == rank) return "a rank has a message to itself";
  }
  return {};
}

std::string problem_of_operands(const Op& op, int p, int rank) {
  if (op.operands.empty()) return "there are no operands";
  for (const Operand& operand : op.operands) {
    if (operand.is_local()) continue;
    if (op.what != Do::receive_combine) return "only receive_combine has operands from other ranks";
    std::string problem = problem_of_peers({num(operand.from)}, p, rank);
    if (!problem.empty()) return problem;
  }
  if (op.what == Do::copy && op.operands.size() != 1) return "a copy has one source";
  if (op.what == Do::receive_combine &&
      std::all_of(op.operands.begin(), op.operands.end(), [](auto& o) { return o.is_local(); }))
    return "receive_combine has no operand from another rank";
  return {};
}

}  // namespace

std::string problem_of_sizes(const Schedule& header) {
  const schedule::Buffers& b = header.buffers;
  if (header.p < 1 || header.p > most_ranks)
    return fmt::format("p is {}, limit 1 to {}", header.p, most_ranks);
  if (header.root < 0 || header.root >= header.p)
    return fmt::format("root is {} of {} ranks", header.root, header.p);
  if (b.input < 0 || b.output < 0 || b.scratch < 0 || b.parts < 0)
    return "buffers have less than 0 blocks or parts";
  for (const std::int64_t blocks : {all_blocks(b), std::int64_t{b.parts}}) {
    if (blocks * header.p > most_blocks)
      return fmt::format("buffers are too large: {} blocks of all ranks, limit {}",
                         blocks * header.p, most_blocks);
  }
  const std::int64_t scratch = 4 * (std::int64_t{b.input} + b.output) + header.p;
  if (b.scratch > scratch)
    return fmt::format(
        "scratch is too large: {} blocks, limit {}, four times input and output "
        "and p",
        b.scratch, scratch);
  return {};
}

std::string problem_of_rounds(std::int64_t rounds, std::int64_t p) {
  if (rounds > most_rounds)
    return fmt::format("there are more rounds than the limit, {}", most_rounds);
  if (rounds * p > most_rounds_of_ranks)
    return fmt::format("{} rounds of {} ranks are more than the limit, {} rounds of all ranks",
                       rounds, p, most_rounds_of_ranks);
  return {};
}

std::string problem_of_block(const Block& block, const Schedule& header, std::int64_t& total) {
  if (block.count < 1 || block.times < 1) return "a list of blocks has an empty range";
  const std::int64_t stride = block.stride;
  if (block.times > 1 && std::abs(stride) < block.count)
    return fmt::format("runs of {} blocks are only {} apart", block.count, std::abs(stride));
  const std::int64_t blocks = header.buffers.blocks_of(block.buffer);
  const std::int64_t last_run = block.first + (block.times - 1) * stride;
  const std::int64_t least = std::min<std::int64_t>(block.first, last_run);
  const std::int64_t most = std::max<std::int64_t>(block.first, last_run) + block.count - 1;
  if (least < 0 || most >= blocks)
    return fmt::format("there is no block {} in a buffer of {}", least < 0 ? least : most, blocks);
  total += std::int64_t{block.count} * block.times;
  if (total > all_blocks(header.buffers))
    return fmt::format("an operation names {} blocks, and the rank has {}", total,
                       all_blocks(header.buffers));
  return {};
}

std::string problem_of_operation(const Op& op, const Schedule& header, int rank) {
  if (writes_input(op)) return "input is never written";
  if (op.what == Do::send) return problem_of_peers(op.to, header.p, rank);
  if (op.what == Do::receive) {
    if (op.to.count != 1) return "a receive has one sender";
    return problem_of_peers(op.to, header.p, rank);
  }
  return problem_of_operands(op, header.p, rank);
}

namespace {

using Programs = std::vector<schedule::Program>;

Programs normal_form_of(const Programs& programs) {
  Programs normal;
  for (const schedule::Program& program : programs) normal.push_back(schedule::normalized(program));
  return normal;
}

// Returns the forms in which the programs may run. If the root is another one, a send to a set of
// ranks becomes a send to each. All these roots differ in the numbers of the ranks only.
std::vector<Programs> forms_of(const Schedule& s) {
  std::vector<Programs> forms{s.programs, normal_form_of(s.programs)};
  if (!s.any_root) return forms;
  Programs single = s.programs;
  for (schedule::Program& program : single)
    for (schedule::Round& round : program) round = with_single_sends(round);
  forms.push_back(normal_form_of(single));
  forms.push_back(std::move(single));
  return forms;
}

}  // namespace

schedule::Verdict verdict_of(const Schedule& s) {
  schedule::Shape shape;
  shape.p = s.p;
  shape.root = s.root;
  const std::vector<Programs> forms = forms_of(s);
  schedule::Verdict verdict;
  for (const auto placement : {schedule::Placement::separate, schedule::Placement::in_place}) {
    const bool in_place = placement == schedule::Placement::in_place;
    if (in_place && !s.in_place) continue;
    for (const Programs& programs : forms) {
      verdict =
          schedule::verify(s.operation, shape, s.buffers, programs, placement, nullptr, most_work);
      if (verdict.correct() && !verdict.rank_order && s.operators == schedule::Operators::any) {
        verdict.problem = fmt::format(
            "result: {}, not in rank order, and the schedule does not say commutative_only",
            verdict.disorder);
        verdict.rank = verdict.disorder_rank;
      }
      if (!verdict.correct() && in_place)
        verdict.problem += " (with input and output in one place)";
      if (!verdict.correct()) return verdict;
    }
  }
  return verdict;
}

}  // namespace tutti::formats
