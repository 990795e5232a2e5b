// SPDX-License-Identifier: BSD-3-Clause
// The common part of programs whose exchanges are transpositions of a square matrix.
#pragma once

#include "programs.hpp"
#include "rows.hpp"

namespace exchange {

template <class T>
class Transposing : public Program {
 public:
  Transposing(Exchange& exchange, std::size_t size) : rows_(size), transposer_(rows_, exchange) {}

  void exchange(int /*stage*/) final { transposer_.exchange(); }
  void pretend(int /*stage*/) final { transposer_.pretend(); }
  [[nodiscard]] Moved moved(int /*stage*/, int /*rank*/) final {
    return {transposer_.moved(), transposer_.moved()};
  }
  [[nodiscard]] double share(int /*stage*/, int rank) const final { return share_of(rows_, rank); }

 protected:
  Rows rows_;
  Transposer<T> transposer_;
};

}  // namespace exchange
