// SPDX-License-Identifier: BSD-3-Clause
// Tests receives from anybody.
#include <algorithm>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "extensions.hpp"

namespace conformance {
namespace {

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
        wait_in(Interface::c, grid, 'A');
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
  const Block<int> mine{1, 1, &x, 1, {}}, answer{1, 1, &go_on, 1, {}};
  const bool receives = grid.rank() == 0;
  if (!receives) Names<int>::send(Interface::c, grid.context, mine, {0, 0});
  wait_in(Interface::c, grid, 'A');
  std::vector<int> served(static_cast<std::size_t>(grid.size()));
  for (int k = 0; receives && k < turns * (grid.size() - 1); ++k) {
    const Place from = Anybody<int>::receive(Way::c, grid.context, mine);
    const int rank = rank_of(grid, from);
    go_on = ++served[static_cast<std::size_t>(rank)] < turns ? 1 : 0;
    Names<int>::send(Interface::c, grid.context, answer, from);
    const auto [least, most] = std::minmax_element(served.begin() + 1, served.end());
    if (launcher == Launcher::tutti && k == grid.size() - 2)
      tally.check(*least == 1 && *most == 1, "each sender is served before one is served again");
    if (*most == turns) tally.check(*least > 0, "no sender starves");
  }
  while (!receives && go_on != 0) {
    Names<int>::receive(Interface::c, grid.context, answer, {0, 0});
    if (go_on != 0) Names<int>::send(Interface::c, grid.context, mine, {0, 0});
  }
  wait_in(Interface::c, grid, 'A');  // so that no message of the next part comes in between
}

}  // namespace

void anybody_cases(const Grid& grid, Launcher launcher, Tally& tally) {
  fan_ins<int>(grid, tally);
  fan_ins<float>(grid, tally);
  fan_ins<double>(grid, tally);
  fan_ins<std::complex<float>>(grid, tally);
  fan_ins<std::complex<double>>(grid, tally);
  if (grid.size() > 1) busy_senders(grid, launcher, tally);
  wait_in(Interface::fortran, grid, 'A');
}

}  // namespace conformance
