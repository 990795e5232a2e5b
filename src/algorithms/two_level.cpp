// SPDX-License-Identifier: BSD-3-Clause
// Algorithms of two levels, within and between hosts, for hosts of any sizes (host_sizes.hpp). Data
// go from host to host once in each direction, and in all directions at the same time.
#include <vector>

#include "algorithms/families.hpp"
#include "algorithms/host_sizes.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

enum class Phase { fold, exchange, spread };

Phase phase_of(const Shape& s, int t) {
  if (t == 0) return Phase::fold;
  return t == 1 && hosts_of(s) > 1 ? Phase::exchange : Phase::spread;
}

// Counts a first round that is local work alone if no host has members beside its coordinator.
int rounds(const Shape& s) {
  return 1 + (hosts_of(s) > 1 ? 1 : 0) + (has_members(s) ? 1 : 0);
}

// Scratch has one block per host, for the combined data of that host.
Buffers buffers(const Shape& s) {
  return {1, 1, hosts_of(s) > 1 ? hosts_of(s) : 0};
}

Blocks input() {
  return {{Buffer::input, 0}};
}
Blocks output() {
  return {{Buffer::output, 0}};
}

Blocks folded(const Shape& s, const Host& host) {
  if (hosts_of(s) == 1) return output();
  return {{Buffer::scratch, host.number}};
}

void fold(Round& out, const Shape& s, const Host& host, Rank me) {
  if (num(me) != host.coordinator) return out.send(input(), Rank{host.coordinator});
  if (host.size == 1) return out.copy(folded(s, host), input());
  std::vector<Operand> operands{local(input())};
  for (int rank = host.coordinator + 1; rank < host.coordinator + host.size; ++rank)
    operands.push_back(remote(Rank{rank}));
  out.receive_combine(folded(s, host), std::move(operands));
}

// Receives the data of all hosts before it combines them, in the order of the hosts. A coordinator
// that wrote its result while it still sends would keep the others waiting, and they would keep it
// waiting.
void exchange(Round& out, const Shape& s, const Host& host, Rank me) {
  if (num(me) != host.coordinator) return;
  Host from = host_before(s, host);
  for (Host to = next_host(s, host); to.number != host.number; to = next_host(s, to)) {
    out.send(folded(s, host), Rank{to.coordinator});
    out.receive(folded(s, from), Rank{from.coordinator});
    from = host_before(s, from);
  }
  std::vector<Operand> operands;
  for (int number = 0; number < hosts_of(s); ++number)
    operands.push_back(local({{Buffer::scratch, number}}));
  out.combine(output(), std::move(operands));
}

void emit(Round& out, const Shape& s, Rank me, int t) {
  const Host host = host_of(s, num(me));
  switch (phase_of(s, t)) {
    case Phase::fold:
      return fold(out, s, host, me);
    case Phase::exchange:
      return exchange(out, s, host, me);
    case Phase::spread:
      return spread(out, host, me, output());
  }
}

}  // namespace

// allreduce two_level: on each host all ranks send to the lowest one; the lowest ranks send each
// other the sums of their hosts, and spread the result there.
//   Source: folklore; paper 001, 3.3 for the levels
//   Needs:  any p, factors (sizes of the hosts) whose sum is p
//   Cost:   rounds <= 3; messages 2*(p-k) + k*(k-1); volume 2*(p-k) + k*(k-1);
//           combines p - k + k*(k-1); alpha <= 2*(p-k) + k - 1; beta <= 2*(p-k) + k - 1;
//           gamma <= p-1; root <= longest; longest <= p*Tc + 3*To + (p-4)*Ts; done <= p
constexpr Generator allreduce_two_level{
    "two_level", Operation::allreduce, rounds,         buffers,
    emit,        sizes_make_p,         Operators::any, Parameter::sizes};

// barrier two_level: on each host all ranks report to the lowest one; the lowest ranks tell each
// other, and let their hosts go.
//   Source: folklore; paper 001, 3.3 for the levels
//   Needs:  any p, factors (sizes of the hosts) whose sum is p
//   Cost:   rounds <= 3; messages 2*(p-k) + k*(k-1); alpha <= 2*(p-k) + k - 1;
//           root <= longest; longest <= p*Tc + (p-2)*Ts; done <= p
constexpr Generator barrier_two_level =
    without_data<allreduce_two_level>("two_level", Parameter::sizes);

}  // namespace tutti::algorithms
