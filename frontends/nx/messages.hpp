// SPDX-License-Identifier: BSD-3-Clause
// Messages that are sent and received while the caller waits, probes, and what is known of the last
// message.
#pragma once

#include <tutti/tutti_runtime.h>

#include <array>
#include <cstdint>
#include <span>

// The info calls look at the first array. Programs whose integers have 32 bits see the second.
extern "C" long msginfo[8];
extern "C" int msginfo_i[8];

namespace tutti::nx {

// The extended calls describe a message by eight numbers: type, count, node, ptype, and four that
// belong to the system.
constexpr int info_numbers = 8;

// These numbers are written to an array of long, to one of 32 bits, as Fortran has it, or to where
// the info calls look.
struct InfoPlace {
  long* of_c = nullptr;
  std::int32_t* of_int32 = nullptr;
  [[nodiscard]] bool is_given() const { return of_c != nullptr || of_int32 != nullptr; }
};

constexpr long all_others = -1;  // as a node: all nodes but this one

// The arguments of a send and of a receive.
struct Outgoing {
  long type;
  const void* buffer;
  long count;
  long node;
};
struct Incoming {
  long typesel;
  void* buffer;
  long count;
  long nodesel = -1;
  long ptypesel = -1;
};

// Returns the endpoints to which a message goes; they are valid until the next call. Throws
// CallFailure if the arguments of the send mean nothing.
[[nodiscard]] std::span<const int> checked_receivers(const Outgoing& message);
// Returns what a receive or a probe selects. Throws CallFailure if its arguments mean nothing.
[[nodiscard]] tutti_match checked_match(const Incoming& wanted);

using MessageInfo = std::array<long, info_numbers>;
[[nodiscard]] MessageInfo info_of(const tutti_envelope& envelope);
// Writes what is known of a message to `info`.
void tell(const tutti_envelope& envelope, const InfoPlace& info);
// Throws the CallFailure of a receive: a message that is too long is described.
void check_received(tutti_status status, const tutti_envelope& envelope, long space);

void send(const Outgoing& message);
// Starts a send, whose arguments have been checked. The id of the request is 0 if it is over.
void begin_send(const Outgoing& message, tutti_request& request);
// Sends a message to each of the `n` nodes in a list of either language's integers.
void send_to_list(long type, const void* buffer, long count, const long* list, long n);
void send_to_list(long type, const void* buffer, long count, const int* list, long n);
// Returns the length of the message.
long receive(const Incoming& wanted, const InfoPlace& info);
// Returns false if there is no such message now and the caller does not wait.
enum class Patience : std::uint8_t { wait, look };
bool probe(const Incoming& wanted, Patience patience, const InfoPlace& info);
void flush(const Incoming& wanted);
// Moves on what has been started, such as posted receives whose messages have arrived.
void move_on();

// Has reports say in words which message a call waits for. Called once, when this process has
// joined the job. Throws CallFailure.
void describe_waits();

}  // namespace tutti::nx
