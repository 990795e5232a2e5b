// SPDX-License-Identifier: BSD-3-Clause
// The loop over events.
#include "simulate/simulate.hpp"

#include "simulate/delivery.hpp"
#include "simulate/network.hpp"
#include "simulate/ranks.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
namespace {

class Simulation {
 public:
  Simulation(const machine::Machine& machine, const Job& job, const Options& options)
      : phases_(job, nodes_of(machine)),
        world_(machine, options.links ? links_of(machine) : 0, options.top),
        network_(make_network(world_)),
        ranks_(world_, phases_, options),
        delivery_(world_, ranks_, *network_, options.observer) {
    ranks_.set_delivery(delivery_);
  }

  Report run() {
    ranks_.start();
    while (next()) {
    }
    finish();
    Report report;
    report.events = events_;
    delivery_.report(report);
    world_.recorder.report(report);
    ranks_.report(report);
    return report;
  }

 private:
  static int nodes_of(const machine::Machine& machine) {
    if (!machine.network.topology)
      base::fail(base::Status::invalid_argument, "machine {} has no topology", machine.name);
    return machine.network.topology->nodes();
  }
  static std::size_t links_of(const machine::Machine& machine) {
    if (machine.network.switching == machine::Switching::bus) return 1;
    return static_cast<std::size_t>(machine.network.topology->links());
  }

  // One event, or one message that has waited and looks again: among the requests of an instant, in their order.
  bool next() {
    const bool more_now = !world_.events.empty() && world_.events.top().time == world_.now;
    if (network_->admit(more_now ? world_.events.top().order : last_order)) return true;
    if (!more_now) network_->settle();
    if (world_.events.empty()) return false;
    const Event event = world_.events.top();
    if (event.time > world_.now) world_.now = event.time;
    world_.events.pop();
    ++events_;
    if (event.what == What::go) {
      ranks_.go(static_cast<int>(event.slot));
    } else {
      delivery_.event(event);
    }
    return true;
  }

  void finish() const {
    if (!ranks_.finished()) {
      const std::string cycle = network_->cycle();
      throw Failure(Failure::Kind::deadlock, fmt::format("nothing moves after {:.6g} us: {}", microseconds(world_.now),
                                                         cycle.empty() ? ranks_.stuck() : cycle));
    }
    for (int node = 0; node < ranks_.count(); ++node)
      if (const Slot left = ranks_[node].early; left != no_slot)
        throw Failure(Failure::Kind::unmatched,
                      fmt::format("nobody receives the message {}", to_text(world_.messages[left].name)));
  }

  static constexpr std::uint64_t last_order = ~std::uint64_t{0};

  Phases phases_;
  World world_;
  std::unique_ptr<Network> network_;
  Ranks ranks_;
  Delivery delivery_;
  std::int64_t events_ = 0;
};

}  // namespace

Report simulate(const machine::Machine& machine, const Job& job, const Options& options) {
  return Simulation(machine, job, options).run();
}

}  // namespace tutti::simulate
