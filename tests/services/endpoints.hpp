// SPDX-License-Identifier: BSD-3-Clause
// Endpoints for the tests of the services. All are at one mapping and in one thread if none has to
// wait, else in a thread each.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "services/outbox.hpp"
#include "transport/shm/mail.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::services::test {

using transport::Arrival;
using transport::shm::Mapping;

inline Mapping make_segment(int world_size, std::optional<std::int64_t> limit = {}) {
  transport::shm::SegmentOptions options;
  options.world_size = static_cast<std::uint32_t>(world_size);
  options.limit_bytes = limit;
  return Mapping::create(options);
}

// Returns a segment in which `room` bytes may be reserved beyond those that are reserved at the
// start.
inline Mapping make_segment_with_room(int world_size, std::int64_t room) {
  return make_segment(world_size, make_segment(world_size).header().reserved_bytes.see() + room);
}

inline std::int64_t reserved(const Mapping& mapping) {
  return mapping.header().reserved_bytes.see();
}

// Returns the status of the Error that a function throws; ok if it throws none.
inline base::Status status_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const base::Error& error) {
    return error.status();
  }
  return base::Status::ok;
}

struct Member {
  transport::shm::ShmTransport transport;
  transport::Waiter waiter;
  transport::shm::ShmMail post;
  Mailbox mailbox;
  Outbox outbox;

  Member(const Mapping& mapping, int self, double send_wait = 60)
      : transport(mapping, self),
        waiter(transport),
        post(mapping, self, &transport),
        mailbox(waiter, post),
        outbox(waiter, post, mailbox, send_wait) {}

  void send(const std::vector<int>& to, std::uint64_t key, std::int64_t value) {
    outbox.send(to, key, sizeof value,
                [&](std::byte* memory, auto...) { std::memcpy(memory, &value, sizeof value); });
  }
  // Sends a message whose bytes follow from `seed`.
  void send_bytes(const std::vector<int>& to, std::uint64_t key, std::uint64_t bytes,
                  unsigned seed) {
    outbox.send(to, key, bytes,
                [&](std::byte* memory, data::Store, std::uint64_t first, std::uint64_t last) {
                  for (std::uint64_t i = first; i < last; ++i)
                    memory[i] = static_cast<std::byte>(seed + i * 7);
                });
  }
  std::int64_t receive(const Match& match) {
    const std::int64_t value = value_of(mailbox.wait(match));
    mailbox.take();
    return value;
  }
  void receive_bytes(const Match& match, std::uint64_t bytes, unsigned seed) {
    const Arrival& arrival = mailbox.wait(match);
    EXPECT_TRUE(holds(arrival, bytes, seed))
        << arrival.bytes << " bytes, expected " << bytes << " of seed " << seed;
    mailbox.take();
  }

  static std::int64_t value_of(const Arrival& arrival) {
    std::int64_t value = -1;
    if (arrival.bytes == sizeof value) std::memcpy(&value, arrival.payload(), sizeof value);
    return value;
  }
  static bool holds(const Arrival& arrival, std::uint64_t bytes, unsigned seed) {
    if (arrival.bytes != bytes) return false;
    for (std::uint64_t i = 0; i < bytes; ++i) {
      if (arrival.payload()[i] != static_cast<std::byte>(seed + i * 7)) return false;
    }
    return true;
  }
};

inline Match from(int source) {
  Match match;
  match.source = source;
  return match;
}

inline Match from(int source, std::uint64_t key, std::uint64_t mask = ~std::uint64_t{0}) {
  Match match;
  match.source = source;
  match.wanted = key;
  match.mask = mask;
  return match;
}

// Runs one thread for each endpoint 0 ... count-1.
inline void in_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int id = 0; id < count; ++id) threads.emplace_back([&body, id] { body(id); });
  for (std::thread& thread : threads) thread.join();
}

// Waits until the condition holds. Returns false if it does not hold within half a minute.
inline bool holds_soon(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// Returns true if the endpoint sleeps or is about to.
inline bool sleeps(const Mapping& mapping, int id) {
  return holds_soon([&] { return mapping.endpoint(id).waiter.see() != 0; });
}

}  // namespace tutti::services::test
