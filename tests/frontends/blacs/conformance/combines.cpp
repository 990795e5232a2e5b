// SPDX-License-Identifier: BSD-3-Clause
// Tests sum, amx and amn in every scope and topology, to every destination and to all, with and
// without locations.
#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "harness.hpp"

namespace conformance {
namespace {

struct Case {
  Op op;
  How how;
  int to;  // rank in the scope, -1 = all
  Size size;
  bool padded;
  Interface by;
  std::uint64_t seed;
};

// Returns the members of this process's scope as ranks of the grid.
std::vector<int> members_of(const Grid& grid, char scope) {
  std::vector<int> members;
  for (int r = 0; r < grid.size(); ++r) {
    const bool in = scope == 'A' ||
                    (scope == 'R' ? r / grid.columns == grid.row : r % grid.columns == grid.column);
    if (in) members.push_back(r);
  }
  return members;
}

template <class T>
struct Winner {
  T value;
  int grid_rank;
};

// Returns element (i, j) of the result by the definition.
template <class T>
Winner<T> expected(const Case& c, const std::vector<int>& members, int i, int j) {
  const int p = static_cast<int>(members.size());
  Winner<T> best{Make<T>::value(c.seed, members[0], i, j), members[0]};
  if (c.op == Op::sum) {
    for (int r = 1; r < p; ++r)
      best.value += Make<T>::value(c.seed, members[static_cast<std::size_t>(r)], i, j);
    return best;
  }
  const bool want_large = c.op == Op::largest || c.op == Op::largest_value;
  const bool by_distance = c.op == Op::largest || c.op == Op::smallest;
  for (int step = 0; step < p; ++step) {
    // Members are visited in order of distance from the destination, so the first of equal ones is
    // the nearest.
    const int grid_rank = members[static_cast<std::size_t>((std::max(c.to, 0) + step) % p)];
    const T value = Make<T>::value(c.seed, grid_rank, i, j);
    const double difference = Make<T>::magnitude(value) - Make<T>::magnitude(best.value);
    const bool wins = want_large ? difference > 0 : difference < 0;
    const bool ties_better = difference == 0 && !by_distance && Make<T>::less(best.value, value);
    if (step == 0 || wins || ties_better) best = {value, grid_rank};
  }
  return best;
}

template <class T>
void call(const Grid& grid, const Case& c, const Block<T>& block, const Locations& found,
          Place to) {
  const Locations none{nullptr, nullptr, -1};
  switch (c.op) {
    case Op::sum:
      return Names<T>::sum(c.by, grid.context, c.how, block, to);
    case Op::largest:
      return Names<T>::largest(c.by, grid.context, c.how, block, found, to);
    case Op::smallest:
      return Names<T>::smallest(c.by, grid.context, c.how, block, found, to);
    case Op::largest_value:
      return Names<T>::largest(c.by, grid.context, c.how, block, none, to);
    case Op::smallest_value:
      return Names<T>::smallest(c.by, grid.context, c.how, block, none, to);
  }
}

Place place_of(const Grid& grid, const Case& c, const std::vector<int>& members) {
  if (c.to < 0) return {-1, -1};
  const int rank = members[static_cast<std::size_t>(c.to)];
  return {rank / grid.columns, rank % grid.columns};
}

std::string describe(char letter, const Case& c) {
  static const char* const names[] = {"sum", "amx", "amn", "amx without location",
                                      "amn without location"};
  return std::string(1, letter) + " " + names[static_cast<int>(c.op)] + " scope " + c.how.scope +
         " top '" + c.how.top + "' to " + std::to_string(c.to) + " " + std::to_string(c.size.m) +
         "x" + std::to_string(c.size.n) + (c.padded ? " padded" : "");
}

template <class T>
void combine_case(const Grid& grid, const Case& c, const std::vector<int>& members, Tally& tally) {
  const auto [m, n] = c.size;
  const int pad = c.padded ? 2 : 0;
  Array<T> a(m, n, std::max(1, m) + pad);
  const int location_lda = std::max(1, m) + (c.seed % 2 != 0 ? 3 : 0);
  Array<int> rows(m, n, location_lda), columns(m, n, location_lda);
  a.fill(c.seed, grid.rank());
  const Block<int> rows_block = rows.block();
  call<T>(grid, c, a.block(), {rows_block.a, columns.block().a, rows_block.lda},
          place_of(grid, c, members));
  bool good = a.padding_untouched() && rows.padding_untouched() && columns.padding_untouched();
  const bool has_result = c.to < 0 || members[static_cast<std::size_t>(c.to)] == grid.rank();
  const bool located = c.op == Op::largest || c.op == Op::smallest;
  for (int j = 0; has_result && j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const Winner<T> winner = expected<T>(c, members, i, j);
      good = good && a.at(i, j) == winner.value;
      if (!located) continue;
      good = good && rows.at(i, j) == winner.grid_rank / grid.columns &&
             columns.at(i, j) == winner.grid_rank % grid.columns;
    }
  }
  tally.check(good, describe(Names<T>::letter, c));
}

template <class T>
void combines_of(const Grid& grid, Sampler& sampler, Tally& tally) {
  for (const char scope : scopes) {
    const std::vector<int> members = members_of(grid, scope);
    for (const char top : combine_topologies) {
      for (int to = -1; to < static_cast<int>(members.size()); ++to) {
        for (const Op op : ops) {
          for (const Size size : sizes) {
            for (const bool padded : {false, true}) {
              if (!sampler.next()) continue;
              const std::uint64_t bits = sampler.bits();
              const Interface by = (bits & 1) != 0 ? Interface::c : Interface::fortran;
              combine_case<T>(grid, {op, {scope, top}, to, size, padded, by, bits >> 8}, members,
                              tally);
            }
          }
        }
      }
    }
  }
}

// The matrices are longer than any packet, so that they are combined in parts.
template <class T>
void long_combines_of(const Grid& grid, Tally& tally) {
  const std::vector<int> members = members_of(grid, 'A');
  std::uint64_t seed = 0;
  for (const char top : long_combine_topologies) {
    for (const int to : {-1, static_cast<int>(members.size()) - 1}) {
      for (const Op op : ops) {
        for (const bool padded : {false, true}) {
          combine_case<T>(grid, {op, {'A', top}, to, {2003, 9}, padded, Interface::c, ++seed},
                          members, tally);
        }
      }
    }
  }
}

}  // namespace

void combine_cases(const Grid& grid, Sampler& sampler, Tally& tally) {
  long_combines_of<int>(grid, tally);
  long_combines_of<double>(grid, tally);
  combines_of<int>(grid, sampler, tally);
  combines_of<float>(grid, sampler, tally);
  combines_of<double>(grid, sampler, tally);
  combines_of<std::complex<float>>(grid, sampler, tally);
  combines_of<std::complex<double>>(grid, sampler, tally);
}

}  // namespace conformance
