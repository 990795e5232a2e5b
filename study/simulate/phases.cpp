// SPDX-License-Identifier: BSD-3-Clause
// Prepares phases when ranks reach them, and makes jobs of one operation (phases.hpp, job.hpp).
#include "simulate/phases.hpp"

#include <algorithm>
#include <utility>

#include "simulate/check.hpp"

namespace tutti::simulate {
namespace {

int rounds_of(const JobOperation& operation) {
  if (operation.generator != nullptr) return operation.generator->rounds(operation.shape);
  std::size_t rounds = 0;
  for (const schedule::Program& program : operation.programs)
    rounds = std::max(rounds, program.size());
  return static_cast<int>(rounds);
}

bool comes_before(const MemberWait& a, const MemberWait& b) {
  return std::pair(a.member, a.round) < std::pair(b.member, b.round);
}

}  // namespace

SimulatedJob job_of(JobOperation operation) {
  SimulatedJob job;
  job.nodes = operation.shape.p;
  for (const int node : operation.nodes) job.nodes = std::max(job.nodes, node + 1);
  Operations operations;
  operations.all.push_back(std::move(operation));
  job.phases.emplace_back(std::move(operations));
  return job;
}

Running::Running(const JobOperation& operation)
    : operation_(operation),
      rounds_(rounds_of(operation)),
      sizes_(operation, buffers_of(operation)),
      waits_(operation.waits) {
  std::sort(waits_.begin(), waits_.end(), comes_before);
}

std::span<const MemberWait> Running::waits(int member, int round) const {
  if (waits_.empty()) return {};
  const auto [first, last] =
      std::equal_range(waits_.begin(), waits_.end(), MemberWait{member, round}, comes_before);
  return std::span(waits_).subspan(static_cast<std::size_t>(first - waits_.begin()),
                                   static_cast<std::size_t>(last - first));
}

const schedule::Round& Running::round(int member, int t, schedule::Round& scratch) const {
  scratch.ops.clear();
  if (operation_.generator != nullptr) {
    operation_.generator->emit(scratch, operation_.shape, schedule::Rank{member}, t);
    return scratch;
  }
  const schedule::Program& program = operation_.programs[static_cast<std::size_t>(member)];
  return static_cast<std::size_t>(t) < program.size() ? program[static_cast<std::size_t>(t)]
                                                      : scratch;
}

Phases::Phases(const SimulatedJob& job, int nodes_of_machine)
    : job_(job), nodes_(job.nodes > 0 ? job.nodes : nodes_of_machine), ready_(job.phases.size()) {
  check(job, nodes_, nodes_of_machine);
  std::int64_t rounds = 0;
  for (const Phase& phase : job.phases) {
    first_round_.push_back(rounds);
    int most = 0;
    if (const auto* operations = std::get_if<Operations>(&phase))
      for (const JobOperation& operation : operations->all)
        most = std::max(most, rounds_of(operation));
    rounds += most;
  }
}

void Phases::make_ready(Ready& ready, const Operations& operations) const {
  ready.running.reserve(operations.all.size());
  for (const JobOperation& operation : operations.all) ready.running.emplace_back(operation);
  if (operations.all.size() == 1 && operations.all[0].nodes.empty()) return;
  ready.parts.resize(static_cast<std::size_t>(nodes_));
  for (const Running& running : ready.running)
    for (int member = 0; member < running.operation().shape.p; ++member)
      ready.parts[static_cast<std::size_t>(running.node(member))] = {&running, member};
}

Phases::Part Phases::part(int phase, int node) {
  auto& ready = ready_[static_cast<std::size_t>(phase)];
  if (!ready) {
    ready = std::make_unique<Ready>();
    ready->inside = nodes_;
    make_ready(*ready, std::get<Operations>((*this)[phase]));
  }
  if (!ready->parts.empty()) return ready->parts[static_cast<std::size_t>(node)];
  if (ready->running.empty() || node >= ready->running[0].operation().shape.p) return {};
  return {&ready->running[0], node};
}

void Phases::left(int phase) {
  auto& ready = ready_[static_cast<std::size_t>(phase)];
  if (ready && --ready->inside == 0) ready.reset();
}

}  // namespace tutti::simulate
