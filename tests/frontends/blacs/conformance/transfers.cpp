// SPDX-License-Identifier: BSD-3-Clause
// Tests messages between every pair of processes, and broadcasts from every root.
#include <string>

#include "arrays.hpp"
#include "harness.hpp"

namespace conformance {
namespace {

struct Case {
  Size size;
  Uplo shape;
  bool padded;      // the sender's leading dimension is larger than m; else the receiver's is
  bool transposed;  // m x n is received as n x m
  Interface by;
  std::uint64_t seed;

  [[nodiscard]] int sender_lda() const { return std::max(1, size.m) + (padded ? 3 : 0); }
  [[nodiscard]] Size received() const { return transposed ? Size{size.n, size.m} : size; }
  [[nodiscard]] int receiver_lda() const { return std::max(1, received().m) + (padded ? 0 : 2); }
};

// ScaLAPACK's BLACS 2.2.1 writes past a heap block for a lower trapezoid without columns
// (docs/measurements/blacs-baseline.md).
bool reference_breaks_on([[maybe_unused]] Size size, [[maybe_unused]] Uplo shape) {
#ifdef TUTTI_REFERENCE_BLACS
  return shape.uplo == 'L' && size.n == 0 && size.m > 0;
#else
  return false;
#endif
}

// Runs every combination of size, shape, padding and reshaping that the sampler takes.
template <class Run>
void for_each_case(Sampler& sampler, const Run& run) {
  for (const Size size : sizes) {
    for (const Uplo shape : shapes) {
      for (const bool padded : {false, true}) {
        for (const bool transposed : {false, true}) {
          if (transposed && shape.uplo != 0) continue;
          if (!sampler.next() || reference_breaks_on(size, shape)) continue;
          const std::uint64_t bits = sampler.bits();
          run(Case{size, shape, padded, transposed,
                   (bits & 1) != 0 ? Interface::c : Interface::fortran, bits >> 8});
        }
      }
    }
  }
}

std::string describe(char letter, const Case& c) {
  return std::string(1, letter) + (c.shape.uplo == 0 ? " general " : " trapezoid ") +
         std::to_string(c.size.m) + "x" + std::to_string(c.size.n) +
         (c.shape.uplo != 0 ? std::string(" ") + c.shape.uplo + c.shape.diag : "") +
         (c.padded ? " padded source" : " padded target") + (c.transposed ? " reshaped" : "");
}

template <class T>
void pair_cases(const Grid& grid, int from, int to, Sampler& sampler, Tally& tally) {
  for_each_case(sampler, [&](const Case& c) {
    if (grid.rank() == from) {
      Array<T> source(c.size.m, c.size.n, c.sender_lda());
      source.fill(c.seed, from);
      Names<T>::send(c.by, grid.context, source.block(c.shape),
                     {to / grid.columns, to % grid.columns});
    }
    if (grid.rank() == to) {
      Array<T> target(c.received().m, c.received().n, c.receiver_lda());
      Names<T>::receive(c.by, grid.context, target.block(c.shape),
                        {from / grid.columns, from % grid.columns});
      const bool good =
          target.holds(contents<T>(c.seed, from, c.size.m, c.size.n, c.shape), c.shape);
      tally.check(good, "send " + std::to_string(from) + " to " + std::to_string(to) + " " +
                            describe(Names<T>::letter, c));
    }
  });
}

struct Root {
  Place place;  // of the root of this process's scope
  bool is_me;
  int grid_rank;
};

Root root_of(const Grid& grid, char scope, int root) {
  Place place{root / grid.columns, root % grid.columns};
  if (scope == 'R') place = {grid.row, root};
  if (scope == 'C') place = {root, grid.column};
  return {place, place.row == grid.row && place.column == grid.column,
          place.row * grid.columns + place.column};
}

template <class T>
void broadcast_case(const Grid& grid, How how, const Root& root, const Case& c, Tally& tally) {
  if (root.is_me) {
    Array<T> source(c.size.m, c.size.n, c.sender_lda());
    source.fill(c.seed, root.grid_rank);
    Names<T>::broadcast(c.by, grid.context, how, source.block(c.shape));
    const bool kept = source.padding_untouched();
    return tally.check(kept, "padding of a broadcast's source " + describe(Names<T>::letter, c));
  }
  Array<T> target(c.received().m, c.received().n, c.receiver_lda());
  Names<T>::take(c.by, grid.context, how, target.block(c.shape), root.place);
  const bool good =
      target.holds(contents<T>(c.seed, root.grid_rank, c.size.m, c.size.n, c.shape), c.shape);
  tally.check(good, std::string("broadcast ") + how.scope + " top '" + how.top + "' from " +
                        std::to_string(root.grid_rank) + " " + describe(Names<T>::letter, c));
}

template <class T>
void transfers_of(const Grid& grid, Sampler& sampler, Tally& tally) {
  for (int from = 0; from < grid.size(); ++from) {
    for (int to = 0; to < grid.size(); ++to) pair_cases<T>(grid, from, to, sampler, tally);
  }
}

template <class T>
void broadcasts_of(const Grid& grid, Sampler& sampler, Tally& tally) {
  for (const char scope : scopes) {
    const int members = scope == 'R' ? grid.columns : scope == 'C' ? grid.rows : grid.size();
    for (const char top : broadcast_topologies) {
      for (int root = 0; root < members; ++root) {
        const Root r = root_of(grid, scope, root);
        for_each_case(sampler, [&](const Case& c) {
          broadcast_case<T>(grid, {scope, top}, r, c, tally);
        });
      }
    }
  }
}

}  // namespace

void transfer_cases(const Grid& grid, Sampler& sampler, Tally& tally) {
  transfers_of<int>(grid, sampler, tally);
  transfers_of<float>(grid, sampler, tally);
  transfers_of<double>(grid, sampler, tally);
  transfers_of<std::complex<float>>(grid, sampler, tally);
  transfers_of<std::complex<double>>(grid, sampler, tally);
}

void broadcast_cases(const Grid& grid, Sampler& sampler, Tally& tally) {
  broadcasts_of<int>(grid, sampler, tally);
  broadcasts_of<float>(grid, sampler, tally);
  broadcasts_of<double>(grid, sampler, tally);
  broadcasts_of<std::complex<float>>(grid, sampler, tally);
  broadcasts_of<std::complex<double>>(grid, sampler, tally);
}

}  // namespace conformance
