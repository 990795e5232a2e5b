// SPDX-License-Identifier: BSD-3-Clause
// Starts processes and answers requests. A request is granted as a whole or not at all, and the
// slot of a task is used again after the task has ended.
#include "launch/task_server.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "launch/refusal.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

using transport::shm::endpoint_id;
using transport::shm::slot_of;
using transport::shm::Slots;

TaskServer::TaskServer(transport::shm::Mapping& mapping, Watcher& watcher, Roster& roster,
                       OutputRelay& output, const SupervisorOptions& options,
                       const InheritedSettings& inherited, JobJudge judge)
    : mapping_(&mapping),
      watcher_(&watcher),
      roster_(&roster),
      output_(&output),
      options_(&options),
      inherited_(&inherited),
      judge_(std::move(judge)),
      started_(mapping.header().world_size) {
  if (options.job_socket >= 0) watcher.watch(options.job_socket, Watched::job_socket);
}

int TaskServer::segment() const {
  return options_->segment >= 0 ? options_->segment : mapping_->descriptor();
}

const Setting& TaskServer::setting_of(int rank) const {
  const LaunchedProgram* program = roster_->at(rank).program;
  return program == nullptr ? own_setting_ : program->setting;
}

// --- processes that are started ---

void TaskServer::start(int first_rank) {
  const int n = roster_->world_size();
  for (int rank = first_rank; rank < n && !judge_.job_ends(); ++rank) {
    try {
      const LaunchedProgram& program = *roster_->at(rank).program;
      const StartResult started =
          start_process_of({rank, rank, n, &program.executable, &program.arguments});
      if (started.error == 0) continue;
      const std::string which = rank == first_rank ? "" : fmt::format(" as rank {}", rank);
      judge_.judge(Broken{refusal_code(started),
                          refusal_text(started, program.executable, program.setting, which)});
    } catch (const base::Error& error) {
      judge_.judge(Broken{.text = fmt::format("cannot start rank {}: {}", rank, error.what())});
    }
  }
}

StartResult TaskServer::start_process_of(const Start& start) {
  const int rank = slot_of(start.id);
  DescriptorPair control = socket_pair(SOCK_SEQPACKET);
  const bool forwarded = options_->output.forwarded() && start.error < 0;
  OutputRelay::Streams streams;
  if (forwarded) streams = output_->open(rank);
  const StartResult started =
      start_process({.executable = start.executable,
                     .arguments = start.arguments,
                     .setting = &setting_of(rank),
                     .world_rank = start.world_rank,
                     .world_size = start.world_size,
                     .rank = start.id,
                     .segment = segment(),
                     .supervisor = control.second.get(),
                     .output = forwarded ? streams[0].pipe.second.get() : start.output,
                     .error = forwarded ? streams[1].pipe.second.get() : start.error,
                     .keep_stdin = rank == options_->stdin_rank,
                     .processors = processors_of(start),
                     .signals = &inherited_->signals,
                     .descriptors = inherited_->descriptors,
                     .below_mpi = options_->pool.has_value()});
  if (started.error != 0) return started;
  Enrolled& one = roster_->at(rank);
  one.child = started.pid;
  one.child_done = false;
  one.spare = start.spare;
  one.control = std::move(control.first);
  watcher_->watch(one.control.get(), Watched::control, rank);
  if (forwarded) output_->begin(rank, std::move(streams));
  return started;
}

const std::vector<int>* TaskServer::processors_of(const Start& start) const {
  if (start.spare >= 0) return &options_->pool->spares[static_cast<std::size_t>(start.spare)];
  const auto rank = static_cast<std::size_t>(slot_of(start.id));
  return rank < options_->processors.size() ? &options_->processors[rank] : nullptr;
}

// --- messages ---

// Sends a message that the other end waits for. If it cannot be sent although there is another end,
// that one would wait for ever, so the job ends. One that is gone waits for nothing.
void TaskServer::tell(const Descriptor& socket, const ControlMessage& message, int passed,
                      std::string_view payload) {
  if (!socket.valid()) return;  // the process has ended meanwhile
  if (send_message(socket.get(), message, passed, payload)) return;
  const int error = errno;
  if (error == EPIPE || error == ECONNRESET || peer_is_gone(socket)) return;
  judge_.judge(Broken{.text = fmt::format("a message to a process of the job cannot be sent: {}",
                                          std::strerror(error))});
}

void TaskServer::on_control(int rank) {
  Enrolled& one = roster_->at(rank);
  if (!one.control.valid()) return;  // closed by an earlier event of the same batch
  auto received = receive_message(one.control.get());
  if (!received) return on_closed(rank);
  const ControlMessage& message = received->message;
  if (message.kind == ControlKind::hello && message.rank == rank) {
    roster_->on_hello(rank, std::move(received->passed));
    const std::string group = one.spawn_group == nullptr ? "" : one.spawn_group->pack();
    tell(one.control, {ControlKind::acknowledge, rank}, -1, group);
  } else if (message.kind == ControlKind::abort) {
    if (const auto aborted = roster_->aborted()) judge_.judge(*aborted);
  } else if (message.kind == ControlKind::spawn) {
    requests_.push_back({endpoint_id(rank, mapping_->endpoint(rank).generation.see()),
                         std::move(received->payload), std::move(received->passed), Clock::now()});
  } else if (message.kind == ControlKind::signal) {
    roster_->signal_task(SignalRequest::unpack(received->payload));
  } else if (message.kind == ControlKind::leaving) {
    root_leaves_ = rank == roster_->root();
    dismiss(rank);
  }
}

// A client that has ended before it took its endpoint leaves its slot to others.
void TaskServer::on_closed(int rank) {
  Enrolled& one = roster_->at(rank);
  watcher_->drop(one.control);
  if (std::exchange(one.admitted, false)) {
    --started_;
    Slots(*mapping_).put_back(rank);
  }
  roster_->on_silence(rank);
  dismiss(rank);
}

void TaskServer::release_root() {
  if (!root_leaves_ || judge_.job_ends() || !roster_->others_done()) return;
  const int root = roster_->root();
  tell(roster_->at(root).control, {ControlKind::others_done, root});
  root_leaves_ = false;
}

bool TaskServer::tell_root(int exit_code) const {
  if (roster_->root() < 0) return true;
  const Descriptor& control = roster_->at(roster_->root()).control;
  return !control.valid() || send_message(control.get(), {ControlKind::job_ended, exit_code});
}

// --- tasks ---

void TaskServer::serve() {
  serve_requests();
  admit_clients();
}

void TaskServer::serve_requests() {
  for (TaskRequest& request : std::exchange(requests_, {})) {
    if (judge_.job_ends()) return;
    // The process that asks may have ended, and its slot may have another.
    const int rank = slot_of(request.id);
    if (mapping_->endpoint(rank).generation.see() != transport::shm::generation_of(request.id))
      continue;
    if (!can_decide(request)) {
      requests_.push_back(std::move(request));
      continue;
    }
    SpawnAnswer answer;
    try {
      answer.endpoints = start_tasks(request);
    } catch (const base::Error& error) {
      answer.status = error.status();
      answer.text = error.what();
    }
    tell(roster_->at(rank).control, {ControlKind::spawned, rank}, -1, answer.pack());
  }
}

// Starts all tasks of a request, or none of them.
std::vector<int> TaskServer::start_tasks(const TaskRequest& request) {
  const SpawnRequest wanted = SpawnRequest::unpack(request.bytes);
  const std::vector<int> spares = claim_spares(wanted.count);
  vacate_slots();
  Slots free_slots(*mapping_);
  free_slots.require_room(wanted.count);
  auto spawn_group = std::make_shared<SpawnGroup>();
  std::vector<int>& world = spawn_group->world;
  spawn_group->parent = request.id;
  try {
    for (int i = 0; i < wanted.count; ++i) {
      world.push_back(free_slots.take(i));
      roster_->renew(slot_of(world.back()));
    }
    for (std::size_t i = 0; i < world.size(); ++i) {
      roster_->at(slot_of(world[i])).program = roster_->at(slot_of(request.id)).program;
      start_task({world[i], static_cast<int>(i), wanted.count, &wanted.executable,
                  &wanted.arguments, request.output.get(),
                  wanted.logged ? request.output.get() : -1, spares.empty() ? -1 : spares[i]},
                 spawn_group);
    }
  } catch (...) {
    std::ranges::for_each(world, [this](int id) { give_up(id); });
    throw;
  }
  return world;
}

void TaskServer::start_task(const Start& start,
                            const std::shared_ptr<const SpawnGroup>& spawn_group) {
  Enrolled& one = roster_->at(slot_of(start.id));
  one.spawn_group = spawn_group;
  one.task_program = start.arguments->front();
  const StartResult started = start_process_of(start);
  if (started.error != 0) {
    base::fail(base::Status::system_error, "{}",
               refusal_text(started, *start.executable, setting_of(slot_of(start.id)), ""));
  }
  ++started_;
}

// Gives up a task whose spawn group could not be started completely; no process knows of it. If it
// runs it is killed, and its slot is reused when it has ended.
void TaskServer::give_up(int id) {
  Enrolled& one = roster_->at(slot_of(id));
  if (one.child_done) return Slots(*mapping_).put_back(slot_of(id));
  one.unwanted = true;
  // Failure is harmless: the process has ended, and waitpid() tells how.
  ::kill(one.child, SIGKILL);
}

void TaskServer::vacate_slots() {
  for (int rank = roster_->world_size(); rank < roster_->slots(); ++rank) {
    const bool gone = roster_->at(rank).done() && output_->drained(rank) &&
                      departed(mapping_->endpoint(rank).presence.see());
    if (gone) Slots(*mapping_).vacate(rank);
  }
}

// --- processes that join by the job socket, and are then tasks without a parent ---

// Accepts only processes of this user. The folder of a named job socket excludes others already,
// but an unnamed socket has no folder.
void TaskServer::on_job_socket() {
  Descriptor client(base::raised(::accept4(options_->job_socket, nullptr, nullptr, SOCK_CLOEXEC)));
  if (!client.valid()) {
    const bool gone = errno == EINTR || errno == EAGAIN || errno == ECONNABORTED;
    if (gone) return;
    base::fail_errno("a process that asks to join cannot be heard");
  }
  if (!is_of_this_user(client)) return;
  watcher_->watch(client.get(), Watched::connection);
  connections_.push_back(std::move(client));
}

// Reads the first message of a connection. A client that only checks whether the job exists closes
// its connection without a message.
void TaskServer::on_connection(int descriptor) {
  const auto found = std::ranges::find(connections_, descriptor, &Descriptor::get);
  if (found == connections_.end()) return;
  Descriptor client = std::move(*found);
  connections_.erase(found);
  watcher_->forget(descriptor);
  auto received = receive_message(client.get());
  if (received && options_->pool) return enlist(std::move(*received), std::move(client));
  if (!received || received->message.kind != ControlKind::request_to_join) return;
  pending_clients_.push_back({std::move(client), std::move(received->payload)});
}

void TaskServer::admit_clients() {
  for (PendingClient& client : std::exchange(pending_clients_, {})) {
    if (judge_.job_ends()) return;
    try {
      admit(client);
    } catch (const base::Error& error) {
      tell(client.socket, {ControlKind::refused, -1}, -1, error.what());
    }
  }
}

void TaskServer::admit(PendingClient& client) {
  vacate_slots();
  Slots free_slots(*mapping_);
  free_slots.require_room(1);
  const int id = free_slots.take(0);
  try {
    watcher_->watch(client.socket.get(), Watched::control, slot_of(id));
  } catch (const base::Error&) {
    free_slots.put_back(slot_of(id));
    throw;
  }
  Enrolled& one = roster_->renew(slot_of(id));
  one.spawn_group = std::make_shared<SpawnGroup>(SpawnGroup{-1, {id}});
  one.task_program = std::move(client.program);
  one.control = std::move(client.socket);
  one.admitted = true;
  ++started_;
  tell(one.control, {ControlKind::welcome, id}, segment());
}

// --- a job that MPI has started: its ranks ask for tasks, but are not supervised ---

void TaskServer::enlist(Received received, Descriptor socket) {
  const int rank = received.message.rank;
  if (received.message.kind == ControlKind::stand_by) standing_by_.push_back(std::move(socket));
  if (received.message.kind != ControlKind::enlist || rank < 0 || roster_->is_task(rank)) return;
  Enrolled& one = roster_->at(rank);
  one.control = std::move(socket);
  one.pidfd = pidfd_of_peer(one.control);
  watcher_->watch(one.control.get(), Watched::control, rank);
}

// Marks a rank that will make no more requests. Its socket stays open; the rank learns that the job
// is over when the socket closes.
void TaskServer::dismiss(int rank) {
  if (!options_->pool || roster_->is_task(rank) || roster_->at(rank).dismissed) return;
  roster_->at(rank).dismissed = true;
  ++dismissed_;
}

bool TaskServer::is_wanted() const {
  return options_->pool && dismissed_ < options_->pool->ranks;
}

std::vector<int> TaskServer::free_spares() const {
  std::vector<int> free;
  for (int spare = 0; spare < static_cast<int>(options_->pool->spares.size()); ++spare) {
    bool busy = false;
    for (int slot = 0; slot < roster_->slots(); ++slot)
      busy = busy || (roster_->at(slot).spare == spare && !roster_->at(slot).done());
    if (!busy) free.push_back(spare);
  }
  return free;
}

// Returns false while a request should wait, because tasks that hold spare processes may be about
// to end. A parent that has the results of its tasks may ask for the next ones while the old ones
// are still ending.
bool TaskServer::can_decide(const TaskRequest& request) const {
  const auto waited = Clock::now() - request.asked_at;
  const auto longer_than = [&](std::int64_t time) {
    return waited > std::chrono::nanoseconds(time);
  };
  if (!options_->pool || longer_than(mapping_->tuning().spare_ends)) return true;
  const auto wanted = static_cast<std::size_t>(SpawnRequest::unpack(request.bytes).count);
  std::size_t possible = free_spares().size();
  if (wanted <= possible || wanted > options_->pool->spares.size()) return true;
  if (!longer_than(mapping_->tuning().spare_leaves)) return false;
  for (int slot = roster_->world_size(); slot < roster_->slots(); ++slot) {
    const Enrolled& one = roster_->at(slot);
    const bool ends =
        one.unwanted || transport::shm::departed(mapping_->endpoint(slot).presence.see());
    if (one.spare >= 0 && !one.done() && ends) ++possible;
  }
  return wanted > possible;
}

// Returns the free spare processes; an empty list where the number of tasks has no such limit.
// Throws Error(no_slot) if too few are free.
std::vector<int> TaskServer::claim_spares(int count) const {
  if (!options_->pool) return {};
  std::vector<int> free = free_spares();
  if (static_cast<std::size_t>(count) > free.size()) {
    const std::size_t spares = options_->pool->spares.size();
    base::fail(base::Status::no_slot,
               "{} tasks are asked for, but the job has {} spare rank{} here, {} of them free: "
               "start it with more, as in mpirun -n 1 PROGRAM : -n {} tutti spare",
               count, spares, spares == 1 ? "" : "s", free.size(),
               spares - free.size() + static_cast<std::size_t>(count));
  }
  return free;
}

}  // namespace tutti::launch
