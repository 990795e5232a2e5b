// SPDX-License-Identifier: BSD-3-Clause
// Tests that a job socket has one maker at a time and leaves no file behind.
#include "launch/job_socket.hpp"

#include <gtest/gtest.h>
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

}  // namespace
}  // namespace tutti::launch
