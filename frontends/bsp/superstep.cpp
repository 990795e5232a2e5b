// SPDX-License-Identifier: BSD-3-Clause
// One complete exchange announces all data and checks that all processes agree. A second exchange
// follows only if a process gets (superstep.hpp).
#include "superstep.hpp"

#include <tutti/tutti_runtime.h>

#include "copy.hpp"
#include "direct.hpp"
#include "errors.hpp"
#include "memory.hpp"
#include "remote.hpp"
#include "state.hpp"
#include "window.hpp"

namespace tutti::bsp {
namespace {

void check_agreement(const char* routine, const BspMachine& mine, const Agreement& own) {
  for (int other = 0; other < mine.count; ++other) {
    const std::uint64_t word = mine.traffic.agreed_by(other);
    if (word == own.word()) [[likely]]
      continue;
    fail(routine, "{}", difference(mine.pid, own, other, Agreement::of(word)));
  }
}

void move_data(BspMachine& mine) {
  if (mine.traffic.somebody_requests()) {
    mine.traffic.serve_requests([&](int, const Access& access, std::byte* answer) {
      write_window(answer, mine.registry.address(access.slot) + access.offset, access.bytes);
    });
  }
  mine.traffic.for_each_put([&](int, const Access& access, const std::byte* data) {
    copy_bytes(mine.registry.address(access.slot) + access.offset, data, access.bytes);
  });
}

// Checks that all processes mean the same registrations where all have deregistered NULL. Only the
// process itself knows which of its registrations are NULL, so the numbers are exchanged. This is
// rare, and all processes know when it is needed.
void check_ended_nulls(const char* routine, const BspMachine& mine) {
  std::vector<std::int64_t> own = mine.registry.ended_nulls();
  if (own.empty()) return;
  std::vector<std::int64_t> all(own.size() * static_cast<std::size_t>(mine.count));
  const tutti_data input =
      tutti_array(own.data(), static_cast<std::int64_t>(own.size()), TUTTI_INT64);
  const tutti_data output =
      tutti_array(all.data(), static_cast<std::int64_t>(all.size()), TUTTI_INT64);
  check(routine, tutti_allgather, mine.peers.group, &input, &output);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t meant = own[i % own.size()];
    if (all[i] == meant) continue;
    fail(routine,
         "processes {} and {} deregister NULL that they registered as number {} and number {}",
         mine.pid, i / own.size(), meant, all[i]);
  }
}

void change_registrations(const char* routine, BspMachine& mine) {
  constexpr std::size_t words = sizeof(Change) / sizeof(std::int64_t);
  std::vector<Change> own(mine.registry.changes().begin(), mine.registry.changes().end());
  std::vector<Change> all(own.size() * static_cast<std::size_t>(mine.count));
  const tutti_data input =
      tutti_array(own.data(), static_cast<std::int64_t>(own.size() * words), TUTTI_INT64);
  const tutti_data output =
      tutti_array(all.data(), static_cast<std::int64_t>(all.size() * words), TUTTI_INT64);
  check(routine, tutti_allgather, mine.peers.group, &input, &output);
  if (const auto wrong = mine.registry.apply(all)) fail(routine, "{}", *wrong);
  check_ended_nulls(routine, mine);
}

void check_rules(const char* routine, BspMachine& mine, SuperstepEnd ending) {
  for (int pid = 0; pid < mine.count && ending == SuperstepEnd::end; ++pid) {
    if (mine.traffic.messages(pid).items() > 0)
      fail(routine, "there are messages for process {} that it cannot read", pid);
  }
  if (const std::string wrong = mine.audit->check_rules(mine); !wrong.empty())
    fail(routine, "{}", wrong);
}

// Other processes add the bytes of direct accesses to this process's line before the exchange, so
// the sums are complete after it.
Volume volume_of(BspMachine& mine) {
  Volume volume = mine.traffic.volume();
  ProgressLine& own = mine.progress();
  volume.add(TrafficKind::hpput, {0, own.direct_in.exchange(0)});
  volume.add(TrafficKind::hpget, {own.direct_out.exchange(0), 0});
  volume.add(mine.direct);
  mine.direct = {};
  return volume;
}

void arrive(const char* routine, BspMachine& mine, SuperstepEnd ending) {
  if (tutti_enter(routine) != TUTTI_OK) fail_status(routine);
  if (mine.profile != nullptr) mine.profile->arrive();
  if (mine.audit != nullptr) check_rules(routine, mine, ending);
}

void receive(const char* routine, BspMachine& mine, const Agreement& own) {
  if (mine.audit != nullptr) mine.audit->clear();
  check_agreement(routine, mine, own);
}

// Finishes the superstep after its data have moved.
void leave(BspMachine& mine, const Volume& volume) {
  mine.gets = false;
  mine.sets_tag_size = false;
  mine.progress().supersteps.store(mine.superstep, std::memory_order_release);
  if (mine.profile != nullptr) mine.profile->leave(volume, tutti_call_site());
  tutti_leave();
}

// Returns how many supersteps each process has completed. If windows are out of reach, no process
// reads this one's memory, so every number is the largest.
std::vector<std::uint64_t> left_behind(const BspMachine& mine) {
  std::vector<std::uint64_t> supersteps;
  for (const ProgressLine* progress : mine.peers.progress) {
    supersteps.push_back(mine.peers.reach_windows
                             ? progress->supersteps.load(std::memory_order_acquire)
                             : UINT64_MAX);
  }
  return supersteps;
}

// Rejects a partial end of a superstep that needs all processes.
void check_partial(const char* routine, const BspMachine& mine, const Links& links) {
  if (mine.gets) fail(routine, "there were gets in this superstep; they need bsp_sync");
  if (!mine.registry.changes().empty())
    fail(routine, "registrations have changed in this superstep; they need bsp_sync");
  if (mine.next_tag_size != mine.send_tag_size)
    fail(routine, "the tag size has changed; it needs bsp_sync");
  for (int pid = 0; pid < mine.count; ++pid) {
    if (mine.traffic.has_for(pid) && !links.to[static_cast<std::size_t>(pid)])
      fail(routine, "there are puts or messages for process {}, which is no neighbour", pid);
  }
}

// `inspect` checks what has arrived before it is used.
template <class Inspect>
void end_partly(const char* routine, SuperstepEnd ending, const Links& links,
                const Inspect& inspect) {
  BspMachine& mine = machine(routine);
  check_partial(routine, mine, links);
  arrive(routine, mine, ending);
  // Other processes read the accesses that this one has noted, so it waits until all have checked
  // them.
  if (mine.audit != nullptr) {
    meet(routine, mine.peers);
    check(routine, tutti_barrier, mine.peers.group);
  }
  const Agreement own{ending, 0, mine.next_tag_size, mine.sets_tag_size};
  mine.traffic.exchange_among(own.word(), links);
  receive(routine, mine, own);
  inspect(mine);
  const Volume volume = mine.profile == nullptr ? Volume{} : volume_of(mine);
  move_data(mine);
  mine.inbox.fill(mine.traffic, mine.count, mine.send_tag_size);
  ++mine.superstep;
  mine.traffic.turn_among(left_behind(mine), mine.superstep);
  leave(mine, volume);
}

}  // namespace

void end_superstep(const char* routine, SuperstepEnd ending) {
  BspMachine& mine = machine(routine);
  arrive(routine, mine, ending);
  const Agreement own{ending, mine.registry.changes().size(), mine.next_tag_size,
                      mine.sets_tag_size};
  mine.traffic.exchange(own.word());
  receive(routine, mine, own);
  const Volume volume = mine.profile == nullptr ? Volume{} : volume_of(mine);
  move_data(mine);
  mine.inbox.fill(mine.traffic, mine.count, mine.send_tag_size);
  mine.send_tag_size = mine.next_tag_size;
  if (own.changes > 0) change_registrations(routine, mine);
  free_ended(mine);
  ++mine.superstep;
  mine.traffic.turn();
  leave(mine, volume);
}

void end_superstep_by_counts(const std::vector<std::uint64_t>& counts) {
  constexpr const char* routine = "bsp_sync_counts";
  const BspMachine& mine = machine(routine);
  Links links;
  for (int pid = 0; pid < mine.count; ++pid) {
    links.to.push_back(mine.traffic.has_for(pid));
    links.from.push_back(counts[static_cast<std::size_t>(pid)] > 0);
  }
  end_partly(routine, SuperstepEnd::counts, links, [&](const BspMachine& now) {
    for (int pid = 0; pid < now.count; ++pid) {
      const std::uint64_t items = now.traffic.items_from(pid),
                          given = counts[static_cast<std::size_t>(pid)];
      if (items != given)
        fail(routine, "process {} has {} puts and messages for this one, not {}", pid, items,
             given);
    }
  });
}

void end_superstep_among(const std::vector<int>& neighbours) {
  constexpr const char* routine = "bsp_sync_neighbours";
  const BspMachine& mine = machine(routine);
  std::vector<bool> linked(static_cast<std::size_t>(mine.count));
  for (const int pid : neighbours) {
    check_pid(routine, mine, pid);
    linked[static_cast<std::size_t>(pid)] = true;
  }
  end_partly(routine, SuperstepEnd::neighbours, {linked, linked}, [](const BspMachine&) {});
}

}  // namespace tutti::bsp
