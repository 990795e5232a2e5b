// SPDX-License-Identifier: BSD-3-Clause
// Compares sets of terms by the sums of their numbers.
#include "draw/film_values.hpp"

#include <algorithm>
#include <random>

namespace tutti::draw {

using schedule::Operation;
using schedule::Value;

FilmValues::FilmValues(Operation operation, const schedule::Shape& shape, int parts,
                       const schedule::Expressions& expressions)
    : operation_(operation),
      p_(shape.p),
      root_(shape.root),
      parts_(parts),
      expressions_(expressions),
      first_ranks_(1),
      known_(1) {
  std::mt19937_64 random;  // begins alike in every run
  for (int rank = 0; rank < p_; ++rank) {
    numbers_.push_back(random());
    first_ranks_.push_back(first_ranks_.back() + numbers_.back());
  }
}

// A sum has a larger number than its two terms, so the terms are known before it.
FilmValues::Known& FilmValues::known(Value value) {
  for (Value each = static_cast<Value>(known_.size()); each <= value; ++each) {
    const auto terms = expressions_.terms_of(each);
    if (!terms) {
      const int rank = expressions_.rank_of(each);
      known_.push_back({numbers_[at(rank)], 1, rank, expressions_.part_of(each)});
      continue;
    }
    const Known &left = known_[at(terms->first)], &right = known_[at(terms->second)];
    // A wrong schedule may make sums with more terms than anybody counts.
    const int count = std::min(left.count + right.count, 1 << 29);
    known_.push_back(
        {left.terms + right.terms, count, std::min(left.first, right.first), left.part});
  }
  return known_[at(value)];
}

int FilmValues::content_of(Value value) {
  Known& one = known(value);
  if (one.content >= 0) return one.content;
  const auto [found, added] =
      indices_.try_emplace(std::pair(one.part, one.terms), static_cast<int>(contents_.size()));
  if (added) {
    contents_.push_back({one.part, one.count, one.first, value});
    terms_.push_back(one.terms);
  }
  return one.content = found->second;
}

bool FilmValues::wanted(int rank, int content) const {
  const Content& c = contents_[at(content)];
  const int own = std::max(1, parts_ / p_);
  const auto sum_of_first = [&](int count) {
    return terms_[at(content)] == first_ranks_[at(count)];
  };
  switch (operation_) {
    case Operation::barrier:
    case Operation::allgather:
      return true;
    case Operation::broadcast:
      return c.first == root_;
    case Operation::scatter:
    case Operation::alltoall:
      return c.part / own == rank;
    case Operation::gather:
      return rank == root_;
    case Operation::reduce:
      return rank == root_ && sum_of_first(p_);
    case Operation::allreduce:
      return sum_of_first(p_);
    case Operation::reduce_scatter:
      return c.part / own == rank && sum_of_first(p_);
    case Operation::scan:
      return sum_of_first(rank + 1);
    case Operation::exscan:
      return rank > 0 && sum_of_first(rank);
  }
  return false;
}

State FilmValues::state_of(int rank, int content) const {
  const Content& c = contents_[at(content)];
  if (wanted(rank, content)) return State::complete;
  if (c.terms == 1 && c.first == rank) return State::own;
  return combines(operation_) && c.terms < p_ ? State::partial : State::held;
}

}  // namespace tutti::draw
