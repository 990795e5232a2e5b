// SPDX-License-Identifier: BSD-3-Clause
// One process's part of a job: its membership, its transport, its services and its groups. The C
// interface reaches everything else through this object. A process may be in several jobs, which
// share nothing.
#pragma once

#include <memory>

#include "job/group_handles.hpp"
#include "launch/member.hpp"
#include "services/directory.hpp"
#include "services/mailbox.hpp"
#include "services/outbox.hpp"
#include "services/windows.hpp"
#include "transport/checking/transport.hpp"
#include "transport/shm/mail.hpp"
#include "transport/shm/transport.hpp"
#include "transport/timed/draining.hpp"
#include "transport/wire/mail.hpp"
#include "transport/wire/transport.hpp"

namespace tutti::job {

class Job {
 public:
  // Questions that the program puts to every wait, and how it describes messages in reports.
  struct Wishes {
    transport::GiveUp question{};
    services::DescribeMatch describe = nullptr;
    record::RunRecorder* record = nullptr;  // of this process, if there is one; it outlives the job
  };
  // The membership must outlive this object.
  Job(launch::Membership& membership, const Wishes& wishes);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] launch::Membership& membership() { return membership_; }
  [[nodiscard]] transport::Transport& transport() {
    if (checking_) return *checking_;
    return unchecked();
  }
  // Messages to processes of this host, which alone are sent without packets.
  [[nodiscard]] const transport::LongCounts& long_messages() const {
    return transport_->long_messages();
  }
  // All calls of this process wait by it.
  [[nodiscard]] transport::Waiter& waiter() { return waiter_; }
  [[nodiscard]] transport::Mail& post() {
    if (remote_mail_) return *remote_mail_;
    return *post_;
  }
  [[nodiscard]] services::Mailbox& mailbox() { return *mailbox_; }
  [[nodiscard]] services::Outbox& outbox() { return *outbox_; }
  [[nodiscard]] services::Directory& directory() { return *directory_; }
  [[nodiscard]] services::Windows& windows() { return *windows_; }
  // Frees the windows of this process, before it leaves.
  void free_windows() { windows_.reset(); }
  // Sets the predicate that every wait of this process asks from now on.
  void set_question(const transport::GiveUp& question) {
    wishes_.question = question;
    waiter_.set_question(question);
  }
  [[nodiscard]] transport::shm::Endpoint& endpoint() {
    return membership_.mapping().endpoint(membership_.endpoint());
  }

  // See RemoteTransport; without MPI it does nothing.
  void let_mpi_work_often(bool often) {
    if (remote_transport_) remote_transport_->let_mpi_work_often(often);
  }
  // Returns the row of the job's tables that speaks of the call; nullptr if there is none. Throws
  // Error as a choice does.
  [[nodiscard]] const selection::MpiRow* row_for(const selection::MpiCall& call) {
    return choice_.chooser().row_for(call);
  }
  // The profile by which the job's plans are priced. Throws Error as a choice does.
  [[nodiscard]] const machine::Profile& machine() { return choice_.chooser().machine(); }
  [[nodiscard]] int hosts() const {
    return membership_.wire() == nullptr ? 1 : membership_.wire()->hosts().count();
  }
  // Returns true if some processes share no memory with this one, or if such processes may come.
  [[nodiscard]] bool apart() const {
    return membership_.wire() != nullptr && membership_.wire()->hosts().apart();
  }
  // Returns the number of an endpoint's host.
  [[nodiscard]] int host_of(int endpoint) const {
    return membership_.wire() == nullptr ? 0 : membership_.wire()->hosts().number(endpoint);
  }
  [[nodiscard]] bool shares_memory_with(int endpoint) const {
    return membership_.wire() == nullptr || membership_.wire()->hosts().here(endpoint);
  }
  [[nodiscard]] bool present(int endpoint);
  // Returns true if processes may come and go at any time and a wire joins them all.
  [[nodiscard]] bool in_open_job() const { return link_ != nullptr && link_->job().is_open(); }
  // Returns how many processes have ever left or died in a way that does not end the job. It costs
  // one load, except in an open job.
  [[nodiscard]] std::int64_t departures() {
    return in_open_job() ? link_->departures() : membership_.mapping().header().departures.see();
  }
  // Called before this process leaves in good order. Messages to other hosts still arrive.
  // Throws Error(mismatch) if a message of a collective was never taken: ranks that do not wait for
  // each other in a wrong call, such as two roots of one broadcast, learn of it only here. Throws
  // nothing if a call has failed for such a reason before. A second call does nothing.
  void leave();

  // Replaces the world of one process by a world of n; n = 1 changes nothing. Allowed only before
  // another group, a window or a message under way is made. The world's handle stays the same. An
  // Error leaves all as it was.
  void spawn_world(int n);

  [[nodiscard]] GroupHandles& groups() { return groups_; }
  [[nodiscard]] const base::Tuning& tuning() const { return membership_.mapping().tuning(); }
  [[nodiscard]] engine::InFlight& in_flight() { return in_flight_; }
  [[nodiscard]] engine::LazyChooser& choice() { return choice_; }

 private:
  void connect();
  void connect_services();
  void leave_services();
  void check_alone(int n);
  [[noreturn]] void report_unread(const transport::UnreadPacket& packet);
  [[nodiscard]] transport::Transport& unchecked() {
    if (draining_) return *draining_;
    if (remote_transport_) return *remote_transport_;
    return *transport_;
  }

  launch::Membership& membership_;
  Wishes wishes_;
  engine::LazyChooser choice_;
  transport::Waiter waiter_;
  engine::InFlight in_flight_;
  std::unique_ptr<transport::shm::ShmTransport> transport_;
  // Used where a wire joins the job; they wrap transport_ and post_.
  std::unique_ptr<transport::wire::WireLink> link_;
  std::unique_ptr<transport::wire::RemoteTransport> remote_transport_;
  std::unique_ptr<timed::DrainingTransport> draining_;  // wraps transport_ in virtual time
  // Wraps the transports above, if TUTTI_CHECKING asks for it.
  std::unique_ptr<transport::checking::CheckingTransport> checking_;
  std::unique_ptr<transport::shm::ShmMail> post_;
  std::unique_ptr<transport::wire::RemoteMail> remote_mail_;
  std::unique_ptr<services::Mailbox> mailbox_;
  std::unique_ptr<services::Outbox> outbox_;
  std::unique_ptr<services::Directory> directory_;
  std::unique_ptr<services::Windows> windows_;
  GroupHandles groups_;
  bool left_ = false;
};

}  // namespace tutti::job
