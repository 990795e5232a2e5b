// SPDX-License-Identifier: BSD-3-Clause
// Makes rankings and keeps them.
#include "selection/ranking.hpp"

#include <algorithm>
#include <utility>

namespace tutti::selection {

Ranking::Ranking(std::vector<Alternative> alternatives, const Rates& rates)
    : alternatives_(std::move(alternatives)) {
  std::vector<Terms> lines;
  lines.reserve(alternatives_.size());
  for (const Alternative& alternative : alternatives_) lines.push_back(alternative.terms);
  if (!lines.empty()) pieces_ = envelope(lines, rates);
}

const Alternative& Ranking::best(double bytes) const {
  const auto next =
      std::upper_bound(pieces_.begin(), pieces_.end(), bytes,
                       [](double n, const EnvelopePiece& piece) { return n < piece.from; });
  const auto piece = next == pieces_.begin() ? next : next - 1;
  return alternatives_[piece->line];
}

const Ranking& Rankings::of(const Question& question) {
  const auto found = known_.find(question);
  if (found != known_.end()) return found->second;
  std::vector<Alternative> eligible = alternatives(question, sharing_);
  std::erase_if(eligible, [&](const Alternative& a) { return !rejection(a, question).empty(); });
  leave_out_lower_bounds(eligible);
  return known_.emplace(question, Ranking(std::move(eligible), sharing_.rates)).first->second;
}

}  // namespace tutti::selection
