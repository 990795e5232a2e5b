// SPDX-License-Identifier: BSD-3-Clause
// The word that names an operation on the wire; the receiver compares it with its own. It contains
// what all ranks must agree on, so that the first message of a wrong call is recognised. Executors
// use it.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/generator.hpp"

namespace tutti::engine {

// How the caller takes part in an operation: it waits until the end, or does other things
// meanwhile. All ranks use the same mode.
enum class Mode : std::uint8_t { blocking, overlapping };

// Fields from the highest bit, with their widths: group 28, operation 4, root 10, mode 1, operator
// and element type 7, number of the operation in its group 14.
class Tag {
 public:
  static constexpr int number_bits = 14;
  static constexpr std::uint32_t number_mask = (1U << number_bits) - 1;

  constexpr explicit Tag(std::uint64_t word = 0) : word_(word) {}
  // Makes the tag of operation number 0, without an operator.
  constexpr Tag(std::uint32_t group, schedule::Operation operation, int root, Mode mode)
      : word_(std::uint64_t{group} << group_at |
              static_cast<std::uint64_t>(operation) << operation_at |
              static_cast<std::uint64_t>(root & 0x3ff) << root_at |
              static_cast<std::uint64_t>(mode) << mode_at) {}

  // Returns this tag with the operator that has this data::Operator::signature().
  [[nodiscard]] constexpr Tag combining(std::uint8_t signature) const {
    return Tag((word_ & ~(std::uint64_t{0x7f} << number_bits)) | std::uint64_t{signature}
                                                                     << number_bits);
  }
  [[nodiscard]] constexpr Tag numbered(std::uint32_t sequence) const {
    return Tag((word_ & ~std::uint64_t{number_mask}) | (sequence & number_mask));
  }
  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  [[nodiscard]] constexpr std::uint32_t group() const {
    return static_cast<std::uint32_t>(word_ >> group_at);
  }
  [[nodiscard]] constexpr schedule::Operation operation() const {
    return static_cast<schedule::Operation>(word_ >> operation_at & 0xf);
  }
  [[nodiscard]] constexpr int root() const { return static_cast<int>(word_ >> root_at & 0x3ff); }
  [[nodiscard]] constexpr Mode mode() const { return static_cast<Mode>(word_ >> mode_at & 1); }
  [[nodiscard]] constexpr std::uint8_t signature() const {
    return static_cast<std::uint8_t>(word_ >> number_bits & 0x7f);
  }
  [[nodiscard]] constexpr std::uint32_t number() const {
    return static_cast<std::uint32_t>(word_) & number_mask;
  }
  // Returns how much later than operation `sequence` this one is in its group; negative if it is
  // earlier. Only the low bits of a number travel, so the nearest candidate counts.
  [[nodiscard]] constexpr std::int32_t later_than(std::uint32_t sequence) const {
    const std::uint32_t difference = (static_cast<std::uint32_t>(word_) - sequence) & number_mask;
    return static_cast<std::int32_t>(difference << (32 - number_bits)) >> (32 - number_bits);
  }

 private:
  static constexpr int mode_at = number_bits + 7, root_at = mode_at + 1,
                       operation_at = root_at + 10, group_at = operation_at + 4;
  static_assert(group_at == 36);

  std::uint64_t word_;
};

// Returns a text such as "bcast (operation #7 of group 0c3f5e01, root 2, blocking)". `number` is
// the whole number of the operation, of which the tag has only the low bits.
[[nodiscard]] std::string describe_operation(Tag tag, std::int64_t number);

}  // namespace tutti::engine
