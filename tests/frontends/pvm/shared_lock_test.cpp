// SPDX-License-Identifier: BSD-3-Clause
// Tests the lock of PVM's shared records. It excludes other processes, and a process that was
// killed while it made the lock blocks none.
#include "shared_lock.hpp"

#include <gtest/gtest.h>
#include <tutti/tutti_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace tutti::pvm {
namespace {

// Memory of a lock: it begins with the given word and is zero otherwise, like a new record.
struct Memory {
  alignas(SharedLock) std::array<std::byte, sizeof(SharedLock)> bytes{};

  explicit Memory(std::uint32_t state) { std::memcpy(bytes.data(), &state, sizeof state); }
  SharedLock& lock() { return *reinterpret_cast<SharedLock*>(bytes.data()); }
};

void expect_exclusion(SharedLock& lock) {
  constexpr int threads = 4, times = 2000;
  int count = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      for (int i = 0; i < times; ++i) {
        const std::lock_guard hold(lock);
        ++count;
      }
    });
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(count, threads * times);
}

class SharedLocks : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(tutti_init(), TUTTI_OK); }
  static void TearDownTestSuite() { EXPECT_EQ(tutti_finalize(), TUTTI_OK); }
};

TEST_F(SharedLocks, AreMadeByTheFirstToCome) {
  Memory memory(0);
  expect_exclusion(memory.lock());
}

TEST_F(SharedLocks, WhoseMakerIsGoneAreMadeByAnother) {
  constexpr int nobody = 700;
  ASSERT_EQ(tutti_present(nobody), 0);
  Memory memory(SharedLock::made_by(nobody));
  memory.lock().lock();
  memory.lock().unlock();
  expect_exclusion(memory.lock());
}

}  // namespace
}  // namespace tutti::pvm
