// SPDX-License-Identifier: BSD-3-Clause
// Reads memory of a process by its window, by the system, or by messages (direct.hpp).
#include "direct.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <tutti/tutti_runtime.h>

#include <cerrno>
#include <cstring>

#include "copy.hpp"
#include "errors.hpp"
#include "mail.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

constexpr const char* routine = "bsp_direct_get";

struct Request {
  std::uint64_t address;
  std::uint64_t bytes;
};

// Names a machine and its superstep, so that a process answers when it has arrived there. Both wrap
// round: requests are answered long before a number comes again.
std::uint64_t key_of_requests(const BspMachine& machine) {
  constexpr unsigned superstep_bits = 20;
  constexpr std::uint64_t supersteps = (std::uint64_t{1} << superstep_bits) - 1;
  return request_key | machine.peers.label << superstep_bits | (machine.superstep & supersteps);
}

// Waits until a process has finished the last superstep: before that, data that arrived then may
// not be in its memory.
void await_superstep(BspMachine& mine, int pid) {
  struct Awaited {
    std::uint64_t& seen;
    const std::atomic<std::uint64_t>& supersteps;
    std::uint64_t wanted;
  };
  const auto at = static_cast<std::size_t>(pid);
  Awaited awaited{mine.seen_progress[at], mine.peers.progress[at]->supersteps, mine.superstep};
  const auto is_over = [](void* about) {
    auto& progress = *static_cast<Awaited*>(about);
    progress.seen = progress.supersteps.load(std::memory_order_acquire);
    return progress.seen >= progress.wanted ? 1 : 0;
  };
  if (is_over(&awaited) == 0) check(routine, tutti_await, is_over, &awaited);
}

void read_memory(std::int64_t process, std::uint64_t address, void* destination, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const iovec here{static_cast<std::byte*>(destination) + done, size - done};
    const iovec there{reinterpret_cast<void*>(address + done), size - done};
    const ssize_t more = ::process_vm_readv(static_cast<pid_t>(process), &here, 1, &there, 1, 0);
    if (more > 0) {
      done += static_cast<std::size_t>(more);
    } else if (errno != EINTR) {
      const int error = errno;
      fail(routine,
           "the system does not let this process read memory of process {} ({}); register memory "
           "of bsp_alloc, or set TUTTI_BSP_WINDOWS=0, by which processes send it to each other",
           process, std::strerror(error));
    }
  }
}

// Sends what the other processes of a machine have asked for.
void answer(const BspMachine& machine) {
  if (machine.peers.reach_windows) return;
  const tutti_match match{sizeof match,      TUTTI_ANY, key_of_requests(machine),
                          ~std::uint64_t{0}, nullptr,   nullptr};
  Request request{};
  tutti_envelope envelope{};
  while (detail::quietly(tutti_mail_probe, &match, 0, &envelope) == TUTTI_OK) {
    check(routine, tutti_mail_receive, &match, &request, sizeof request, &envelope);
    check(routine, tutti_mail_send, envelope.source, answer_key,
          reinterpret_cast<const void*>(request.address), static_cast<std::int64_t>(request.bytes));
  }
}

void answer_all() {
  answer(*state().machine);
  for (const auto& [number, group] : state().groups) answer(*group);
}

void ask(const BspMachine& mine, int pid, const Request& request, void* destination) {
  const int endpoint = mine.peers.endpoints[static_cast<std::size_t>(pid)];
  check(routine, tutti_mail_send, endpoint, key_of_requests(mine), &request, sizeof request);
  const tutti_match match{sizeof match, endpoint, answer_key, ~std::uint64_t{0}, nullptr, nullptr};
  struct Awaited {
    const tutti_match& match;
    tutti_envelope envelope{};
    tutti_status status = TUTTI_WOULD_WAIT;
  } awaited{match};
  const auto is_over = [](void* about) {
    auto& [wanted, envelope, status] = *static_cast<Awaited*>(about);
    status = detail::quietly(tutti_mail_probe, &wanted, 0, &envelope);
    if (status != TUTTI_WOULD_WAIT) return 1;
    answer_all();  // that process may wait for memory of this one
    return 0;
  };
  check(routine, tutti_await, is_over, &awaited);
  if (awaited.status != TUTTI_OK) fail_status(routine);
  check(routine, tutti_mail_receive, &match, destination, static_cast<std::int64_t>(request.bytes),
        &awaited.envelope);
}

}  // namespace

void allow_reading(const Peers& peers) {
#ifdef PR_SET_PTRACER
  if (peers.reach_windows && peers.count() > 1)
    // Failure is harmless: another process then fails to read, and says so.
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#endif
}

void fetch(BspMachine& mine, int pid, const Remote& remote, std::size_t offset, void* destination,
           std::size_t size) {
  const std::uint64_t from = remote.address + offset;
  if (pid == mine.pid) {
    std::memmove(destination, reinterpret_cast<const void*>(from), size);
  } else if (!mine.peers.reach_windows) {
    ask(mine, pid, {from, size}, destination);
  } else {
    await_superstep(mine, pid);
    if (remote.window != nullptr) return copy_bytes(destination, remote.window + offset, size);
    read_memory(mine.peers.processes[static_cast<std::size_t>(pid)], from, destination, size);
  }
}

void complete(const char* call, tutti_request request) {
  struct Awaited {
    const char* call;
    tutti_request request;
  } awaited{call, request};
  const auto is_over = [](void* about) {
    auto& [caller, operation] = *static_cast<Awaited*>(about);
    if (state().machine != nullptr) answer_all();
    int done = 0;
    check(caller, tutti_test, &operation, &done);
    return done;
  };
  check(call, tutti_await, is_over, &awaited);
}

void meet(const char* call, const Peers& peers) {
  if (peers.reach_windows) return;
  tutti_request request{0};
  check(call, tutti_ibarrier, peers.group, &request);
  complete(call, request);
}

}  // namespace tutti::bsp
