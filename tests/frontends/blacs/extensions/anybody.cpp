// SPDX-License-Identifier: BSD-3-Clause
// Tests receives from anybody: by the C name, by the same name in Fortran, and in Fortran by
// RSRC = -1.
#include <algorithm>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "extensions.hpp"

namespace conformance {
namespace {

enum class Way { c, fortran, minus_one };
constexpr Way ways[] = {Way::c, Way::fortran, Way::minus_one};
char all[] = "All";

}  // namespace

template <class T>
struct Anybody;

}  // namespace conformance

// Anybody<T>::receive() receives from anybody and returns who has sent.
#define TUTTI_ANYBODY(v, T, S)                                                                  \
  extern "C" {                                                                                  \
  void v##gera2d_(const int*, const int*, const int*, S*, const int*, int*, int*);              \
  void v##trra2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*, \
                  int*, int*, std::size_t, std::size_t);                                        \
  }                                                                                             \
  namespace conformance {                                                                       \
  template <>                                                                                   \
  struct Anybody<T> {                                                                           \
    static Place receive(Way way, int c, const Block<T>& b) {                                   \
      Place from{-1, -5};                                                                       \
      S* const a = Names<T>::raw(b.a);                                                          \
      char u[] = {b.shape.uplo, 0}, d[] = {b.shape.diag, 0};                                    \
      const bool general = b.shape.uplo == 0;                                                   \
      if (way == Way::c && general) {                                                           \
        C##v##gera2d(c, b.m, b.n, a, b.lda, &from.row, &from.column);                           \
      } else if (way == Way::c) {                                                               \
        C##v##trra2d(c, u, d, b.m, b.n, a, b.lda, &from.row, &from.column);                     \
      } else if (way == Way::fortran && general) {                                              \
        v##gera2d_(&c, &b.m, &b.n, a, &b.lda, &from.row, &from.column);                         \
      } else if (way == Way::fortran) {                                                         \
        v##trra2d_(&c, u, d, &b.m, &b.n, a, &b.lda, &from.row, &from.column, 1, 1);             \
      } else if (general) {                                                                     \
        v##gerv2d_(&c, &b.m, &b.n, a, &b.lda, &from.row, &from.column);                         \
      } else {                                                                                  \
        v##trrv2d_(&c, u, d, &b.m, &b.n, a, &b.lda, &from.row, &from.column, 1, 1);             \
      }                                                                                         \
      return from;                                                                              \
    }                                                                                           \
  };                                                                                            \
  }

TUTTI_FOR_EACH_TYPE(TUTTI_ANYBODY)

namespace conformance {
namespace {

// Returns the rank of a place; -1 if it is outside of the grid.
int rank_of(const Grid& grid, Place at) {
  const bool inside =
      at.row >= 0 && at.row < grid.rows && at.column >= 0 && at.column < grid.columns;
  return inside ? at.row * grid.columns + at.column : -1;
}

struct Fan {
  Size size;
  Uplo shape;
  Way way;
};

// All processes, the receiver too, send three messages each. Those of one sender must come in their
// order, whatever the order of the senders.
template <class T>
void fan_in(const Grid& grid, const Fan& fan, Tally& tally) {
  constexpr int messages = 3;
  const int receiver = grid.size() - 1;
  const auto [m, n] = fan.size;
  for (int k = 0; k < messages; ++k) {
    Array<T> a(m, n, m + 2);
    a.fill(static_cast<std::uint64_t>(k), grid.rank());
    Names<T>::send(Interface::c, grid.context, a.block(fan.shape), place_of(grid, receiver));
  }
  if (grid.rank() != receiver) return;
  std::vector<std::uint64_t> taken(static_cast<std::size_t>(grid.size()));
  bool right = true;
  for (int k = 0; k < messages * grid.size(); ++k) {
    Array<T> a(m, n, m + 1);
    const int from = rank_of(grid, Anybody<T>::receive(fan.way, grid.context, a.block(fan.shape)));
    right = right && from >= 0 &&
            a.holds(contents<T>(taken[static_cast<std::size_t>(from)]++, from, m, n, fan.shape),
                    fan.shape);
    if (from < 0) break;
  }
  for (const std::uint64_t count : taken) right = right && count == messages;
  tally.check(right, std::string("fan-in of type ") + Names<T>::letter);
}

template <class T>
void fan_ins(const Grid& grid, Tally& tally) {
  for (const Size size : {Size{0, 3}, Size{1, 1}, Size{3, 4}, Size{300, 90}}) {
    for (const Uplo shape : {Uplo{0, 'N'}, Uplo{'U', 'N'}, Uplo{'L', 'U'}}) {
      for (const Way way : ways) {
        // A message that waits for the next round would be taken in this one.
        fan_in<T>(grid, {size, shape, way}, tally);
        Cblacs_barrier(grid.context, all);
      }
    }
  }
}

// A process that sends again whenever its message was taken must not keep the others waiting. The
// answer to each message says whether its sender shall go on. In shared memory all first messages
// are there after the barrier, so the first receives take one from each sender.
void busy_senders(const Grid& grid, Launcher launcher, Tally& tally) {
  constexpr int turns = 50;
  int x = grid.rank(), go_on = 1;
  const bool receives = grid.rank() == 0;
  if (!receives) Cigesd2d(grid.context, 1, 1, &x, 1, 0, 0);
  Cblacs_barrier(grid.context, all);
  std::vector<int> served(static_cast<std::size_t>(grid.size()));
  for (int k = 0; receives && k < turns * (grid.size() - 1); ++k) {
    Place from{};
    Cigera2d(grid.context, 1, 1, &x, 1, &from.row, &from.column);
    const int rank = rank_of(grid, from);
    go_on = ++served[static_cast<std::size_t>(rank)] < turns ? 1 : 0;
    Cigesd2d(grid.context, 1, 1, &go_on, 1, from.row, from.column);
    const auto [least, most] = std::minmax_element(served.begin() + 1, served.end());
    if (launcher == Launcher::tutti && k == grid.size() - 2)
      tally.check(*least == 1 && *most == 1, "each sender is served before one is served again");
    if (*most == turns) tally.check(*least > 0, "no sender starves");
  }
  while (!receives && go_on != 0) {
    Cigerv2d(grid.context, 1, 1, &go_on, 1, 0, 0);
    if (go_on != 0) Cigesd2d(grid.context, 1, 1, &x, 1, 0, 0);
  }
  Cblacs_barrier(grid.context, all);  // so that no message of the next part comes in between
}

// Each context has messages of its own, and a named receive takes what a receive from anybody has
// left.
void contexts(const Grid& grid, Tally& tally) {
  const Grid other = make_grid({grid.columns, grid.rows}, 'C');
  const int next = (grid.rank() + 1) % grid.size();
  const int previous = (grid.rank() + grid.size() - 1) % grid.size();
  const auto send = [](const Grid& in, int to, int value) {
    const Place place = place_of(in, to);
    Cigesd2d(in.context, 1, 1, &value, 1, place.row, place.column);
  };
  const int other_next = (other.rank() + 1) % other.size();
  const int other_previous = (other.rank() + other.size() - 1) % other.size();
  send(other, other_next, 1);
  for (const int value : {2, 3}) send(grid, next, value);
  send(other, other_next, 4);
  int value = 0;
  const auto take = [&value](const Grid& in) {
    Place from{};
    Cigera2d(in.context, 1, 1, &value, 1, &from.row, &from.column);
    return rank_of(in, from);
  };
  bool right = take(grid) == previous && value == 2;
  const Place named = place_of(grid, previous);
  Cigerv2d(grid.context, 1, 1, &value, 1, named.row, named.column);
  right = right && value == 3;
  right = take(other) == other_previous && value == 1 && right;
  right = take(other) == other_previous && value == 4 && right;
  tally.check(right, "messages of two contexts");
  end_grid(other);
}

}  // namespace

void anybody_cases(const Grid& grid, Launcher launcher, Tally& tally) {
  fan_ins<int>(grid, tally);
  fan_ins<float>(grid, tally);
  fan_ins<double>(grid, tally);
  fan_ins<std::complex<float>>(grid, tally);
  fan_ins<std::complex<double>>(grid, tally);
  if (grid.size() > 1) busy_senders(grid, launcher, tally);
  contexts(grid, tally);
  Cblacs_barrier(grid.context, all);
}

}  // namespace conformance
