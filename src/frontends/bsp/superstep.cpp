// SPDX-License-Identifier: BSD-3-Clause
// One complete exchange tells what there is and that all processes agree; a second one follows only if somebody gets.
#include "superstep.hpp"

#include <tutti/tutti_runtime.h>

#include "errors.hpp"
#include "remote.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

void check_agreement(const char* routine, const Machine& mine, const Agreement& own) {
  for (int other = 0; other < mine.count; ++other) {
    const std::uint64_t word = mine.traffic.agreed_by(other);
    if (word == own.word()) [[likely]]
      continue;
    fail(routine, "{}", difference(mine.pid, own, other, Agreement::of(word)));
  }
}

void move_data(Machine& mine) {
  if (mine.traffic.somebody_requests()) {
    mine.traffic.serve_requests([&](int, const Access& access, std::byte* answer) {
      copy_bytes(answer, mine.registry.address(access.slot) + access.offset, access.bytes);
    });
  }
  mine.traffic.for_each_put([&](int, const Access& access, const std::byte* data) {
    copy_bytes(mine.registry.address(access.slot) + access.offset, data, access.bytes);
  });
}

void change_registrations(const char* routine, Machine& mine) {
  constexpr std::size_t words = sizeof(Change) / sizeof(std::int64_t);
  std::vector<Change> own(mine.registry.changes().begin(), mine.registry.changes().end());
  std::vector<Change> all(own.size() * static_cast<std::size_t>(mine.count));
  const tutti_data input = tutti_array(own.data(), static_cast<std::int64_t>(own.size() * words), TUTTI_INT64);
  const tutti_data output = tutti_array(all.data(), static_cast<std::int64_t>(all.size() * words), TUTTI_INT64);
  check(routine, tutti_allgather(mine.peers.group, &input, &output));
  if (const auto wrong = mine.registry.apply(all)) fail(routine, "{}", *wrong);
}

void judge(const char* routine, Machine& mine, Ending ending) {
  for (int pid = 0; pid < mine.count && ending == Ending::end; ++pid) {
    if (mine.traffic.messages(pid).items() > 0)
      fail(routine, "there are messages for process {} that it cannot read", pid);
  }
  if (const std::string wrong = mine.audit->judge(mine); !wrong.empty()) fail(routine, "{}", wrong);
}

// What others did directly to this process's memory, they have written down before the exchange.
Volume volume_of(Machine& mine) {
  Volume volume = mine.traffic.volume();
  Progress& own = mine.progress[mine.pid];
  volume.bytes_out += mine.direct.bytes_out + own.direct_out.exchange(0);
  volume.bytes_in += mine.direct.bytes_in + own.direct_in.exchange(0);
  volume.messages += mine.direct.messages;
  mine.direct = {};
  return volume;
}

}  // namespace

void end_superstep(const char* routine, Ending ending) {
  Machine& mine = machine(routine);
  tutti_enter(routine);
  if (mine.profile != nullptr) mine.profile->arrive();
  const Agreement own{ending, mine.registry.changes().size(), mine.next_tag_size};
  if (mine.audit != nullptr) judge(routine, mine, ending);
  mine.traffic.exchange(own.word());
  if (mine.audit != nullptr) mine.audit->clear();
  check_agreement(routine, mine, own);
  const Volume volume = mine.profile == nullptr ? Volume{} : volume_of(mine);
  move_data(mine);
  mine.inbox.fill(mine.traffic, mine.count, mine.send_tag_size);
  mine.send_tag_size = mine.next_tag_size;
  if (own.changes > 0) change_registrations(routine, mine);
  mine.traffic.turn();
  ++mine.superstep;
  mine.progress[mine.pid].supersteps.store(mine.superstep, std::memory_order_release);
  if (mine.profile != nullptr) mine.profile->leave(volume, tutti_call_site());
  tutti_leave();
}

}  // namespace tutti::bsp
