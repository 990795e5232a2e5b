// SPDX-License-Identifier: BSD-3-Clause
// Moves frames. MPI keeps the order of messages between two processes when it matches them. The
// receives that follow may complete in any order, so frames are delivered from the front of a queue
// per sender.
#include "transport/wire/link.hpp"

#include <sched.h>

#include <algorithm>

#include "base/error.hpp"
#include "transport/waiter.hpp"

namespace tutti::transport::wire {
namespace {

constexpr int frame_tag = 1, body_tag = 2;
// Most bytes of one message: MPI counts in int.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

// Passes time for a process that has left the memory of its job, and need not be shown any more.
class YieldingIdler final : public Idler {
 public:
  [[nodiscard]] int spin_turns() const override { return 0; }
  // Failure is harmless: this process then goes on at once.
  void idle(int, const WaitInfo&) override { static_cast<void>(::sched_yield()); }
  void awake() override {}
};

}  // namespace

WireLink::WireLink(WireJob& job, const base::Tuning& tuning)
    : job_(&job),
      tuning_(&tuning),
      wire_(&job.wire()),
      most_at_once_(tuning.wire_at_once),
      pool_(tuning),
      peers_(job),
      apart_(job.hosts().apart()) {
  // A program may call MPI_Finalize before tutti ends. All that is in flight must arrive before
  // that.
  job.before_finalize([](void* user) { static_cast<WireLink*>(user)->leave(); }, this);
}

WireLink::~WireLink() {
  job_->before_finalize(nullptr, nullptr);
}

WireLink::Peer& WireLink::peer(int number) {
  Peer& found = peers_[number];
  if (found.watched || !job_->is_open()) return found;
  found.watched = true;
  if (number != job_->rank()) job_->check(wire_->watch(number), "watch");
  return found;
}

std::int64_t WireLink::departures() {
  if (!job_->is_open()) return departures_;
  for (int number = 0;;) {
    job_->check(wire_->ended(&number), "ended");
    if (number < 0) return departures_;
    Peer& who = peer(number);
    if (!who.gone) ++departures_;
    who.gone = true;
  }
}

void WireLink::reject_gone(int number) const {
  base::fail(base::Status::peer_left, "{} has left the job", job_->name_of(number));
}

// The sleep is limited to 20 ms, because a cancel predicate must be asked from time to time.
bool WireLink::sleep() {
  constexpr std::int64_t longest = 20'000'000;
  if (!job_->is_open()) return false;
  job_->check(wire_->sleep(longest), "sleep");
  return true;
}

bool WireLink::done(tutti_wire_token& request) {
  int complete = 0;
  job_->check(wire_->test(&request, &complete), "MPI_Test");
  return complete != 0;
}

bool WireLink::advance() {
  job_->require_alive();
  if (!apart_) {
    job_->check(wire_->poke(), "MPI_Iprobe");
    return false;
  }
  bool moved = find_frames();
  if (!arriving_from_.empty()) moved = complete_arrivals() || moved;
  if (!parts_.empty()) moved = complete_parts() || moved;
  if (!leaving_.empty()) moved = complete_sends() || moved;
  return moved;
}

bool WireLink::find_frames() {
  int found = 0;
  for (int i = 0; i < most_at_once_; ++i) {
    int source = 0;
    std::int64_t bytes = 0;
    tutti_wire_token message = 0;
    job_->check(wire_->find(frame_tag, &found, &source, &bytes, &message), "MPI_Improbe");
    if (found == 0) return i > 0;
    const auto length = static_cast<std::uint64_t>(bytes);
    Arriving arriving{pool_.take(length - sizeof(FrameHeader))};
    check(wire_->receive_found(arriving.frame.message(), bytes, &message, &arriving.request),
          "MPI_Imrecv", arriving.frame);
    Peer& from = peer(source);
    from.arriving.push_back(arriving);
    if (!from.listed) arriving_from_.push_back(source);
    from.listed = true;
  }
  return true;
}

bool WireLink::complete_arrivals() {
  bool moved = false;
  std::erase_if(arriving_from_, [&](int source) {
    moved = deliver_from(source) || moved;
    Peer& from = peer(source);
    from.listed = !from.arriving.empty();
    return !from.listed;
  });
  return moved;
}

bool WireLink::deliver_from(int source) {
  Peer& from = peer(source);
  bool moved = false;
  while (!from.arriving.empty() && done(from.arriving.front().request)) {
    const Frame frame = from.arriving.front().frame;
    from.arriving.pop_front();
    deliver(source, frame);
    moved = true;
  }
  return moved;
}

void WireLink::deliver(int source, Frame frame) {
  switch (frame.header().kind) {
    case FrameKind::good_bye:
      peer(source).gone = true;
      return give_back(frame);
    case FrameKind::packet:
    case FrameKind::room:
      return packets_->deliver(source, frame);
    case FrameKind::mail:
    case FrameKind::buffer:
    case FrameKind::ask:
    case FrameKind::taken:
    case FrameKind::credited:
      return mail_->deliver(source, frame);
  }
  give_back(frame);
  base::fail(
      base::Status::system_error,
      "{} sends what is no frame of tutti: it has another version of it, or another order of bytes",
      job_->name_of(source));
}

bool WireLink::complete_parts() {
  const auto completed = std::erase_if(parts_, [this](Part& part) {
    if (!done(part.request)) return false;
    --*part.missing;
    return true;
  });
  return completed > 0;
}

// Tests a few sends per call, all of them in turn.
bool WireLink::complete_sends() {
  bool moved = false;
  for (int looks = 0; looks < most_at_once_ && !leaving_.empty(); ++looks) {
    if (next_look_ >= leaving_.size()) next_look_ = 0;
    Leaving& looked_at = leaving_[next_look_];
    if (!done(looked_at.request)) {
      ++next_look_;
      continue;
    }
    const Leaving finished_one = looked_at;
    looked_at = leaving_.back();
    leaving_.pop_back();
    finished(finished_one);
    moved = true;
  }
  return moved;
}

void WireLink::finished(const Leaving& done) {
  if (done.frame) pool_.give_back(done.frame);
  if (done.handle != 0) mail_->body_sent(done.handle);
}

Frame WireLink::make(FrameKind kind, Label label, std::uint64_t total, std::uint32_t bytes) {
  const Frame frame = pool_.take(bytes);
  frame.header() = {kind, bytes, label, total};
  return frame;
}

// Frees a frame that MPI did not take.
void WireLink::check(int code, const char* call, Frame frame) {
  if (code != 0) [[unlikely]]
    pool_.give_back(frame);
  job_->check(code, call);
}

void WireLink::send(int to, Frame frame) {
  if (job_->finalized()) pool_.give_back(frame);
  job_->require_alive();
  Leaving leaving{0, frame};
  const auto bytes = static_cast<std::int64_t>(sizeof(FrameHeader) + frame.header().bytes);
  check(wire_->send(frame.message(), bytes, to, frame_tag, &leaving.request), "MPI_Isend", frame);
  // The frame stays listed while it is tested: its memory is MPI's even if the test fails.
  leaving_.push_back(leaving);
  // Small frames have usually left by now.
  if (!done(leaving_.back().request)) return;
  leaving_.pop_back();
  finished(leaving);
}

void WireLink::send_body(int to, const std::byte* data, std::uint64_t bytes, std::uint64_t handle) {
  for (std::uint64_t at = 0; at < bytes; at += most_bytes) {
    const std::uint64_t part = std::min(most_bytes, bytes - at);
    Leaving leaving{0, Frame(), at + part == bytes ? handle : 0};
    job_->check(
        wire_->send(data + at, static_cast<std::int64_t>(part), to, body_tag, &leaving.request),
        "MPI_Isend");
    leaving_.push_back(leaving);
  }
}

Frame WireLink::receive_body(int from, std::uint64_t bytes, int* parts_missing) {
  const Frame frame = pool_.take(bytes);
  for (std::uint64_t at = 0; at < bytes; at += most_bytes) {
    const std::uint64_t part = std::min(most_bytes, bytes - at);
    Part receiving{0, parts_missing};
    const int code = wire_->receive(frame.payload() + at, static_cast<std::int64_t>(part), from,
                                    body_tag, &receiving.request);
    // From the second part on, MPI still uses the memory.
    if (code != 0 && at == 0) pool_.give_back(frame);
    if (code != 0)
      std::erase_if(parts_, [&](const Part& one) { return one.missing == parts_missing; });
    job_->check(code, "MPI_Irecv");
    parts_.push_back(receiving);
    ++*parts_missing;
  }
  return frame;
}

void WireLink::leave() {
  if (left_ || !apart_ || job_->is_open()) return;
  left_ = true;
  std::vector<int> others;
  for (int rank = 0; rank < job_->size(); ++rank) {
    if (!job_->hosts().here(rank)) others.push_back(rank);
  }
  for (const int rank : others) tell(rank, FrameKind::good_bye, 0);
  const auto all_gone = [&] {
    return std::all_of(others.begin(), others.end(), [&](int rank) { return gone(rank); });
  };
  YieldingIdler idler;
  Waiter(idler, steady_clock(), *tuning_)
      .wait_until(
          [&] {
            if (leaving_.empty() && parts_.empty() && all_gone()) return Look::done;
            return advance() ? Look::progress : Look::nothing;
          },
          [&](WaitInfo& info) { info.endpoints = others; });
}

}  // namespace tutti::transport::wire
