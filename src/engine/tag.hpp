// SPDX-License-Identifier: BSD-3-Clause
// The label that names an operation on the wire; the receiver compares it with its own. It contains
// what all ranks must agree on, so that the first message of a wrong call is recognised.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "group/members.hpp"
#include "schedule/generator.hpp"
#include "transport/transport.hpp"

namespace tutti::engine {

// How the caller takes part in an operation: it waits until the end, or does other things
// meanwhile. All ranks use the same mode.
enum class Mode : std::uint8_t { blocking, overlapping };

// The word of the label has, from the highest bit, the group (40 bits) and the number of the
// operation in its group (24 bits). The detail has operation, root (10 bits), mode, and operator
// and element type (8 bits). Groups whose numbers are equal are refused by the members that they
// share.
class Tag {
 public:
  static constexpr int number_bits = 24;
  static constexpr std::uint32_t number_mask = (1U << number_bits) - 1;

  constexpr explicit Tag(transport::Label label = {}) : label_(label) {}
  // Makes the tag of operation number 0, without an operator.
  constexpr Tag(std::uint64_t group, schedule::Operation operation, int root, Mode mode)
      : label_{group << number_bits, static_cast<std::uint32_t>(operation) << operation_at |
                                         static_cast<std::uint32_t>(root & 0x3ff) << root_at |
                                         static_cast<std::uint32_t>(mode) << mode_at} {}

  // Returns this tag with the operator that has this data::Operator::signature().
  [[nodiscard]] constexpr Tag combining(std::uint8_t signature) const {
    return Tag({label_.tag, (label_.detail & ~signature_mask) | (signature & signature_mask)});
  }
  [[nodiscard]] constexpr Tag numbered(std::uint32_t sequence) const {
    return Tag(
        {(label_.tag & ~std::uint64_t{number_mask}) | (sequence & number_mask), label_.detail});
  }
  [[nodiscard]] constexpr transport::Label label() const { return label_; }
  [[nodiscard]] constexpr std::uint64_t group() const { return label_.tag >> number_bits; }
  [[nodiscard]] constexpr schedule::Operation operation() const {
    return static_cast<schedule::Operation>(label_.detail >> operation_at);
  }
  [[nodiscard]] constexpr int root() const {
    return static_cast<int>(label_.detail >> root_at & 0x3ff);
  }
  [[nodiscard]] constexpr Mode mode() const {
    return static_cast<Mode>(label_.detail >> mode_at & 1);
  }
  [[nodiscard]] constexpr std::uint8_t signature() const {
    return static_cast<std::uint8_t>(label_.detail & signature_mask);
  }
  [[nodiscard]] constexpr std::uint32_t number() const {
    return static_cast<std::uint32_t>(label_.tag) & number_mask;
  }
  // Returns how much later than operation `sequence` this one is in its group; negative if it is
  // earlier. Only the low bits of a number travel, so the nearest candidate counts.
  [[nodiscard]] constexpr std::int32_t later_than(std::uint32_t sequence) const {
    const std::uint32_t difference = (number() - sequence) & number_mask;
    return static_cast<std::int32_t>(difference << (32 - number_bits)) >> (32 - number_bits);
  }

 private:
  static constexpr std::uint32_t signature_mask = 0xff;
  static constexpr int mode_at = 8, root_at = mode_at + 1, operation_at = root_at + 10;
  static_assert(group::Members::id_bits + number_bits == 64);

  transport::Label label_;
};

// Returns a text such as "bcast (operation #7 of processes 0-3, root 2)". `number` is the whole
// number of the operation, of which the tag has only the low bits.
[[nodiscard]] std::string describe_operation(Tag tag, std::int64_t number, std::string_view group);

}  // namespace tutti::engine
