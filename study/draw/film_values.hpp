// SPDX-License-Identifier: BSD-3-Clause
// Tells what the verifier's values are for a film: which terms they have, and whether they are what
// a rank wants in the end.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "draw/film.hpp"

namespace tutti::draw {

class FilmValues {
 public:
  FilmValues(schedule::Operation operation, const schedule::Shape& shape, int parts,
             const schedule::Expressions& expressions);

  // Returns the index of the content of a value. Sums of the same terms have the same content in
  // whatever order they were added.
  int content_of(schedule::Value value);
  [[nodiscard]] const Content& operator[](int content) const { return contents_[at(content)]; }
  [[nodiscard]] State state_of(int rank, int content) const;
  [[nodiscard]] std::vector<Content> take() { return std::move(contents_); }

 private:
  // `terms` is a sum of random numbers, one for each term. It tells sets of terms apart without a
  // list of them, which would have as many entries as there are ranks.
  struct Known {
    std::uint64_t terms = 0;
    int count = 0, first = 0, part = 0;
    int content = -1;  // its index, once that was asked for
  };
  [[nodiscard]] Known& known(schedule::Value value);
  [[nodiscard]] bool wanted(int rank, int content) const;

  schedule::Operation operation_;
  int p_, root_, parts_;
  const schedule::Expressions& expressions_;
  std::vector<std::uint64_t> numbers_;      // of the ranks
  std::vector<std::uint64_t> first_ranks_;  // sums of the numbers of ranks 0 to i-1
  std::vector<Known> known_;                // by value
  std::vector<Content> contents_;
  std::vector<std::uint64_t> terms_;                      // of each content
  std::map<std::pair<int, std::uint64_t>, int> indices_;  // of contents by part and terms
};

}  // namespace tutti::draw
