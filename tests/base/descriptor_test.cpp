// SPDX-License-Identifier: BSD-3-Clause
// Tests that descriptors are never below 3, and that files in shared folders are this user's own.
#include "base/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/input_file.hpp"

namespace tutti::base {
namespace {

// Runs a check in a child whose descriptors `closed` are closed. Returns the check's result.
template <class Check>
int in_child(const std::string& closed, const Check& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const char digit : closed) ::close(digit - '0');
    ::_exit(check() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

bool closes_on_exec(int number) {
  return (::fcntl(number, F_GETFD) & FD_CLOEXEC) != 0;
}

class Closed : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Descriptors, Closed,
                         testing::Values("", "0", "1", "2", "01", "02", "12", "012"));

TEST_P(Closed, WhatIsOpenedIsAtThreeOrAbove) {
  EXPECT_EQ(in_child(GetParam(),
                     [] {
                       const int file = raised(::open("/dev/null", O_RDONLY | O_CLOEXEC));
                       int ends[2];
                       const bool pair = ::pipe2(ends, O_CLOEXEC) == 0 && raise_both(ends);
                       return file > 2 && closes_on_exec(file) && pair && ends[0] > 2 &&
                              ends[1] > 2 && closes_on_exec(ends[1]);
                     }),
            0);
}

TEST_P(Closed, WhatIsMissingIsOpenButUnusable) {
  const std::string closed = GetParam();
  EXPECT_EQ(in_child(closed,
                     [&] {
                       open_missing_stdio();
                       bool good = ::open("/dev/null", O_RDONLY) > 2;
                       for (const char digit : closed) {
                         char byte = 0;
                         const int number = digit - '0';
                         good = good && (number == 0 ? ::read(number, &byte, 1) < 0
                                                     : ::write(number, &byte, 1) < 0);
                         good = good && errno == EBADF;
                       }
                       return good;
                     }),
            0);
}

TEST_P(Closed, FilesAreRead) {
  EXPECT_EQ(in_child(GetParam(),
                     [] {
                       InputFile file("/proc/self/stat");
                       int pid = 0;
                       return (file >> pid) && pid == ::getpid();
                     }),
            0);
}

TEST(Descriptors, AFailureKeepsItsReason) {
  errno = ENOENT;
  EXPECT_EQ(raised(-1), -1);
  EXPECT_EQ(errno, ENOENT);
  InputFile missing("/nowhere/at/all");
  EXPECT_FALSE(missing);
}

TEST(Descriptors, AllButSomeAreClosed) {
  EXPECT_EQ(in_child("",
                     [] {
                       const int first = ::fcntl(0, F_DUPFD, 10), kept = ::fcntl(0, F_DUPFD, 20);
                       const int last = ::fcntl(0, F_DUPFD, 30);
                       close_all_but({kept, -1, 1});
                       return ::fcntl(first, F_GETFD) < 0 && ::fcntl(last, F_GETFD) < 0 &&
                              ::fcntl(kept, F_GETFD) >= 0 && ::fcntl(1, F_GETFD) >= 0;
                     }),
            0);
}

class SharedFolder : public testing::Test {
 protected:
  SharedFolder() : folder_((std::filesystem::temp_directory_path() / "tutti-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) ADD_FAILURE();
  }
  ~SharedFolder() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string at(const char* name) const { return folder_ + "/" + name; }
  [[nodiscard]] static int opened(const std::string& path) {
    return open_in_shared_folder(path.c_str(), O_WRONLY | O_APPEND | O_CREAT);
  }
  static void expect_refused(const std::string& path) {
    EXPECT_EQ(opened(path), -1);
    EXPECT_EQ(errno, EACCES);
  }

 private:
  std::string folder_;
};

TEST_F(SharedFolder, ANewFileIsThisUsersAlone) {
  const Descriptor made(opened(at("log")));
  ASSERT_TRUE(made.valid());
  struct stat status {};
  ASSERT_EQ(::fstat(made.get(), &status), 0);
  EXPECT_EQ(status.st_mode & 0077, 0U);
  EXPECT_TRUE(closes_on_exec(made.get()));
  EXPECT_EQ(::fcntl(made.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_TRUE(Descriptor(opened(at("log"))).valid());
}

TEST_F(SharedFolder, AQueueIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(at("log").c_str(), 0666), 0);
  expect_refused(at("log"));
  const Descriptor reader(::open(at("log").c_str(), O_RDONLY | O_NONBLOCK));
  expect_refused(at("log"));
}

TEST_F(SharedFolder, ALinkIsRefused) {
  std::ofstream(at("secret")) << "text";
  std::filesystem::create_symlink(at("secret"), at("log"));
  expect_refused(at("log"));
  std::filesystem::create_hard_link(at("secret"), at("other"));
  expect_refused(at("other"));
}

TEST_F(SharedFolder, AFolderIsRefused) {
  std::filesystem::create_directory(at("log"));
  expect_refused(at("log"));
}

TEST_F(SharedFolder, AFileOfAnotherUserIsRefused) {
  std::ofstream(at("log")) << "text";
  if (::chown(at("log").c_str(), 12345, -1U) != 0) GTEST_SKIP() << "only root gives files away";
  std::filesystem::permissions(at("log"), std::filesystem::perms::all);
  expect_refused(at("log"));
}

TEST_F(SharedFolder, AMissingFolderIsNoRefusal) {
  EXPECT_EQ(opened(at("nowhere/log")), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace tutti::base
