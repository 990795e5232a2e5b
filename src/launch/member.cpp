// SPDX-License-Identifier: BSD-3-Clause
// The rank's side of the job. The kernel's view of a process (its forked children, its exit) is per
// process, so the pointer to the current lifeline below is the one piece of process-wide state:
// fork and exit handlers take no argument.
#include "launch/member.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "launch/guardian.hpp"
#include "launch/launchers.hpp"
#include "launch/mpi_segment.hpp"
#include "launch/output.hpp"
#include "launch/pool.hpp"
#include "launch/witness.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

using transport::shm::DeathPolicy;
using transport::shm::Endpoint;
using transport::shm::Header;
using transport::shm::Mapping;
using transport::shm::Presence;

// What the fork and exit handlers need to know.
struct Lifeline {
  std::atomic<bool> valid{true};
  int silent = -1;               // closed in forked children: it is not their life
  Endpoint* endpoint = nullptr;  // for the exit note; null when the membership was given up
  int pool = -1;                 // likewise
  int guardian = -1;             // the control socket of a process that started its own world
};

namespace {

std::atomic<Lifeline*> current_lifeline{nullptr};

void after_fork_in_child() {
  Lifeline* lifeline = current_lifeline.exchange(nullptr);
  if (lifeline == nullptr) return;
  lifeline->valid.store(false);
  if (lifeline->silent >= 0) ::close(lifeline->silent);
  if (lifeline->pool >= 0) ::close(lifeline->pool);
}

// When the process that the user started is gone, the job must be over: its output complete, its
// terminal free.
void wait_for_others(int guardian) {
  std::fflush(nullptr);
  if (!send_message(guardian, {MessageKind::leaving, 0, ::getpid()})) return;
  auto message = receive_message(guardian);
  while (message && message->message.kind != MessageKind::others_done)
    message = receive_message(guardian);
}

void at_exit(int code, void*) {
  const Lifeline* lifeline = current_lifeline.load();
  if (lifeline == nullptr) return;
  Endpoint* endpoint = lifeline->endpoint;
  if (endpoint != nullptr) endpoint->exit_note.store(1U + static_cast<unsigned>(code & 0xff));
  const bool finished = endpoint == nullptr || endpoint->presence.load() == Presence::finalized;
  if (finished && lifeline->guardian >= 0) wait_for_others(lifeline->guardian);
}

void install_handlers() {
  static const bool once = [] {
    ::pthread_atfork(nullptr, nullptr, after_fork_in_child);
    ::on_exit(at_exit, nullptr);
    return true;
  }();
  static_cast<void>(once);
}

// The kernel kills this process when the other end is closed, that is when the judge is gone:
// nothing is ever written.
void arm(int silent) {
  if (::fcntl(silent, F_SETOWN, ::getpid()) != 0 || ::fcntl(silent, F_SETSIG, SIGKILL) != 0 ||
      ::fcntl(silent, F_SETFL, O_RDWR | O_ASYNC) != 0) {
    base::fail_errno("tying this process to its launcher");
  }
}

void require_inherited(const JobTicket& ticket) {
  int type = 0;
  socklen_t size = sizeof type;
  const bool socket =
      ::getsockopt(ticket.judge, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
  if (socket && ::fcntl(ticket.segment, F_SETFD, FD_CLOEXEC) == 0 &&
      ::fcntl(ticket.judge, F_SETFD, FD_CLOEXEC) == 0) {
    return;
  }
  base::fail(base::Status::bad_environment,
             "rank {} cannot reach its job: descriptors {} and {} were closed on the way from "
             "tutti run to this program",
             ticket.rank, ticket.segment, ticket.judge);
}

[[noreturn]] void refuse(int rank, const Endpoint& endpoint, Presence presence) {
  const int pid = endpoint.pid.load();
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

}  // namespace

Membership::Membership(Mapping mapping, Descriptor control, int id)
    : mapping_(std::move(mapping)), control_(std::move(control)), id_(id), seat_(id) {
  kin_.world.resize(mapping_.header().world_size);
  std::iota(kin_.world.begin(), kin_.world.end(), 0);
}

Membership Membership::attach(const JobTicket& ticket) {
  refuse_launcher_within(ticket);
  require_inherited(ticket);
  const Descriptor segment(ticket.segment);
  Descriptor control(ticket.judge);
  ::unsetenv(ticket_variable());
  Membership membership(Mapping::open(segment.get()), std::move(control), ticket.rank);
  membership.take_endpoint();
  membership.say_hello();
  return membership;
}

Membership Membership::singleton() {
  Membership membership(Mapping::create({}), Descriptor(), 0);
  membership.take_endpoint();
  return membership;
}

// In an open job nobody shares anything, nobody is watched over, and a death is for those to notice
// who wait.
Membership Membership::over_wire(std::unique_ptr<transport::mpi::Job> job,
                                 OperationName operation_name) {
  if (job->is_open()) {
    Membership alone(private_segment(), Descriptor(), 0);
    alone.take_endpoint();
    alone.id_ = job->rank();
    alone.kin_.world = job->world();
    alone.job_ = std::move(job);
    return alone;
  }
  Mapping mapping = share_segment(*job);
  Membership membership(std::move(mapping), Descriptor(), job->rank());
  membership.job_ = std::move(job);
  membership.take_endpoint();
  membership.enter_pool();
  start_witness(*membership.job_, membership.mapping_, operation_name);
  return membership;
}

Membership Membership::join(OperationName operation_name) {
  if (const auto found = ticket()) return attach(*found);
  if (auto job = transport::mpi::Job::of_environment())
    return over_wire(std::move(job), operation_name);
  refuse_other_launcher();
  return singleton();
}

// Of several that find no job one makes it; the others find that one, as soon as it listens.
Membership Membership::join(std::string_view door, Make make, OperationName operation_name) {
  if (ticket() || base::mpi_launcher()) return join(operation_name);
  for (;;) {
    if (const auto found = knock(door, program_invocation_name)) return attach(*found);
    if (make == Make::no) return join(operation_name);
    if (auto opened = Door::open(door)) {
      Membership maker = singleton();
      maker.tolerate_deaths();
      maker.get_guardian(nullptr, &*opened);
      return maker;
    }
    ::poll(nullptr, 0, 1);
  }
}

Membership::Membership(Membership&&) noexcept = default;

Membership& Membership::operator=(Membership&& other) noexcept {
  if (this != &other) {
    leave_to_judge();
    job_ = std::move(other.job_);
    pool_ = std::move(other.pool_);
    mapping_ = std::move(other.mapping_);
    control_ = std::move(other.control_);
    id_ = other.id_;
    seat_ = other.seat_;
    kin_ = std::move(other.kin_);
    lifeline_ = std::move(other.lifeline_);
  }
  return *this;
}

Membership::~Membership() {
  leave_to_judge();
}

// The handlers must not touch memory that is about to be unmapped; the note left here says that the
// end was orderly. The silent socket stays open: a process that has left its job still ends with
// its launcher. So does a guardian's control socket after finalize, and with it the lifeline,
// because the exit handler has still to wait there.
void Membership::leave_to_judge() noexcept {
  if (lifeline_ == nullptr) return;
  Lifeline* mine = lifeline_.get();
  if (mine->valid.load()) {
    mine->endpoint->exit_note.store(1);
    if (mine->guardian >= 0 && mine->endpoint->presence.load() == Presence::finalized) {
      mine->endpoint = nullptr;
      static_cast<void>(control_.release());
      static_cast<void>(lifeline_.release());
      return;
    }
  }
  current_lifeline.compare_exchange_strong(mine, nullptr);
  lifeline_.reset();
}

bool Membership::valid() const {
  return lifeline_ != nullptr && lifeline_->valid.load(std::memory_order_relaxed);
}

void Membership::take_endpoint() {
  const auto slots = static_cast<int>(mapping_.header().slots.load());
  if (endpoint() >= slots)
    base::fail(base::Status::bad_environment, "rank {} in a job of {}", endpoint(), slots);
  Endpoint& mine = mapping_.endpoint(endpoint());
  Presence seen = Presence::expected;
  if (mine.generation.load() != transport::shm::generation_of(seat_))
    refuse(endpoint(), mine, Presence::left);
  // The pid comes first, for a judge that looks between the two; only one process gets past the
  // exchange.
  std::int32_t nobody = 0;
  mine.pid.compare_exchange_strong(nobody, ::getpid());
  if (!mine.presence.compare_exchange_strong(seen, Presence::attached))
    refuse(endpoint(), mine, seen);
  mine.pid.store(::getpid());
  mapping_.header().attached.fetch_add(1);
  transport::shm::add_processors(mapping_.header());
  lifeline_ = std::make_unique<Lifeline>();
  lifeline_->endpoint = &mine;
  install_handlers();
  current_lifeline.store(lifeline_.get());
}

void Membership::say_hello() {
  Pair silent = socket_pair(SOCK_STREAM);
  arm(silent.first.get());
  lifeline_->silent = silent.first.release();
  const Message hello{MessageKind::hello, endpoint(), ::getpid()};
  if (send_message(control_.get(), hello, silent.second.get())) {
    silent.second.reset();
    const auto answer = receive_message(control_.get());
    if (answer && answer->message.kind == MessageKind::acknowledge) {
      if (!answer->payload.empty()) kin_ = Kin::unpack(answer->payload);
      return;
    }
  }
  base::fail(base::Status::job_ended, "rank {} cannot join: its launcher has ended", endpoint());
}

void Membership::depart() {
  if (!valid()) return;
  Presence seen = Presence::attached;
  if (lifeline_->endpoint->presence.compare_exchange_strong(seen, Presence::finalized)) {
    mapping_.header().attached.fetch_sub(1);
    transport::shm::note_departure(mapping_, endpoint());
  }
}

void Membership::finalize() {
  if (!valid()) return;
  depart();
  leave_pool();
  if (job_ != nullptr) job_->end();
}

void Membership::enter_pool() {
  pool_ = join_pool(*job_, mapping_);
  lifeline_->pool = pool_.get();
  job_->hang_up_at_finalize(pool_.get());
}

// MPI_Finalize waits for the spare processes, which wait for the tasks: until then this one had
// better sleep.
void Membership::leave_pool() {
  if (!pool_.valid()) return;
  if (job_->ends_mpi() &&
      send_message(pool_.get(), {MessageKind::leaving, endpoint(), ::getpid()})) {
    while (receive_message(pool_.get())) continue;
  }
  job_->hang_up_at_finalize(-1);
  lifeline_->pool = -1;
  pool_.reset();
}

void Membership::abort(int code, std::string_view text) {
  const int exit_code = abort_exit_code(code);
  if (!valid()) ::_exit(exit_code);
  Header& header = mapping_.header();
  std::uint32_t unclaimed = 0;
  const bool first = header.abort_state.compare_exchange_strong(unclaimed, 1);
  if (first) {
    header.abort_code = exit_code;
    header.abort_endpoint = endpoint();
    const std::size_t length = std::min(text.size(), sizeof header.abort_text - 1);
    std::memcpy(header.abort_text, text.data(), length);
    header.abort_text[length] = '\0';
    if (!has_judge()) say_aborted(exit_code, text);  // before others see it, who end the job too
    header.abort_state.store(2);
  }
  if (!has_judge()) end_process(exit_code);
  if (send_message(control_.get(), {MessageKind::abort, endpoint(), ::getpid()})) {
    ::poll(nullptr, 0, 5000);  // the judge ends us long before
  }
  ::_exit(exit_code);
}

// Where nobody else reports.
void Membership::say_aborted(int exit_code, std::string_view text) const {
  const std::string who = job_ == nullptr ? "" : " by " + job_->name_of(id_);
  std::fprintf(stderr, "tutti: aborted%s with code %d: %.*s\n", who.c_str(), exit_code,
               static_cast<int>(text.size()), text.data());
  wait_until_read(STDERR_FILENO);
}

// MPI ends the other ranks, with words of its own; tasks of a PVM go on.
void Membership::end_process(int exit_code) const {
  if (job_ != nullptr && !job_->finalized()) job_->abort(exit_code);
  ::_exit(exit_code);
}

Membership Membership::start_world(int n, OperationName operation_name) const {
  if (launched() || world_size() != 1) {
    base::fail(base::Status::invalid_argument,
               "this process is rank {} of {} already: it cannot start a world", endpoint(),
               world_size());
  }
  GuardedWorld world = start_guardian(n, mapping_.header().policy, operation_name);
  Membership grown(std::move(world.mapping), std::move(world.control), 0);
  grown.take_endpoint();
  grown.say_hello();
  grown.lifeline_->guardian = grown.control_.get();
  return grown;
}

void Membership::get_guardian(OperationName operation_name, Door* door) {
  if (has_judge()) return;
  control_ = start_guardian(mapping_, operation_name, door);
  try {
    say_hello();
  } catch (...) {
    control_.reset();
    throw;
  }
  lifeline_->guardian = control_.get();
}

}  // namespace tutti::launch
