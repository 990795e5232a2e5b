// SPDX-License-Identifier: BSD-3-Clause
// Kills a process at every 499th instruction of making, sending, receiving and taking back
// messages, and counts what is lost: at most one block, and none is freed twice.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "faults/stepped.hpp"
#include "free_blocks.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/mail.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::transport::shm {
namespace {

constexpr std::uint64_t of_heap = 1000, of_ring = 20'000, very_long = 3'000'000;

// A job of three processes, of which 0 is killed while it exchanges messages with 1 and 2.
class Job {
 public:
  Job() {
    for (const std::size_t bytes : sizes) {
      std::vector<std::uint64_t> blocks;
      while (blocks.size() < made) blocks.push_back(Heap(mapping).allocate(bytes).value());
      for (const std::uint64_t block : blocks) Heap(mapping).free(block, bytes);
    }
    top_ = mapping.header().heap_top.see();
    send(*one, 0, of_heap);
    send(*one, 0, of_ring);
  }

  // Does what the process does until it is killed.
  void live() const {
    ShmMail& mail = killed_;
    for (const std::uint64_t bytes : {of_heap, of_ring, very_long, of_ring}) {
      const Lent block = mail.acquire(bytes, 2, 1);
      if (block.data == nullptr) continue;
      for (const int to : {1, 2}) {
        if (!mail.send(to, bytes, bytes, block, bytes)) mail.withdraw(block, 1);
      }
      mail.reclaim(Depth::all);
    }
    take_all(mail, 1);
    mail.reclaim(Depth::idle);
  }

  // The process has ended: its cleaner and its peers do what they do. The cleaner comes twice, as
  // after the death of the first one.
  void bury() {
    abandon(mapping, 0);
    abandon(mapping, 0);
    mapping.endpoint(0).presence.show(Presence::dead);
    note_departure(mapping, 0);
    for (auto* const mail : {&*one, &*two})
      mail->part([](void* self, int) { take_all(*static_cast<ShmMail*>(self), 0); }, mail);
    one.reset();
    two.reset();
    free_blocks(mapping, 0);
    const ShmMail next(mapping, 0);
  }

  // Number of blocks that were handed out and are not free.
  [[nodiscard]] std::size_t lost() const {
    EXPECT_EQ(mapping.header().heap_top.see(), top_) << "the heap has not grown";
    std::size_t count = 0;
    for (const std::size_t bytes : sizes) count += made - free_blocks(mapping, bytes, made + 1);
    return count;
  }

 private:
  static void send(ShmMail& from, int to, std::uint64_t bytes) {
    const Lent block = from.acquire(bytes, 1, to);
    EXPECT_TRUE(from.send(to, bytes, bytes, block, bytes));
  }
  static void take_all(ShmMail& mail, int source) {
    for (Arrival arrival; mail.poll(source, nullptr, arrival) == Got::taken;) mail.release(arrival);
  }
  static Mapping segment() {
    base::Tuning tuning;
    tuning.fragment_ring = 1 << 20;
    tuning.mail_ring = 768 << 10;
    return Mapping::create({.world_size = 3,
                            .policy = DeathPolicy::tolerant,
                            .limit_bytes = std::int64_t{256} << 20,
                            .tuning = tuning});
  }

  static constexpr std::size_t made = 12;

 public:
  const Mapping mapping = segment();

 private:
  const std::vector<std::size_t> sizes = {sizeof(LineRing), sizeof(LentHeader) + of_heap,
                                          sizeof(LentHeader) + very_long,
                                          static_cast<std::size_t>(mapping.tuning().mail_ring)};
  std::uint64_t top_ = 0;
  // Nothing of it is destroyed here, because its process is killed.
  ShmMail& killed_ = *new ShmMail(mapping, 0);
  std::optional<ShmMail> one{std::in_place, mapping, 1}, two{std::in_place, mapping, 2};
};

TEST(LentMemory, LosesAtMostOneBlockIfItsProcessIsKilled) {
  if (!test::may_trace()) GTEST_SKIP() << "no process can be traced here";
  {
    Job job;
    job.live();
    job.bury();
    EXPECT_EQ(job.lost(), 0U) << "without a kill nothing is lost";
  }
  expect_few_losses<Job>(
      499, [](const Job& job) { job.live(); }, [](Job& job) { job.bury(); });
}

}  // namespace
}  // namespace tutti::transport::shm
