// SPDX-License-Identifier: BSD-3-Clause
// Prepares phases when ranks reach them, and makes jobs of one operation (job_source.hpp, job.hpp).
#include "simulate/job_source.hpp"

#include <algorithm>
#include <utility>

#include "simulate/check.hpp"

namespace tutti::simulate {
namespace {

int nodes_of(const SimulatedJob& job, int nodes_of_machine) {
  return job.nodes != 0 ? job.nodes : nodes_of_machine;
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

JobSource::JobSource(const SimulatedJob& job, int nodes_of_machine)
    : job_(job), nodes_(nodes_of(job, nodes_of_machine)), prepared_(job.phases.size()) {
  check_hosts(job.hosts, nodes_, nodes_of_machine);
  check(job, nodes_);
  phase_.assign(static_cast<std::size_t>(nodes_), -1);
}

RankItem JobSource::next(int node) {
  int& phase = phase_[static_cast<std::size_t>(node)];
  for (leave(phase++); phase < static_cast<int>(job_.phases.size()); leave(phase++)) {
    const Phase& now = job_.phases[static_cast<std::size_t>(phase)];
    if (std::holds_alternative<Barrier>(now)) return {phase + 1, EnterBarrier{}};
    if (const auto* computation = std::get_if<Computation>(&now)) {
      const std::size_t entry = computation->time.size() == 1 ? 0 : static_cast<std::size_t>(node);
      return {phase + 1, Compute{computation->time[entry]}};
    }
    auto& here = prepared_[static_cast<std::size_t>(phase)];
    if (!here) here = prepared(std::get<Operations>(now));
    const Part mine = part(*here, node);
    if (mine.operation < 0) continue;
    return {phase + 1,
            RunOperation{.operation = &here->running[static_cast<std::size_t>(mine.operation)],
                         .member = mine.member,
                         .group = static_cast<std::uint64_t>(mine.operation),
                         .number = static_cast<std::uint64_t>(phase)}};
  }
  return {phase + 1, Finish{}};
}

std::unique_ptr<JobSource::Prepared> JobSource::prepared(const Operations& operations) const {
  auto made = std::make_unique<Prepared>();
  made->inside = nodes_;
  for (const JobOperation& operation : operations.all) made->running.emplace_back(operation);
  if (operations.all.size() == 1 && operations.all[0].nodes.empty()) return made;
  made->parts.resize(static_cast<std::size_t>(nodes_));
  for (int i = 0; i < static_cast<int>(made->running.size()); ++i) {
    const Running& running = made->running[static_cast<std::size_t>(i)];
    for (int member = 0; member < running.manner().members; ++member)
      made->parts[static_cast<std::size_t>(running.node(member))] = {i, member};
  }
  return made;
}

JobSource::Part JobSource::part(const Prepared& prepared, int node) {
  if (!prepared.parts.empty()) return prepared.parts[static_cast<std::size_t>(node)];
  if (prepared.running.empty() || node >= prepared.running[0].manner().members) return {};
  return {0, node};
}

void JobSource::leave(int phase) {
  if (phase < 0) return;
  auto& here = prepared_[static_cast<std::size_t>(phase)];
  if (here && --here->inside == 0) here.reset();
}

}  // namespace tutti::simulate
