// SPDX-License-Identifier: BSD-3-Clause
// Tests long messages that a sender puts where a waiting receiver wants them: they come whole, in
// the order of their sender, and none is lost, however a wait or a process ends meanwhile.
#include <unistd.h>

#include <atomic>
#include <random>

#include "endpoints.hpp"
#include "transport/shm/heap.hpp"

namespace tutti::services::test {
namespace {

using transport::HandedOver;
using transport::Look;
using transport::shm::Presence;

constexpr std::uint64_t a_long_one = 300'000;

std::vector<std::byte> bytes_of(std::uint64_t length, unsigned seed) {
  std::vector<std::byte> bytes(length);
  for (std::uint64_t i = 0; i < length; ++i) bytes[i] = static_cast<std::byte>(seed + i * 7);
  return bytes;
}
void send(Member& member, int to, std::uint64_t key, const std::vector<std::byte>& bytes) {
  member.outbox.send(to, key, bytes.data(), bytes.size());
}
Match into(Match match, std::byte* to, std::uint64_t most, bool shorter = false) {
  match.to = to;
  match.most = most;
  match.shorter = shorter;
  return match;
}

class Placed : public ::testing::Test {
 protected:
  Placed() { begin_anew(); }
  ~Placed() override { unsetenv("TUTTI_TUNING"); }

  // The processes of the endpoints are threads of this one, which reaches its own memory.
  void begin_anew() {
    setenv("TUTTI_TUNING", "spin_crowded=20us", 1);
    mapping = make_segment(3);
    for (int slot = 0; slot < 3; ++slot) {
      mapping.endpoint(slot).pid.put(::getpid());
      mapping.endpoint(slot).presence.put(Presence::attached);
      mapping.endpoint(slot).kept_at_end.put(1);
    }
  }

  [[nodiscard]] bool is_offered(int receiver) const {
    return holds_soon([&] { return mapping.endpoint(receiver).mail.state.see() != 0; });
  }
  // Receives into `to` as the message functions do.
  static std::uint64_t receive(Member& member, const Match& match) {
    const Arrival& arrival = member.mailbox.wait(match);
    if (arrival.payload() != match.to) std::memcpy(match.to, arrival.payload(), arrival.bytes);
    const std::uint64_t bytes = arrival.bytes;
    member.mailbox.take();
    return bytes;
  }
  std::byte* memory() {
    return mapping.at<std::byte>(transport::shm::Heap(mapping).allocate(a_long_one).value());
  }

  Mapping mapping = make_segment(3);
};

struct Place {
  bool sender_lends, receiver_lends, anybody, shorter;
};

TEST_F(Placed, FromAndToEachMemory) {
  for (int number = 0; number < 16; ++number) {
    begin_anew();
    const Place place{(number & 1) != 0, (number & 2) != 0, (number & 4) != 0, (number & 8) != 0};
    const auto bytes = bytes_of(a_long_one, static_cast<unsigned>(number));
    std::byte* const lent[2] = {memory(), memory()};
    std::memcpy(lent[0], bytes.data(), a_long_one);
    std::vector<std::byte> own(a_long_one + 100);
    std::byte* const to = place.receiver_lends ? lent[1] : own.data();
    in_threads(2, [&](int id) {
      Member member(mapping, id);
      for (const int other : {0, 1})
        EXPECT_TRUE(holds_soon([&] { return mapping.endpoint(other).number_at.see() != 0; }));
      if (id == 0) {
        EXPECT_TRUE(is_offered(1));
        member.outbox.send(1, 5, place.sender_lends ? lent[0] : bytes.data(), a_long_one);
        return;
      }
      const Match match = from(place.anybody ? any_source : 0, 5);
      const bool fits = place.shorter && !place.receiver_lends;
      const Arrival& arrival =
          member.mailbox.wait(into(match, to, fits ? a_long_one + 100 : a_long_one, place.shorter));
      EXPECT_EQ(arrival.payload(), to) << "it goes through a buffer";
      EXPECT_EQ(arrival.bytes, a_long_one);
      EXPECT_EQ(arrival.source, 0);
      EXPECT_TRUE(arrival.key == transport::Label(5));
      EXPECT_EQ(std::memcmp(to, bytes.data(), a_long_one), 0);
      member.mailbox.take();
      EXPECT_EQ(member.mailbox.look(from(any_source)), nullptr);
    });
  }
}

TEST_F(Placed, NothingElseFitsTheOffer) {
  std::vector<std::byte> own(a_long_one);
  in_threads(3, [&](int id) {
    Member member(mapping, id);
    if (id == 1) {
      EXPECT_EQ(receive(member, into(from(0, 5), own.data(), a_long_one)), a_long_one);
      EXPECT_EQ(own, bytes_of(a_long_one, 3));
      for (const auto& [source, key, length] :
           {std::tuple{2, 5, a_long_one}, {0, 6, a_long_one}, {0, 5, a_long_one + 1}}) {
        const Arrival& arrival = member.mailbox.wait(from(source, static_cast<unsigned>(key)));
        EXPECT_EQ(arrival.bytes, length);
        member.mailbox.take();
      }
      return;
    }
    EXPECT_TRUE(is_offered(1));
    if (id == 2) return send(member, 1, 5, bytes_of(a_long_one, 1));
    send(member, 1, 6, bytes_of(a_long_one, 2));
    send(member, 1, 5, bytes_of(a_long_one, 3));
    send(member, 1, 5, bytes_of(a_long_one + 1, 4));
  });
}

constexpr std::uint32_t messages = 150;

std::uint64_t length_by(std::mt19937& random) {
  return random() % 3 == 0 ? 8 + random() % 5000 : a_long_one - 8;
}

// Each message begins with its number among those with its key.
void send_random(Member& member, unsigned seed) {
  std::mt19937 random(seed);
  for (std::uint32_t i = 0; i < messages; ++i) {
    auto bytes = bytes_of(length_by(random), i / 2);
    const std::uint32_t number = i / 2;
    std::memcpy(bytes.data(), &number, 4);
    send(member, 1, i % 2, bytes);
  }
  member.outbox.drain();
}

// Takes all messages, from a sender or from anybody, and looks at their numbers.
void receive_random(Member& member, unsigned seed) {
  std::mt19937 random(seed);
  std::uint32_t got[3][2] = {};
  std::vector<std::byte> to(a_long_one);
  for (std::uint32_t i = 0; i < 2 * messages; ++i) {
    const std::uint32_t key = i % 2;
    const bool from_0 =
        got[0][key] < messages / 2 && (random() % 2 == 0 || got[2][key] == messages / 2);
    const Match match = from(random() % 2 == 0 ? any_source : (from_0 ? 0 : 2), key);
    const Arrival& arrival = member.mailbox.wait(into(match, to.data(), a_long_one, true));
    const std::uint64_t bytes = arrival.bytes;
    const int sender = arrival.source;
    if (arrival.payload() != to.data()) std::memcpy(to.data(), arrival.payload(), bytes);
    member.mailbox.take();
    std::uint32_t number = 0;
    std::memcpy(&number, to.data(), 4);
    ASSERT_EQ(number, got[sender][key]++) << "from " << sender << " with key " << key;
    const auto expected = bytes_of(bytes, number);
    ASSERT_EQ(std::memcmp(to.data() + 4, expected.data() + 4, bytes - 4), 0);
  }
  EXPECT_EQ(member.mailbox.look(from(any_source)), nullptr);
}

// Messages of one sender and one key come in their order, whatever their lengths are and however
// the receiver asks for them.
TEST_F(Placed, RandomProgramsKeepTheOrder) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    begin_anew();
    in_threads(3, [&](int id) {
      Member member(mapping, id);
      const unsigned own_seed = seed * 10 + static_cast<unsigned>(id);
      id == 1 ? receive_random(member, own_seed) : send_random(member, own_seed);
    });
  }
}

TEST_F(Placed, AWaitThatEndsTakesItsOfferBack) {
  std::vector<std::byte> own(a_long_one);
  std::atomic<bool> over{false};
  in_threads(2, [&](int id) {
    Member member(mapping, id);
    if (id == 1) {
      const Match match = into(from(0, 5), own.data(), a_long_one);
      EXPECT_EQ(member.mailbox.wait_unless(match, {[](void*) { return true; }, nullptr}), nullptr);
      over = true;
      EXPECT_EQ(member.mailbox.wait(from(0, 5)).bytes, a_long_one);
      EXPECT_EQ(own, std::vector<std::byte>(a_long_one)) << "an offer that was taken back is used";
      member.mailbox.take();
      return;
    }
    EXPECT_TRUE(holds_soon([&] { return over.load(); }));
    send(member, 1, 5, bytes_of(a_long_one, 3));
  });
}

// The sender accepts the offer, and then its wait ends in an error.
TEST_F(Placed, AMessageThatItsSenderTakesBackHasNotCome) {
  std::vector<std::byte> own(a_long_one);
  in_threads(2, [&](int id) {
    Member member(mapping, id);
    if (id == 1) {
      EXPECT_EQ(receive(member, into(from(any_source, 5), own.data(), a_long_one)), a_long_one);
      EXPECT_EQ(own, bytes_of(a_long_one, 8));
      return;
    }
    EXPECT_TRUE(is_offered(1));
    const auto first = bytes_of(a_long_one, 3), second = bytes_of(a_long_one, 8);
    ASSERT_EQ(member.post.hand_over(1, 5, first.data(), a_long_one), HandedOver::yes);
    // It may have all pieces by then.
    if (member.post.take_back())
      send(member, 1, 5, second);
    else
      std::memcpy(own.data(), second.data(), a_long_one);
  });
}

TEST_F(Placed, TheMessageOfAProcessThatEndsIsForgotten) {
  std::vector<std::byte> own(a_long_one);
  std::atomic<bool> gone{false};
  in_threads(3, [&](int id) {
    Member member(mapping, id);
    if (id == 1) {
      EXPECT_EQ(receive(member, into(from(any_source, 5), own.data(), a_long_one)), a_long_one);
      EXPECT_EQ(own, bytes_of(a_long_one, 8));
      return;
    }
    EXPECT_TRUE(is_offered(1));
    if (id == 2) {
      EXPECT_TRUE(holds_soon([&] { return gone.load(); }));
      return send(member, 1, 5, bytes_of(a_long_one, 8));
    }
    // A place that cannot be copied: the receiver waits for the sender until that has ended.
    mapping.endpoint(1).mail.state.publish((mapping.endpoint(1).mail.state.see() >> 32 << 32) |
                                           (1 * 4 + 2));
    gone = true;
    mapping.endpoint(0).presence.publish(Presence::dead);
  });
}

// A function of the program that looks for other mail while a message is being put in its place
// sees what comes, and the message is not lost.
TEST_F(Placed, AFunctionMayLookAtMailMeanwhile) {
  std::vector<std::byte> own(a_long_one);
  in_threads(3, [&](int id) {
    Member member(mapping, id);
    if (id == 1) {
      const auto look = [](void* user) {
        auto& mailbox = *static_cast<Mailbox*>(user);
        static_cast<void>(mailbox.look(from(2, 9)));
        return false;
      };
      for (int i = 0; i < 100; ++i) {
        const Match match = into(from(0, 5), own.data(), a_long_one);
        const Arrival* arrival = member.mailbox.wait_unless(match, {look, &member.mailbox});
        ASSERT_NE(arrival, nullptr);
        if (arrival->payload() != own.data())
          std::memcpy(own.data(), arrival->payload(), a_long_one);
        member.mailbox.take();
        ASSERT_EQ(own, bytes_of(a_long_one, static_cast<unsigned>(i)));
        member.receive_bytes(from(2, 9), 200'000, static_cast<unsigned>(i));
      }
      return;
    }
    for (int i = 0; i < 100; ++i) {
      if (id == 0)
        send(member, 1, 5, bytes_of(a_long_one, static_cast<unsigned>(i)));
      else
        send(member, 1, 9, bytes_of(200'000, static_cast<unsigned>(i)));
    }
    member.outbox.drain();
  });
}

}  // namespace
}  // namespace tutti::services::test
