// SPDX-License-Identifier: BSD-3-Clause
// The time of a superstep that each process's own work determines. The largest computation, the
// most words and the most messages of a superstep may be those of three processes. Their sum, which
// the formulas of the thesis take, is then more than any of them needs.
#include <algorithm>

#include "bsp_model/model.hpp"

namespace tutti::tools {
namespace {

// The parts of a superstep, which follow each other in all processes: computation, direct accesses
// and the writing of what is sent; the answers to gets; the reading of what has arrived.
enum Part { before, answers, arrival };
constexpr std::size_t part_count = 3;
using Times = std::array<double, part_count>;

// A sampled superstep has both sides of an access, which take half of its time each. If there are
// more processes than processors, all of them did the sampled accesses at once, so an access takes
// less of a processor than the superstep.
class Prices {
 public:
  Prices(const BspMachine& machine, std::size_t processes)
      : machine_(machine),
        processors_(machine.processors > 0 ? std::min(static_cast<double>(machine.processors),
                                                      static_cast<double>(processes))
                                           : static_cast<double>(processes)),
        part_(processors_ / static_cast<double>(std::max<std::size_t>(processes, 1))) {}

  // Processors that are used.
  [[nodiscard]] double processors() const { return processors_; }

  [[nodiscard]] Times times_of(const Work& work) const {
    Times times{};
    times[before] = work.compute * machine_.speed;
    double startup = 0;
    for (std::size_t i = 0; i < access_names.size(); ++i) {
      const Work::Flow& flow = work.flows[i];
      add(times, static_cast<Access>(i), flow);
      times[before] += price(machine_.own, i, flow.own, flow.own_messages);
      const double moved = flow.out + flow.in + flow.own;
      if (moved > 0 && machine_.surfaces[i].empty())
        startup = std::max(startup, gap(i).g_inf * gap(i).h_half);
    }
    times[before] += part_ * startup;
    return times;
  }

 private:
  void add(Times& times, Access access, const Work::Flow& flow) const {
    const auto i = static_cast<std::size_t>(access);
    const auto all = [&](double words, double messages) {
      return price(machine_.surfaces, i, words, messages);
    };
    switch (access) {
      case Access::hpput:
        times[before] += all(flow.out, flow.messages);
        break;
      case Access::hpget:
        times[before] += all(flow.in, flow.messages);
        break;
      case Access::get:
        times[answers] += all(flow.out, flow.served) / 2;
        times[arrival] += all(flow.in, flow.messages) / 2;
        break;
      case Access::exchange:
        times[arrival] += all((flow.out + flow.in) / 2, flow.messages);
        break;
      default:
        times[before] += all(flow.out, flow.messages) / 2;
        times[arrival] += all(flow.in, flow.served) / 2;
    }
  }
  [[nodiscard]] const Gap& gap(std::size_t i) const {
    return machine_.gaps ? (*machine_.gaps)[i] : machine_.gap;
  }
  // Without samples it is (2.6) less the start-up, which a superstep has only once.
  [[nodiscard]] double price(const ByAccess<Surface>& surfaces, std::size_t i, double words,
                             double messages) const {
    if (messages <= 0) return 0;
    if (!surfaces[i].empty()) return part_ * surfaces[i].time(words / messages, messages);
    if (!machine_.surfaces[i].empty())
      return part_ * machine_.surfaces[i].time(words / messages, messages);
    return part_ * gap(i).g_inf * (words + gap(i).overhead * messages);
  }

  const BspMachine& machine_;
  double processors_;
  double part_;
};

// Without samples, processors that are shared are busy all the time.
double shared_time(double longest, double all, double processors) {
  return std::max(longest, all / processors);
}

// The time of a part that takes some processes seconds of a processor. Processes that need less
// than the slowest one count as a fraction of it.
double time_of_part(const BspMachine& machine, Part part, double longest, double all,
                    double processors) {
  if (part != before || machine.sharing.empty() || longest <= 0)
    return shared_time(longest, all, processors);
  return machine.sharing.time(longest, all / longest);
}

}  // namespace

double predicted_by_process(const BspMachine& machine, const Superstep& step) {
  const Prices prices(machine, step.processes.size());
  Times longest{}, all{};
  for (const Work& work : step.processes) {
    const Times times = prices.times_of(work);
    for (std::size_t part = 0; part < part_count; ++part) {
      longest[part] = std::max(longest[part], times[part]);
      all[part] += times[part];
    }
  }
  double time = machine.l;
  for (const Part part : {before, answers, arrival})
    time += time_of_part(machine, part, longest[part], all[part], prices.processors());
  return time;
}

}  // namespace tutti::tools
