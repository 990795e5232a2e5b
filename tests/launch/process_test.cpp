// SPDX-License-Identifier: BSD-3-Clause
// Tests how the end of a process is found out: from the kernel if possible, else from the note that
// the process left.
#include "launch/process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "launch/refusal.hpp"

namespace tutti::launch {
namespace {

Ending ending_of_child(int code, int signal) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (signal != 0) ::raise(signal);
    ::_exit(code);
  }
  const Descriptor pidfd = open_pidfd(pid);
  pollfd readable{pidfd.get(), POLLIN, 0};
  ::poll(&readable, 1, 10'000);
  const Ending ending = ending_of(pidfd.get(), pid, 0);
  EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), -1) << "it was reaped";
  return ending;
}

TEST(Ending, OfAChild) {
  const Ending exited = ending_of_child(3, 0);
  EXPECT_EQ(exited.kind, EndingKind::exited);
  EXPECT_EQ(exited.value, 3);
  const Ending killed = ending_of_child(0, SIGKILL);
  EXPECT_EQ(killed.kind, EndingKind::signalled);
  EXPECT_EQ(killed.value, SIGKILL);
}

TEST(Ending, IsSeenBeforeItIsHandled) {
  const pid_t pid = ::fork();
  if (pid == 0) ::pause();
  EXPECT_EQ(peek_ending(-1, pid).kind, EndingKind::running);
  ::kill(pid, SIGKILL);
  const Descriptor pidfd = open_pidfd(pid);
  pollfd readable{pidfd.get(), POLLIN, 0};
  ::poll(&readable, 1, 10'000);
  for (const int by : {-1, pidfd.get(), -1}) {
    EXPECT_EQ(peek_ending(by, pid).kind, EndingKind::signalled);
    EXPECT_EQ(peek_ending(by, pid).value, SIGKILL);
  }
  EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), pid) << "it was reaped";
}

TEST(Ending, FromTheNoteWhenNobodyElseKnows) {
  const pid_t nobody = 0x7ffffff0;
  EXPECT_EQ(ending_of(-1, nobody, 4).kind, EndingKind::exited);
  EXPECT_EQ(ending_of(-1, nobody, 4).value, 3);
  EXPECT_EQ(ending_of(-1, nobody, 0).kind, EndingKind::unknown);
  EXPECT_FALSE(open_pidfd(nobody).valid());
}

TEST(Refusal, OfAForkNamesTheLimit) {
  const StartResult no_more{.error = EAGAIN};
  EXPECT_EQ(refusal_text(no_more, "./work", {}, " as rank 17"),
            "cannot start './work' as rank 17: Resource temporarily unavailable; this user or this "
            "container may have no more processes (ulimit -u, pids.max)");
}

// The process is a zombie and not our child, like a rank below a shell.
TEST(Ending, OfSomebodyElsesChild) {
  DescriptorPair pipe = pipe_pair();
  const pid_t parent = ::fork();
  if (parent == 0) {
    const pid_t child = ::fork();
    if (child == 0) ::pause();
    if (::write(pipe.second.get(), &child, sizeof child) != sizeof child) ::_exit(1);
    ::pause();  // without waiting for its child
  }
  pid_t grandchild = 0;
  ASSERT_EQ(::read(pipe.first.get(), &grandchild, sizeof grandchild),
            static_cast<ssize_t>(sizeof grandchild));
  const Descriptor pidfd = open_pidfd(grandchild);
  ::kill(grandchild, SIGUSR1);
  pollfd readable{pidfd.get(), POLLIN, 0};
  ::poll(&readable, 1, 10'000);
  const Ending ending = ending_of(pidfd.get(), grandchild, 0);
  EXPECT_EQ(ending.kind, EndingKind::signalled);
  EXPECT_EQ(ending.value, SIGUSR1);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
}

}  // namespace
}  // namespace tutti::launch
