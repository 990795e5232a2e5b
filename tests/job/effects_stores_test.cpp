// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about stores through or past the caches.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "algorithms/registry.hpp"
#include "data/pack.hpp"
#include "effects.hpp"
#include "oracle.hpp"
#include "transport/store_policy.hpp"

using tutti::data::Layout;
using tutti::data::Store;

static int copies_past_caches = 0;

// The linker gives all calls of data::copy() and data::unpack() to functions that count
// (-Wl,--wrap).
#define TUTTI_COPY "_ZN5tutti4data4copyEPvPKvmNS0_5StoreE"
#define TUTTI_UNPACK "_ZN5tutti4data6unpackEPvPKvRKNS0_6LayoutEmllNS0_5StoreE"
void real_copy(void* to, const void* from, std::size_t bytes,
               Store store) asm("__real_" TUTTI_COPY);
void counted_copy(void* to, const void* from, std::size_t bytes,
                  Store store) asm("__wrap_" TUTTI_COPY);
void real_unpack(void* base, const void* from, const Layout& layout, std::size_t element_bytes,
                 std::int64_t first, std::int64_t count, Store store) asm("__real_" TUTTI_UNPACK);
void counted_unpack(void* base, const void* from, const Layout& layout, std::size_t element_bytes,
                    std::int64_t first, std::int64_t count,
                    Store store) asm("__wrap_" TUTTI_UNPACK);

void counted_copy(void* to, const void* from, std::size_t bytes, Store store) {
  if (store == Store::non_temporal) ++copies_past_caches;
  real_copy(to, from, bytes, store);
}
void counted_unpack(void* base, const void* from, const Layout& layout, std::size_t element_bytes,
                    std::int64_t first, std::int64_t count, Store store) {
  if (store == Store::non_temporal) ++copies_past_caches;
  real_unpack(base, from, layout, element_bytes, first, count, store);
}

namespace tutti::test {
namespace {

using transport::PeerDistance;
using transport::StorePolicy;

// A table by which each line whose time is taken seems to come from far away.
const Tuning all_far = with(&Tuning::far_line, 1, with(&Tuning::far_look_every, 1));

// Returns how many loads of new lines it takes until their writer is far; `most` if it is not.
int loads_until_far(const Tuning& tuning, int most = 1000) {
  PeerDistance distance;
  const transport::Shared<std::uint32_t> number;
  int loads = 0;
  for (; !distance.is_far(tuning) && loads < most; ++loads)
    static_cast<void>(distance.load(tuning, number, [](std::uint32_t) { return true; }));
  return loads;
}

// Returns the distance of a peer that is far by all_far.
PeerDistance far_away() {
  PeerDistance distance;
  const transport::Shared<std::uint32_t> number;
  while (!distance.is_far(all_far))
    static_cast<void>(distance.load(all_far, number, [](std::uint32_t) { return true; }));
  return distance;
}

TUNING_EFFECT(far_line) {
  EXPECT_EQ(loads_until_far(all_far), 5);
  EXPECT_EQ(loads_until_far(with(&Tuning::far_line, 100'000, all_far)), 1000);
}

TUNING_EFFECT(far_look_every) {
  EXPECT_EQ(loads_until_far(with(&Tuning::far_look_every, 10, all_far)), 41);
}

TUNING_EFFECT(far_score) {
  EXPECT_EQ(loads_until_far(with(&Tuning::far_score, 1, all_far)), 1);
  EXPECT_EQ(loads_until_far(with(&Tuning::far_score, 100, all_far)), 51);
}

TUNING_EFFECT(non_temporal_from) {
  const Tuning tuning = with(&Tuning::non_temporal_from, 100, all_far);
  const StorePolicy policy(tuning);
  EXPECT_FALSE(policy.message_past_caches(100, far_away()));
  EXPECT_TRUE(policy.message_past_caches(101, far_away()));
  EXPECT_FALSE(policy.message_past_caches(101, {}));
}

// The table says what the way is of packets with two readers, which are never timed.
TUNING_EFFECT(far_past_caches) {
  for (const std::int64_t past : {0, 1}) {
    const Tuning tuning = with(&Tuning::far_past_caches, past, all_far);
    StorePolicy policy(tuning);
    EXPECT_EQ(policy.for_packet(64 << 10, 2, far_away()).non_temporal, past == 1);
  }
}

// A table by which nothing is tried after two first fragments.
const Tuning learns_once =
    with(&Tuning::learn_first, 2,
         with(&Tuning::learn_again, 1 << 20, with(&Tuning::learn_look_every, 1 << 20)));

int timed_of_1000(const Tuning& tuning) {
  StorePolicy policy(tuning);
  int timed = 0;
  const PeerDistance far = far_away();
  for (int i = 0; i < 1000; ++i) timed += policy.for_packet(4096, 1, far).timed ? 1 : 0;
  return timed;
}

TUNING_EFFECT(learn_first) {
  EXPECT_EQ(timed_of_1000(learns_once), 2);
  EXPECT_EQ(timed_of_1000(with(&Tuning::learn_first, 7, learns_once)), 7);
}

TUNING_EFFECT(learn_again) {
  EXPECT_EQ(timed_of_1000(with(&Tuning::learn_again, 100, learns_once)), 2 + 3);
}

TUNING_EFFECT(learn_again_most) {
  const Tuning tuning = with(&Tuning::learn_again, 100, learns_once);
  EXPECT_EQ(timed_of_1000(with(&Tuning::learn_again_most, 100, tuning)), 2 + 9);
}

// Returns how many of 1000 packets are trials of a way that takes three times as long.
int trials_of_worse(const Tuning& tuning) {
  StorePolicy policy(tuning);
  const PeerDistance far = far_away();
  int past = 0;
  for (int i = 0; i < 1002; ++i) {
    const StorePolicy::Choice choice = policy.for_packet(4096, 1, far);
    past += i >= 2 && choice.non_temporal ? 1 : 0;
    if (choice.timed)
      policy.learn(4096, choice.non_temporal,
                   std::chrono::nanoseconds(choice.non_temporal ? 3000 : 1000));
  }
  return past;
}

TUNING_EFFECT(learn_loss) {
  const Tuning often =
      with(&Tuning::learn_again, 2, with(&Tuning::learn_again_most, 2, learns_once));
  EXPECT_LE(trials_of_worse(with(&Tuning::learn_loss, 10, often)), 6);
  EXPECT_GT(trials_of_worse(with(&Tuning::learn_loss, 1000, often)), 200);
}

TUNING_EFFECT(learn_look_every) {
  EXPECT_EQ(timed_of_1000(with(&Tuning::learn_look_every, 10, learns_once)), 2 + 99);
}

// Returns how many samples of a way that was the better one, and has become worse than the other,
// it takes until the other is chosen.
int samples_until_changed(const Tuning& tuning, std::int64_t sample) {
  using std::chrono::nanoseconds;
  StorePolicy policy(tuning);
  const PeerDistance far = far_away();
  for (int i = 0; i < 2; ++i) {
    const bool past = policy.for_packet(4096, 1, far).non_temporal;
    policy.learn(4096, past, nanoseconds(past ? 1000 : 2000));
  }
  int samples = 0;
  for (; samples < 10'000 && policy.for_packet(4096, 1, far).non_temporal; ++samples)
    policy.learn(4096, true, nanoseconds(sample));
  return samples;
}

TUNING_EFFECT(learn_share) {
  EXPECT_EQ(samples_until_changed(with(&Tuning::learn_share, 1000, learns_once), 3000), 2);
  EXPECT_GT(samples_until_changed(with(&Tuning::learn_share, 1, learns_once), 3000), 100);
}

TUNING_EFFECT(learn_most) {
  const Tuning at_once = with(&Tuning::learn_share, 1000, learns_once);
  EXPECT_EQ(samples_until_changed(with(&Tuning::learn_most, 10'000, at_once), 1'000'000), 1);
  EXPECT_EQ(samples_until_changed(with(&Tuning::learn_most, 1100, at_once), 1'000'000), 8);
}

// Returns how many of 1000 copies of 64 KiB into windows, each of 16 bytes in a ns, go past the
// caches.
int windows_past_caches(const Tuning& tuning) {
  constexpr std::uint64_t bytes = 64 << 10;
  StorePolicy policy(tuning);
  int past = 0;
  for (int i = 0; i < 1000; ++i) {
    const StorePolicy::Choice choice = policy.for_window(bytes);
    past += choice.non_temporal ? 1 : 0;
    if (choice.timed) policy.learn_window(bytes, std::chrono::nanoseconds(bytes / 16));
  }
  return past;
}

TUNING_EFFECT(block_slow) {
  EXPECT_EQ(windows_past_caches(with(&Tuning::block_slow, 16)), 0);
  EXPECT_GT(windows_past_caches(with(&Tuning::block_slow, 17)), 900);
}

// Returns how many pieces of the result of a gather are stored past the caches at its root.
int pieces_past_caches(std::int64_t result, std::int64_t message) {
  const schedule::Generator* const generator =
      algorithms::find(schedule::Operation::gather, "fully_connected");
  Tuning tuning = with(&Tuning::far_line, 100'000);
  tuning.result_past_caches = result;
  tuning.message_past_caches = message;
  const Mapping mapping = segment_of(2, tuning);
  ShmTransport one(mapping, 0), two(mapping, 1);
  const engine::test::Scene scene{.request = {.generator = generator}, .p = 2, .n = 1000};
  engine::test::Player root(scene, 0, one), other(scene, 1, two);
  copies_past_caches = 0;
  root.start();
  other.start();
  while (root.advance() != transport::Look::done) static_cast<void>(other.advance());
  EXPECT_EQ(root.verdict(), "");
  return copies_past_caches;
}

constexpr std::int64_t never = std::int64_t{1} << 40;

TUNING_EFFECT(result_past_caches) {
  EXPECT_EQ(pieces_past_caches(never, never), 0);
  EXPECT_EQ(pieces_past_caches(8000, never), 1);
  EXPECT_EQ(pieces_past_caches(8001, never), 0);
}

TUNING_EFFECT(message_past_caches) {
  EXPECT_EQ(pieces_past_caches(never, 8000), 1);
  EXPECT_EQ(pieces_past_caches(never, 8001), 0);
}

}  // namespace
}  // namespace tutti::test
