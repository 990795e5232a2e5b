// SPDX-License-Identifier: BSD-3-Clause
// Paper 001, table 2: what NX and MPI take over what iCC takes, on 16 x 32 nodes of a Paragon.
#include <fmt/format.h>

#include "machine/topology.hpp"
#include "papers/001/icc_rates.hpp"
#include "papers/001/table2.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "schedule/printer.hpp"
#include "selection/contention.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace icc_rivals_items {
namespace {

using schedule::Operation;

constexpr double steps = 9;  // of a tree of 512 nodes
// The messages of NX, as paper 000 measured them.
const machine::Profile& nx_rates() {
  static const machine::Profile rates = machine::load("paragon-nx");
  return rates;
}

// ---- NX ----

// NX's broadcast is csend to node -1. Its trees are not known: this is the tree of a hypercube on
// the nodes in the order of their numbers, so messages of one step share links of the mesh.
double nx_tree(double bytes) {
  static const double beta_steps =
      selection::shared_beta(algorithm_named(Operation::broadcast, "hypercube"), {.p = 512},
                             *machine::parse_topology("mesh:16x32"), nx_rates().kappa.value);
  return steps * nx_rates().alpha.value + beta_steps * nx_rates().beta.value * bytes;
}

// ---- MPI ----

// MPICH sends along the tree that halves the nodes in the order of their numbers, whose messages
// share no link. A message that does not fit into the packet of its header is one more message of
// NX. The bytes of the packet lie between two lengths of the table.
constexpr double mpi_alpha = 256;
constexpr double packet = 1000;

double mpi_tree(double bytes) {
  const double data = bytes > packet ? nx_rates().alpha.value : 0;
  return steps * (mpi_alpha + data + nx_rates().beta.value * bytes);
}

// ---- both ----

// A sum to all is a sum to one node and a broadcast, both along the tree.
double summed(double tree, double bytes) {
  return 2 * tree + steps * nx_rates().gamma.value * bytes;
}

// A library, the lists of its ratios in the data of table 2, and its tree.
struct Rival {
  const char* name;
  const char* key;
  double (*tree)(double bytes);
};
constexpr Rival nx{"NX", "nx", nx_tree}, mpi{"MPI", "mpi", mpi_tree};

Result ratios(Operation operation, const Rival& rival) {
  Result result;
  const machine::Profile icc = machine::load(icc_profile);
  const bool broadcast = operation == Operation::broadcast;
  const std::vector<double> theirs =
      printed("001-table-2")
          .numbers(fmt::format("{}.{}", broadcast ? "broadcast" : "sum", rival.key));
  for (std::size_t i = 0; const Table2Row& row : table2(icc)) {
    if (row.operation != operation) continue;
    const auto bytes = static_cast<double>(row.bytes);
    const double tree = rival.tree(bytes);
    const double time = broadcast ? tree : summed(tree, bytes);
    result.row(fmt::format("{}, {} B, {}/iCC", schedule::to_text(operation), row.bytes, rival.name),
               theirs.at(i++), time / row.one_factor.time, "", "");
  }
  result.notes.emplace_back(
      "NX's rates are those of paragon-nx, and the mesh is the 16 x 32 of the table in place of "
      "the "
      "file's 4 x 8.");
  result.parameters.push_back(parameter_of("NX alpha", nx_rates().alpha));
  result.parameters.push_back(parameter_of("NX beta", nx_rates().beta));
  if (!broadcast) result.parameters.push_back(parameter_of("NX gamma", nx_rates().gamma));
  add_rates(result, icc);
  return result;
}

void set_sources(Result& result, const char* source) {
  for (Row& row : result.rows) row.source = source;
}

Result nx_ratios(Operation operation, const char* source) {
  Result result = ratios(operation, nx);
  set_sources(result, source);
  result.parameters.push_back(parameter_of("NX kappa", nx_rates().kappa, ""));
  return result;
}

Result nx_broadcast(const Item&) {
  Result result = nx_ratios(Operation::broadcast, "tree with shared links over iCC's model");
  for (Row& row : result.rows) row.fitted = true;
  result.notes.emplace_back(
      "The rates of messages are those that paper 000 measured. A step costs a start-up, and each "
      "byte as often as messages share the busiest link. So short and long broadcasts follow from "
      "one algorithm.");
  return result;
}

Result nx_sum(const Item&) {
  Result result = nx_ratios(Operation::allreduce, "two trees with shared links over iCC's model");
  result.notes.emplace_back(
      "Paper 000, section 5.5.1, has the Paragon's sum in error as well, and leaves it out of its "
      "table 16.");
  return result;
}

Result mpi_ratios(Operation operation, const char* source) {
  Result result = ratios(operation, mpi);
  set_sources(result, source);
  result.parameters.push_back(
      {"start-up of a message of MPI in one packet", mpi_alpha, "us",
       "fitted: to paper 001, table 2: MPI/iCC of the broadcast of 16 B; 212 of it are NX's"});
  result.parameters.push_back(
      {"bytes of a packet", packet, "bytes",
       "fitted: to paper 001, table 2: 16 B go in a packet, and 1 KiB does not; any number between "
       "them does the same"});
  result.notes.emplace_back(
      "The paper names MPICH, whose sources of that time send a broadcast to the node half of all "
      "nodes away, which does the same in its half, and a sum to all as a sum to one node and a "
      "broadcast. Their messages have a header, which carries data that fit into its packet. The "
      "rates of NX's messages are those that paper 000 measured.");
  return result;
}

Result mpi_broadcast(const Item&) {
  return mpi_ratios(Operation::broadcast, "tree over iCC's model");
}

Result mpi_sum(const Item&) {
  return mpi_ratios(Operation::allreduce, "two trees over iCC's model");
}

constexpr Run runs[] = {{"001-nx-broadcast", nx_broadcast},
                        {"001-nx-sum", nx_sum},
                        {"001-mpi-broadcast", mpi_broadcast},
                        {"001-mpi-sum", mpi_sum}};

}  // namespace
}  // namespace icc_rivals_items

std::span<const Run> icc_rivals() {
  return icc_rivals_items::runs;
}

}  // namespace tutti::papers
