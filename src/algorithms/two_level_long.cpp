// SPDX-License-Identifier: BSD-3-Clause
// The allreduce of two levels for long vectors. Between the hosts it is a reduce-scatter and an
// allgather, so each coordinator sends about two vectors, however many hosts there are.
#include <vector>

#include "algorithms/families.hpp"
#include "algorithms/host_sizes.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

enum class Phase { fold, reduce_scatter, allgather, spread };

// One host of one rank has a first round, which copies.
bool has_fold(const Shape& s) {
  return has_members(s) || hosts_of(s) == 1;
}

Phase phase_of(const Shape& s, int t) {
  const int after_fold = has_fold(s) ? t - 1 : t;
  if (after_fold < 0) return Phase::fold;
  if (hosts_of(s) == 1 || after_fold > 1) return Phase::spread;
  return after_fold == 0 ? Phase::reduce_scatter : Phase::allgather;
}

int rounds(const Shape& s) {
  return (has_fold(s) ? 1 : 0) + (hosts_of(s) > 1 ? 2 : 0) + (has_members(s) ? 1 : 0);
}

Buffers buffers(const Shape& s) {
  return {.input = hosts_of(s), .output = hosts_of(s), .parts = hosts_of(s)};
}

Blocks whole(const Shape& s, Buffer buffer) {
  return {{buffer, 0, hosts_of(s)}};
}

// Returns the buffer with the sum of the host at its coordinator. One rank alone has no other sum
// than its input.
Buffer folded(const Host& host) {
  return host.size == 1 ? Buffer::input : Buffer::output;
}

void fold(Round& out, const Shape& s, const Host& host, Rank me) {
  if (num(me) != host.coordinator) return out.send(whole(s, Buffer::input), Rank{host.coordinator});
  if (s.p == 1) return out.copy(whole(s, Buffer::output), whole(s, Buffer::input));
  if (host.size == 1) return;
  std::vector<Operand> operands{local(whole(s, Buffer::input))};
  for (int rank = host.coordinator + 1; rank < host.coordinator + host.size; ++rank)
    operands.push_back(remote(Rank{rank}));
  out.receive_combine(whole(s, Buffer::output), std::move(operands));
}

// Each coordinator gets the part with the number of its host, and combines in the order of the
// hosts.
void reduce_scatter(Round& out, const Shape& s, const Host& host, Rank me) {
  if (num(me) != host.coordinator) return;
  for (Host to = next_host(s, host); to.number != host.number; to = next_host(s, to))
    out.send({{folded(host), to.number}}, Rank{to.coordinator});
  std::vector<Operand> operands;
  int coordinator = 0;
  for (const int size : s.factors) {
    operands.push_back(coordinator == host.coordinator ? local({{folded(host), host.number}})
                                                       : remote(Rank{coordinator}));
    coordinator += size;
  }
  out.receive_combine({{Buffer::output, host.number}}, std::move(operands));
}

void allgather(Round& out, const Shape& s, const Host& host, Rank me) {
  if (num(me) != host.coordinator) return;
  Host from = host_before(s, host);
  for (Host to = next_host(s, host); to.number != host.number; to = next_host(s, to)) {
    out.send({{Buffer::output, host.number}}, Rank{to.coordinator});
    out.receive({{Buffer::output, from.number}}, Rank{from.coordinator});
    from = host_before(s, from);
  }
}

void emit(Round& out, const Shape& s, Rank me, int t) {
  const Host host = host_of(s, num(me));
  switch (phase_of(s, t)) {
    case Phase::fold:
      return fold(out, s, host, me);
    case Phase::reduce_scatter:
      return reduce_scatter(out, s, host, me);
    case Phase::allgather:
      return allgather(out, s, host, me);
    case Phase::spread:
      return spread(out, host, me, whole(s, Buffer::output));
  }
}

}  // namespace

// allreduce two_level_long: on each host all ranks send to the lowest one; the lowest ranks combine
// one part of the vector each, send each other the results, and spread them on their hosts.
//   Source: folklore; paper 001, 3.3 for the levels and 3.2.1 for long vectors
//   Needs:  any p, factors (sizes of the hosts) whose sum is p
//   Cost:   rounds if(p > k, 2, 0) + if(k > 1, 2, 0);
//           messages 2*(p-k) + 2*k*(k-1); volume 2*k*(p-1); combines k*(p-1);
//           alpha <= 2*(p-1); beta <= 2*k*(p-k) + 2*(k-1); gamma <= k*(p-k) + k - 1;
//           root <= longest; longest <= 2*(p-1)*Tc + 3*To;
//           done if(i == rounds-1, p, if(i == 2, sum(j, 0, k-1, if(f(j) == 1, 1, 0)), 0))
constexpr Generator allreduce_two_level_long{
    "two_level_long", Operation::allreduce, rounds,          buffers, emit,
    sizes_make_p,     Operators::any,       Parameter::sizes};

}  // namespace tutti::algorithms
