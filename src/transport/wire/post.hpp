// SPDX-License-Identifier: BSD-3-Clause
// The mailbox lane of a job over MPI: within a host as ever; a message to another host leaves as a
// frame, or, when it is long, straight from its letter.
#pragma once

#include <list>

#include "transport/shm/post.hpp"
#include "transport/wire/link.hpp"

namespace tutti::transport::wire {

class RemotePost final : public Post, public Receiver {
 public:
  // Both must outlive it.
  RemotePost(shm::ShmPost& memory, Link& link)
      : memory_(&memory), link_(&link), peers_(link.job()) {}
  ~RemotePost() override;
  RemotePost(const RemotePost&) = delete;
  RemotePost& operator=(const RemotePost&) = delete;

  Letter acquire(std::uint64_t bytes, std::uint32_t readers) override {
    return memory_->acquire(bytes, readers);
  }
  [[nodiscard]] bool send(int to, std::uint64_t key, std::uint64_t bytes,
                          const Letter& letter) override;
  [[nodiscard]] bool send_unwritten(int to, std::uint64_t key, std::uint64_t bytes,
                                    const Letter& letter) override {
    return !far(to) && memory_->send_unwritten(to, key, bytes, letter);
  }
  void wrote(int to, const Letter& letter, std::uint64_t bytes) override {
    memory_->wrote(to, letter, bytes);
  }
  void wrote_all(int to, const Letter& letter, std::uint64_t bytes) override {
    memory_->wrote_all(to, letter, bytes);
  }
  [[nodiscard]] bool send_inline(int to, std::uint64_t key, const void* payload,
                                 std::uint32_t bytes) override;
  void withdraw(const Letter& letter, std::uint32_t unsent) override {
    memory_->withdraw(letter, unsent);
  }
  void settle() override { memory_->settle(); }
  void settle_all() override { memory_->settle_all(); }
  [[nodiscard]] std::uint64_t letters_out() const override { return memory_->letters_out(); }
  void release() override { memory_->release(); }
  [[nodiscard]] bool fetch(int source, Arrival& arrival) override;
  const std::atomic<std::uint64_t>* fetch_unwritten(int source, std::uint64_t key,
                                                    std::uint64_t bytes,
                                                    Arrival& arrival) override {
    return far(source) ? nullptr : memory_->fetch_unwritten(source, key, bytes, arrival);
  }
  [[nodiscard]] Taken take_inline(int source, std::uint64_t key, void* to,
                                  std::uint32_t bytes) override {
    return far(source) ? Taken::other : memory_->take_inline(source, key, to, bytes);
  }
  void contacts(void (*visit)(void* user, int source), void* user) override;
  void discard(const Arrival& arrival) override;
  void require_reachable(int to) const override;
  void part(void (*visit)(void* user, int source), void* user) override {
    memory_->part(visit, user);
  }
  void orphan(const Arrival& arrival) override;
  void ask_to_be_woken(bool wanted) override;
  [[nodiscard]] std::uint64_t unreceived() const override;
  [[nodiscard]] std::string unreceived_text() const override;

  void deliver(int from, Frame frame) override;
  void body_sent(std::uint64_t handle) override;

 private:
  struct Mail {
    Frame frame;
    std::uint64_t key = 0;
    std::uint64_t bytes = 0;
    int parts_missing = 0;
  };
  struct Peer {
    std::list<Mail> arrived;  // their addresses stay
    std::uint64_t fetched = 0;
    bool asks = false;           // wants to know of each message that is fetched
    std::uint64_t sent = 0;      // messages, ever
    std::uint64_t reported = 0;  // of them, fetched there
  };

  [[nodiscard]] bool far(int endpoint) const { return link_->job().far(endpoint); }
  [[nodiscard]] Peer& peer(int number) { return peers_[number]; }
  void send_copy(int to, std::uint64_t key, const void* payload, std::uint32_t bytes);
  void fetched_one(int source, Peer& from);

  shm::ShmPost* memory_;
  Link* link_;
  ByNumber<Peer> peers_;
};

}  // namespace tutti::transport::wire
