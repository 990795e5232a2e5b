// SPDX-License-Identifier: BSD-3-Clause
// Connects a process to its job, and leaves it.
#include "job/job.hpp"

#include <utility>

#include "base/copy.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "job/join.hpp"
#include "selection/question_text.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::job {

namespace {

// In virtual time the timekeeper chooses for all ranks.
selection::Chooser::Adviser adviser_of(record::RunRecorder* record) {
  if (record == nullptr || record->stream() == nullptr) return nullptr;
  return [record](const selection::Question& question, std::int64_t bytes) {
    const std::string plan = record->stream()->advice_on(selection::question_text(question, bytes));
    return selection::parse_plan(question.operation, plan);
  };
}

}  // namespace

Job::Job(launch::Membership& membership, const Wishes& wishes)
    : membership_(membership),
      wishes_(wishes),
      choice_(
          selection::policy_of_environment(),
          [this] { return common_machine_info(membership_, waiter_); }, adviser_of(wishes.record)),
      in_flight_(waiter_, wishes.record) {
  in_flight_.set_group_text([this](std::uint64_t group) { return groups_.text_of(group); });
  connect();
}

void Job::connect() {
  agree(membership_, choice_.policy());
  const auto& mapping = membership_.mapping();
  base::set_copy_rules(mapping.tuning());
  transport_ = std::make_unique<transport::shm::ShmTransport>(mapping, membership_.endpoint());
  post_ =
      std::make_unique<transport::shm::ShmMail>(mapping, membership_.endpoint(), transport_.get());
  if (transport::wire::WireJob* job = membership_.wire()) {
    link_ = std::make_unique<transport::wire::WireLink>(*job, mapping.tuning());
    remote_transport_ = std::make_unique<transport::wire::RemoteTransport>(*transport_, *link_);
    remote_mail_ = std::make_unique<transport::wire::RemoteMail>(*post_, *link_);
    link_->serve(*remote_transport_, *remote_mail_);
  }
  if (wishes_.record != nullptr && wishes_.record->stream() != nullptr)
    draining_ = std::make_unique<timed::DrainingTransport>(*transport_);
  if (base::flag(base::Variable::checking)) {
    checking_ = std::make_unique<transport::checking::CheckingTransport>(unchecked());
  }
  waiter_.serve(transport());
  engine::Common common{transport(), in_flight_, choice_, {base::flag(base::Variable::verify)}};
  common.mpi.job = in_open_job() ? nullptr : membership_.wire();
  if (apart())
    common.host_of = [this](int endpoint) { return membership_.wire()->hosts().of(endpoint); };
  groups_.begin(membership_.id(), common, membership_.world());
  connect_services();
}

void Job::connect_services() {
  const double send_wait = base::seconds(base::Variable::send_wait).value_or(10);
  mailbox_ = std::make_unique<services::Mailbox>(waiter_, post(), wishes_.record);
  outbox_ =
      std::make_unique<services::Outbox>(waiter_, post(), *mailbox_, send_wait, wishes_.record);
  mailbox_->describe_by(wishes_.describe);
  waiter_.set_question(wishes_.question);
  directory_ =
      std::make_unique<services::Directory>(membership_.mapping(), transport().self(), waiter_);
  windows_ = std::make_unique<services::Windows>(membership_.mapping(),
                                                 transport::shm::slot_of(membership_.endpoint()));
}

// Called before this process leaves the memory that the services use.
void Job::leave_services() {
  windows_.reset();
  directory_.reset();
  outbox_.reset();
  mailbox_.reset();
}

bool Job::present(int endpoint) {
  if (in_open_job()) {
    link_->watch(endpoint);
    static_cast<void>(link_->departures());
    return !link_->gone(endpoint);
  }
  const auto& mapping = membership_.mapping();
  const auto presence = mapping.endpoint(transport::shm::slot_of(endpoint)).presence.see();
  if (!transport::shm::reachable(mapping, endpoint) || departed(presence)) return false;
  return link_ == nullptr || !link_->gone(endpoint);
}

void Job::leave() {
  if (std::exchange(left_, true) || !membership_.valid()) return;
  transport_->publish_taken();
  membership_.depart();
  const bool over_wire = link_ && !membership_.wire()->finalized();
  if (over_wire) link_->leave();
  // If processes may leave at any time, a message that one of them did not take is no error.
  if (in_open_job() || membership_.tolerates_deaths() || in_flight_.mismatch_seen()) return;
  auto found = in_flight_.unread(membership_.id());
  if (!found) found = transport_->unread();
  if (!found && over_wire) found = remote_transport_->unread();
  if (found) report_unread(*found);
}

void Job::report_unread(const transport::UnreadPacket& packet) {
  base::fail(base::Status::mismatch,
             "process {} has sent a message of {} to process {}, which did not take it: all ranks "
             "must make the same calls with the same root",
             packet.from, groups_.operation_of(engine::Tag(packet.label)), packet.to);
}

void Job::check_alone(int n) {
  if (membership_.launched()) {
    base::fail(base::Status::invalid_argument,
               "the job has been started with {} processes: it cannot be set up again",
               membership_.world_size());
  }
  if (n < 1 || n > transport::shm::capacity) {
    base::fail(base::Status::no_slot, "a world of {} processes is asked for, but a job has 1 to {}",
               n, transport::shm::capacity);
  }
  if (!windows_->empty())
    base::fail(base::Status::invalid_argument, "this process already has memory of tutti_alloc");
  if (mailbox_->busy() || outbox_->waits())
    base::fail(base::Status::invalid_argument, "this process already has messages under way");
  groups_.check_alone();
}

void Job::spawn_world(int n) {
  check_alone(n);
  if (n == 1) return;
  launch::Membership grown = membership_.start_world(n);
  leave_services();
  groups_.end();
  post_.reset();
  checking_.reset();
  draining_.reset();
  transport_.reset();
  membership_ = std::move(grown);
  connect();
}

}  // namespace tutti::job
