// SPDX-License-Identifier: BSD-3-Clause
// Tests --bind on a machine that files describe as the kernel does: two sockets, each with a
// memory, two caches, and four cores of two threads, numbered as Intel's firmware does.
#include "run/binding.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/error.hpp"

namespace tutti::tools {
namespace {

namespace fs = std::filesystem;

using Bound = std::vector<std::vector<int>>;

constexpr int processors = 16;

// Processors n and n + 8 are threads of one core. Even cores are in socket 0; cores 0, 2 and 4, 6
// share a cache, and so on.
bool same_core(int a, int b) {
  return a % 8 == b % 8;
}
bool same_socket(int a, int b) {
  return a % 2 == b % 2;
}
bool same_cache(int a, int b) {
  return same_socket(a, b) && (a % 8) / 4 == (b % 8) / 4;
}

class BindingTest : public testing::Test {
 protected:
  BindingTest()
      : folder_(testing::TempDir() + "/tutti binding test " + std::to_string(::getpid())) {
    for (int number = 0; number < processors; ++number) write_processor(number);
    for (int node = 0; node < 2; ++node)
      write("node/node" + std::to_string(node) + "/cpulist", list(node, same_socket));
    write("node/has_cpu", "0-1");
    usable_.resize(processors);
    std::iota(usable_.begin(), usable_.end(), 0);
  }
  ~BindingTest() override { fs::remove_all(folder_); }

  [[nodiscard]] Bound bound(const std::string& what, int ranks) const {
    return bind_ranks(what, ranks, {folder_, usable_});
  }

  std::vector<int> usable_{};

 private:
  static std::string list(int number, bool (*same)(int, int)) {
    std::string text;
    for (int other = 0; other < processors; ++other) {
      if (same(number, other)) text += (text.empty() ? "" : ",") + std::to_string(other);
    }
    return text;
  }

  void write(const std::string& name, const std::string& text) const {
    const fs::path path = fs::path(folder_) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }

  void write_processor(int number) const {
    const std::string here = "cpu/cpu" + std::to_string(number);
    write(here + "/topology/thread_siblings_list", list(number, same_core));
    write(here + "/topology/core_siblings_list", list(number, same_socket));
    for (const auto& [index, level] : {std::pair("0", "1"), {"1", "1"}, {"2", "2"}}) {
      write(here + "/cache/index" + index + "/level", level);
      write(here + "/cache/index" + index + "/shared_cpu_list", list(number, same_core));
    }
    write(here + "/cache/index3/level", "3");
    write(here + "/cache/index3/shared_cpu_list", list(number, same_cache));
  }

  std::string folder_;
};

TEST_F(BindingTest, EachKindOfPart) {
  EXPECT_EQ(bound("none", 3), Bound());
  EXPECT_EQ(bound("thread", 3), (Bound{{0}, {8}, {2}}));
  EXPECT_EQ(bound("core", 5), (Bound{{0, 8}, {2, 10}, {4, 12}, {6, 14}, {1, 9}}));
  EXPECT_EQ(bound("l3", 4), (Bound{{0, 8, 2, 10}, {4, 12, 6, 14}, {1, 9, 3, 11}, {5, 13, 7, 15}}));
  const Bound sockets{{0, 8, 2, 10, 4, 12, 6, 14}, {1, 9, 3, 11, 5, 13, 7, 15}};
  EXPECT_EQ(bound("socket", 2), sockets);
  EXPECT_EQ(bound("numa", 2), sockets);
}

TEST_F(BindingTest, RanksBeyondTheLastPartStartAgain) {
  const Bound all = bound("core", 10);
  EXPECT_EQ(all[8], all[0]);
  EXPECT_EQ(all[9], all[1]);
}

TEST_F(BindingTest, OnlyProcessorsThatMayBeUsedCount) {
  usable_ = {3, 9, 11};
  EXPECT_EQ(bound("core", 3), (Bound{{9}, {3, 11}, {9}}));
  EXPECT_EQ(bound("socket", 2), (Bound{{9, 3, 11}, {9, 3, 11}}));
  EXPECT_EQ(bound("list:11,9", 3), (Bound{{11}, {9}, {11}}));
  EXPECT_THROW(static_cast<void>(bound("list:8-9", 1)), base::Error);
}

TEST_F(BindingTest, WithoutATableEachProcessorIsAPart) {
  const Processors unknown{"/nowhere", {0, 1, 5}};
  for (const char* what : {"thread", "core", "l3", "numa", "socket"})
    EXPECT_EQ(bind_ranks(what, 3, unknown), (Bound{{0}, {1}, {5}})) << what;
}

TEST_F(BindingTest, WrongLists) {
  for (const char* list : {"list:", "list:x", "list:3-", "list:-1", "list:3-1", "list:1--2",
                           "list:1,,2", "list:1 ", "list:99999999999", "list:0-15-", "cores"})
    EXPECT_THROW(static_cast<void>(bound(list, 1)), base::Error) << list;
}

}  // namespace
}  // namespace tutti::tools
