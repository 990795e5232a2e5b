// SPDX-License-Identifier: BSD-3-Clause
// Writes operations and Programs as text. A block range reads output[2], output[2..5] or, strided,
// output[2..3 step 8 times 4].
#include "schedule/printer.hpp"

#include <fmt/format.h>

#include <string_view>

#include "schedule/room.hpp"

namespace tutti::schedule {
namespace {

std::string to_text(const Block& b) {
  const std::string run = b.count == 1 ? fmt::format("{}", b.first)
                                       : fmt::format("{}..{}", b.first, b.first + b.count - 1);
  const std::string repeat =
      b.times == 1 ? "" : fmt::format(" step {} times {}", b.stride, b.times);
  return fmt::format("{}[{}{}]", to_text(b.buffer), run, repeat);
}

std::string to_text(const Operand& operand) {
  return operand.is_local() ? to_text(operand.local) : fmt::format("from {}", num(operand.from));
}

std::string sum_of(const std::vector<Operand>& operands) {
  std::string text;
  for (const Operand& operand : operands) text += (text.empty() ? "" : " + ") + to_text(operand);
  return text;
}

}  // namespace

std::string_view to_text(Buffer buffer) {
  switch (buffer) {
    case Buffer::input:
      return "input";
    case Buffer::output:
      return "output";
    case Buffer::scratch:
      return "scratch";
  }
  return "?";
}

std::string to_text(const Blocks& blocks) {
  if (blocks.empty()) return "nothing";
  std::string text;
  for (const Block& block : blocks) text += (text.empty() ? "" : ", ") + to_text(block);
  return text;
}

std::string to_text(const Ranks& r) {
  if (r.count == 1) return fmt::format("{}", r.first);
  std::string text = fmt::format("{}..{}", r.first, r.first + (r.count - 1) * r.stride);
  if (r.stride != 1) text += fmt::format(" step {}", r.stride);
  if (r.except >= 0) text += fmt::format(" except {}", r.except);
  return text;
}

std::string to_text(const Op& op) {
  switch (op.what) {
    case Do::send:
      return fmt::format("send {} to {}", to_text(op.blocks), to_text(op.to));
    case Do::receive:
      return fmt::format("receive {} from {}", to_text(op.blocks), op.to.first);
    case Do::receive_combine:
      return fmt::format("receive_combine {} = {}", to_text(op.blocks), sum_of(op.operands));
    case Do::combine:
      return fmt::format("combine {} = {}", to_text(op.blocks), sum_of(op.operands));
    case Do::copy:
      return fmt::format("copy {} = {}", to_text(op.blocks), sum_of(op.operands));
  }
  return "?";
}

std::string to_text(const Program& program) {
  std::string text;
  for (std::size_t t = 0; t < program.size(); ++t) {
    text += fmt::format("round {}\n", t + 1);
    for (const Op& op : program[t].ops) text += fmt::format("  {}\n", to_text(op));
  }
  return text;
}

std::string round_name(int t) {
  return fmt::format("round {} (t = {})", t + 1, t);
}

std::string_view name_in_report(std::uint32_t operation) {
  return operation == 0 ? "message" : to_text(static_cast<Operation>(operation - 1));
}

Program build(const Generator& generator, const Shape& shape, Rank me) {
  require_room_for_rounds(generator, shape);
  Program program(static_cast<std::size_t>(generator.rounds(shape)));
  std::size_t bytes = 0;
  for (std::size_t t = 0; t < program.size(); ++t) {
    generator.emit(program[t], shape, me, static_cast<int>(t));
    bytes += bytes_of(program[t]);
    if (bytes > most_program_bytes) refuse_size(generator, shape);
  }
  return program;
}

}  // namespace tutti::schedule
