// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that go through one coordinator per host (host_sizes.hpp). Only coordinators and the
// root exchange messages between hosts, whichever rank is the root.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/families.hpp"
#include "algorithms/host_sizes.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// Returns true if the root sends to any coordinator.
bool has_outer_round(const Shape& s) {
  return s.factors.size() > 1 || s.root != 0;
}
// Returns true if any coordinator sends to other ranks of its host.
bool has_inner_round(const Shape& s) {
  const int root_between = host_of(s, s.root).coordinator == s.root ? 0 : 1;
  return s.p > static_cast<int>(s.factors.size()) + root_between;
}

int broadcast_rounds(const Shape& s) {
  return (has_outer_round(s) ? 1 : 0) + (has_inner_round(s) ? 1 : 0);
}
// With one rank, one round copies input to output.
int scatter_rounds(const Shape& s) {
  return std::max(1, broadcast_rounds(s));
}
bool is_outer(const Shape& s, int t) {
  return t == 0 && has_outer_round(s);
}

Buffers broadcast_buffers(const Shape&) {
  return {0, 1, 0};
}
Buffers scatter_buffers(const Shape& s) {
  return {.input = s.p, .output = 1, .scratch = s.p, .parts = s.p, .output_own_part = true};
}

// Calls f(host) for each host whose coordinator is not the root.
template <class F>
void for_each_other_coordinator(const Shape& s, F f) {
  int first = 0;
  for (const int size : s.factors) {
    if (first != s.root) f(Host{first, size});
    first += size;
  }
}

// Calls f(rank) for each rank of a host that gets its data from the coordinator.
template <class F>
void for_each_member(const Shape& s, const Host& host, F f) {
  for (int rank = host.coordinator + 1; rank < host.coordinator + host.size; ++rank)
    if (rank != s.root) f(rank);
}

void broadcast_emit(Round& out, const Shape& s, Rank me, int t) {
  const Blocks vector{{Buffer::output, 0}};
  const Host host = host_of(s, num(me));
  const bool coordinates = num(me) == host.coordinator;
  if (is_outer(s, t)) {
    if (num(me) == s.root) {
      for_each_other_coordinator(
          s, [&](const Host& other) { out.send(vector, Rank{other.coordinator}); });
    } else if (coordinates) {
      out.receive(vector, Rank{s.root});
    }
  } else if (coordinates) {
    for_each_member(s, host, [&](int rank) { out.send(vector, Rank{rank}); });
  } else if (num(me) != s.root) {
    out.receive(vector, Rank{host.coordinator});
  }
}

// Appends the blocks of the ranks in [first, end) except the root's.
void append_blocks(Blocks& blocks, Buffer buffer, const Shape& s, int first, int end) {
  const int middle = s.root >= first && s.root < end ? s.root : end;
  if (middle > first) blocks.push_back({buffer, first, middle - first});
  if (middle + 1 < end) blocks.push_back({buffer, middle + 1, end - middle - 1});
}

// A coordinator receives its own block in output and the other blocks of its host in scratch, to
// pass them on.
void scatter_between_hosts(Round& out, const Shape& s, Rank me, const Host& host) {
  if (num(me) == s.root) {
    for_each_other_coordinator(s, [&](const Host& other) {
      Blocks blocks;
      append_blocks(blocks, Buffer::input, s, other.coordinator, other.coordinator + other.size);
      out.send(std::move(blocks), Rank{other.coordinator});
    });
  } else if (num(me) == host.coordinator) {
    Blocks blocks{{Buffer::output, 0}};
    append_blocks(blocks, Buffer::scratch, s, host.coordinator + 1, host.coordinator + host.size);
    out.receive(std::move(blocks), Rank{s.root});
  }
}

void scatter_emit(Round& out, const Shape& s, Rank me, int t) {
  const Host host = host_of(s, num(me));
  if (is_outer(s, t)) {
    scatter_between_hosts(out, s, me, host);
  } else if (num(me) == host.coordinator) {
    const Buffer from = num(me) == s.root ? Buffer::input : Buffer::scratch;
    for_each_member(s, host, [&](int rank) { out.send({{from, rank}}, Rank{rank}); });
  } else if (num(me) != s.root) {
    out.receive({{Buffer::output, 0}}, Rank{host.coordinator});
  }
  if (t == 0 && num(me) == s.root) out.copy({{Buffer::output, 0}}, {{Buffer::input, s.root}});
}

int reduce_rounds(const Shape& s) {
  return std::max(1, broadcast_rounds(s));
}
Buffers reduce_buffers(const Shape&) {
  return {1, 1, 1};
}

// Returns the messages of a host's ranks that its coordinator combines.
std::vector<Operand> members_of(const Shape& s, const Host& host) {
  std::vector<Operand> messages;
  for_each_member(s, host, [&](int rank) { messages.push_back(remote(Rank{rank})); });
  return messages;
}

// Combines the rank's own data with messages. The own data come first, so that a function that is
// called for each operand finds them in its first argument.
void combine_in(Round& out, Buffer own, Buffer result, std::vector<Operand> messages) {
  messages.insert(messages.begin(), local({{own, 0}}));
  out.receive_combine({{result, 0}}, std::move(messages));
}

// Returns the buffer with a coordinator's data after it has combined those of its host.
Buffer combined(const Shape& s, const Host& host) {
  if (members_of(s, host).empty()) return Buffer::input;
  return host.coordinator == s.root ? Buffer::output : Buffer::scratch;
}

void reduce_between_hosts(Round& out, const Shape& s, Rank me, const Host& host) {
  if (num(me) == s.root) {
    std::vector<Operand> messages;
    for_each_other_coordinator(
        s, [&](const Host& other) { messages.push_back(remote(Rank{other.coordinator})); });
    combine_in(out, num(me) == host.coordinator ? combined(s, host) : Buffer::input, Buffer::output,
               std::move(messages));
  } else if (num(me) == host.coordinator) {
    out.send({{combined(s, host), 0}}, Rank{s.root});
  }
}

void reduce_emit(Round& out, const Shape& s, Rank me, int t) {
  if (s.p == 1) return out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
  const Host host = host_of(s, num(me));
  if (t == (has_inner_round(s) ? 1 : 0)) return reduce_between_hosts(out, s, me, host);
  if (num(me) == host.coordinator) {
    std::vector<Operand> messages = members_of(s, host);
    if (!messages.empty()) combine_in(out, Buffer::input, combined(s, host), std::move(messages));
  } else if (num(me) != s.root) {
    out.send({{Buffer::input, 0}}, Rank{host.coordinator});
  }
}

}  // namespace

// broadcast coordinators: the root sends to the coordinator of every host; the coordinators send to
// the other ranks of their hosts.
//   Source: paper 002, figure 4, the other way round
//   Needs:  any p, any root, factors (sizes of the hosts) whose sum is p
//   Cost:   rounds <= 2; messages p-1; volume p-1; alpha <= p-1; beta <= p-1;
//           root <= (p-1)*Ts; longest <= 2*Tc + (p-3)*Ts; done <= p
constexpr Generator broadcast_coordinators{
    "coordinators", Operation::broadcast, broadcast_rounds, broadcast_buffers, broadcast_emit,
    sizes_make_p,   Operators::any,       Parameter::sizes, "pvm_classic"};

// reduce coordinators: the tasks of a host send to its coordinator, which combines; the
// coordinators send to the root. Each combining rank takes its own data first.
//   Source: paper 002, figures 4 and 6 (general reduce)
//   Needs:  any p, any root, factors (sizes of the hosts) whose sum is p; commutative operator
//   Cost:   rounds <= 2; messages p-1; volume p-1; combines p-1; alpha <= p-1; beta <= p-1;
//           gamma <= p-1; root <= (p-1)*Tc + 2*To; longest <= (p-1)*Tc + 2*To; done <= p
constexpr Generator reduce_coordinators{"coordinators",         Operation::reduce, reduce_rounds,
                                        reduce_buffers,         reduce_emit,       sizes_make_p,
                                        Operators::commutative, Parameter::sizes,  "pvm_classic"};

// scatter coordinators: the root sends each coordinator the blocks of its host; the coordinators
// pass them on.
//   Source: paper 002, figure 4, the other way round
//   Needs:  any p, any root, factors (sizes of the hosts) whose sum is p
//   Cost:   rounds <= 2; messages p-1; volume <= 2*p - k - 1; alpha <= p-1; beta <= 2*p - k - 1;
//           root <= (p-1)*Ts; longest <= 2*Tc + (p-3)*Ts; done <= p
constexpr Generator scatter_coordinators{"coordinators",  Operation::scatter, scatter_rounds,
                                         scatter_buffers, scatter_emit,       sizes_make_p,
                                         Operators::any,  Parameter::sizes,   "pvm_classic"};

// gather coordinators: the tasks of a host send to its coordinator; the coordinators send what they
// have to the root.
//   Source: paper 002, figure 4
//   Needs:  any p, any root, factors (sizes of the hosts) whose sum is p
//   Cost:   rounds <= 2; messages p-1; volume <= 2*p - k - 1; alpha <= p-1; beta <= 2*p - k - 1;
//           root <= (p-1)*Tc; longest <= (p-1)*Tc; done <= p
constexpr Generator gather_coordinators =
    with_aliases(reverse<scatter_coordinators>("coordinators"), "pvm_classic");

}  // namespace tutti::algorithms
