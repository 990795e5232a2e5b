// SPDX-License-Identifier: BSD-3-Clause
// Joins the job, and leaves it when the program ends (nodes.hpp).
#include "nodes.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstdlib>

#include "failure.hpp"
#include "forced.hpp"
#include "message_table.hpp"
#include "messages.hpp"
#include "selector.hpp"
#include "start.hpp"

namespace tutti::nx {
namespace {

// Sends of unforced messages wait while more bytes of them lie at their receiver. Forced messages
// do not wait: they are taken or discarded when their receiver makes a call. -1 is no bound.
void bound_unforced(std::int64_t bytes) {
  check(tutti_mail_bound(key_space, space_bits | forced_bit, bytes));
}

// Leaves the job when the program ends by exit() or at the end of main, whatever its exit code is:
// main of an old program often returns nothing, so its exit code is a matter of chance. A node that
// ends in another way has failed, and the launcher ends the others. Its last sends do not wait for
// room, because no receiver need take them any more.
void leave(int, void*) {
  if (tutti_initialized() == 0) return;
  ending("exit", [] {
    bound_unforced(-1);
    messages().finish_sends();
    find_forced();
    count_discarded();
    check(tutti_finalize());
  });
}

}  // namespace

Nodes::Nodes() {
  check(tutti_init());
  const tutti_group world = tutti_world();
  self_ = tutti_rank(world);
  for (int node = 0; node < tutti_size(world); ++node) {
    endpoints_.push_back(tutti_endpoint(world, node));
    if (node != self_) others_.push_back(endpoints_.back());
  }
  // In a group of endpoints each member orders its calls as it likes. So a node that runs handlers
  // while it waits may start what the others call and wait for.
  constexpr std::uint64_t label = 0x4e58;  // "NX"
  check(tutti_group_of_endpoints(count(), endpoints_.data(), label, &all_));
  set_ptype(ptype_asked_for());
  discard_forced();
  describe_waits();
  bound_unforced(part_of_buffer());
  // Failure is harmless: without the function, the supervisor reports a process that leaves too
  // early.
  ::on_exit(leave, nullptr);
  if (self_ == 0) tell_what_differs(count());
}

// Each node has an equal part of the system buffer at another, as on the Paragon.
std::int64_t Nodes::part_of_buffer() const {
  const std::int64_t buffer = tutti_setting("TUTTI_NX_BUFFER");
  if (buffer < 0) fail(EINVAL, "{}", std::string(tutti_error_text()));
  return buffer / count();
}

int Nodes::node_of(int endpoint) const {
  const auto place = static_cast<std::size_t>(endpoint);
  if (endpoint >= 0 && endpoint < count() && endpoints_[place] == endpoint) return endpoint;
  const auto found = std::find(endpoints_.begin(), endpoints_.end(), endpoint);
  return found == endpoints_.end() ? -1 : static_cast<int>(found - endpoints_.begin());
}

void Nodes::set_ptype(long ptype) {
  constexpr long most = 0xffff;  // as a key has room for
  if (ptype < 0 || ptype > most)
    fail(EINVAL, "argument 'ptype' is {}, but types of processes are 0 to {}", ptype, most);
  ptype_ = ptype;
}

void Nodes::reject(long node) const {
  if (node == count()) fail(EINVAL, "argument 'node' is {}, the host, but there is none", node);
  fail(EINVAL, "argument 'node' is {}, but the nodes are 0 to {}", node, count() - 1);
}

Nodes& nodes() {
  // Never destroyed, because programs call NX from exit handlers.
  static Nodes* const only = new Nodes;
  if (tutti_initialized() == 0) [[unlikely]]
    fail(EINVAL, "this process has left the job, or was made by fork()");
  return *only;
}

}  // namespace tutti::nx
