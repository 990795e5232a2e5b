// SPDX-License-Identifier: BSD-3-Clause
// The puts, gets and messages of a process in a superstep, collected by destination and exchanged
// at its end. Each destination has two sets of streams in turn: while others still read the last
// set, this process fills the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "delivery.hpp"
#include "volume.hpp"

namespace tutti::bsp {

// The header of a put, and the whole record of a get.
struct Access {
  std::uint64_t offset;
  std::uint32_t bytes;
  std::uint32_t slot;
};
// The place that the answer to a get belongs to.
struct AnswerTarget {
  std::byte* destination;
  std::uint32_t bytes;
};

// The words that one process tells another at the end of a superstep. Together with its packet
// header they fit into one cache line.
struct SuperstepNotice {
  std::uint64_t requests =
      0;  // first block of each stream: its name, or its length if blocks are sent
  std::uint64_t puts = 0;
  std::uint64_t messages = 0;
  std::uint64_t agreed = 0;  // a word that must be equal in all processes
  std::uint64_t flags = 0;   // bits that hold if any process sets one; upper half: direct puts
};
constexpr std::uint64_t flag_requests = 1;
constexpr std::uint64_t flag_data = 2;
constexpr unsigned direct_shift = 32;

// The processes that a process tells of its data, and those it hears from, in a partial exchange.
struct Links {
  std::vector<bool> to, from;
};

class Traffic {
 public:
  explicit Traffic(const Peers& peers);

  [[nodiscard]] Stream& puts(int pid) { return outgoing(pid).puts; }
  [[nodiscard]] Stream& messages(int pid) { return outgoing(pid).messages; }
  void request(int pid, const Access& access, std::byte* destination);
  // Counts a put that has reached its process already.
  void count_direct(int pid) { ++direct_[static_cast<std::size_t>(pid)]; }
  // has_for returns true if there is data for the process; empty returns true if there is none at
  // all.
  [[nodiscard]] bool has_for(int pid) const;
  [[nodiscard]] bool empty() const;

  // Tells all processes what data there are for them, and hears it from all. Each process's
  // `agreed` is known afterwards.
  void exchange(std::uint64_t agreed);
  // Exchanges words only with the linked processes: if one process tells another, the other must
  // listen. There may be no requests. The other processes count as having no data and the same
  // `agreed`.
  void exchange_among(std::uint64_t agreed, const Links& links);
  // Number of puts and messages that a process has for this one, after the exchange.
  [[nodiscard]] std::uint64_t items_from(int pid) const;
  [[nodiscard]] std::uint64_t agreed_by(int pid) const {
    return heard_[static_cast<std::size_t>(pid)].agreed;
  }
  [[nodiscard]] bool somebody_requests() const { return (flags_ & flag_requests) != 0; }

  // Bytes and calls exchanged in this superstep, after exchange().
  [[nodiscard]] Volume volume() const;

  // Calls answer(access, place) for each request to this process, to write the answer to `place`.
  // Afterwards all answers of other processes are at their destinations.
  template <class Answer>
  void serve_requests(const Answer& answer);
  // Calls visit(pid, access, data) for each put to this process.
  template <class Visit>
  void for_each_put(const Visit& visit) const;
  // First block of the messages from a process; nullptr if there are none.
  [[nodiscard]] const StreamBlock* messages_from(int pid) const {
    return arrived_[static_cast<std::size_t>(pid)].messages;
  }
  [[nodiscard]] const StreamBlock* resolve(int pid, std::uint64_t name) const {
    return peers_->resolve(static_cast<std::size_t>(pid), name);
  }

  // Begins the next superstep after exchange(). No process reads any more what was sent in the
  // superstep before the last one.
  void turn();
  // Begins the next superstep after exchange_among(). Only processes that have completed as many
  // supersteps as this one surely read no old streams any more.
  void turn_among(const std::vector<std::uint64_t>& left_behind, std::uint64_t own);

 private:
  struct Outgoing {
    explicit Outgoing(Stream::FirstBlock first) : requests(first), puts(first), messages(first) {}
    Stream requests, puts, messages;
    [[nodiscard]] bool empty() const {
      return requests.empty() && puts.empty() && messages.empty();
    }
    void clear();
  };
  // Streams that a process may still read until it has completed `until` supersteps.
  struct Parked {
    std::size_t reader;
    std::uint64_t until;
    Outgoing streams;
  };
  struct Arrived {
    const StreamBlock* requests = nullptr;
    const StreamBlock* puts = nullptr;
    const StreamBlock* messages = nullptr;
  };
  [[nodiscard]] std::size_t count() const { return peers_->count(); }
  [[nodiscard]] Outgoing& outgoing(int pid) {
    return outgoing_[turn_][static_cast<std::size_t>(pid)];
  }
  void tell(std::uint64_t agreed);
  void find_arrived();
  void hear_from_linked(std::uint64_t agreed, const Links& links);
  [[nodiscard]] Stream::FirstBlock first_block() const;
  [[nodiscard]] Outgoing take_parked(const std::vector<std::uint64_t>& left_behind);
  void send_blocks();
  void deliver_answers();

  const Peers* peers_;
  unsigned turn_ = 0;
  std::uint64_t flags_ = 0;
  std::array<std::vector<Outgoing>, 2> outgoing_;
  std::vector<std::vector<AnswerTarget>> wanted_;
  std::vector<Stream> answers_;
  StreamDelivery answers_delivery_;
  std::vector<std::uint32_t> direct_;  // direct puts, by process
  std::vector<Parked> parked_;
  std::vector<SuperstepNotice> told_, heard_;
  std::vector<SuperstepNotice> linked_told_, linked_heard_;  // of the processes in Links only
  std::vector<Arrived> arrived_;
  std::vector<std::byte> sent_blocks_, received_blocks_;
  std::vector<std::int64_t> sent_counts_, received_counts_;
};

template <class Answer>
void Traffic::serve_requests(const Answer& answer) {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    Stream& answers = answers_[pid];
    answers.clear();
    const auto next = [&](std::uint64_t name) { return resolve(static_cast<int>(pid), name); };
    for_each_record(arrived_[pid].requests, next, [&](const std::byte* record) {
      const auto& access = *reinterpret_cast<const Access*>(record);
      answer(static_cast<int>(pid), access, answers.append(aligned(access.bytes)));
      return sizeof(Access);
    });
  }
  answers_delivery_.exchange(*peers_, answers_);
  deliver_answers();
}

template <class Visit>
void Traffic::for_each_put(const Visit& visit) const {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const auto next = [&](std::uint64_t name) { return resolve(static_cast<int>(pid), name); };
    for_each_record(arrived_[pid].puts, next, [&](const std::byte* record) {
      const auto& access = *reinterpret_cast<const Access*>(record);
      visit(static_cast<int>(pid), access, record + sizeof(Access));
      return sizeof(Access) + aligned(access.bytes);
    });
  }
}

}  // namespace tutti::bsp
