// SPDX-License-Identifier: BSD-3-Clause
// Tests that a job socket has one maker at a time and leaves no file behind.
#include "launch/rendezvous.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "launch/socket_folder.hpp"

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
  auto made = Rendezvous::open("m");
  ASSERT_TRUE(made);
  EXPECT_FALSE(Rendezvous::open("m"));
  EXPECT_TRUE(has_files());
  made->remove();
  EXPECT_FALSE(has_files());
  made = Rendezvous::open("m");
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
        auto socket = Rendezvous::open("m");
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

bool is_running(const char* name) {
  return Rendezvous::connect(name).valid();
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
  if (is_running("m")) return 1;
  auto made = Rendezvous::open("m");
  if (!made) return 2;
  if (!made->path().starts_with("/tmp/tutti-54321-")) return 3;
  if (!is_running("m")) return 4;
  if (Rendezvous::open("m")) return 5;
  auto other = Rendezvous::open("other");
  if (!other || fs::path(other->path()).parent_path() != job_socket_folder()) return 6;
  other->remove();
  made->remove();
  if (is_running("m")) return 7;
  return Rendezvous::open("m") ? 0 : 8;
}

struct Barrier {
  std::atomic<int> waiting{0};
};

// Makes a job socket when all makers have come, and writes its folder.
[[noreturn]] void make_and_answer(int maker, int makers, Barrier& barrier, int answers) {
  barrier.waiting.fetch_add(1);
  while (barrier.waiting.load() < makers) ::sched_yield();
  auto made = Rendezvous::open("m" + std::to_string(maker));
  std::array<char, 64> folder{};
  if (made) {
    fs::path(made->path()).parent_path().string().copy(folder.data(), folder.size() - 1);
    made->remove();
  }
  static_cast<void>(!::write(answers, folder.data(), folder.size()));
  ::_exit(0);
}

// Returns the folders that processes use which make the substitute at the same time.
std::set<std::string> folders_of_makers() {
  constexpr int makers = 4;
  void* const shared =
      ::mmap(nullptr, sizeof(Barrier), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& barrier = *new (shared) Barrier;
  int answers[2];
  if (::pipe(answers) != 0) return {};
  for (int maker = 0; maker < makers; ++maker)
    if (::fork() == 0) make_and_answer(maker, makers, barrier, answers[1]);
  ::close(answers[1]);
  std::set<std::string> folders;
  std::array<char, 64> folder{};
  while (::read(answers[0], folder.data(), folder.size()) == static_cast<ssize_t>(folder.size()))
    folders.insert(folder.data());
  ::close(answers[0]);
  ::munmap(shared, sizeof(Barrier));
  while (::wait(nullptr) > 0) continue;
  return folders;
}

// Another process was killed before it had chosen its folder.
int agree_on_substitute() {
  for (int round = 0; round < 60; ++round) {
    if (::mkdir("/tmp/tutti-54321-0000000000000000", 0400) != 0) return 1;
    const std::set<std::string> folders = folders_of_makers();
    if (folders != std::set<std::string>{job_socket_folder()}) return 2;
    if (::rmdir(job_socket_folder().c_str()) != 0) return 3;
  }
  return 0;
}

TEST_F(JobSockets, HaveOneFolderForAllMakersOfASubstitute) {
  const int code = in_squatted_tmp(agree_on_substitute);
  if (code == 77) GTEST_SKIP() << "only root can make a /tmp of another user";
  EXPECT_EQ(code, 0);
}

TEST_F(JobSockets, HaveAnotherFolderWhereSomebodyElseHasMadeTheUsualOne) {
  const int code = in_squatted_tmp(use_substitute);
  if (code == 77) GTEST_SKIP() << "only root can make a /tmp of another user";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace tutti::launch
