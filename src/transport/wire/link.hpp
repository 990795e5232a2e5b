// SPDX-License-Identifier: BSD-3-Clause
// Sends frames to processes on other hosts and receives theirs, in order per process. The wire's
// transport and mail use it. All calls but leave() return at once.
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
  // Called for each frame, in the order in which its sender sent them. The receiver gives the frame
  // back.
  virtual void deliver(int from, Frame frame) = 0;
  // Called when the memory given to send_body() is no longer needed.
  virtual void body_sent(std::uint64_t handle) { static_cast<void>(handle); }
};

class WireLink {
 public:
  WireLink(WireJob& job, const base::Tuning& tuning);
  ~WireLink();
  WireLink(const WireLink&) = delete;
  WireLink& operator=(const WireLink&) = delete;

  void serve(Receiver& packets, Receiver& mail) {
    packets_ = &packets;
    mail_ = &mail;
  }
  [[nodiscard]] const WireJob& job() const { return *job_; }

  // Lets MPI work, and receives and completes what it can now. Returns true if anything moved.
  // Throws Error.
  bool advance();

  // Makes a frame with its header filled in. The meaning of `total` depends on the kind.
  [[nodiscard]] Frame make(FrameKind kind, Label label, std::uint64_t total, std::uint32_t bytes);
  void give_back(Frame frame) { pool_.give_back(frame); }
  // Most bytes of a message that travels in one frame with its header.
  [[nodiscard]] std::uint64_t longest_in_frame() const { return pool_.long_bytes(); }
  void send(int to, Frame frame);
  // Sends a frame without payload.
  void tell(int to, FrameKind kind, std::uint64_t total) { send(to, make(kind, {}, total, 0)); }

  // Sends the bytes of a buffer; its announcing frame was sent just before. The memory must stay
  // until mail.body_sent(handle).
  void send_body(int to, const std::byte* data, std::uint64_t bytes, std::uint64_t handle);
  // Starts to receive the bytes of a buffer, in the order of the frames of `from`. *parts_missing
  // falls to 0 when all of them have arrived.
  [[nodiscard]] Frame receive_body(int from, std::uint64_t bytes, int* parts_missing);

  // Returns true if the process has left the job or has ended: nothing more will come from it.
  [[nodiscard]] bool gone(int number) const {
    const Peer* const found = peers_.find(number);
    return found != nullptr && found->gone;
  }
  // Throws Error(peer_left) that names the process.
  [[noreturn]] void reject_gone(int number) const;
  // Tells all ranks on other hosts that this one leaves, and waits until they all have said so and
  // all that was sent has left. Does nothing in an open job.
  void leave();
  // In an open job, asks to be told of the end of that process.
  void watch(int number) { static_cast<void>(peer(number)); }
  // Records which watched processes have ended and returns how many have ended so far. Always 0
  // unless the job is open, which means that processes come and go.
  std::int64_t departures();
  // Sleeps until something may have come. Works only in an open job, whose processes are woken;
  // returns false elsewhere.
  bool sleep();

 private:
  struct Arriving {
    Frame frame;
    tutti_wire_token request = 0;
  };
  struct Leaving {
    tutti_wire_token request = 0;
    // The frame, or nothing if a part of a buffer leaves.
    Frame frame;
    std::uint64_t handle = 0;  // buffer of which this is the last part, else 0
  };
  struct Part {
    tutti_wire_token request = 0;
    int* missing = nullptr;
  };
  struct Peer {
    base::Fifo<Arriving> arriving;
    bool listed = false;  // is in arriving_from_
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
  const base::Tuning* tuning_;
  const tutti_wire* wire_;
  Receiver* packets_ = nullptr;
  Receiver* mail_ = nullptr;
  // Frames handled per turn, so that arrived ones are delivered before more are taken.
  std::int64_t most_at_once_;
  FramePool pool_;
  ByNumber<Peer> peers_;
  std::vector<int> arriving_from_;
  std::vector<Part> parts_;
  std::vector<Leaving> leaving_;
  std::size_t next_look_ = 0;  // index in leaving_
  std::int64_t departures_ = 0;
  bool apart_ = false;  // there are other hosts, or there may be
  bool left_ = false;
};

}  // namespace tutti::transport::wire
