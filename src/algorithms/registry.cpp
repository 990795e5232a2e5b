// SPDX-License-Identifier: BSD-3-Clause
// The list of all generators.
#include "algorithms/registry.hpp"

#include <algorithm>
#include <array>

#include "algorithms/families.hpp"

namespace tutti::algorithms {
namespace {

constexpr std::array generators{
#define TUTTI_ALGORITHM(name) &name,
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM
};

}  // namespace

std::span<const schedule::Generator* const> all() {
  return generators;
}

bool is_word_of(std::string_view name, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == name) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

void append_words(std::string_view words, std::vector<std::string_view>& list) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    list.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

const schedule::Generator* find(schedule::Operation operation, std::string_view name) {
  for (const schedule::Generator* generator : generators) {
    if (generator->operation != operation) continue;
    if (generator->name == name || is_word_of(name, generator->aliases)) return generator;
  }
  return nullptr;
}

}  // namespace tutti::algorithms
