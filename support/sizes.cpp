// SPDX-License-Identifier: BSD-3-Clause
// Reads sizes, numbers and words.
#include "support/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/number.hpp"

namespace tutti::tools {
namespace {

constexpr int longest_list = 1 << 20;  // most numbers in a list

std::int64_t size_named(const std::string& text, const SizeRule& rule) {
  const auto bytes = base::parse_bytes(text);
  const std::int64_t least = rule.multiple == 1 ? 0 : rule.multiple;
  if (bytes && *bytes >= least && *bytes % rule.multiple == 0) return *bytes;
  if (rule.multiple == 1)
    base::fail(base::Status::invalid_argument, "{}: '{}' must be a size such as 8, 4K or 16M",
               rule.option, text);
  base::fail(base::Status::invalid_argument,
             "{}: '{}' must be a multiple of {} such as 8, 4K or 16M", rule.option, text,
             rule.multiple);
}

void add_range(std::vector<std::int64_t>& sizes, std::int64_t first, std::int64_t last,
               const SizeRule& rule) {
  if (first > last)
    base::fail(base::Status::invalid_argument, "{}: the range from {} to {} runs backwards",
               rule.option, first, last);
  for (std::int64_t size = first; size < last; size = size == 0 ? 1 : size * rule.factor)
    sizes.push_back(size);
  sizes.push_back(last);
}

std::optional<int> number_named(std::string_view text) {
  const auto value = base::number_in<int>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

}  // namespace

std::vector<std::int64_t> sizes_named(const std::string& text, const SizeRule& rule) {
  std::vector<std::int64_t> sizes;
  for (const std::string& word : words_of(text)) {
    const auto dots = word.find("..");
    const std::int64_t first = size_named(word.substr(0, dots), rule);
    add_range(sizes, first,
              dots == std::string::npos ? first : size_named(word.substr(dots + 2), rule), rule);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::optional<std::pair<int, int>> numbers_named(const std::string& text) {
  const std::size_t dots = text.find("..");
  const std::optional<int> first = number_named(std::string_view(text).substr(0, dots));
  const std::optional<int> last =
      dots == std::string::npos ? first : number_named(std::string_view(text).substr(dots + 2));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair{*first, *last};
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::optional<std::vector<int>> number_list(const std::string& text) {
  std::vector<int> numbers;
  for (const std::string& word : words_of(text)) {
    const auto range = numbers_named(word);
    if (!range || range->second - range->first > longest_list) return std::nullopt;
    for (int number = range->first; number <= range->second; ++number) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Extent Sizes::extent(std::size_t index, schedule::Operation operation, int p) const {
  const std::int64_t value = operation == schedule::Operation::barrier ? 0 : values.at(index);
  if (!is_cut_by_rank(operation)) return {value, value};
  if (of == Of::vector) return {value, (value + p - 1) / p};
  if (value > std::numeric_limits<std::int64_t>::max() / p)
    base::fail(base::Status::invalid_argument,
               "--block-bytes: {} blocks of {} bytes are too long a vector", p, value);
  return {value * p, value};
}

Extent equal_blocks(const Extent& extent, schedule::Operation operation, int p,
                    std::int64_t element) {
  const std::int64_t block = (extent.block + element - 1) / element * element;
  return {is_cut_by_rank(operation) ? block * p : block, block};
}

std::string size_text(std::int64_t bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return fmt::format("{}M", bytes >> 20);
  if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) return fmt::format("{}K", bytes >> 10);
  return fmt::format("{}", bytes);
}

std::string to_text(const Extent& extent) {
  if (extent.block == extent.bytes) return size_text(extent.bytes) + " bytes";
  return fmt::format("{} bytes, blocks of {}", size_text(extent.bytes), size_text(extent.block));
}

}  // namespace tutti::tools
