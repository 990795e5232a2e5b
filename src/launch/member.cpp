// SPDX-License-Identifier: BSD-3-Clause
// A process's own part in joining, leaving and aborting a job.
#include "launch/member.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/attempt.hpp"
#include "launch/exit_state.hpp"
#include "launch/launchers.hpp"
#include "launch/monitor_start.hpp"
#include "launch/mpi_segment.hpp"
#include "launch/output.hpp"
#include "launch/pool.hpp"
#include "launch/self_supervised.hpp"
#include "launch/task_requests.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

using transport::shm::DeathPolicy;
using transport::shm::Endpoint;
using transport::shm::Mapping;
using transport::shm::Presence;
using transport::shm::SegmentHeader;
using transport::wire::WireJob;

namespace {

// Ties this process to the supervisor. When the supervisor is gone, the other end of the pipe
// closes and the kernel kills this process. Nothing is ever written to the pipe.
void arm(int death_pipe) {
  if (!signal_at_end(death_pipe, SIGKILL)) base::fail_errno("tying this process to its launcher");
}

// Waits until there is something to read, as long as the predicate allows it.
void await_answer(int socket, transport::GiveUp give_up) {
  constexpr int milliseconds_between_questions = 50;
  pollfd readable{socket, POLLIN, 0};
  const auto answered = [&] { return ::poll(&readable, 1, milliseconds_between_questions); };
  while (give_up.possible()) {
    const int found = base::uninterrupted(answered);
    if (found > 0) return;
    if (found < 0) base::fail_errno("waiting for this process's launcher");
    if (give_up.now())
      base::fail(base::Status::would_wait, "this process has given up waiting for its launcher");
  }
}

[[noreturn]] void refuse(int rank, const Endpoint& endpoint, Presence presence) {
  const int pid = endpoint.pid.see();
  switch (presence) {
    case Presence::attached:
      base::fail(base::Status::no_slot, "rank {} is already process {}: one program per rank", rank,
                 pid);
    case Presence::finalized:
      base::fail(base::Status::no_slot,
                 "rank {} was process {}, which has finished: one program per rank", rank, pid);
    default:
      base::fail(base::Status::no_slot,
                 "rank {} is no longer expected: what tutti run started for it has ended", rank);
  }
}

// Reports an abort where no supervisor does.
void say_aborted(const WireJob* job, int id, int exit_code, std::string_view text) {
  try {
    write_aborted(exit_code, job == nullptr ? "" : " by " + job->name_of(id), text);
  } catch (const std::bad_alloc&) {
    write_aborted(exit_code, "", text);
  }
}

// Ends this process. MPI then ends the other ranks, with messages of its own; tasks of a PVM go on.
[[noreturn]] void end_process(const WireJob* job, int exit_code) {
  if (job != nullptr && !job->finalized()) job->abort(exit_code);
  ::_exit(exit_code);
}

// The supervisor that this root process has started ends it, too.
void end_with(ExitState& state, int supervisor) {
  state.supervisor = supervisor;
  end_as_the_job_ends();
}

}  // namespace

Membership::Membership(Mapping mapping, Descriptor control, int id)
    : mapping_(std::move(mapping)), control_(std::move(control)), id_(id), seat_(id) {
  spawn_group_.world.resize(mapping_.header().world_size);
  std::iota(spawn_group_.world.begin(), spawn_group_.world.end(), 0);
}

Membership Membership::attach(const JobDescriptor& job_descriptor, transport::GiveUp give_up) {
  refuse_launcher_within(job_descriptor);
  job_descriptor.require_inherited();
  const Descriptor segment(job_descriptor.segment);
  Mapping mapping = Mapping::open(segment.get());
  refuse_mpi_alone(job_descriptor, static_cast<int>(mapping.header().world_size));
  Descriptor control(job_descriptor.supervisor);
  ::unsetenv(job_variable());  // failure is harmless: it fails only for a wrong name
  Membership membership(std::move(mapping), std::move(control), job_descriptor.rank);
  membership.take_endpoint();
  membership.say_hello(give_up);
  return membership;
}

Membership Membership::singleton() {
  Membership membership(Mapping::create({}), Descriptor(), 0);
  membership.mapping_.header().alone.publish(1);
  membership.take_endpoint();
  return membership;
}

// An open job has no shared memory and no supervisor. Only a process that waits for a dead one
// notices the death.
Membership Membership::over_wire(std::unique_ptr<WireJob> job, OperationName operation_name) {
  if (job->is_open()) {
    Membership alone(private_segment(), Descriptor(), 0);
    alone.take_endpoint();
    alone.id_ = job->rank();
    alone.spawn_group_.world = job->world();
    alone.job_ = std::move(job);
    return alone;
  }
  Mapping mapping = share_segment(*job);
  Membership membership(std::move(mapping), Descriptor(), job->rank());
  membership.job_ = std::move(job);
  agree(*membership.job_, attempt([&membership] { membership.take_endpoint(); }));
  membership.job_->note_finalize(membership.exit_state_->endpoint->exit_note);
  membership.enter_pool();
  membership.monitor_ =
      start_failure_monitor(*membership.job_, membership.mapping_, operation_name);
  membership.exit_state_->monitor = membership.monitor_.get();
  return membership;
}

Membership::Membership(Membership&&) noexcept = default;

Membership& Membership::operator=(Membership&& other) noexcept {
  if (this != &other) {
    leave_to_supervisor();
    job_ = std::move(other.job_);
    pool_ = std::move(other.pool_);
    monitor_ = std::move(other.monitor_);
    mapping_ = std::move(other.mapping_);
    control_ = std::move(other.control_);
    id_ = other.id_;
    seat_ = other.seat_;
    spawn_group_ = std::move(other.spawn_group_);
    exit_state_ = std::move(other.exit_state_);
  }
  return *this;
}

Membership::~Membership() {
  leave_to_supervisor();
}

// Detaches the handlers, which must not touch memory that is about to be unmapped. The exit note
// says that the end was orderly. The death pipe stays open, so that a process that has left its job
// still ends with its launcher. After finalize, the control socket of a self-started supervisor and
// the exit state stay, because the exit handler still waits there.
void Membership::leave_to_supervisor() noexcept {
  if (exit_state_ == nullptr) return;
  ExitState* mine = exit_state_.get();
  if (mine->valid.load()) {
    note_exit_code(*mine->endpoint, 0);
    if (mine->supervisor >= 0 && mine->endpoint->presence.see() == Presence::finalized) {
      mine->endpoint = nullptr;
      static_cast<void>(control_.release());
      static_cast<void>(exit_state_.release());
      return;
    }
  }
  forget_at_exit(*mine);
  exit_state_.reset();
}

bool Membership::valid() const {
  return exit_state_ != nullptr && exit_state_->valid.load(std::memory_order_relaxed);
}

void Membership::take_endpoint(int supervisor) {
  const auto slots = static_cast<int>(mapping_.header().slots.see());
  if (endpoint() >= slots)
    base::fail(base::Status::bad_environment, "rank {} in a job of {}", endpoint(), slots);
  Endpoint& mine = mapping_.endpoint(endpoint());
  Presence seen = Presence::expected;
  if (mine.generation.see() != transport::shm::generation_of(seat_))
    refuse(endpoint(), mine, Presence::left);
  // Stores the pid before `presence`, so that a supervisor that looks in between finds the pid. The
  // exchange of `presence` lets only one process join.
  std::int32_t nobody = 0;
  mine.pid.replace(nobody, ::getpid());
  if (!mine.presence.replace(seen, Presence::attached)) refuse(endpoint(), mine, seen);
  mine.pid.publish(::getpid());
  mapping_.header().attached.add(1);
  transport::shm::add_processors(mapping_.header());
  exit_state_ = std::make_unique<ExitState>();
  exit_state_->endpoint = &mine;
  exit_state_->supervisor = supervisor;
  act_at_exit(*exit_state_);
}

void Membership::say_hello(transport::GiveUp give_up) {
  DescriptorPair death_pipe = socket_pair(SOCK_STREAM);
  arm(death_pipe.first.get());
  exit_state_->death_pipe = death_pipe.first.release();
  const ControlMessage hello{ControlKind::hello, endpoint()};
  if (send_message(control_.get(), hello, death_pipe.second.get())) {
    death_pipe.second.reset();
    await_answer(control_.get(), give_up);
    const auto answer = receive_or_end(control_.get());
    if (answer && answer->message.kind == ControlKind::acknowledge) {
      if (!answer->payload.empty()) spawn_group_ = SpawnGroup::unpack(answer->payload);
      return;
    }
  } else if (errno != EPIPE && errno != ECONNRESET) {
    const int error = errno;
    // The other end closes with this function, and would have this process killed.
    ::close(std::exchange(exit_state_->death_pipe, -1));
    errno = error;
    base::fail_errno(fmt::format("rank {} cannot join", endpoint()));
  }
  base::fail(base::Status::job_ended, "rank {} cannot join: its launcher has ended", endpoint());
}

void Membership::depart() {
  if (!valid()) return;
  Presence seen = Presence::attached;
  if (exit_state_->endpoint->presence.show_instead(seen, Presence::finalized)) {
    mapping_.header().attached.subtract(1);
    transport::shm::note_departure(mapping_, endpoint());
  }
}

bool Membership::finalize(EndsMpi who) {
  if (!valid()) return true;
  depart();
  leave_pool();
  if (job_ == nullptr) return true;
  const bool mpi_ends = who == EndsMpi::caller ? job_->has_mpi() : job_->ends_mpi();
  if (mpi_ends && job_->callable_here() && !exit_meeting().others_leave()) return false;
  if (who == EndsMpi::caller) job_->leave_mpi();
  job_->end();
  return true;
}

bool Membership::ends_mpi() const {
  return valid() && job_ != nullptr && job_->ends_mpi() && job_->callable_here() &&
         mapping_.header().abort_state.see() == 0;
}

ExitMeeting Membership::exit_meeting() const {
  return {mapping_, *job_, *exit_state_->endpoint};
}

void Membership::enter_pool() {
  pool_ = join_pool(*job_, mapping_);
  exit_state_->pool = pool_.get();
  job_->hang_up_at_finalize(pool_.get());
}

// Sleeps until the tasks have ended. MPI_Finalize would keep polling meanwhile, because it waits
// for the spare processes, which wait for the tasks.
void Membership::leave_pool() {
  if (!pool_.valid()) return;
  try {
    if (job_->ends_mpi() && send_message(pool_.get(), {ControlKind::leaving, endpoint()})) {
      while (receive_message(pool_.get())) continue;
    }
  } catch (const base::Error&) {
    // A process that cannot hear of the end waits in MPI_Finalize.
  }
  job_->hang_up_at_finalize(-1);
  exit_state_->pool = -1;
  pool_.reset();
}

void Membership::abort(int code, std::string_view text) {
  const int exit_code = abort_exit_code(code);
  if (!valid()) ::_exit(exit_code);
  SegmentHeader& header = mapping_.header();
  std::uint32_t unclaimed = 0;
  const bool first = header.abort_state.replace(unclaimed, 1);
  if (first) {
    header.abort_code = exit_code;
    header.abort_endpoint = endpoint();
    const std::size_t length = std::min(text.size(), sizeof header.abort_text - 1);
    std::memcpy(header.abort_text, text.data(), length);
    header.abort_text[length] = '\0';
    if (!has_supervisor())
      say_aborted(job_.get(), id_, exit_code,
                  text);  // before other processes see the abort and end the job
    header.abort_state.publish(2);
  } else if (!has_supervisor()) {
    await_report_of_abort(mapping_);
  }
  if (!has_supervisor()) end_process(job_.get(), exit_code);
  if (send_message(control_.get(), {ControlKind::abort, endpoint()})) {
    ::poll(nullptr, 0, 5000);  // the supervisor ends this process long before
  }
  ::_exit(exit_code);
}

Membership Membership::start_world(int n, OperationName operation_name) const {
  if (launched() || world_size() != 1) {
    base::fail(base::Status::invalid_argument,
               "this process is rank {} of {} already: it cannot start a world", endpoint(),
               world_size());
  }
  try {
    SelfStartedWorld world =
        start_self_supervision(n, mapping_.header().policy, operation_name,
                               [this](int supervisor) { end_with(*exit_state_, supervisor); });
    Membership grown(std::move(world.mapping), std::move(world.control), 0);
    grown.take_endpoint(grown.control_.get());
    exit_state_->supervisor = -1;
    grown.say_hello();
    return grown;
  } catch (...) {
    exit_state_->supervisor = -1;
    throw;
  }
}

void Membership::get_supervisor(OperationName operation_name, Rendezvous* job_socket) {
  if (has_supervisor()) return;
  try {
    control_ = start_self_supervision(
        mapping_, operation_name, [this](int supervisor) { end_with(*exit_state_, supervisor); },
        job_socket);
    say_hello();
  } catch (...) {
    exit_state_->supervisor = -1;
    control_.reset();
    throw;
  }
}

std::vector<int> Membership::spawn(const SpawnRequest& request, int output,
                                   OperationName operation_name) {
  if (job_ != nullptr) {
    if (job_->is_open())
      base::fail(base::Status::invalid_argument, "tasks of a PVM are started by pvm_spawn");
    if (!pool_.valid() || job_->hosts().count() > 1) refuse_tasks(*job_);
  }
  if (const std::size_t bytes = request.pack().size(); bytes > most_payload) {
    base::fail(base::Status::invalid_argument,
               "the arguments of the tasks have {} bytes, but {} fit", bytes, most_payload);
  }
  if (job_ == nullptr) get_supervisor(operation_name);
  return request_tasks(supervisor(), endpoint(), request, output);
}

void Membership::signal(int id, int signal) {
  if (job_ != nullptr && job_->is_open())
    base::fail(base::Status::invalid_argument, "tasks of a PVM are sent signals by pvm_sendsig");
  if (transport::shm::lost(mapping_, id)) transport::shm::fail_departed(mapping_, id);
  if (id != id_) return request_signal(supervisor(), endpoint(), {id, signal});
  if (::kill(::getpid(), signal) != 0) base::fail_errno("sending this process a signal");
}

bool Membership::tolerates_deaths() const {
  return mapping_.header().policy == DeathPolicy::tolerant;
}

void Membership::tolerate_deaths() {
  if (tolerates_deaths()) return;
  const bool of_tasks = pool_.valid();  // MPI decides what the death of a rank means
  if (!of_tasks && (launched() || world_size() != 1)) {
    base::fail(
        base::Status::invalid_argument,
        "this process is one of a job that was started with another rule (TUTTI_DEATHS=together)");
  }
  mapping_.header().policy = DeathPolicy::tolerant;
}

}  // namespace tutti::launch
