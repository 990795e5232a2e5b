// SPDX-License-Identifier: BSD-3-Clause
// One process's part of a job: its membership, its transport, its groups. Everything else hangs off
// this object.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "engine/group.hpp"
#include "engine/handles.hpp"
#include "engine/progressing_transport.hpp"
#include "launch/member.hpp"
#include "transport/checking/transport.hpp"
#include "transport/shm/mail.hpp"
#include "transport/shm/transport.hpp"
#include "transport/wire/mail.hpp"
#include "transport/wire/transport.hpp"

namespace tutti::engine {

class Runtime {
 public:
  // The membership lasts longer than this object.
  explicit Runtime(launch::Membership& membership);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  [[nodiscard]] launch::Membership& membership() { return membership_; }
  [[nodiscard]] transport::Transport& transport() {
    if (checking_) return *checking_;
    return unchecked();
  }
  // For those who wait for something else than a collective.
  [[nodiscard]] transport::Transport& progressing_transport() { return *progressing_; }
  [[nodiscard]] transport::Mail& post() {
    if (remote_mail_) return *remote_mail_;
    return *post_;
  }
  [[nodiscard]] transport::shm::Endpoint& endpoint() {
    return membership_.mapping().endpoint(membership_.endpoint());
  }

  [[nodiscard]] int hosts() const {
    return membership_.wire() == nullptr ? 1 : membership_.wire()->host_count();
  }
  // Not all processes that there are, or may be, share memory.
  [[nodiscard]] bool apart() const {
    return membership_.wire() != nullptr && membership_.wire()->apart();
  }
  // Number of the host of an endpoint.
  [[nodiscard]] int host_of(int endpoint) const {
    return membership_.wire() == nullptr ? 0 : membership_.wire()->host_number(endpoint);
  }
  [[nodiscard]] bool shares_memory_with(int endpoint) const {
    return membership_.wire() == nullptr || membership_.wire()->here(endpoint);
  }
  [[nodiscard]] bool present(int endpoint);
  // Processes come and go, and a wire joins them all.
  [[nodiscard]] bool in_open_job() const { return link_ != nullptr && link_->job().is_open(); }
  // How many processes have left or died, ever, in a way that does not end the job. A load, but in
  // an open job.
  [[nodiscard]] std::int64_t departures() {
    return in_open_job() ? link_->departures() : membership_.mapping().header().departures.load();
  }
  // Before this process leaves in good order: what it has sent to other hosts arrives.
  void leave() {
    membership_.depart();
    if (link_ && !membership_.wire()->finalized()) link_->leave();
  }

  // Only before any group but the world was made; the world's handle stays the same. A world of one
  // is what it is. `leaving` is called when the new world is there, before this process leaves the
  // memory of its job of one. After an Error all is as before.
  void spawn_world(int n, const std::function<void()>& leaving);

  [[nodiscard]] std::uint64_t world() const { return world_; }
  [[nodiscard]] Group* group(std::uint64_t id) {
    const auto* found = groups_.find(id);
    return found == nullptr ? nullptr : found->get();
  }
  // Ranks of `parent`, in that order; this process must be among them. Throws Error.
  std::uint64_t create_group(const Group& parent, std::span<const int> ranks);
  // The same of endpoints that need not have a group in common: members give the same list and
  // label. Its blocking operations may be in another order among those of other groups than at
  // other members.
  std::uint64_t create_group_of(std::vector<int> endpoints, std::uint64_t label);
  bool free_group(std::uint64_t id);
  [[nodiscard]] InFlight& in_flight() { return in_flight_; }
  [[nodiscard]] LazyChooser& choice() { return choice_; }
  // Frees the memory that the plans of all groups keep from one run to the next.
  void release_plans() {
    groups_.for_each([](const std::unique_ptr<Group>& group) { group->release(); });
  }

  // A plan's handle: made once per plan, void when its group is freed.
  struct PlanReference {
    std::uint64_t group = 0;
    Plan* plan = nullptr;
    Group::Repeat last{};  // its last run by this handle
  };
  std::uint64_t handle_of(std::uint64_t group, Plan& plan);
  [[nodiscard]] PlanReference* plan(std::uint64_t id) { return plans_.find(id); }

 private:
  void connect();
  [[nodiscard]] transport::Transport& unchecked() {
    if (remote_transport_) return *remote_transport_;
    return *transport_;
  }
  void check_number(const group::Members& members);
  void require_member(std::span<const int> endpoints) const;
  static void check_no_requests(const Group& group);
  [[nodiscard]] std::unique_ptr<Group> make_group(
      group::Members members, Mode mode, selection::Native native = selection::Native::other_group);
  [[nodiscard]] std::unique_ptr<Group> make_counted_group(std::vector<int> endpoints);

  launch::Membership& membership_;
  LazyChooser choice_;
  InFlight in_flight_;
  std::unique_ptr<transport::shm::ShmTransport> transport_;
  // Where a wire joins the job, around transport_ and post_.
  std::unique_ptr<transport::wire::WireLink> link_;
  std::unique_ptr<transport::wire::RemoteTransport> remote_transport_;
  std::unique_ptr<transport::checking::CheckingTransport>
      checking_;  // around all that, if asked for
  std::unique_ptr<ProgressingTransport> progressing_;
  std::unique_ptr<transport::shm::ShmMail> post_;
  std::unique_ptr<transport::wire::RemoteMail> remote_mail_;
  group::Occurrences occurrences_;
  Handles<std::unique_ptr<Group>> groups_;
  Handles<PlanReference> plans_;
  std::unordered_map<const Plan*, std::uint64_t>
      plan_handles_;  // of plans_, until their groups are freed
  std::uint64_t world_ = 0;
};

}  // namespace tutti::engine
