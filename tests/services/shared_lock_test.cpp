// SPDX-License-Identifier: BSD-3-Clause
// Tests the lock that survives its holder. A process that was killed after any instruction blocks
// nobody, and the next holder is told unless the first one has given the lock back.
#include "services/shared_lock.hpp"

#include <atomic>

#include "base/error.hpp"
#include "endpoints.hpp"
#include "faults/stepped.hpp"
#include "transport/shm/records.hpp"

namespace tutti::services::test {
namespace {

using transport::shm::Presence;

// A lock guards two numbers, which are equal while nobody changes them.
struct Guarded {
  SharedLock lock;
  transport::Shared<int> first, second;

  void change() {
    first.put(first.peek() + 1);
    second.put(second.peek() + 1);
  }
  void repair() { second.put(first.peek()); }
  [[nodiscard]] bool whole() const { return first.peek() == second.peek(); }
};

Guarded& guarded_in(const Mapping& mapping) {
  return *reinterpret_cast<Guarded*>(
      transport::shm::publish(mapping, "guarded", 0, "", sizeof(Guarded)).record + 1);
}

struct Locker {
  const Mapping* mapping;
  transport::shm::ShmTransport transport;
  transport::Waiter waiter{transport};
  Locker(const Mapping& at, int self) : mapping(&at), transport(at, self) {}
  bool lock(SharedLock& lock) { return lock.lock(*mapping, transport.self(), waiter); }
  void unlock(SharedLock& lock) const { lock.unlock(transport.self()); }
};

TEST(SharedLocks, HaveOneHolder) {
  constexpr int threads = 4, times = 2000;
  const Mapping mapping = make_segment(threads);
  Guarded& guarded = guarded_in(mapping);
  in_threads(threads, [&](int id) {
    Locker locker(mapping, id);
    for (int i = 0; i < times; ++i) {
      EXPECT_FALSE(locker.lock(guarded.lock));
      EXPECT_TRUE(guarded.whole());
      guarded.change();
      locker.unlock(guarded.lock);
    }
  });
  EXPECT_EQ(guarded.first.see(), threads * times);
}

TEST(SharedLocks, AreRefusedToTheirHolder) {
  const Mapping mapping = make_segment(2);
  Guarded& guarded = guarded_in(mapping);
  Locker a(mapping, 0), b(mapping, 1);
  EXPECT_EQ(status_of([&] { a.unlock(guarded.lock); }), base::Status::invalid_argument);
  EXPECT_FALSE(a.lock(guarded.lock));
  EXPECT_EQ(status_of([&] { (void)a.lock(guarded.lock); }), base::Status::invalid_argument);
  EXPECT_EQ(status_of([&] { b.unlock(guarded.lock); }), base::Status::invalid_argument);
  a.unlock(guarded.lock);
  EXPECT_FALSE(b.lock(guarded.lock));
}

TEST(SharedLocks, OfALivingHolderAreWaitedFor) {
  const Mapping mapping = make_segment(2);
  Guarded& guarded = guarded_in(mapping);
  Locker a(mapping, 0), b(mapping, 1);
  EXPECT_FALSE(a.lock(guarded.lock));
  std::atomic<bool> through{false};
  std::thread waiter([&] {
    EXPECT_FALSE(b.lock(guarded.lock));
    through.store(true);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(through.load());
  a.unlock(guarded.lock);
  waiter.join();
}

TEST(SharedLocks, OfTheDeadAreToldUntilOneHasRepaired) {
  const Mapping mapping = make_segment(4);
  Guarded& guarded = guarded_in(mapping);
  for (int id = 0; id < 3; ++id) {
    Locker killed(mapping, id);
    EXPECT_EQ(killed.lock(guarded.lock), id != 0) << "the one before was killed in its repair";
    mapping.endpoint(id).presence.show(Presence::dead);
  }
  Locker last(mapping, 3);
  for (const bool told : {true, false}) {
    EXPECT_EQ(last.lock(guarded.lock), told);
    last.unlock(guarded.lock);
  }
}

TEST(SharedLocks, AreTakenOverFromAHolderThatIsKilledAnywhere) {
  if (!tutti::test::may_trace()) GTEST_SKIP() << "no process can be traced here";
  const Mapping mapping = make_segment(2);
  Guarded& guarded = guarded_in(mapping);
  Locker killed(mapping, 0), next(mapping, 1);
  bool made = false;
  int told = 0;
  for (int instructions = 1; !made; instructions += 3) {
    ASSERT_LT(instructions, 20'000);
    mapping.endpoint(0).presence.show(Presence::attached);
    made = tutti::test::is_made_within(instructions, [&] {
      (void)killed.lock(guarded.lock);
      guarded.change();
      killed.unlock(guarded.lock);
    });
    mapping.endpoint(0).presence.show(Presence::dead);
    if (next.lock(guarded.lock)) {
      ++told;
      guarded.repair();
    }
    ASSERT_TRUE(guarded.whole()) << "killed after " << instructions << " instructions";
    next.unlock(guarded.lock);
  }
  EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace tutti::services::test
