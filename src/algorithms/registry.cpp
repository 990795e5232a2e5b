// SPDX-License-Identifier: BSD-3-Clause
// The array of all generators, made from registry.def, and the search in it by operation and name.
#include "algorithms/registry.hpp"

#include <algorithm>
#include <array>

#include "algorithms/adopted.hpp"
#include "algorithms/families.hpp"
#include "algorithms/from_file.hpp"
#include "algorithms/known.hpp"
#include "algorithms/registered.hpp"

namespace tutti::algorithms {
namespace {

constexpr std::array built_in{
#define TUTTI_ALGORITHM(operation, name, family, proof) &operation##_##name,
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM
};

// The generators that are built in, and after them those that are registered while a program runs.
// The list has room for all of them, so its elements never move.
struct Known {
  std::array<const schedule::Generator*, built_in.size() + most_adopted> list{};
  std::size_t used = built_in.size();
  Known() { std::copy(built_in.begin(), built_in.end(), list.begin()); }
  [[nodiscard]] std::span<const schedule::Generator* const> all() const {
    return {list.data(), used};
  }
};

Known& known() {
  static Known kept;
  return kept;
}

// Removes the first word and the space behind it. Returns the word.
std::string_view take_word(std::string_view& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

}  // namespace

std::span<const schedule::Generator* const> all() {
  load_plugins();
  return known().all();
}

void make_known(const schedule::Generator& generator) {
  Known& kept = known();
  kept.list.at(kept.used) = &generator;
  ++kept.used;
}

const schedule::Generator* known_as(schedule::Operation operation, std::string_view name) {
  for (const schedule::Generator* generator : known().all()) {
    if (generator->operation != operation) continue;
    if (generator->name == name || is_word_of(name, generator->aliases)) return generator;
  }
  return nullptr;
}

std::vector<std::string_view> words_of(std::string_view words) {
  std::vector<std::string_view> list;
  while (!words.empty()) list.push_back(take_word(words));
  return list;
}

bool is_word_of(std::string_view name, std::string_view words) {
  while (!words.empty()) {
    if (take_word(words) == name) return true;
  }
  return false;
}

std::string_view name_in(std::string_view plan) {
  return names_file(plan) ? plan : plan.substr(0, plan.find(':'));
}

std::string_view settings_in(std::string_view plan) {
  const std::size_t name = name_in(plan).size();
  return plan.substr(std::min(name + 1, plan.size()));
}

const schedule::Generator* find(schedule::Operation operation, std::string_view name) {
  if (names_file(name)) return from_file(operation, name);
  load_plugins();
  return known_as(operation, name);
}

}  // namespace tutti::algorithms
