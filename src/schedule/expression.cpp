// SPDX-License-Identifier: BSD-3-Clause
// Stores expression trees and writes them as text.
#include "schedule/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tutti::schedule {

namespace {

// Mixes bits as the finaliser of splitmix64 does: every bit of the input reaches every bit of the
// output.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t Expressions::fingerprint(Value value) const {
  if (value == nothing) return 0;
  if (is_leaf(value)) return mixed(static_cast<std::uint64_t>(value) + 0x9e3779b97f4a7c15U);
  return fingerprints_[static_cast<std::size_t>(value - first_sum())];
}

std::size_t Expressions::place_of(Value left, Value right) const {
  const std::uint64_t key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
                            static_cast<std::uint32_t>(right);
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = mixed(key) & mask;
  while (slots_[place] != nothing && terms(slots_[place]) != std::pair{left, right})
    place = (place + 1) & mask;
  return place;
}

void Expressions::enlarge() {
  constexpr std::size_t fewest = 64;
  slots_.assign(std::max(fewest, 2 * slots_.size()), nothing);
  Value sum = first_sum();
  for (const auto& [left, right] : sums_) slots_[place_of(left, right)] = sum++;
}

Value Expressions::sum(Value left, Value right) {
  if (2 * sums_.size() >= slots_.size()) enlarge();
  Value& slot = slots_[place_of(left, right)];
  if (slot == nothing) {
    slot = first_sum() + static_cast<Value>(sums_.size());
    sums_.emplace_back(left, right);
    fingerprints_.push_back(mixed(3 * fingerprint(left) + fingerprint(right) + 1));
    leaf_counts_.push_back(std::min(most_leaves, leaf_count(left) + leaf_count(right)));
  }
  return slot;
}

Value Expressions::canonical(int count, int part) {
  const int cores = static_cast<int>(std::bit_floor(static_cast<unsigned>(count)));
  std::vector<Value> level;
  for (int rank = 0; rank < count; ++rank) {
    const bool pair = rank < 2 * (count - cores);
    level.push_back(pair ? sum(leaf(rank, part), leaf(rank + 1, part)) : leaf(rank, part));
    if (pair) ++rank;
  }
  while (level.size() > 1) {
    std::vector<Value> next;
    for (std::size_t i = 0; i < level.size(); i += 2) next.push_back(sum(level[i], level[i + 1]));
    level = std::move(next);
  }
  return level.front();
}

std::int64_t Expressions::leaf_count(Value value) const {
  if (value == nothing) return 0;
  return is_leaf(value) ? 1 : leaf_counts_[static_cast<std::size_t>(value - first_sum())];
}

std::vector<Value> Expressions::leaves(Value value) const {
  std::vector<Value> found, pending{value};
  while (!pending.empty()) {
    const Value top = pending.back();
    pending.pop_back();
    if (is_leaf(top)) {
      found.push_back(top);
    } else {
      pending.push_back(terms(top).second);
      pending.push_back(terms(top).first);
    }
  }
  return found;
}

void Expressions::append(std::string& text, Value value) const {
  constexpr std::size_t longest = 200;
  if (text.size() > longest) return;
  if (value == nothing) {
    text += "nothing";
  } else if (is_leaf(value)) {
    text += parts_ == 1 ? fmt::format("{}", rank_of(value))
                        : fmt::format("{}.{}", rank_of(value), part_of(value));
  } else {
    text += "(";
    append(text, terms(value).first);
    text += "+";
    append(text, terms(value).second);
    text += text.size() > longest ? "..." : ")";
  }
}

std::string Expressions::to_text(Value value) const {
  std::string text;
  append(text, value);
  return text;
}

}  // namespace tutti::schedule
