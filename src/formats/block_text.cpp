// SPDX-License-Identifier: BSD-3-Clause
// Writes ranges of blocks and reads them.
#include "formats/block_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "schedule/printer.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Buffer;

// Takes words and numbers from the beginning of a text, as long as they are there.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  [[nodiscard]] bool take(int& number) { return !rest_.starts_with('-') && take_signed(number); }
  [[nodiscard]] bool take_signed(int& number) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool take_buffer(Words& words, Block& block) {
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
    block.buffer = buffer;
    if (words.take(schedule::to_text(buffer))) return true;
  }
  return false;
}

}  // namespace

std::string block_text(const Block& b) {
  std::string text = fmt::format("{}[{}", schedule::to_text(b.buffer), b.first);
  if (b.count != 1) text += fmt::format("..{}", b.first + b.count - 1);
  text += ']';
  if (b.times != 1 || b.stride != 0) text += fmt::format(" x {} by {}", b.times, b.stride);
  return text;
}

std::optional<Block> block_named(std::string_view text) {
  Words words(text);
  Block block;
  if (!take_buffer(words, block) || !words.take("[") || !words.take(block.first))
    return std::nullopt;
  int last = block.first;
  if (words.take("..") && !words.take(last)) return std::nullopt;
  if (last < block.first || last - block.first == std::numeric_limits<int>::max() ||
      !words.take("]"))
    return std::nullopt;
  block.count = last - block.first + 1;
  if (words.take(" x ") &&
      (!words.take(block.times) || !words.take(" by ") || !words.take_signed(block.stride)))
    return std::nullopt;
  return words.empty() ? std::optional(block) : std::nullopt;
}

}  // namespace tutti::formats
