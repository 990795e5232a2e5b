// SPDX-License-Identifier: BSD-3-Clause
// Registrations, puts and gets (remote.hpp). Every process knows the table of registrations, so a
// call is checked where it is made. It is then written into the stream of its process. The direct
// forms copy at once if the other side is memory of bsp_alloc.
#include "remote.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>

#include "direct.hpp"
#include "window.hpp"

namespace tutti::bsp {
namespace {

// Accesses longer than this number of bytes are divided.
constexpr std::uint32_t longest = std::uint32_t{1} << 30;
constexpr int looks = 200;

// The remote side of an access that was checked.
struct Place {
  std::uint32_t slot;
  const Remote* remote;
};

inline Place find_place(const char* routine, BspMachine& mine, int pid, const void* registered,
                        std::size_t offset, std::size_t size) {
  check_pid(routine, mine, pid);
  const std::uint32_t slot = mine.registry.find(registered);
  if (slot == Registry::no_slot) [[unlikely]]
    fail(routine, "address {} is not registered{}", fmt::ptr(registered),
         registered == nullptr ? "" : "; a registration counts from the next bsp_sync on");
  const Remote& remote = mine.registry.remote(slot, pid);
  if (offset > remote.size || size > remote.size - offset) [[unlikely]]
    fail(routine, "bytes {} to {} are outside of the {} bytes that process {} has registered",
         offset, offset + size, remote.size, pid);
  return {slot, &remote};
}

inline void append_put(BspMachine& mine, int pid, std::uint32_t slot, const std::byte* from,
                       std::size_t offset, std::size_t bytes) {
  Stream& stream = mine.traffic.puts(pid);
  std::byte* const at = stream.append(sizeof(Access) + aligned(bytes));
  const Access access{offset, static_cast<std::uint32_t>(bytes), slot};
  std::memcpy(at, &access, sizeof access);
  stream.count(bytes);
  write_window(at + sizeof access, from, bytes);
}

inline void write_put(BspMachine& mine, int pid, std::uint32_t slot, const void* source,
                      std::size_t offset, std::size_t size) {
  const auto* from = static_cast<const std::byte*>(source);
  for (; size > longest; from += longest, offset += longest, size -= longest) {
    append_put(mine, pid, slot, from, offset, longest);
  }
  append_put(mine, pid, slot, from, offset, size);
}

inline void write_get(BspMachine& mine, int pid, std::uint32_t slot, std::size_t offset,
                      void* destination, std::size_t size) {
  auto* to = static_cast<std::byte*>(destination);
  for (; size > longest; to += longest, offset += longest, size -= longest) {
    mine.traffic.request(pid, {offset, longest, slot}, to);
  }
  mine.traffic.request(pid, {offset, static_cast<std::uint32_t>(size), slot}, to);
}

// Returns true if the process has finished the last superstep. Before that, data that arrived then
// could overwrite what is written now, or not be there yet. The wait is short: after some looks the
// access is buffered instead.
bool is_in_this_superstep(BspMachine& mine, int pid) {
  std::uint64_t& seen = mine.seen_progress[static_cast<std::size_t>(pid)];
  for (int look = 0; seen < mine.superstep && look < looks; ++look) {
    seen = mine.peers.progress[static_cast<std::size_t>(pid)]->supersteps.load(
        std::memory_order_acquire);
  }
  return seen >= mine.superstep;
}

// Returns the address of the registered memory of a process if it can be reached now, or nullptr.
// In safe mode every access is buffered, because it is checked before it happens.
std::byte* reach(BspMachine& mine, int pid, const Place& place) {
  if (mine.audit != nullptr) return nullptr;
  if (pid == mine.pid) return mine.registry.address(place.slot);
  std::byte* const window = place.remote->window;
  return window != nullptr && is_in_this_superstep(mine, pid) ? window : nullptr;
}

// Memory of this process may overlap its destination, so it needs memmove.
void copy_directly(const BspMachine& mine, int pid, void* to, const void* from, std::size_t size) {
  if (pid == mine.pid) {
    std::memmove(to, from, size);
  } else {
    copy_bytes(to, from, size);
  }
}

// Counts a direct access for the profile, in the line of the other process too.
void note_direct(BspMachine& mine, TrafficKind kind, int pid, std::size_t size) {
  if (mine.profile == nullptr) [[likely]]
    return;
  const bool is_put = kind == TrafficKind::hpput, own = pid == mine.pid;
  mine.direct.add(kind, {is_put || own ? size : 0, is_put && !own ? 0 : size, 1}, own);
  ProgressLine* const other = mine.peers.progress[static_cast<std::size_t>(pid)];
  if (!own && other != nullptr) (is_put ? other->direct_in : other->direct_out).fetch_add(size);
}

// An access as safe mode notes it. `content` is what a put writes.
struct Noted {
  AccessKind kind;
  int pid;
  Place place;
  std::size_t offset, size;
};
void note(BspMachine& mine, const Noted& noted, const void* content) {
  if (mine.audit == nullptr) [[likely]]
    return;
  const std::uint64_t site = tutti_call_site();
  mine.audit->note(noted.pid, {noted.kind, noted.place.slot, noted.offset, noted.size, 0, site},
                   content);
  if (noted.kind == AccessKind::hpput) mine.audit->note_source(content, noted.size, site);
}
void note_destination(BspMachine& mine, AccessKind kind, const void* destination,
                      std::size_t size) {
  if (mine.audit == nullptr) [[likely]]
    return;
  const auto address = reinterpret_cast<std::uintptr_t>(destination);
  mine.audit->note(mine.pid, {kind, 0, address, size, 0, tutti_call_site()}, nullptr);
}

void check_memory(const char* routine, const char* argument, const void* address) {
  if (address == nullptr) [[unlikely]]
    fail(routine, "argument '{}' is NULL", argument);
}

}  // namespace

void push(const void* address, std::size_t size) {
  BspMachine& mine = machine("bsp_push_reg");
  if (address == nullptr && size > 0)
    fail("bsp_push_reg", "NULL is registered with {} bytes", size);
  if (mine.audit != nullptr && !is_mapped(address, size)) {
    fail("bsp_push_reg", "not all of the {} bytes at {} are memory of this process", size,
         fmt::ptr(address));
  }
  mine.registry.push(address, size);
}

void pop(const void* address) {
  BspMachine& mine = machine("bsp_pop_reg");
  if (!mine.registry.pop(address))
    fail("bsp_pop_reg", "address {} is not registered", fmt::ptr(address));
}

void put(int pid, const void* source, void* destination, std::size_t offset, std::size_t size) {
  BspMachine& mine = machine("bsp_put");
  const CallProfile::Call call(mine.profile.get());
  if (size == 0) return;
  const Place place = find_place("bsp_put", mine, pid, destination, offset, size);
  check_memory("bsp_put", "source", source);
  note(mine, {AccessKind::put, pid, place, offset, size}, source);
  write_put(mine, pid, place.slot, source, offset, size);
}

void get(int pid, const void* source, std::size_t offset, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_get");
  const CallProfile::Call call(mine.profile.get());
  if (size == 0) return;
  const Place place = find_place("bsp_get", mine, pid, source, offset, size);
  check_memory("bsp_get", "destination", destination);
  mine.gets = true;
  note(mine, {AccessKind::get, pid, place, offset, size}, nullptr);
  note_destination(mine, AccessKind::get_destination, destination, size);
  write_get(mine, pid, place.slot, offset, destination, size);
}

void put_directly(int pid, const void* source, void* destination, std::size_t offset,
                  std::size_t size) {
  BspMachine& mine = machine("bsp_hpput");
  const CallProfile::Call call(mine.profile.get());
  if (size == 0) return;
  const Place place = find_place("bsp_hpput", mine, pid, destination, offset, size);
  check_memory("bsp_hpput", "source", source);
  note(mine, {AccessKind::hpput, pid, place, offset, size}, source);
  if (std::byte* const there = reach(mine, pid, place)) {
    copy_directly(mine, pid, there + offset, source, size);
    mine.traffic.count_direct(pid);
    note_direct(mine, TrafficKind::hpput, pid, size);
  } else {
    write_put(mine, pid, place.slot, source, offset, size);
  }
}

void get_directly(int pid, const void* source, std::size_t offset, void* destination,
                  std::size_t size) {
  BspMachine& mine = machine("bsp_hpget");
  const CallProfile::Call call(mine.profile.get());
  if (size == 0) return;
  const Place place = find_place("bsp_hpget", mine, pid, source, offset, size);
  check_memory("bsp_hpget", "destination", destination);
  mine.gets = true;
  note(mine, {AccessKind::hpget, pid, place, offset, size}, nullptr);
  note_destination(mine, AccessKind::hpget_destination, destination, size);
  if (const std::byte* const there = reach(mine, pid, place)) {
    copy_directly(mine, pid, destination, there + offset, size);
    note_direct(mine, TrafficKind::hpget, pid, size);
  } else {
    write_get(mine, pid, place.slot, offset, destination, size);
  }
}

void get_now(int pid, const void* source, std::size_t offset, void* destination, std::size_t size) {
  BspMachine& mine = machine("bsp_direct_get");
  const CallProfile::Call call(mine.profile.get());
  if (size == 0) return;
  const Place place = find_place("bsp_direct_get", mine, pid, source, offset, size);
  check_memory("bsp_direct_get", "destination", destination);
  if (tutti_enter("bsp_direct_get") != TUTTI_OK) fail_status("bsp_direct_get");
  fetch(mine, pid, *place.remote, offset, destination, size);
  note_direct(mine, TrafficKind::hpget, pid, size);
  tutti_leave();
}

}  // namespace tutti::bsp
