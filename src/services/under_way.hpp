// SPDX-License-Identifier: BSD-3-Clause
// Messages that go on while their process does other things: receives that were posted, which the
// mailbox serves, and sends that were started, which the outbox moves. The owner keeps each object
// where it is until it is done or was cancelled.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "data/pack.hpp"
#include "services/match.hpp"
#include "transport/record/recorder.hpp"

namespace tutti::services {

// Takes the first message that fits. A receive that was posted earlier chooses earlier, and a
// receive that is called later chooses later.
struct PostedReceive {
  Match match;
  // Copies the message out. It is called once, must not throw and must not call the mailbox.
  void (*deliver)(void* user, const transport::Arrival& arrival) = nullptr;
  void* user = nullptr;
  bool done = false;
  std::uint32_t recorded = 0;  // its request in the record, if there is one
  bool waited = false;         // the record has the wait for it
  bool asks = false;           // in virtual time: its message is not known by its name

  // `record` is that of this process, or nullptr.
  void end_with(const transport::Arrival& arrival, record::RunRecorder* record) {
    if (record != nullptr) [[unlikely]]
      record->comes_for(recorded, arrival.source, arrival.number);
    deliver(user, arrival);
    done = true;
  }
};

// A message that leaves, and how far it has come.
struct Letter {
  std::span<const int> to;  // endpoints, each listed once
  transport::Label key;
  std::uint64_t bytes = 0;
  // Writes the bytes [first, last) of the message to message + first. A long message takes several
  // calls, in order.
  void (*fill)(const void* user, std::byte* message, data::Store store, std::uint64_t first,
               std::uint64_t last) = nullptr;
  const void* user = nullptr;
  const std::byte* flat = nullptr;  // where the bytes lie, if they are contiguous

  // The rest belongs to the outbox.
  transport::Cutting cut{};
  transport::Lent buffer{};
  std::size_t told = 0;  // receivers that have been told of the message

  [[nodiscard]] bool fits_line() const { return bytes <= transport::line_payload; }
  [[nodiscard]] std::uint32_t untold() const {
    return static_cast<std::uint32_t>(to.size() - told);
  }
};

// Leaves when there is memory for it, and room if it is bounded, after all that was sent before to
// one of its receivers.
struct StartedSend {
  std::vector<int> receivers;
  Letter message;              // `to` is set when the send is started
  bool done = false;           // the message has left, or cannot be sent
  std::exception_ptr failure;  // why it cannot be sent

  // The rest belongs to the outbox.
  bool left = false;  // all have been told; a bounded send then waits for room
  std::vector<std::uint32_t>
      recorded{};  // its requests in the record, by receiver, if there is one
  // When a wait for memory ends in vain, by the job's clock; 0: none has begun.
  std::uint64_t patience_ends = 0;
};

}  // namespace tutti::services
