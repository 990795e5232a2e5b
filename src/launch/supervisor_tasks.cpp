// SPDX-License-Identifier: BSD-3-Clause
// The supervisor's part for tasks: processes that a process of the job asks for while it runs. They
// are supervised like ranks. Their slots are reused after they have ended.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "launch/process.hpp"
#include "launch/refusal.hpp"
#include "launch/supervisor.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

using transport::shm::endpoint_id;
using transport::shm::slot_of;
using transport::shm::Slots;

void Supervisor::serve_requests() {
  for (TaskRequest& request : std::exchange(requests_, {})) {
    if (decision_) return;
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
    tell(at(request.rank).control, {ControlKind::spawned, request.rank}, -1, answer.pack());
  }
}

// Starts all tasks of a request, or none of them.
std::vector<int> Supervisor::start_tasks(const TaskRequest& request) {
  const SpawnRequest wanted = SpawnRequest::unpack(request.bytes);
  const std::vector<int> spares = claim_spares(wanted.count);
  vacate_slots();
  Slots free_slots(mapping_);
  free_slots.require_room(wanted.count);
  auto spawn_group = std::make_shared<SpawnGroup>();
  spawn_group->parent = endpoint_id(request.rank, mapping_.endpoint(request.rank).generation.see());
  try {
    for (int i = 0; i < wanted.count; ++i) {
      spawn_group->world.push_back(free_slots.take(i));
      const auto slot = static_cast<std::size_t>(slot_of(spawn_group->world.back()));
      if (ranks_.size() <= slot) ranks_.resize(slot + 1);
      ranks_[slot] = {};
    }
    for (std::size_t i = 0; i < spawn_group->world.size(); ++i) {
      const int spare = spares.empty() ? -1 : spares[i];
      ranks_[static_cast<std::size_t>(slot_of(spawn_group->world[i]))].program =
          at(request.rank).program;
      start_task({spawn_group->world[i], static_cast<int>(i), wanted.count, &wanted.executable,
                  &wanted.arguments, request.output.get(),
                  wanted.logged ? request.output.get() : -1, spare},
                 spawn_group);
    }
  } catch (...) {
    std::for_each(spawn_group->world.begin(), spawn_group->world.end(),
                  [this](int id) { give_up(id); });
    throw;
  }
  return spawn_group->world;
}

void Supervisor::start_task(const Start& start,
                            const std::shared_ptr<const SpawnGroup>& spawn_group) {
  Watched& watched = at(slot_of(start.id));
  watched.spawn_group = spawn_group;
  watched.task_program = start.arguments->front();
  const StartResult started = start_rank(start);
  if (started.error != 0) {
    base::fail(base::Status::system_error, "{}",
               refusal_text(started, *start.executable, setting_of(slot_of(start.id)), ""));
  }
  ++started_;
}

// Gives up a task whose spawn group could not be started completely; no process knows of it. If it
// runs it is killed, and its slot is reused when it has ended.
void Supervisor::give_up(int id) {
  Watched& watched = at(slot_of(id));
  if (watched.child_done) return Slots(mapping_).put_back(slot_of(id));
  watched.unwanted = true;
  // Failure is harmless: the process has ended, and waitpid() tells how.
  ::kill(watched.child, SIGKILL);
}

// Signals a process that is no child of this one. The root process is the parent, as long as it
// lives, and needs no pidfd for that.
void Supervisor::signal_process(const Watched& watched, int signal) {
  if (watched.pidfd.valid()) {
    send_signal(watched.pidfd.get(), watched.process, signal);
  } else if (watched.process == ::getppid()) {
    // Failure is harmless: the process has ended.
    ::kill(watched.process, signal);
  }
}

// Sends a signal to a task. Nothing happens if the task has ended meanwhile.
void Supervisor::send_to_task(const SignalRequest& request) {
  const int slot = slot_of(request.endpoint);
  if (slot >= slots() ||
      mapping_.endpoint(slot).generation.see() != transport::shm::generation_of(request.endpoint)) {
    return;
  }
  Watched& watched = at(slot);
  watched.sent_signal = watched.sent_signal || request.signal != 0;
  if (!is_task(slot) && watched.control.valid()) {  // a rank that MPI has started
    send_signal(watched.pidfd.get(), watched.process, request.signal);
  } else if (watched.process != 0 && watched.process != watched.child) {
    if (!watched.process_done) send_signal(watched.pidfd.get(), watched.process, request.signal);
  } else if (!watched.child_done) {
    // Failure is harmless: the process has ended, and waitpid() tells how.
    ::kill(watched.child, request.signal);
  }
}

void Supervisor::vacate_slots() {
  for (int rank = world_size(); rank < slots(); ++rank) {
    const Watched& watched = at(rank);
    const bool drained =
        !watched.streams[0].pipe.first.valid() && !watched.streams[1].pipe.first.valid();
    if (watched.done() && drained && departed(mapping_.endpoint(rank).presence.see())) {
      Slots(mapping_).vacate(rank);
    }
  }
}

// Releases what the supervisor holds for a task that has ended. Its slot stays taken until no
// process that knew the task can touch the memory it shared.
void Supervisor::retire(int rank) {
  Watched& watched = at(rank);
  if (!is_task(rank) || !watched.done()) return;
  unwatch(watched.control);
  watched.death_pipe.reset();
  transport::shm::note_departure(mapping_, rank);
  wake_waiters();
}

}  // namespace tutti::launch
