// SPDX-License-Identifier: BSD-3-Clause
// The memory a job shares: one sparse memfd, mapped once and never remapped. This header is its
// layout; everything in it is reached by offset, because the processes map it at different
// addresses.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::transport::shm {

constexpr int capacity = 1024;          // endpoints of a job; groups map ranks to endpoints
constexpr std::size_t line_bytes = 64;  // a cache line
constexpr std::uint32_t most_arena_bytes = 4U << 20;
constexpr std::uint32_t layout_version = 15;

// An endpoint is named by one number: its slot, and which of the processes that have had the slot
// is meant. The first generation of a slot has the number of the slot, so the ranks of the world
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

// Tells what happens to the other endpoints when one dies (docs/design.md, "Supervisor").
enum class DeathPolicy : std::uint32_t { together, tolerant };

enum class Presence : std::uint32_t {
  empty,      // nobody has been here, or the slot was freed for a new generation
  expected,   // the launcher has started a process that is to attach here
  attached,   // a process is here
  finalized,  // it has left in good order
  left,       // its process ended without saying good-bye, exit code 0
  dead        // its process was killed, or failed
};

// Nobody is at the slot any more, and what it shared with others may be taken apart.
[[nodiscard]] constexpr bool departed(Presence presence) {
  return presence == Presence::finalized || presence == Presence::left ||
         presence == Presence::dead;
}

enum class Lane : std::uint32_t { collective, mailbox };
constexpr int lanes = 2;

// The activity of an endpoint, for reports. Its owner writes it with plain relaxed stores and the
// launcher reads it at any time: values may be a moment old, but no field is torn. Only a failed
// spin window writes the waiting part.
struct StateLine {
  static constexpr int waits_shown = 8;
  std::atomic<std::uint64_t>
      call[3];  // name of the front end's call, up to 23 characters, 0-padded; empty = computing
  std::atomic<std::uint32_t> waiting;  // 0 no, 1 for all of `wait_for`, 2 for any of them
  std::atomic<std::uint32_t>
      looks;  // grows with every look a sleeping waiter takes: a sign of life
  std::atomic<std::uint32_t>
      operation;  // index into the names of schedule::Operation + 1; 0 = a mailbox receive
  std::atomic<std::uint32_t> group_size;
  std::atomic<std::uint64_t> sequence;  // number of the operation within its group
  std::atomic<std::int32_t> round;
  std::atomic<std::uint32_t> wait_count;  // endpoints waited for; may exceed waits_shown
  std::atomic<std::uint16_t> wait_for[waits_shown];
};

// Fixed part of an endpoint. `waiter`, on a line of its own, is the word of docs/design.md,
// "Waiting and waking".
struct alignas(line_bytes) Endpoint {
  std::atomic<Presence> presence;
  std::atomic<std::uint32_t> generation;
  std::atomic<std::int32_t> pid;
  std::atomic<std::int32_t> world_rank;  // -1 for endpoints outside the world
  // 0, or 1 + the code its process gave to exit(): for a supervisor that is not its parent.
  std::atomic<std::uint32_t> exit_note;
  std::atomic<std::uint32_t>
      draining;  // 1 while it waits until all its mailbox messages are received
  std::atomic<std::uint64_t>
      arena;  // offset of its send arena, 0 before first use; kept for the next generation

  alignas(
      line_bytes) std::atomic<std::uint32_t> waiter;  // 1 while its process sleeps or is about to
  alignas(line_bytes) StateLine state;
  // 1 + the number of the processor on which its process last went on after a wait; 0 before, and
  // while it lets others run.
  alignas(line_bytes) std::atomic<std::uint32_t> runs_on;
  std::atomic<std::uint32_t> stands_on;  // the same, but only 0 while it sleeps

  // The line ring from endpoint i to this one, 0 before first contact; written by the sender. In
  // the collective lane an offset; in the mailbox lane the ring the receiver reads, see queue.hpp.
  alignas(line_bytes) std::atomic<std::uint64_t> inbound[lanes][capacity];
  // Mailbox messages of endpoint i that this one has taken, ever; written by this one.
  alignas(line_bytes) std::atomic<std::uint64_t> taken[capacity];
  // Bit i of the mailbox contacts: endpoint i has sent here at least once.
  alignas(line_bytes) std::atomic<std::uint64_t> contacts[capacity / 64];
  // Where it has memory for buffers, offsets or 0: if it is killed, the next generation has it. The
  // buffer it keeps for its next ones, the ring in which those of middle length follow each
  // other, and which of them are not known to be read.
  static constexpr int buffers_in_ring = 126;
  alignas(line_bytes) std::atomic<std::uint64_t> cached_buffer;
  std::atomic<std::uint64_t> buffer_circle;
  std::atomic<std::uint64_t> ring_buffers[buffers_in_ring];
};

// The header of a named record that processes share. The directory has the offsets of records. An
// offset is written in one step when the record is complete, so a process that is killed leaves no
// record that is half made.
struct alignas(line_bytes) Record {
  static constexpr int name_bytes = 64;
  char name[name_bytes];
  std::int64_t bytes;
};
constexpr int records = 1024;

// The header of a text that one process of a job gives to all processes of the job, now and later.
// The board has the offsets, written like those of records.
struct Notice {
  std::int32_t writer;  // its endpoint
  std::uint64_t bytes;
};
enum class NoticeKind : std::uint32_t {
  forcing,      // algorithms that the first process to join forces; all others must agree
  machine_info  // endpoint 0's knowledge of the machine
};
constexpr int notices = 2;

// Words of the set of processors; those with higher numbers are not counted.
constexpr int processor_words = 16;

struct alignas(line_bytes) SegmentHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t world_size;  // ranks 0..world_size-1 are endpoints 0..world_size-1 of generation 1
  std::uint64_t segment_bytes;
  DeathPolicy policy;
  std::uint32_t unsupervised;  // 1 where no supervisor sees who waits in vain, as under MPI: the
                               // waiters look themselves
  std::uint32_t ranks_here;    // of the world's, those that use this segment: fewer than all where
                               // MPI joins hosts
  std::uint32_t quota;         // processors that the control groups give the job
  std::uint32_t arena_bytes;   // of each send arena, at most most_arena_bytes
  // 1 as long as whoever goes to sleep can make all others pass a fence: see fence.hpp.
  std::atomic<std::uint32_t> fences_at_sleep;
  // Those the job may use: an MPI binds each rank to one, so all processes add their own. See
  // add_processors().
  std::atomic<std::uint32_t> cpus;
  std::atomic<std::uint64_t> processors[processor_words];
  std::atomic<std::uint32_t> slots;  // slots that were ever in use; at first world_size
  // How often an endpoint has departed for which somebody may have to clean up, or wait in vain.
  std::atomic<std::uint32_t> departures;

  // The first abort wins: claimed by compare-and-swap from 0 to 1, then filled in, then set to 2.
  alignas(line_bytes) std::atomic<std::uint32_t> abort_state;
  std::int32_t abort_code;
  std::int32_t abort_endpoint;
  char abort_text[512];
  alignas(line_bytes)
      std::atomic<std::uint32_t> ending;  // set by the supervisor: the job is over, leave at once
  std::atomic<std::uint32_t> attached;    // endpoints that are attached now

  // Memory: everything beyond this header is reserved here before it is touched.
  alignas(line_bytes) std::atomic<std::int64_t> reserved_bytes;
  std::int64_t limit_bytes;
  alignas(
      line_bytes) std::atomic<std::uint64_t> heap_top;  // offset of the first byte never handed out
  std::atomic<std::uint64_t>
      heap_free[48];  // per size class: tagged head of a stack of free blocks

  std::atomic<std::uint64_t> board[notices];      // 0: nothing yet
  std::atomic<std::uint64_t> directory[records];  // 0: free
  Endpoint endpoints[capacity];
};

// More processes than processors: they take turns.
[[nodiscard]] inline bool is_crowded(const SegmentHeader& header) {
  return std::max(header.attached.load(std::memory_order_relaxed), header.ranks_here) >
         header.cpus.load(std::memory_order_relaxed);
}

constexpr std::uint64_t segment_magic = 0x69747475745f6d73;  // "sm_tutti"

}  // namespace tutti::transport::shm
