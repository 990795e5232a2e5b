// SPDX-License-Identifier: BSD-3-Clause
// Tests that a job socket has one maker at a time and leaves no file behind.
#include "launch/job_socket.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace tutti::launch {
namespace {

namespace fs = std::filesystem;

class JobSockets : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tutti-sockets-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder); }

  [[nodiscard]] bool has_files() const { return !fs::is_empty(folder / "tutti"); }

  fs::path folder;
};

TEST_F(JobSockets, LeaveNoFile) {
  auto made = JobSocket::open("m");
  ASSERT_TRUE(made);
  EXPECT_FALSE(JobSocket::open("m"));
  EXPECT_TRUE(has_files());
  made->remove();
  EXPECT_FALSE(has_files());
  made = JobSocket::open("m");
  ASSERT_TRUE(made);
  made->remove();
}

TEST_F(JobSockets, HaveOneMakerAtATimeWhileOthersAreRemoved) {
  constexpr int threads = 4, times = 300;
  std::atomic<int> makers{0}, made{0}, too_many{0};
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      for (int i = 0; i < times; ++i) {
        auto socket = JobSocket::open("m");
        if (!socket) continue;
        ++made;
        if (makers.fetch_add(1) != 0) ++too_many;
        makers.fetch_sub(1);
        socket->remove();
      }
    });
  for (std::thread& thread : all) thread.join();
  EXPECT_GT(made.load(), 0);
  EXPECT_EQ(too_many.load(), 0);
  EXPECT_FALSE(has_files());
}

// Runs `body` as an ordinary user, with an empty /tmp in which root has made the user's folder.
// Returns its exit code.
template <class Body>
int in_squatted_tmp(const Body& body) {
  constexpr int impossible = 77;
  constexpr uid_t user = 54321;
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string squatted = "/tmp/tutti-" + std::to_string(user);
    const bool done = ::unshare(CLONE_NEWNS) == 0 &&
                      ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                      ::mount("none", "/tmp", "tmpfs", 0, "mode=1777") == 0 &&
                      ::mkdir(squatted.c_str(), 0777) == 0 && ::setuid(user) == 0;
    ::unsetenv("XDG_RUNTIME_DIR");
    ::_exit(done ? body() : impossible);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Each number names the first expectation that did not hold.
int use_substitute() {
  if (job_socket_is_open("m")) return 1;
  auto made = JobSocket::open("m");
  if (!made) return 2;
  if (!made->path().starts_with("/tmp/tutti-54321-")) return 3;
  if (!job_socket_is_open("m")) return 4;
  if (JobSocket::open("m")) return 5;
  auto other = JobSocket::open("other");
  if (!other || fs::path(other->path()).parent_path() != job_socket_folder()) return 6;
  other->remove();
  made->remove();
  if (job_socket_is_open("m")) return 7;
  return JobSocket::open("m") ? 0 : 8;
}

TEST_F(JobSockets, HaveAnotherFolderWhereSomebodyElseHasMadeTheUsualOne) {
  const int code = in_squatted_tmp(use_substitute);
  if (code == 77) GTEST_SKIP() << "only root can make a /tmp of another user";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace tutti::launch
