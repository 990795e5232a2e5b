// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about messages of the mailbox.
#include <chrono>
#include <vector>

#include "effects.hpp"
#include "services/outbox.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/mail.hpp"

namespace tutti::test {
namespace {

using transport::Lent;
using transport::shm::ShmMail;

constexpr std::int64_t mail_ring = 1 << 20;
const Tuning small_ring = with(&Tuning::mail_ring, mail_ring);

// Returns how much memory the job reserves for the first message of so many bytes.
std::int64_t reserved_for_first(const Tuning& tuning, std::uint64_t bytes) {
  const Mapping mapping = segment_of(2, tuning);
  const std::int64_t before = reserved(mapping);
  ShmMail mail(mapping, 0);
  const Lent buffer = mail.acquire(bytes, 1, 1);
  EXPECT_NE(buffer.data, nullptr);
  const std::int64_t taken = reserved(mapping) - before;
  mail.withdraw(buffer, 1);
  return taken;
}

TUNING_EFFECT(mail_ring) {
  EXPECT_EQ(reserved_for_first(with(&Tuning::mail_ring, mail_ring / 2), 20'000), mail_ring / 2);
  EXPECT_EQ(reserved_for_first(with(&Tuning::mail_ring, mail_ring), 20'000), mail_ring);
}

// The memory of the ring is reserved for the first message that lies in it.
TUNING_EFFECT(mail_ring_from) {
  const Tuning tuning = with(&Tuning::mail_ring_from, 1000, small_ring);
  EXPECT_GT(reserved_for_first(tuning, 1001), mail_ring / 2);
  EXPECT_LT(reserved_for_first(tuning, 800), mail_ring / 2);
}

TUNING_EFFECT(mail_ring_to) {
  const Tuning tuning = with(&Tuning::mail_ring_to, 32 << 10, small_ring);
  EXPECT_GT(reserved_for_first(tuning, 30'000), mail_ring / 2);
  EXPECT_LT(reserved_for_first(tuning, 34'000), mail_ring / 2);
}

// Returns how many messages a process sends after others have given memory back until the ring is
// there.
int messages_until_ring(std::int64_t retry_ring) {
  const Tuning tuning = with(&Tuning::retry_ring, retry_ring, small_ring);
  const Mapping mapping = segment_of(2, tuning);
  transport::shm::Heap heap(mapping);
  // Leaves less room than the ring needs, but more than a message.
  struct Block {
    std::uint64_t offset, bytes;
  };
  std::vector<Block> blocks;
  for (std::uint64_t bytes = 128 << 20; bytes >= mail_ring / 2; bytes /= 2)
    while (const auto offset = heap.allocate(bytes)) blocks.push_back({*offset, bytes});
  heap.free(blocks.back().offset, blocks.back().bytes);
  blocks.pop_back();
  ShmMail mail(mapping, 0);
  const auto send = [&] {
    const Lent buffer = mail.acquire(20'000, 1, 1);
    EXPECT_NE(buffer.data, nullptr);
    mail.withdraw(buffer, 1);
    mail.reclaim(transport::Depth::oldest);
  };
  send();
  for (const Block& block : blocks) heap.free(block.offset, block.bytes);
  int sent = 0;
  for (const std::int64_t before = reserved(mapping); reserved(mapping) - before < mail_ring / 2;
       ++sent)
    send();
  return sent;
}

TUNING_EFFECT(retry_ring) {
  const int after_few = messages_until_ring(5);
  EXPECT_EQ(messages_until_ring(25) - after_few, 20);
}

// Returns in how many parts a message of 80 KiB is written.
int parts_of_message(const Tuning& tuning) {
  const Mapping mapping = segment_of(2, tuning);
  ShmTransport transport(mapping, 0);
  ShmMail mail(mapping, 0);
  transport::Waiter waiter(transport);
  services::Mailbox mailbox(waiter, mail);
  services::Outbox outbox(waiter, mail, mailbox, 60);
  int parts = 0;
  const int to = 1;
  outbox.send({&to, 1}, 0, 80 << 10, [&](auto...) { ++parts; });
  return parts;
}

TUNING_EFFECT(read_while_written) {
  EXPECT_EQ(parts_of_message(with(&Tuning::read_while_written, 80 << 10)), 5);
  EXPECT_EQ(parts_of_message(with(&Tuning::read_while_written, (80 << 10) + 1)), 1);
}

TUNING_EFFECT(tell_every) {
  EXPECT_EQ(parts_of_message(with(&Tuning::tell_every, 1 << 10)), 80);
  EXPECT_EQ(parts_of_message(with(&Tuning::tell_every, 40 << 10)), 2);
}

// Counts how often a process lets others run.
class CountingIdler final : public transport::Idler {
 public:
  explicit CountingIdler(transport::Idler& inner) : inner_(&inner) {}
  [[nodiscard]] int spin_turns() const override { return inner_->spin_turns(); }
  void idle(int /*turn*/, const transport::WaitInfo& /*info*/) override { ++idled; }
  void awake() override {}

  int idled = 0;

 private:
  transport::Idler* inner_;
};

// Returns how often a sender of ten unread messages of 10,000 bytes lets others run.
int times_given_way(std::int64_t far_ahead) {
  const Mapping mapping = segment_of(2, with(&Tuning::far_ahead, far_ahead), Processors::too_few);
  ShmTransport transport(mapping, 0);
  CountingIdler counting(transport.idler());
  ShmMail mail(mapping, 0);
  transport::Waiter waiter(counting, transport.clock(), transport.tuning());
  services::Mailbox mailbox(waiter, mail);
  services::Outbox outbox(waiter, mail, mailbox, 60);
  const int to = 1;
  for (int i = 0; i < 10; ++i) outbox.send({&to, 1}, 0, 10'000, [](auto...) {});
  return counting.idled;
}

TUNING_EFFECT(far_ahead) {
  EXPECT_EQ(times_given_way(0), 10);
  EXPECT_EQ(times_given_way(45'000), 5);
  EXPECT_EQ(times_given_way(1 << 30), 0);
}

// Returns the shortest time of a look for a short message that does not come.
std::chrono::nanoseconds look_in_vain(std::int64_t spin_mail) {
  const Mapping mapping =
      segment_of(2, with(&Tuning::spin_mail, spin_mail, with(&Tuning::spin, 2'000'000)));
  ShmTransport transport(mapping, 0);
  ShmMail mail(mapping, 0);
  transport::Waiter waiter(transport);
  services::Mailbox mailbox(waiter, mail);
  // The other process has sent something before, or else nobody looks for a short message.
  ShmMail other(mapping, 1);
  std::uint64_t number = 0;
  EXPECT_TRUE(other.inject(0, 0, &number, sizeof number));
  static_cast<void>(mailbox.wait({.source = 1, .wanted = {0}, .mask = services::whole_key}));
  mailbox.take();
  std::chrono::nanoseconds best = std::chrono::hours(1);
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_FALSE(mailbox.receive_now(1, 0, &number, sizeof number));
    best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - begun);
  }
  return best;
}

TUNING_EFFECT(spin_mail) {
  const auto share = look_in_vain(1024), whole = look_in_vain(1);
  EXPECT_GT(whole, 10 * share);
}

}  // namespace
}  // namespace tutti::test
