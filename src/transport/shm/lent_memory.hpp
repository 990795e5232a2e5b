// SPDX-License-Identifier: BSD-3-Clause
// Memory that this process lends to the readers of what it sends: a ring, in which blocks follow
// each other, one kept block of the heap, and else the heap. There are three: for the fragments of
// collectives, which are free when all readers have taken their packets, for messages, in front of
// which a counter of readers stands, and for windows, which the program gives back. Memory that was
// written just now lies in the caches of both sides, and writing it again takes twice as long as
// writing memory that both have evicted (docs/internals/shared-memory.md, "The size of a send
// arena").
#pragma once

#include <cstdint>

#include "base/fifo.hpp"
#include "transport/clock.hpp"
#include "transport/mail.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/next_fit.hpp"
#include "transport/shm/ring.hpp"
#include "transport/store_policy.hpp"
#include "transport/transport.hpp"
#include "transport/window_policy.hpp"

namespace tutti::transport::shm {

// By what the lender knows that all have read a block.
enum class ReadBy : std::uint8_t {
  packets,     // by the numbers of packets that rings say are taken
  references,  // by a counter of readers in front of the block
  owner        // the program says so
};

class LentMemory {
 public:
  LentMemory(const LentMemory&) = delete;
  LentMemory& operator=(const LentMemory&) = delete;
  // Fragments come from the heap only while the ring is stuck: its oldest fragment may be for a
  // process that waits outside of tutti, perhaps for what a later one would bring about.
  [[nodiscard]] static LentMemory of_fragments(const Mapping& mapping, int self,
                                               const Clock& clock);
  // Takes over the ring of an earlier process in this slot that was killed or that ended before its
  // messages were received.
  [[nodiscard]] static LentMemory of_messages(const Mapping& mapping, int self, const Clock& clock);
  // Windows lie in the ring or nowhere, and only after so many bytes were asked for that the ring
  // pays.
  [[nodiscard]] static LentMemory of_windows(const Mapping& mapping, int self, const Clock& clock);

  // Returns memory for `bytes` bytes and so many readers, stored in the way that suits the first of
  // them. `data` is nullptr if there is none now. Throws Error(out_of_memory) if there is none for
  // the ring of fragments.
  [[nodiscard]] Lent acquire(std::uint64_t bytes, std::uint32_t readers, PeerDistance& first);
  // Says that the fragment acquired last is the next packet of this ring, too. A fragment that was
  // posted to nobody is free. Writers keep their addresses as long as the transport exists.
  void posted(RingWriter<Lane::collective>& ring);
  // Returns true if the fragment acquired last is to be timed by its writer and its reader.
  [[nodiscard]] bool last_is_timed() { return lent_.back().timed; }

  // Takes back the oldest blocks up to one that is still to be read, or all that were read. `idle`
  // also frees the memory that was kept for later blocks. The ring is freed if nothing in it is
  // lent, or if it is one of windows. Returns the bytes that are lent now.
  std::uint64_t reclaim(Depth depth);
  // Takes back the window of this name. Returns false if it is none.
  bool take_back(std::uint64_t name);
  // Bytes that are lent.
  [[nodiscard]] std::uint64_t outstanding() const { return outstanding_; }

  // Called at each turn of a wait after its spin, and at the end of the wait.
  void waited() {
    if (refused_) [[unlikely]] {
      beyond_window_ = true;
      look_at_clock();
    }
  }
  void awake() {
    refused_ = beyond_window_ = false;
    if (in_heap_ != 0) [[unlikely]]
      reclaim(Depth::all);
  }

 private:
  struct Block {
    std::uint64_t offset = 0;  // of its header; 0: none
    std::uint64_t bytes = 0;   // behind the header
    LentBook::Word* word = nullptr;
    NextFit::Node node = 0;  // its part of the ring; 0: it is of the heap
  };
  // A block that is lent.
  struct Loan {
    Block block;
    PeerDistance* first = nullptr;
    std::uint32_t posts = 0;  // packets that are not known to be taken
    bool has_one_reader = false, non_temporal = false, timed = false;
    std::uint8_t window = WindowPolicy::none;  // for which its time counts
  };
  // A fragment is packet number `packet`, counted from 1, of the ring.
  struct Post {
    RingWriter<Lane::collective>* ring;
    std::uint64_t packet;
    [[nodiscard]] bool taken() const { return ring->taken(packet); }
  };

  LentMemory(const Mapping& mapping, int self, const Clock& clock, ReadBy receipt);
  [[nodiscard]] LentHeader& header(const Block& block) const {
    return *mapping_->at<LentHeader>(block.offset);
  }
  [[nodiscard]] const base::Tuning& tuning() const { return mapping_->tuning(); }

  [[nodiscard]] bool suits_ring(std::uint64_t bytes);
  [[nodiscard]] bool have_ring();
  [[nodiscard]] bool from_ring(Block& block);
  [[nodiscard]] NextFit::Node take_part(std::uint64_t span);
  [[nodiscard]] NextFit::Node take_for_packet(std::uint64_t span);
  void choose_way(Loan& loan);
  [[nodiscard]] bool from_heap(Block& block);
  [[nodiscard]] bool new_block(Block& block);
  [[nodiscard]] bool write_down(Block& block, LentBook::Kind kind);
  void inherit();
  void reclaim_oldest();
  void reclaim_behind();
  [[nodiscard]] std::uint64_t new_ring();
  void release_ring();
  [[nodiscard]] bool is_read(const Loan& loan) const;
  [[nodiscard]] bool oldest_is_read();
  void give_back(const Block& block);
  void free(const Block& block);
  [[nodiscard]] bool is_stuck();
  void look_at_clock();

  const Mapping* mapping_;
  const Clock* clock_;
  ReadBy receipt_;
  int self_;
  std::uint64_t ring_bytes_;
  std::uint64_t crowded_window_;  // what is filled in an oversubscribed job before it begins anew
  Shared<std::uint64_t>* ring_entry_;  // where the ring is shown; nullptr: the book has it
  LentBook::Word* ring_word_ = nullptr;
  std::uint64_t base_;  // offset of the ring; 0: none
  NextFit ring_;
  std::uint64_t asked_ = 0;         // bytes of windows that were asked for before there is a ring
  std::int64_t until_attempt_ = 0;  // blocks until memory for the ring is asked for again
  std::int64_t until_look_ = 0;     // fragments until the next look at what readers have taken
  Heap heap_;
  LentBook book_;
  StorePolicy stores_;
  WindowPolicy windows_;
  base::Fifo<Loan> lent_{256};   // in the order in which they were acquired
  base::Fifo<Post> posts_{256};  // the posts of these blocks, in order
  Block kept_;                   // the largest block of the heap that was read
  std::uint64_t outstanding_ = 0;
  int in_heap_ = 0;  // blocks of the heap that are lent

  bool refused_ = false;          // the ring of fragments has refused in this wait
  bool within_window_ = false;    // the fragment acquired last was looked for in the window
  bool beyond_window_ = false;    // and a reader is late, so that all of the ring serves
  std::uint32_t refusals_ = 0;    // ever
  std::uint64_t given_back_ = 0;  // blocks that came back in order
  std::uint64_t seen_ = 0;        // their number when the ring was last seen to move
  std::uint64_t since_ = 0;       // when that was, in ns; 0: it was not looked at yet
  bool opened_ = false;           // since then the ring has been stuck for long
};

}  // namespace tutti::transport::shm
