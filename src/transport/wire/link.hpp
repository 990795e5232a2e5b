// SPDX-License-Identifier: BSD-3-Clause
// Frames to and from the processes on other hosts, in order per process. Everything returns at once
// except leave().
#pragma once

#include <vector>

#include "base/fifo.hpp"
#include "transport/wire/by_number.hpp"
#include "transport/wire/frame.hpp"
#include "transport/wire/job.hpp"

namespace tutti::transport::wire {

// The receiver of the frames of one lane.
class Receiver {
 public:
  virtual ~Receiver() = default;
  // Frames of one sender come in the order in which it sent them. The receiver gives the frame
  // back.
  virtual void deliver(int from, Frame frame) = 0;
  // The memory given to send_body is no longer needed.
  virtual void body_sent(std::uint64_t handle) { static_cast<void>(handle); }
};

class WireLink {
 public:
  explicit WireLink(WireJob& job);
  ~WireLink();
  WireLink(const WireLink&) = delete;
  WireLink& operator=(const WireLink&) = delete;

  void serve(Receiver& packets, Receiver& mail) {
    packets_ = &packets;
    mail_ = &mail;
  }
  [[nodiscard]] const WireJob& job() const { return *job_; }

  // Lets MPI work, and takes and gives what it can now. True if anything moved. Throws Error.
  bool advance();

  // A frame with its header filled in; `total` and `bytes` as the kind wants them.
  [[nodiscard]] Frame make(FrameKind kind, std::uint64_t tag, std::uint64_t total,
                           std::uint32_t bytes);
  void give_back(Frame frame) { pool_.give_back(frame); }
  void send(int to, Frame frame);
  // Frames without payload.
  void tell(int to, FrameKind kind, std::uint64_t total) { send(to, make(kind, 0, total, 0)); }

  // The bytes of a buffer, right after its frame. The memory stays until mail.body_sent(handle).
  void send_body(int to, const std::byte* data, std::uint64_t bytes, std::uint64_t handle);
  // For the buffers of `from`, in the order of their frames. *parts_missing falls to 0 when all is
  // there.
  [[nodiscard]] Frame receive_body(int from, std::uint64_t bytes, int* parts_missing);

  // Has said good-bye, or has ended: nothing more will come from it.
  [[nodiscard]] bool gone(int number) const {
    const Peer* const found = peers_.find(number);
    return found != nullptr && found->gone;
  }
  // Throws Error(peer_left) that names it.
  [[noreturn]] void reject_gone(int number) const;
  // Says good-bye to all other hosts and waits until they all have done so and everything sent has
  // left. In an open job nobody waits for anybody.
  void leave();
  // In an open job: the end of that process will be noticed.
  void watch(int number) { static_cast<void>(peer(number)); }
  // In an open job: takes note of who has ended; how many have, ever.
  std::int64_t departures();
  // Until something may have come, in an open job, where processes are woken. False elsewhere.
  bool sleep();
  [[nodiscard]] std::uint64_t frames_sent() const { return frames_sent_; }

 private:
  struct Arriving {
    Frame frame;
    tutti_wire_token request = 0;
  };
  struct Leaving {
    tutti_wire_token request = 0;
    Frame frame;               // or, where it is a part of a body:
    std::uint64_t handle = 0;  // 0 unless it is the last part
  };
  struct Part {
    tutti_wire_token request = 0;
    int* missing = nullptr;
  };
  struct Peer {
    base::Fifo<Arriving> arriving;
    bool listed = false;  // in arriving_from_
    bool watched = false;
    bool gone = false;
  };

  [[nodiscard]] Peer& peer(int number);
  bool find_frames();
  bool complete_arrivals();
  bool complete_parts();
  bool complete_sends();
  bool deliver_from(int source);
  void deliver(int source, Frame frame);
  void finished(const Leaving& done);
  void check(int code, const char* call, Frame frame);
  [[nodiscard]] bool done(tutti_wire_token& request);

  WireJob* job_;
  const tutti_wire* wire_;
  Receiver* packets_ = nullptr;
  Receiver* mail_ = nullptr;
  FramePool pool_;
  ByNumber<Peer> peers_;
  std::vector<int> arriving_from_;
  std::vector<Part> parts_;
  std::vector<Leaving> leaving_;
  std::size_t next_look_ = 0;  // in leaving_
  std::uint64_t frames_sent_ = 0;
  std::int64_t departures_ = 0;
  bool apart_ = false;  // there are other hosts, or will be
  bool left_ = false;
};

}  // namespace tutti::transport::wire
