// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about silent hosts. Those about starting, watching and ending processes are
// in tests/launch/test_tuning.py.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "effects.hpp"
#include "launch/host_watch.hpp"

namespace tutti::test {
namespace {

using namespace launch;

// A socket of another machine's monitor, which is on this machine.
MonitorListener other_monitor() {
  MonitorListener listener = listen_for_monitors();
  EXPECT_TRUE(listener.socket.valid());
  return listener;
}

Neighbours one_other(const MonitorListener& there, int listener) {
  Neighbours neighbours{.own = 1, .listener = listener, .secret = {1, 2}};
  neighbours.others.push_back({0, "elsewhere", there.place.port, {htonl(INADDR_LOOPBACK)}, {1}});
  return neighbours;
}

// A rank of this machine that waits for rank 1, which is on the other one.
RankView waiting_rank(std::uint32_t looks) {
  RankView view;
  view.rank = 0;
  view.presence = transport::shm::Presence::attached;
  view.waiting = WaitState::for_all;
  view.wait_number = 1;
  view.looks = looks;
  view.wait_for = {1};
  view.wait_count = 1;
  return view;
}

// Returns whether a wait of a hundred milliseconds for a host that nobody can ask is spoken of.
bool tells_of_wait(const Tuning& tuning) {
  const MonitorListener nobody;
  HostWatch watch(one_other(nobody, -1), *silence_of(tuning), nullptr);
  bool told = false;
  for (std::uint32_t look = 0; look < 5; ++look) {
    told = told || !watch.look({waiting_rank(look)}).text.empty();
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  return told;
}

TUNING_EFFECT(silence) {
  EXPECT_TRUE(tells_of_wait(with(&Tuning::silence, 10'000'000)));
  EXPECT_FALSE(tells_of_wait(with(&Tuning::silence, 1'000'000'000'000)));
  EXPECT_FALSE(silence_of(with(&Tuning::silence, 0)));
}

TUNING_EFFECT(silence_ends) {
  EXPECT_FALSE(silence_of(with(&Tuning::silence_ends, 0))->ends);
  EXPECT_TRUE(silence_of(with(&Tuning::silence_ends, 1))->ends);
}

// Returns whether somebody connects to that socket.
bool is_called(const MonitorListener& listener, int milliseconds) {
  pollfd readable{listener.socket.get(), POLLIN, 0};
  return ::poll(&readable, 1, milliseconds) > 0;
}

// Returns whether the monitor of one machine connects to that of another one.
bool connects(const Tuning& tuning) {
  const MonitorListener there = other_monitor();
  const Neighbours neighbours = one_other(there, -1);
  HostLines lines(neighbours, *silence_of(tuning));
  for (int turn = 0; turn < 5; ++turn) {
    lines.work();
    if (is_called(there, 20)) return true;
  }
  return false;
}

TUNING_EFFECT(hosts_connect) {
  EXPECT_TRUE(connects(with(&Tuning::hosts_connect, 60'000'000'000)));
  EXPECT_FALSE(connects(with(&Tuning::hosts_connect, 0)));
}

// Returns whether the monitor of a machine still listens when there are so many others.
bool listens(std::size_t others, std::int64_t hosts_watched) {
  const MonitorListener here = other_monitor();
  Neighbours neighbours{.own = 0, .listener = ::dup(here.socket.get()), .secret = {1, 2}};
  for (std::size_t i = 0; i < others; ++i)
    neighbours.others.push_back({static_cast<int>(i) + 1, "elsewhere", 0, {}, {}});
  const HostLines lines(neighbours, *silence_of(with(&Tuning::hosts_watched, hosts_watched)));
  return ::fcntl(neighbours.listener, F_GETFD) >= 0;
}

TUNING_EFFECT(hosts_watched) {
  EXPECT_TRUE(listens(3, 4));
  EXPECT_FALSE(listens(4, 4));
  EXPECT_TRUE(listens(300, 301));
}

}  // namespace
}  // namespace tutti::test
