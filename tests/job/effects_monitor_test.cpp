// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about processes that an MPI has started: how often a failure monitor looks,
// and when a process says that it waits to join. The monitor is a child of the test, and so are
// its ranks.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "effects.hpp"
#include "fake_wire.hpp"
#include "launch/descriptor.hpp"
#include "launch/failure_monitor.hpp"
#include "transport/wire/job.hpp"

namespace tutti::test {
namespace {

using namespace launch;
using transport::shm::Endpoint;
using transport::shm::Presence;

enum class Rank { waits, exits };

// A child of the test. It is ended with this object.
class Child {
 public:
  template <class Body>
  explicit Child(const Body& body) : pid_(::fork()) {
    if (pid_ != 0) return;
    body();
    ::_exit(0);
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

// Shows a rank that waits for another one, and looks again and again.
void wait_for(Endpoint& own, int other) {
  own.state.wait_for[0].publish(static_cast<std::uint16_t>(other));
  own.state.wait_count.publish(1);
  own.state.waiting.publish(1);
  for (;;) {
    own.state.looks.add(1);
    ::usleep(2000);
  }
}

// Two ranks of a job, and their monitor.
class Watched {
 public:
  Watched(const Tuning& tuning, Rank second, bool whole, const Neighbours& neighbours)
      : mapping_(segment_of(2, tuning)),
        one_([&] { wait_for(mapping_.endpoint(0), 1); }),
        two_([&] {
          if (second == Rank::waits) wait_for(mapping_.endpoint(1), 0);
        }),
        monitor_([&] {
          for (int rank = 0; rank < 2; ++rank)
            mapping_.endpoint(rank).presence.publish(Presence::attached);
          ::dup2(said_.second.get(), STDERR_FILENO);
          Helper helper;
          be_failure_monitor({{{0, one_.pid(), &mapping_}, {1, two_.pid(), &mapping_}},
                              whole ? &mapping_ : nullptr,
                              life_.second.get(),
                              neighbours},
                             helper);
        }) {}
  // Returns whether the monitor says anything in that time.
  [[nodiscard]] bool speaks_within(int milliseconds) const {
    pollfd readable{said_.first.get(), POLLIN, 0};
    return ::poll(&readable, 1, milliseconds) > 0;
  }

 private:
  const Mapping mapping_;
  const DescriptorPair said_ = socket_pair(SOCK_STREAM), life_ = socket_pair(SOCK_STREAM);
  const Child one_, two_, monitor_;
};

constexpr int long_enough = 60'000, a_while = 1'500;
constexpr std::int64_t often = 1'000'000, seldom = 60'000'000'000;

TUNING_EFFECT(monitor_look) {
  EXPECT_TRUE(Watched(with(&Tuning::monitor_look, often), Rank::waits, true, {})
                  .speaks_within(long_enough));
  EXPECT_FALSE(
      Watched(with(&Tuning::monitor_look, seldom), Rank::waits, true, {}).speaks_within(a_while));
}

// The first rank waits for the second one, which has ended without leaving the job.
TUNING_EFFECT(monitor_close_look) {
  EXPECT_TRUE(Watched(with(&Tuning::monitor_close_look, often), Rank::exits, false, {})
                  .speaks_within(long_enough));
  EXPECT_FALSE(Watched(with(&Tuning::monitor_close_look, seldom), Rank::exits, false, {})
                   .speaks_within(a_while));
}

// The first rank waits for the second one, which another host has, too. Nobody can ask that host.
TUNING_EFFECT(host_look) {
  Neighbours neighbours{.own = 1};
  neighbours.others.push_back({0, "elsewhere", 0, {}, {1}});
  const Tuning short_silence = with(&Tuning::silence, 20'000'000);
  EXPECT_TRUE(
      Watched(with(&Tuning::host_look, often, short_silence), Rank::waits, false, neighbours)
          .speaks_within(long_enough));
  EXPECT_FALSE(
      Watched(with(&Tuning::host_look, seldom, short_silence), Rank::waits, false, neighbours)
          .speaks_within(a_while));
}

int slow_open(int /*spare*/, tutti_wire_world* /*world*/) {
  ::usleep(300'000);
  return 1;
}

// Returns what a process says that takes 300 milliseconds to join.
std::string said_while_joining(const char* tuning) {
  const transport::wire::test::FakeWire wire(std::vector<int>{0});
  tutti_wire slow = wire.table();
  slow.open = slow_open;
  ::setenv("TUTTI_TUNING", tuning, 1);
  testing::internal::CaptureStderr();
  EXPECT_THROW(transport::wire::WireJob(slow, "", 0), base::Error);
  ::unsetenv("TUTTI_TUNING");
  return testing::internal::GetCapturedStderr();
}

TUNING_EFFECT(join_late) {
  EXPECT_NE(said_while_joining("join_late=10ms").find("has waited 0.01 s"), std::string::npos);
  EXPECT_EQ(said_while_joining("join_late=1000s"), "");
}

}  // namespace
}  // namespace tutti::test
