// SPDX-License-Identifier: BSD-3-Clause
// Paper 000, section 7.2.4: a combine along several rings on machines with one medium, which the
// paper proposes and did not run. While one ring combines, another one may send.
#include <fmt/format.h>

#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace blacs_rings_items {
namespace {

using schedule::Operation;
using schedule::Shape;

constexpr std::int64_t bytes = 65536;

// The machine whose additions take `ratio` times as long as its messages.
machine::Machine machine_with(double ratio, int ranks) {
  machine::Machine machine = machine_on("ethernet", fmt::format("bus:{}", ranks),
                                        "as many nodes as take part, on one cable");
  machine.node.ports = machine::Ports::duplex;  // only the cable is shared
  machine.node.gamma = ratio * (machine.node.alpha + machine.node.beta * bytes) / bytes;
  return machine;
}

// In ms.
double time_by(const machine::Machine& machine, const char* algorithm, const Shape& shape) {
  return collective_time(machine, algorithm_named(Operation::reduce, algorithm), shape, bytes) /
         1000;
}

// All but the destination are on rings of equal length.
void add_rings(Result& result, int ratio, int ranks) {
  const machine::Machine machine = machine_with(ratio, ranks);
  const std::string who = fmt::format("{} processors, To/Tc = {}", ranks, ratio);
  double one = 0, least = 0;
  int best = 1;
  for (int count = 1; count < ranks; count *= 2) {
    const double time = time_by(machine, "multiring", {.p = ranks, .rings = count});
    result
        .row(fmt::format("{}: {} ring{}", who, count, count == 1 ? "" : "s"), {}, time, "ms",
             "simulator, bus")
        .on(who, count);
    if (count == 1) one = least = time;
    if (time < least) least = time, best = count;
  }
  result.row(who + ": the fastest number of rings", {}, double(best), "", "of these times");
  result.row(who + ": gain over one ring", {}, one / least, "", "of these times");
  result.row(who + ": the 1-tree", {}, time_by(machine, "tree", {.p = ranks, .branches = 1}), "ms",
             "simulator, bus");
}

Result rings(const Item&) {
  Result result;
  for (const int ranks : {17, 65})
    for (const int ratio : {2, 4, 8}) add_rings(result, ratio, ranks);
  result.x_axis = "rings";
  result.notes.emplace_back(
      "The paper expects To/Tc rings to be best, and a gain of nearly To/Tc. Yet the destination "
      "adds the results of the rings alone, one after the other, and each ring adds its own: "
      "additions alone are fewest with as many rings as each of them has processors.");
  return result;
}

constexpr Run runs[] = {{"000-rings", rings}};

}  // namespace
}  // namespace blacs_rings_items

std::span<const Run> blacs_rings() {
  return blacs_rings_items::runs;
}

}  // namespace tutti::papers
