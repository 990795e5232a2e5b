// SPDX-License-Identifier: BSD-3-Clause
// Compares the addresses of two operands. Only strided operands whose extents meet are compared
// element by element.
#include "engine/overlap.hpp"

#include <algorithm>

namespace tutti::engine {
namespace {

// A position in an operand, advanced by runs of consecutive elements.
class Cursor {
 public:
  Cursor(const CallOperand& operand, std::int64_t first) : operand_(&operand), position_(first) {}
  [[nodiscard]] bool at_end() const { return position_ == operand_->layout.size(); }
  // Addresses of the consecutive elements from the current position on: of their first byte, and of
  // the byte after their last.
  [[nodiscard]] std::uintptr_t begin() const { return address(run().offset); }
  [[nodiscard]] std::uintptr_t end() const { return address(run().offset + run().length); }
  [[nodiscard]] std::int64_t length() const { return run().length; }
  void skip(std::int64_t elements) { position_ += elements; }

 private:
  [[nodiscard]] data::Layout::Run run() const {
    return operand_->layout.run_at(position_, operand_->layout.size() - position_);
  }
  [[nodiscard]] std::uintptr_t address(std::int64_t offset) const {
    return reinterpret_cast<std::uintptr_t>(operand_->address) +
           static_cast<std::uintptr_t>(offset) * operand_->element_bytes;
  }
  const CallOperand* operand_;
  std::int64_t position_;
};

bool coincide(const CallOperand& part, const CallOperand& whole, std::int64_t first) {
  if (first + part.layout.size() > whole.layout.size()) return false;
  Cursor a(part, 0), b(whole, first);
  while (!a.at_end()) {
    if (a.begin() != b.begin()) return false;
    const std::int64_t both = std::min(a.length(), b.length());
    a.skip(both);
    b.skip(both);
  }
  return true;
}

// Returns true if the operands share an element. The runs of an operand ascend in address, so one
// pass suffices.
bool meet(const CallOperand& one, const CallOperand& other) {
  Cursor a(one, 0), b(other, 0);
  while (!a.at_end() && !b.at_end()) {
    if (a.end() <= b.begin()) {
      a.skip(a.length());
    } else if (b.end() <= a.begin()) {
      b.skip(b.length());
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace

Overlap overlap_of(const CallOperand& part, const CallOperand& whole, std::int64_t first) {
  if (part.address == whole.address && part.layout == whole.layout && first == 0)
    return Overlap::in_place;
  const auto bytes = [](const CallOperand& operand) {
    return static_cast<std::uintptr_t>(operand.layout.extent()) * operand.element_bytes;
  };
  const auto a = reinterpret_cast<std::uintptr_t>(part.address),
             b = reinterpret_cast<std::uintptr_t>(whole.address);
  if (a + bytes(part) <= b || b + bytes(whole) <= a || !meet(part, whole)) return Overlap::apart;
  return coincide(part, whole, first) ? Overlap::in_place : Overlap::partly;
}

}  // namespace tutti::engine
