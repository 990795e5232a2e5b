// SPDX-License-Identifier: BSD-3-Clause
// Writes schedules as JSON: keys in one order, a line for each rank of each round.
#include <fmt/format.h>

#include "base/sha256.hpp"
#include "formats/block_text.hpp"
#include "formats/json_text.hpp"
#include "formats/program_file.hpp"
#include "formats/words.hpp"
#include "schedule/printer.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Do;
using schedule::Op;

std::string text_of(const Blocks& blocks) {
  std::string text = "[";
  for (const Block& block : blocks)
    text += fmt::format("{}\"{}\"", text.size() == 1 ? "" : ",", block_text(block));
  return text + ']';
}

std::string text_of(const schedule::Ranks& to) {
  if (to == schedule::Ranks{to.first}) return fmt::format("{}", to.first);
  std::string text = fmt::format("{{\"first\":{},\"count\":{}", to.first, to.count);
  if (to.stride != 1) text += fmt::format(",\"stride\":{}", to.stride);
  if (to.except >= 0) text += fmt::format(",\"except\":{}", to.except);
  return text + '}';
}

std::string text_of(const Op& op) {
  std::string text = fmt::format(
      "{{\"{}\":{}", words_of_operations[static_cast<std::size_t>(op.what)], text_of(op.blocks));
  if (op.what == Do::send) return text + fmt::format(",\"to\":{}}}", text_of(op.to));
  if (op.what == Do::receive) return text + fmt::format(",\"from\":{}}}", op.to.first);
  text += ",\"of\":[";
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const schedule::Operand& operand = op.operands[i];
    text += i == 0 ? "" : ",";
    text += operand.is_local() ? text_of(operand.local)
                               : fmt::format("{{\"from\":{}}}", num(operand.from));
  }
  return text + "]}";
}

// Writes what the schedule means, without its name and note.
std::string meaning(const Schedule& s) {
  const schedule::Buffers& b = s.buffers;
  std::string text = fmt::format(
      "\"operation\":\"{}\",\"p\":{},\"root\":{},\"any_root\":{},\"commutative_only\":{},"
      "\"in_place\":{},\n\"buffers\":{{\"parts\":{},\"input\":{},\"output\":{},\"scratch\":{},"
      "\"input_own_part\":{},\"output_own_part\":{}}},\n\"rounds\":[",
      schedule::to_text(s.operation), s.p,
      has_root(s.operation) ? fmt::format("{}", s.root) : "null", s.any_root,
      s.operators == schedule::Operators::commutative, s.in_place, b.parts, b.input, b.output,
      b.scratch, b.input_own_part, b.output_own_part);
  const std::size_t rounds = s.programs.front().size();
  for (std::size_t t = 0; t < rounds; ++t) {
    text += t == 0 ? "\n{" : ",\n{";
    for (std::size_t rank = 0; rank < s.programs.size(); ++rank) {
      text += fmt::format("{}\"{}\":[", rank == 0 ? "" : ",\n ", rank);
      const std::vector<Op>& ops = s.programs[rank][t].ops;
      for (std::size_t i = 0; i < ops.size(); ++i) text += (i == 0 ? "" : ",") + text_of(ops[i]);
      text += ']';
    }
    text += '}';
  }
  return text + "]}\n";
}

}  // namespace

std::string program_text(const Schedule& schedule) {
  std::string text =
      fmt::format("{{\"tutti_program\":1,\"name\":{},\n", json_string(schedule.name));
  if (!schedule.about.empty()) text += fmt::format("\"about\":{},\n", json_string(schedule.about));
  return text + meaning(schedule);
}

std::string hash_of(const Schedule& schedule) {
  return base::sha256(meaning(schedule));
}

}  // namespace tutti::formats
