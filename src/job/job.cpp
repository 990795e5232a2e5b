// SPDX-License-Identifier: BSD-3-Clause
// Makes and frees groups and plans, and connects a process to its job.
#include "job/job.hpp"

#include <algorithm>
#include <utility>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "job/join.hpp"
#include "schedule/printer.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::job {

using engine::Group;
using engine::Mode;
using engine::Plan;

Job::Job(launch::Membership& membership, const Wishes& wishes)
    : membership_(membership), wishes_(wishes), choice_(selection::policy_of_environment(), [this] {
        return common_machine_info(membership_, waiter_);
      }) {
  in_flight_.set_group_text([this](std::uint64_t group) { return text_of(group); });
  connect();
}

void Job::connect() {
  agree(membership_, choice_.policy());
  const auto& mapping = membership_.mapping();
  transport_ = std::make_unique<transport::shm::ShmTransport>(mapping, membership_.endpoint());
  post_ = std::make_unique<transport::shm::ShmMail>(mapping, membership_.endpoint());
  if (transport::wire::WireJob* job = membership_.wire()) {
    link_ = std::make_unique<transport::wire::WireLink>(*job, mapping.tuning());
    remote_transport_ = std::make_unique<transport::wire::RemoteTransport>(*transport_, *link_);
    remote_mail_ = std::make_unique<transport::wire::RemoteMail>(*post_, *link_);
    link_->serve(*remote_transport_, *remote_mail_);
  }
  if (base::flag(base::Variable::checking)) {
    checking_ = std::make_unique<transport::checking::CheckingTransport>(unchecked());
  }
  waiter_.serve(transport());
  const std::uint64_t occurrence = occurrences_.next(membership_.world());
  auto world = make_group(group::Members(membership_.world(), occurrence), Mode::blocking,
                          selection::Native::may_serve);
  if (world_ == 0) {
    world_ = groups_.insert(std::move(world));
  } else {
    *groups_.find(world_) = std::move(world);
  }
  connect_services();
}

void Job::connect_services() {
  const double send_wait = base::seconds(base::Variable::send_wait).value_or(10);
  mailbox_ = std::make_unique<services::Mailbox>(waiter_, post(), send_wait);
  mailbox_->describe_by(wishes_.describe);
  waiter_.set_question(wishes_.question);
  directory_ =
      std::make_unique<services::Directory>(membership_.mapping(), transport().self(), waiter_);
  windows_ = std::make_unique<services::Windows>(membership_.mapping());
}

// Called before this process leaves the memory that the services use.
void Job::leave_services() {
  windows_.reset();
  directory_.reset();
  mailbox_.reset();
}

bool Job::present(int endpoint) {
  if (in_open_job()) {
    link_->watch(endpoint);
    static_cast<void>(link_->departures());
    return !link_->gone(endpoint);
  }
  const auto& mapping = membership_.mapping();
  const auto presence = mapping.endpoint(transport::shm::slot_of(endpoint)).presence.load();
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

std::string Job::text_of(std::uint64_t group) const {
  const auto found = by_number_.find(group);
  return found != by_number_.end() ? found->second->members().text()
                                   : "a group that this process does not have";
}

void Job::report_unread(const transport::UnreadPacket& packet) {
  const engine::Tag tag(packet.label);
  std::int64_t number = tag.number();
  if (const auto found = by_number_.find(tag.group()); found != by_number_.end()) {
    const std::uint32_t next = found->second->next_number();
    number = std::int64_t{next} + tag.later_than(next);
  }
  base::fail(base::Status::mismatch,
             "process {} has sent a message of {} to process {}, which did not take it: all ranks "
             "must make the same calls with the same root",
             packet.from, engine::describe_operation(tag, number, text_of(tag.group())), packet.to);
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
  int groups = 0;
  groups_.for_each([&groups](const std::unique_ptr<Group>&) { ++groups; });
  if (groups > 1) {
    base::fail(base::Status::invalid_argument,
               "the world can only be set up before any group is made");
  }
  if (!windows_->empty())
    base::fail(base::Status::invalid_argument, "this process already has a window");
  if (mailbox_->busy())
    base::fail(base::Status::invalid_argument, "this process already has messages under way");
  check_no_requests(**groups_.find(world_));
}

void Job::spawn_world(int n) {
  check_alone(n);
  if (n == 1) return;
  launch::Membership grown = membership_.start_world(n);
  leave_services();
  by_number_.clear();
  groups_.find(world_)->reset();
  std::erase_if(plan_handles_, [&](const auto& entry) { return plans_.erase(entry.second); });
  post_.reset();
  checking_.reset();
  transport_.reset();
  membership_ = std::move(grown);
  connect();
}

std::unique_ptr<Group> Job::make_counted_group(std::vector<int> endpoints) {
  const std::uint64_t occurrence = occurrences_.next(endpoints);
  return make_group(group::Members(std::move(endpoints), occurrence), Mode::blocking);
}

// Makes a group. Messages name their group by its number, so two groups of one process must not
// have the same. All groups share one MPI communicator, on which operations must start in one
// order, so only one group may use it.
std::unique_ptr<Group> Job::make_group(group::Members members, Mode mode,
                                       selection::Native native) {
  const std::uint64_t number = members.id();
  if (by_number_.contains(number)) {
    base::fail(base::Status::invalid_argument,
               "{} would have the number of another group in messages: make this group again",
               members.text());
  }
  const int rank = members.rank_of(membership_.id());
  const engine::PlanPolicy policy{base::flag(base::Variable::verify), mode};
  engine::Common common{transport(), in_flight_, choice_, policy};
  common.mpi.job = in_open_job() ? nullptr : membership_.wire();
  common.native = common.mpi.job == nullptr ? selection::Native::no_mpi : native;
  if (apart())
    common.host_of = [this](int endpoint) { return membership_.wire()->host_of(endpoint); };
  auto group = std::make_unique<Group>(std::move(members), rank, common);
  by_number_[number] = group.get();
  return group;
}

std::uint64_t Job::create_group(const Group& parent, std::span<const int> ranks) {
  std::vector<int> endpoints;
  endpoints.reserve(ranks.size());
  for (const int rank : ranks) {
    if (rank < 0 || rank >= parent.size()) {
      base::fail(base::Status::invalid_argument,
                 "argument 'ranks' contains {} but the group has {} ranks", rank, parent.size());
    }
    const int endpoint = parent.members().endpoint(rank);
    if (std::find(endpoints.begin(), endpoints.end(), endpoint) != endpoints.end()) {
      base::fail(base::Status::invalid_argument, "argument 'ranks' contains {} twice", rank);
    }
    endpoints.push_back(endpoint);
  }
  require_member(endpoints);
  return groups_.insert(make_counted_group(std::move(endpoints)));
}

void Job::require_member(std::span<const int> endpoints) const {
  if (std::find(endpoints.begin(), endpoints.end(), membership_.id()) != endpoints.end()) return;
  base::fail(base::Status::not_a_member,
             "a group can only be made by its members, and this process is not in the list");
}

std::uint64_t Job::create_group_of(std::vector<int> endpoints, std::uint64_t label) {
  require_member(endpoints);
  std::vector<int> sorted = endpoints;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    base::fail(base::Status::invalid_argument, "argument 'endpoints' contains {} twice", *twice);
  }
  return groups_.insert(
      make_group(group::Members(std::move(endpoints), group::labelled(label)), Mode::overlapping));
}

void Job::check_no_requests(const Group& group) {
  if (group.requests() == 0) return;
  base::fail(base::Status::invalid_argument,
             "{} requests of the group have not been waited for or freed (rank {})",
             group.requests(), group.rank());
}

bool Job::free_group(std::uint64_t id) {
  const Group* const freed = group(id);
  if (freed == nullptr) return false;
  check_no_requests(*freed);
  const auto mpi = freed->mpi();
  by_number_.erase(freed->members().id());
  for (const auto& plan : freed->plans()) {
    const auto handle = plan_handles_.find(plan.get());
    if (handle == plan_handles_.end()) continue;
    plans_.erase(handle->second);
    plan_handles_.erase(handle);
  }
  groups_.erase(id);
  // MPI may fail, so it comes last: the group is gone then.
  if (mpi.group != 0) mpi.job->free_group(mpi.group);
  return true;
}

void Job::require_ranks_of_mpi(const Group& group) {
  const transport::wire::WireJob* const job = group.mpi().job;
  if (job == nullptr)
    base::fail(base::Status::no_such_plan, "no MPI has started this job, so it has no collectives");
  for (const int endpoint : group.members().endpoints()) {
    if (job->is_rank(endpoint)) continue;
    base::fail(
        base::Status::no_such_plan,
        "the group has a task, which is no rank of the MPI, so MPI has no collectives for it");
  }
}

void Job::use_mpi(Group& group) {
  const auto endpoints = group.members().endpoints();
  group.use_mpi({group.mpi().job, group.mpi().job->make_group(endpoints)});
}

std::uint64_t Job::handle_of(std::uint64_t group, Plan& plan) {
  std::uint64_t& handle = plan_handles_[&plan];
  if (handle == 0) handle = plans_.insert({group, &plan});
  return handle;
}

}  // namespace tutti::job
