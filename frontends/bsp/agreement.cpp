// SPDX-License-Identifier: BSD-3-Clause
// Packs an agreement into a word, and describes a difference (agreement.hpp).
#include "agreement.hpp"

#include <fmt/format.h>

namespace tutti::bsp {
namespace {

constexpr unsigned tag_bits = 32;
constexpr unsigned change_bits = 28;
constexpr unsigned ending_bits = 3;

const char* name_of(SuperstepEnd ending) {
  switch (ending) {
    case SuperstepEnd::end:
      return "bsp_end";
    case SuperstepEnd::counts:
      return "bsp_sync_counts";
    case SuperstepEnd::neighbours:
      return "bsp_sync_neighbours";
    default:
      return "bsp_sync";
  }
}

}  // namespace

std::uint64_t Agreement::word() const {
  return std::uint64_t{sets_tag_size} << (tag_bits + change_bits + ending_bits) |
         static_cast<std::uint64_t>(ending) << (tag_bits + change_bits) | changes << tag_bits |
         tag_size;
}

Agreement Agreement::of(std::uint64_t word) {
  const auto low = [](std::uint64_t bits, unsigned count) {
    return bits & ((std::uint64_t{1} << count) - 1);
  };
  return {static_cast<SuperstepEnd>(low(word >> (tag_bits + change_bits), ending_bits)),
          low(word >> tag_bits, change_bits), low(word, tag_bits),
          word >> (tag_bits + change_bits + ending_bits) != 0};
}

std::string difference(int pid, const Agreement& mine, int other, const Agreement& theirs) {
  if (mine.ending != theirs.ending) {
    return fmt::format("process {} is in {}, process {} in {}", pid, name_of(mine.ending), other,
                       name_of(theirs.ending));
  }
  if (mine.changes != theirs.changes) {
    return fmt::format(
        "process {} called bsp_push_reg and bsp_pop_reg {} times in this superstep, process {} {} "
        "times",
        pid, mine.changes, other, theirs.changes);
  }
  if (mine.tag_size == theirs.tag_size) {
    return fmt::format("process {} called bsp_set_tagsize in this superstep, process {} did not",
                       mine.sets_tag_size ? pid : other, mine.sets_tag_size ? other : pid);
  }
  return fmt::format("process {} set a tag size of {} bytes, process {} one of {} bytes", pid,
                     mine.tag_size, other, theirs.tag_size);
}

}  // namespace tutti::bsp
