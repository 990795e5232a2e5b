// SPDX-License-Identifier: BSD-3-Clause
// Clocks, Gray codes, the mesh of nodes, and the calls for a host that is not there (machine.hpp).
#include "machine.hpp"

#include <sched.h>
#include <tutti-nx/nx.h>
#include <tutti/tutti_runtime.h>

#include <chrono>

#include "failure.hpp"
#include "messages.hpp"
#include "nodes.hpp"
#include "start.hpp"

namespace tutti::nx {
namespace {

const std::uint64_t started = tutti_nanoseconds();

std::chrono::nanoseconds since_start() {
  return std::chrono::nanoseconds(tutti_nanoseconds() - started);
}

}  // namespace

double seconds() {
  return std::chrono::duration<double>(since_start()).count();
}

unsigned long milliseconds() {
  using std::chrono::duration_cast;
  return static_cast<unsigned long>(
      duration_cast<std::chrono::milliseconds>(since_start()).count());
}

void tell_ticks(long* ticks) {
  if (ticks == nullptr) fail(EFAULT, "argument 'ticks' is NULL");
  using Ticks = std::chrono::duration<long, std::ratio<1, HWHZ>>;
  *ticks = std::chrono::duration_cast<Ticks>(since_start()).count();
}

void give_way() {
  move_on();
  // Failure is harmless: this process then goes on at once.
  static_cast<void>(sched_yield());
}

long gray_of(long number) {
  return number ^ number >> 1;
}

long number_of_gray(long code) {
  long number = 0;
  for (; code > 0; code >>= 1) number ^= code;
  return number;
}

NodeMesh mesh_of_nodes() {
  const NodeMesh& mesh = mesh_asked_for();
  const int count = nodes().count();
  return mesh.rows > 0 && mesh.nodes() == count ? mesh : NodeMesh{1, count};
}

void reject_host_call() {
  fail(ENOSYS,
       "there is no host and no partition to manage: -sz, NX_DFLT_SIZE or a launcher starts "
       "the nodes");
}

}  // namespace tutti::nx
