// SPDX-License-Identifier: BSD-3-Clause
// The layout of the memory that the processes of a job share: one sparse memfd, mapped once and
// never remapped. Everything in it is reached by offset, because the processes map it at different
// addresses. The whole of transport/shm uses it, and the supervisor reads it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/tuning.hpp"
#include "transport/label.hpp"
#include "transport/shared.hpp"
#include "transport/shm/handover_slot.hpp"
#include "transport/shm/line_bytes.hpp"

namespace tutti::transport::shm {

constexpr int capacity = 1024;  // endpoints of a job; groups map ranks to endpoints

// The length of a line is part of the layout. The low half counts the changes of the layout.
constexpr std::uint32_t layout_version = 31 | (line_bytes / packet_bytes - 1) << 16;

// An endpoint id is one number that combines a slot with a generation, which counts the processes
// that the slot has had. Ids of the first generation equal their slots, so the ranks of the world
// are 0, 1, ...
constexpr std::uint32_t most_generations = 1U << 21;
[[nodiscard]] constexpr int endpoint_id(int slot, std::uint32_t generation) {
  return slot + static_cast<int>(generation - 1) * capacity;
}
[[nodiscard]] constexpr int slot_of(int id) {
  return id & (capacity - 1);
}
[[nodiscard]] constexpr std::uint32_t generation_of(int id) {
  return static_cast<std::uint32_t>(id) / capacity + 1;
}

// Says what happens to the other processes when an endpoint dies (docs/internals/supervisor.md).
enum class DeathPolicy : std::uint32_t { together, tolerant };

enum class Presence : std::uint32_t {
  empty,      // nobody was here yet, or the slot was freed for a new generation
  expected,   // a process was started that is to attach here
  attached,   // a process is here
  finalized,  // the process has called finalize
  left,       // the process ended with exit code 0 but without finalize
  dead        // the process was killed, or failed
};

// Returns true if the process of the slot has ended. Then what it shared with others may be freed.
[[nodiscard]] constexpr bool departed(Presence presence) {
  return presence == Presence::finalized || presence == Presence::left ||
         presence == Presence::dead;
}

// How a process ended, in Endpoint::ending: 0 if that is not known, else one of these and the exit
// code or the number of the signal.
constexpr std::uint32_t ending_exited = 1U << 8, ending_killed = 2U << 8;

constexpr int lanes = 2;

// The present state of an endpoint, for reports. Its owner puts all of it, publishes `waiting`
// last, and the launcher peeks at any time. Values may be a moment old, but no single field is ever
// torn. The fields about waiting are written only before a waiter sleeps.
struct StateLine {
  static constexpr int waits_shown = 8;
  // Name of the front end's call, up to 23 characters, padded with zeros. Empty while the program
  // computes.
  Shared<std::uint64_t> call[3];
  // 0 no, 1 for all of `wait_for`, 2 for any of them; 4 is added if the wait may be given up, and 8
  // if more than is shown here may end it.
  Shared<std::uint32_t> waiting;
  Shared<std::uint32_t> waits;  // number of this wait
  // Grows with every poll of a sleeping waiter: a sign of life.
  Shared<std::uint32_t> looks;
  // 1 + the index of the operation in the names of schedule::Operation. 0 is a mailbox receive.
  Shared<std::uint32_t> operation;
  Shared<std::uint32_t> group_size;
  Shared<std::uint64_t> sequence;  // number of the operation within its group
  Shared<std::int32_t> round;
  Shared<std::uint32_t> wait_count;  // endpoints waited for; may exceed waits_shown
  Shared<std::uint16_t> wait_for[waits_shown];
  // A front end's words for what is awaited, up to 191 characters; empty if there are none.
  Shared<std::uint64_t> words[24];
  // The words of a front end about its call, up to 191 characters, padded with zeros. Empty while
  // it says nothing.
  Shared<std::uint64_t> about[24];
};

// The book of an endpoint (lent_book.hpp): blocks that it has lent or holds, each as its offset and
// its kind, 0 for a free word. The owner publishes them. When its process has ended, abandon() sees
// here what is left. More tables follow where one is too short; they stay with the slot.
struct alignas(line_bytes) LentTable {
  static constexpr int words_count = 127;
  Shared<std::uint64_t> next;  // offset of the next table, 0 if this is the last
  Shared<std::uint64_t> words[words_count];
};

// Fixed part of an endpoint. Fields that several processes write or poll often have cache lines of
// their own. "Supervisor" stands for whoever gives slots to processes and notices their ends.
struct alignas(line_bytes) Endpoint {
  // The supervisor publishes `expected` and `empty`. The process replaces `expected` by `attached`.
  // The end is shown by the process itself or by the supervisor. A sender that has shown a ring in
  // `inbound` checks it (reachable()). Others see it.
  Shared<Presence> presence;
  // The supervisor publishes it while nobody is here. After a look at `presence` others see it, to
  // know whose presence that was.
  Shared<std::uint32_t> generation;
  // The process publishes it, and the supervisor where the process has not. Others see it.
  Shared<std::int32_t> pid;
  Shared<std::int32_t> world_rank;  // -1 for endpoints outside the world; put before `presence`
  // 1 + the code that its process gave to exit(), 0 before, and notes about its end. It is for a
  // supervisor that is not the parent of the process and so cannot wait for it. The process marks
  // and clears, others see.
  Shared<std::uint32_t> exit_note;
  // 1 if the supervisor is the parent of the process, and so decides when the system may use its id
  // again. The supervisor publishes it.
  Shared<std::uint32_t> kept_at_end;
  // A number of this process, and where two words lie in its memory: that number, and a place for
  // it that others may write. Its place is 0 while nobody may look.
  Shared<std::uint64_t> number;
  Shared<std::uint64_t> number_at;
  // For messages, how the process has ended. The supervisor publishes it before it shows the end.
  Shared<std::uint32_t> ending;
  // 1 while the process sleeps, or is about to, until all its mailbox messages are received. It
  // publishes that; its receivers ask for it (fence.hpp).
  Shared<std::uint32_t> draining;
  // Offsets of the rings in which its fragments and its messages lie, 0 before first use. The
  // process publishes that of fragments before the first packet that lies in it, and then peers may
  // peek at it. The next generation takes both over.
  Shared<std::uint64_t> fragment_ring;
  Shared<std::uint64_t> message_ring;

  // The futex word of docs/internals/transport.md: 1 while the process sleeps or is about to. Its
  // owner shows 1 and puts 0, who wakes it exchanges it for 0, and all ask for it (fence.hpp).
  alignas(line_bytes) Shared<std::uint32_t> waiter;
  alignas(line_bytes) StateLine state;
  // 1 + the slot of the process whose memory this one is reading or writing at the moment, else 0.
  // This process shows it and then checks the other's presence. The supervisor shows the presence
  // and then checks this.
  alignas(line_bytes) Shared<std::uint32_t> reaches;
  // 1 + the number of the processor on which the process last went on after a wait. 0 before, and
  // while it lets others run. The process puts it, and others peek.
  alignas(line_bytes) Shared<std::uint32_t> runs_on;
  HandoverSlot mail;  // offers of this endpoint to take a message

  // Entry [lane][i] leads to the line ring from endpoint i to this one, 0 before first contact. It
  // is a ring_entry() of ring.hpp. The sender shows it and then checks `presence`. Slots::vacate()
  // has seen the end of the process and then checks the entries. This endpoint sees its own
  // entries.
  alignas(line_bytes) Shared<std::uint64_t> inbound[lanes][capacity];
  // Number of mailbox messages of endpoint i that this one has taken. This one publishes it, and
  // endpoint i sees it (fence.hpp).
  alignas(line_bytes) Shared<std::uint64_t> taken[capacity];
  // Bytes that Mail::credit() has told endpoint i. This one publishes it, and endpoint i sees it.
  alignas(line_bytes) Shared<std::uint64_t> credited[capacity];
  // Bit i is 1 if endpoint i has sent a mailbox message here at least once. Endpoint i marks it
  // when its ring is shown, who frees the ring clears it, and this one sees it.
  alignas(line_bytes) Shared<std::uint64_t> contacts[capacity / 64];
  LentTable lent;
};

// Header of a record (records.hpp); its bytes follow it.
struct alignas(line_bytes) Record {
  static constexpr int name_bytes = 64;
  char name[name_bytes];
  std::int64_t bytes;
  std::int32_t maker;  // endpoint
};
constexpr int records = 1024;

// Length of the set of processors in words. Processors with higher numbers are not counted.
constexpr int processor_words = 16;

struct alignas(line_bytes) SegmentHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t world_size;  // ranks 0..world_size-1 are endpoints 0..world_size-1 of generation 1
  std::uint64_t segment_bytes;
  DeathPolicy policy;
  // 1 if no supervisor notices waits in vain, as under MPI. Then the waiters check their peers
  // themselves.
  std::uint32_t unsupervised;
  // Ranks of the world that use this segment. They are fewer than world_size where MPI joins hosts.
  std::uint32_t ranks_here;
  std::uint32_t quota;  // processors that the control groups give the job
  // Values of the tuning table. The maker of the job writes them; fragment_ring and mail_ring are
  // then the sizes of the rings of each process.
  base::Tuning tuning;
  // 1 as long as a process that goes to sleep can make all others pass a fence (fence.hpp). A
  // process that cannot take part puts 0.
  Shared<std::uint32_t> fences_at_sleep;
  // Number of processors that the job may use, and their set. An MPI binds each rank to one
  // processor, so every process adds its own by add_processors(). Others peek.
  Shared<std::uint32_t> cpus;
  Shared<std::uint64_t> processors[processor_words];
  // Slots that were ever in use, at first world_size. The supervisor publishes it, others see it.
  Shared<std::uint32_t> slots;
  // Number of departed endpoints that other processes may have to clean up after or may wait for in
  // vain. It is added to when the end is shown; others see it.
  Shared<std::uint32_t> departures;
  // Number of times that the supervisor has found all processes waiting for what nobody will send,
  // in a job that tolerates deaths. Each time, all their waits end with an error. It adds, others
  // see.
  Shared<std::uint32_t> standstills;
  // 1 while the job has one process and no supervisor, so that nobody else can join. The process
  // publishes 1 and the supervisor that it gets publishes 0; the process sees it.
  Shared<std::uint32_t> alone;

  // The first abort wins: it replaces 0 by 1 in abort_state, fills in the rest, and then publishes
  // 2. Others see it.
  alignas(line_bytes) Shared<std::uint32_t> abort_state;
  std::int32_t abort_code;
  std::int32_t abort_endpoint;
  char abort_text[512];
  // The supervisor publishes 1 when the job is over: all processes see it and leave at once.
  alignas(line_bytes) Shared<std::uint32_t> ending;
  // Endpoints that are attached now. Each process adds itself. It is subtracted where its end is
  // shown.
  Shared<std::uint32_t> attached;

  // Bytes reserved against limit_bytes. Memory beyond the fixed part of the header is reserved
  // before it is touched. It is a sum and announces nothing, so all peek at it and replace it.
  alignas(line_bytes) Shared<std::int64_t> reserved_bytes;
  std::int64_t limit_bytes;
  // Bytes at the end of the segment that some process has no address space for, as under valgrind.
  // Nothing is handed out there. At first 0. A process with such an end shows it here and then
  // checks heap_top. A process that takes memory shows the new heap_top and then checks this.
  Shared<std::uint64_t> unreachable_bytes;
  // Offset of the first byte that was never handed out (see unreachable_bytes).
  alignas(line_bytes) Shared<std::uint64_t> heap_top;
  // Head of the stack of free blocks of each size class, with a tag. A pop or a push replaces it.
  Shared<std::uint64_t> heap_free[48];

  // Offsets of records, 0 for none yet. The first process replaces 0 by one that is complete, and
  // all see it.
  Shared<std::uint64_t> directory[records];
  Endpoint endpoints[capacity];
};

// Returns true if the job is oversubscribed: its processes take turns on the processors.
[[nodiscard]] inline bool is_oversubscribed(const SegmentHeader& header) {
  return std::max(header.attached.peek(), header.ranks_here) > header.cpus.peek();
}

constexpr std::uint64_t segment_magic = 0x69747475745f6d73;  // "sm_tutti"

}  // namespace tutti::transport::shm
