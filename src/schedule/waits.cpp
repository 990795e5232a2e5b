// SPDX-License-Identifier: BSD-3-Clause
// Collects who waits for whose sends in a round, and looks for a circle. A rank takes packets
// as they come, with these exceptions. A combine of several messages takes a packet after those of
// the same elements of the messages before it. If its operator takes whole vectors, it takes a
// message after all of the one before it. An operation that overwrites what its rank sends takes a
// packet after its rank has sent the same elements; only a combine of whole vectors takes it and
// writes later. Operations behind local work wait until it is
// done. It waits for all messages before it, and for the sends that it or an operation before it
// overwrites. A copy that shares no block with an operation behind it lets them pass.
//
// If no rank can go on, some rank has packets under way that are not taken. One of these rules
// leads from it to a rank that has not sent, which therefore has packets under way that are not
// taken, and so on in a circle. Where the rule speaks of the same elements and the next rank has
// one send, its packets hold elements before those. A circle of such steps alone would lead to ever
// earlier elements, so there is none.
#include "schedule/waits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/components.hpp"

namespace tutti::schedule {
namespace {

std::size_t slot(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

Waits::Waits(int ranks, bool whole_vectors)
    : p_(ranks), whole_vectors_(whole_vectors), sends_(slot(ranks)) {}

void Waits::begin_round() {
  std::fill(sends_.begin(), sends_.end(), 0);
  edges_.clear();
  barriers_ = 0;
  rank_ = -1;
}

void Waits::send(int rank) {
  ++sends_[slot(rank)];
}

void Waits::begin(int rank, What what, bool overwrites, std::int64_t number) {
  if (rank != rank_) end_rank();
  rank_ = rank;
  operations_.push_back({what, overwrites, number, senders_.size()});
}

void Waits::take(int from) {
  senders_.push_back(from);
}

void Waits::needs_copy(std::int64_t number) {
  first_needed_ = std::min(first_needed_, number);
}

void Waits::end_rank() {
  std::size_t behind_barrier = 0;  // the first sender behind the last barrier
  bool own = false;                // an operation behind it overwrites what the rank sends
  int barrier = -1;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& op = operations_[i];
    own = own || op.overwrites;
    if (is_message(op.what)) {
      const bool last = i + 1 == operations_.size();
      add_messages(op, last ? senders_.size() : operations_[i + 1].senders, barrier);
    } else if (op.what == What::combine || op.number >= first_needed_) {
      const std::span<const int> before =
          std::span(senders_).subspan(behind_barrier, op.senders - behind_barrier);
      if (!before.empty() || own) barrier = add_barrier(barrier, before, own);
      behind_barrier = op.senders;
      own = false;
    }
  }
  operations_.clear();
  senders_.clear();
  first_needed_ = std::numeric_limits<std::int64_t>::max();
}

void Waits::add_messages(const Operation& op, std::size_t end, int barrier) {
  for (std::size_t i = op.senders; i < end; ++i) {
    const int from = senders_[i];
    if (barrier >= 0) edges_.push_back({from, barrier, rank_, Until::all, Until::all});
    if (i > op.senders)
      edges_.push_back({from, senders_[i - 1], rank_, Until::same_elements, Until::all});
    if (op.overwrites)
      edges_.push_back({from, rank_, rank_, Until::same_elements,
                        op.what == What::receive ? Until::same_elements : Until::no_wait});
  }
}

// Adds local work that operations behind it wait for, and returns its node.
int Waits::add_barrier(int before, std::span<const int> senders, bool own) {
  const int node = p_ + barriers_++;
  for (const int sender : senders) edges_.push_back({node, sender, rank_, Until::all, Until::all});
  if (own) edges_.push_back({node, rank_, rank_, Until::all, Until::all});
  if (before >= 0) edges_.push_back({node, before, rank_, Until::all, Until::all});
  return node;
}

void Waits::end_round() {
  end_rank();
  check(&Edge::by_element);
  if (whole_vectors_) check(&Edge::by_vector);
}

void Waits::check(Until Edge::*until) const {
  if (std::none_of(edges_.begin(), edges_.end(),
                   [&](const Edge& edge) { return is_risky(edge, until); }))
    return;
  const std::vector<int> component = components(until);
  for (const Edge& edge : edges_) {
    if (component[slot(edge.from)] != component[slot(edge.to)] || !is_risky(edge, until)) continue;
    std::vector<int> ranks;
    for (int rank = 0; rank < p_ && ranks.size() < 8; ++rank)
      if (component[slot(rank)] == component[slot(edge.to)]) ranks.push_back(rank);
    throw Violation{
        fmt::format("rank {} takes messages in an order in which ranks {} may wait for each other: "
                    "none may have room to send before another has sent",
                    edge.receiver, fmt::join(ranks, ", "))};
  }
}

bool Waits::is_risky(const Edge& edge, Until Edge::*until) const {
  return edge.*until == Until::all ||
         (edge.*until == Until::same_elements && sends_[slot(edge.to)] > 1);
}

std::vector<int> Waits::components(Until Edge::*until) const {
  std::vector<std::vector<int>> successors(slot(p_ + barriers_));
  for (const Edge& edge : edges_)
    if (edge.*until != Until::no_wait) successors[slot(edge.from)].push_back(edge.to);
  return Components(successors).of_nodes();
}

}  // namespace tutti::schedule
