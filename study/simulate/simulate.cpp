// SPDX-License-Identifier: BSD-3-Clause
// The loop over the events of a simulation (simulate.hpp).
#include "simulate/simulate.hpp"

#include <algorithm>

#include "simulate/check.hpp"
#include "simulate/delivery.hpp"
#include "simulate/job_source.hpp"
#include "simulate/network.hpp"
#include "simulate/ranks.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
namespace {

class Simulation {
 public:
  Simulation(const machine::Machine& machine, RankSource& source, const JobHosts& hosts,
             const SimulationOptions& options)
      : world_(machine, hosts, source.nodes(), options.links ? links_of(machine) : 0, options.top),
        network_(make_network(world_)),
        ranks_(world_, source, options),
        delivery_(world_, ranks_, *network_, options.observer),
        limit_(options.limit) {
    ranks_.set_delivery(delivery_);
  }

  Report run() {
    ranks_.start();
    while (!ranks_.stopped() && next())
      if (events_ % events_between_asks == 0) ranks_.ask_to_stop();
    if (!ranks_.finished()) ranks_.ask_to_stop();
    if (!stopped_ && !ranks_.stopped()) finish();
    Report report;
    report.events = events_;
    delivery_.report(report);
    world_.recorder.report(report);
    put_in_places(report.worst);
    report.stopped = stopped_ || ranks_.stopped();
    report.time = microseconds(world_.now);
    if (!stopped_) ranks_.report(report);
    return report;
  }

 private:
  static std::size_t links_of(const machine::Machine& machine) {
    if (machine.network.switching == machine::Switching::bus) return 1;
    return static_cast<std::size_t>(machine.network.topology->links());
  }

  // Executes the next step. At one instant, ends come first, then strands that go on, then messages
  // that ask for paths, whether they have waited or ask now. After the last of them comes the next
  // instant. Returns false if nothing is left.
  bool next() {
    const bool more_now = !world_.events.empty() && world_.events.top().time == world_.now;
    const Turn turn = more_now ? world_.events.top().turn() : Turn::request;
    if (more_now && turn == Turn::end) return happen();
    if (!world_.ready.empty()) return go_on(more_now && turn == Turn::rank);
    if (more_now && turn == Turn::rank) return happen();
    const std::uint64_t event = more_now ? world_.events.top().order : last_order;
    const std::uint64_t asked =
        world_.asking.empty() ? last_order : precedence(world_.messages[world_.next_asked()]);
    if (network_->admit(std::min(event, asked))) return true;
    if (asked < event) return ask();
    if (more_now) return happen();
    network_->settle();
    if (world_.events.empty()) return false;
    world_.now = std::max(world_.now, world_.events.top().time);
    stopped_ = microseconds(world_.now) > limit_;
    if (stopped_) return false;
    return happen();
  }

  bool happen() {
    const Event event = world_.events.top();
    world_.events.pop();
    ++events_;
    if (event.what == What::go) {
      ranks_.go(event.slot);
    } else if (event.what == What::alarm) {
      ranks_.alarm(event.slot);
    } else {
      delivery_.event(event);
    }
    return true;
  }

  // `among_events`: strands that were put off to this instant go on, too.
  bool go_on(bool among_events) {
    const Slot strand = ranks_.next_ready();
    if (among_events && world_.events.top().order < ranks_.order(strand)) return happen();
    ++events_;
    ranks_.go_ready(strand);
    return true;
  }

  bool ask() {
    const Slot slot = world_.next_asked();
    world_.answer(slot);
    ++events_;
    network_->request(slot);
    return true;
  }

  // Gives the nodes of the machine in place of those of the job.
  void put_in_places(std::vector<Contention>& contentions) const {
    for (Contention& contention : contentions)
      for (Name* const name : {&contention.blocked, &contention.blocking}) {
        name->from = world_.hosts.place_of(name->from);
        name->to = world_.hosts.place_of(name->to);
      }
  }

  void finish() const {
    if (!ranks_.finished()) {
      const std::string cycle = network_->cycle();
      throw Failure(Failure::Kind::deadlock,
                    fmt::format("nothing moves after {:.6g} us: {}", microseconds(world_.now),
                                cycle.empty() ? ranks_.stuck() : cycle));
    }
    if (const Slot left = ranks_.left_over(); left != no_slot)
      throw Failure(Failure::Kind::unmatched,
                    fmt::format("nobody receives the message {}",
                                to_text(world_.messages[left].name, world_.hosts)));
  }

  static constexpr std::int64_t events_between_asks = 4096;
  static constexpr std::uint64_t last_order = ~std::uint64_t{0};

  World world_;
  std::unique_ptr<SimulatedNetwork> network_;
  SimulatedRanks ranks_;
  Delivery delivery_;
  std::int64_t events_ = 0;
  double limit_;
  bool stopped_ = false;
};

int nodes_of(const machine::Machine& machine) {
  if (!machine.network.topology)
    base::fail(base::Status::invalid_argument, "machine {} has no topology", machine.name);
  return machine.network.topology->nodes();
}

}  // namespace

Posting posting_on(const machine::Machine& machine) {
  return machine.protocol.handover == machine::Handover::forced ? Posting::ahead
                                                                : Posting::by_round;
}

Report simulate(const machine::Machine& machine, RankSource& source, const JobHosts& hosts,
                const SimulationOptions& options) {
  check_hosts(hosts, source.nodes(), nodes_of(machine));
  return Simulation(machine, source, hosts, options).run();
}

Report simulate(const machine::Machine& machine, const SimulatedJob& job,
                const SimulationOptions& options) {
  JobSource source(job, nodes_of(machine));
  return simulate(machine, source, job.hosts, options);
}

}  // namespace tutti::simulate
