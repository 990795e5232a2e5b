// SPDX-License-Identifier: BSD-3-Clause
// Compares the addresses of two operands. Only strided operands whose extents meet are compared
// element by element.
#include "engine/overlap.hpp"

#include <algorithm>

namespace tutti::engine {
namespace {

// Consecutive elements of an operand: the addresses of their first byte and of the byte after their
// last.
struct Piece {
  std::uintptr_t begin, end;
  std::int64_t length;
};

Piece piece_at(const CallOperand& operand, std::int64_t position) {
  const auto run = operand.layout.run_at(position, operand.layout.size() - position);
  const auto address = [&operand](std::int64_t offset) {
    return reinterpret_cast<std::uintptr_t>(operand.address) +
           static_cast<std::uintptr_t>(offset) * operand.element_bytes;
  };
  return {address(run.offset), address(run.offset + run.length), run.length};
}

bool coincide(const CallOperand& part, const CallOperand& whole, std::int64_t first) {
  if (first + part.layout.size() > whole.layout.size()) return false;
  for (std::int64_t i = 0; i < part.layout.size();) {
    const Piece a = piece_at(part, i), b = piece_at(whole, first + i);
    if (a.begin != b.begin) return false;
    i += std::min(a.length, b.length);
  }
  return true;
}

// Returns true if the operands share an element. The runs of an operand ascend in address, so one
// pass suffices.
bool meet(const CallOperand& one, const CallOperand& other) {
  for (std::int64_t i = 0, j = 0; i < one.layout.size() && j < other.layout.size();) {
    const Piece a = piece_at(one, i), b = piece_at(other, j);
    if (a.end <= b.begin) {
      i += a.length;
    } else if (b.end <= a.begin) {
      j += b.length;
    } else {
      return true;
    }
  }
  return false;
}

std::uintptr_t extent_bytes(const CallOperand& operand) {
  return static_cast<std::uintptr_t>(operand.layout.extent()) * operand.element_bytes;
}

}  // namespace

Overlap overlap_of(const CallOperand& part, const CallOperand& whole, std::int64_t first) {
  if (part.address == whole.address && part.layout == whole.layout && first == 0)
    return Overlap::in_place;
  const auto a = reinterpret_cast<std::uintptr_t>(part.address),
             b = reinterpret_cast<std::uintptr_t>(whole.address);
  if (a + extent_bytes(part) <= b || b + extent_bytes(whole) <= a || !meet(part, whole))
    return Overlap::apart;
  return coincide(part, whole, first) ? Overlap::in_place : Overlap::partly;
}

bool may_meet(const CallOperand& operand, std::span<const std::byte> memory) {
  const auto begin = reinterpret_cast<std::uintptr_t>(operand.address),
             other = reinterpret_cast<std::uintptr_t>(memory.data());
  return begin < other + memory.size() && other < begin + extent_bytes(operand);
}

}  // namespace tutti::engine
