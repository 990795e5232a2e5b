// SPDX-License-Identifier: BSD-3-Clause
// Moving frames. MPI keeps the order of messages between two processes at the moment they are matched; the receives that
// follow may complete in any order, so frames are handed on from the front of a queue per sender.
#include "transport/mpi/link.hpp"

#include <sched.h>

#include <algorithm>

namespace tutti::transport::mpi {
namespace {

constexpr int frame_tag = 1, body_tag = 2;
constexpr int most_at_once = 16;  // per turn, so that what came is looked at before more is taken
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of one message: MPI counts in int

}  // namespace

Link::Link(Job& job)
    : job_(&job), wire_(&job.wire()), peers_(static_cast<std::size_t>(job.size())), apart_(job.host_count() > 1) {
  // A program may call MPI_Finalize first: what is under way must arrive before that.
  job.before_finalize([](void* user) { static_cast<Link*>(user)->leave(); }, this);
}

Link::~Link() {
  job_->before_finalize(nullptr, nullptr);
}

bool Link::done(tutti_wire_token& request) {
  int complete = 0;
  job_->check(wire_->test(&request, &complete), "MPI_Test");
  return complete != 0;
}

bool Link::advance() {
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

bool Link::find_frames() {
  int found = 0;
  for (int i = 0; i < most_at_once; ++i) {
    int source = 0;
    std::int64_t bytes = 0;
    tutti_wire_token message = 0;
    job_->check(wire_->find(frame_tag, &found, &source, &bytes, &message), "MPI_Improbe");
    if (found == 0) return i > 0;
    const auto length = static_cast<std::uint64_t>(bytes);
    Arriving arriving{pool_.take(length - sizeof(FrameHeader))};
    check(wire_->receive_found(arriving.frame.message(), bytes, &message, &arriving.request), "MPI_Imrecv",
          arriving.frame);
    Peer& peer = peers_[static_cast<std::size_t>(source)];
    peer.arriving.push_back(arriving);
    if (!peer.listed) arriving_from_.push_back(source);
    peer.listed = true;
  }
  return true;
}

bool Link::complete_arrivals() {
  bool moved = false;
  std::erase_if(arriving_from_, [&](int source) {
    moved = deliver_from(source) || moved;
    Peer& peer = peers_[static_cast<std::size_t>(source)];
    peer.listed = !peer.arriving.empty();
    return !peer.listed;
  });
  return moved;
}

bool Link::deliver_from(int source) {
  Peer& peer = peers_[static_cast<std::size_t>(source)];
  bool moved = false;
  while (!peer.arriving.empty() && done(peer.arriving.front().request)) {
    const Frame frame = peer.arriving.front().frame;
    peer.arriving.pop_front();
    deliver(source, frame);
    moved = true;
  }
  return moved;
}

void Link::deliver(int source, Frame frame) {
  switch (frame.header().kind) {
    case FrameKind::good_bye:
      peers_[static_cast<std::size_t>(source)].gone = true;
      return give_back(frame);
    case FrameKind::packet:
    case FrameKind::room:
      return packets_->deliver(source, frame);
    default:
      return mail_->deliver(source, frame);
  }
}

bool Link::complete_parts() {
  const auto completed = std::erase_if(parts_, [this](Part& part) {
    if (!done(part.request)) return false;
    --*part.missing;
    return true;
  });
  return completed > 0;
}

// A few at a time, all of them in turn.
bool Link::complete_sends() {
  bool moved = false;
  for (int looks = 0; looks < most_at_once && !leaving_.empty(); ++looks) {
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

void Link::finished(const Leaving& done) {
  if (done.frame) pool_.give_back(done.frame);
  if (done.handle != 0) mail_->body_sent(done.handle);
}

Frame Link::make(FrameKind kind, std::uint64_t tag, std::uint64_t total, std::uint32_t bytes) {
  const Frame frame = pool_.take(bytes);
  frame.header() = {kind, bytes, tag, total};
  return frame;
}

// What MPI did not take is free again.
void Link::check(int code, const char* call, Frame frame) {
  if (code != 0) [[unlikely]]
    pool_.give_back(frame);
  job_->check(code, call);
}

void Link::send(int to, Frame frame) {
  if (job_->finalized()) pool_.give_back(frame);
  job_->require_alive();
  Leaving leaving{0, frame};
  const auto bytes = static_cast<std::int64_t>(sizeof(FrameHeader) + frame.header().bytes);
  check(wire_->send(frame.message(), bytes, to, frame_tag, &leaving.request), "MPI_Isend", frame);
  ++frames_sent_;
  leaving_.push_back(leaving);  // the memory is MPI's, whatever the look below finds
  // Small ones have usually left by now.
  if (!done(leaving_.back().request)) return;
  leaving_.pop_back();
  finished(leaving);
}

void Link::send_body(int to, const std::byte* data, std::uint64_t bytes, std::uint64_t handle) {
  for (std::uint64_t at = 0; at < bytes; at += most_bytes) {
    const std::uint64_t part = std::min(most_bytes, bytes - at);
    Leaving leaving{0, Frame(), at + part == bytes ? handle : 0};
    job_->check(wire_->send(data + at, static_cast<std::int64_t>(part), to, body_tag, &leaving.request), "MPI_Isend");
    leaving_.push_back(leaving);
  }
}

Frame Link::receive_body(int from, std::uint64_t bytes, int* parts_missing) {
  const Frame frame = pool_.take(bytes);
  for (std::uint64_t at = 0; at < bytes; at += most_bytes) {
    const std::uint64_t part = std::min(most_bytes, bytes - at);
    Part receiving{0, parts_missing};
    const int code =
        wire_->receive(frame.payload() + at, static_cast<std::int64_t>(part), from, body_tag, &receiving.request);
    if (code != 0 && at == 0) pool_.give_back(frame);  // later, MPI has a part of it
    if (code != 0) std::erase_if(parts_, [&](const Part& one) { return one.missing == parts_missing; });
    job_->check(code, "MPI_Irecv");
    parts_.push_back(receiving);
    ++*parts_missing;
  }
  return frame;
}

void Link::leave() {
  if (left_ || !apart_) return;
  left_ = true;
  std::vector<int> others;
  for (int rank = 0; rank < job_->size(); ++rank) {
    if (!job_->here(rank)) others.push_back(rank);
  }
  for (const int rank : others) tell(rank, FrameKind::good_bye, 0);
  const auto all_gone = [&] { return std::all_of(others.begin(), others.end(), [&](int rank) { return gone(rank); }); };
  while (!leaving_.empty() || !parts_.empty() || !all_gone()) {
    if (!advance()) ::sched_yield();
  }
}

}  // namespace tutti::transport::mpi
