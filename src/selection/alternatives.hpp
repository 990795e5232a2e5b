// SPDX-License-Identifier: BSD-3-Clause
// Everything that could serve a call, priced, for rankings and explanations. These are the
// algorithms of the registry with the settings worth trying, and the hybrid strategies that can be
// best at some size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "machine/topology.hpp"
#include "schedule/generator.hpp"
#include "selection/hosts.hpp"
#include "selection/settings.hpp"
#include "selection/strategies.hpp"
#include "selection/ways.hpp"

namespace tutti::selection {

// Says whether the collectives of an MPI may serve a call. They are a plan without a price, which
// is only used by name.
enum class Native : std::uint8_t {
  no_mpi,       // no MPI has started the job
  other_group,  // not the world, and a group that has not asked for the MPI's collectives
  unserved,     // an operator, counts or a size that MPI does not have
  may_serve
};

// A call to be served: what has to be done, and where. It is equal on all ranks.
struct Question {
  schedule::Operation operation = schedule::Operation::broadcast;
  int p = 1;
  int root = 0;
  bool commutative = true;     // operands may change places
  bool reproducible = false;   // the expression tree must be the canonical one
  bool whole_vectors = false;  // the operator takes all elements of an operand at once
  std::vector<int>
      mesh;  // rows and columns, row-major, of p ranks; empty: a line where links can be shared
  Hosts hosts{};  // host of each rank, where there are several; the mesh is then mesh_of(hosts)
  Native native = Native::no_mpi;
  const schedule::Generator* only = nullptr;  // the one algorithm whose settings are sought
  // Returns the rows of the mesh; 1 for a line.
  [[nodiscard]] int rows() const { return mesh.size() == 2 ? mesh[0] : 1; }
  friend auto operator<=>(const Question&, const Question&) = default;
};

// Places the ranks of the question on these hosts, or on one host that all share if `hosts` is
// empty.
void lay_on(Question& question, Hosts hosts);

// Says where the terms of an alternative come from. `formula` and `bound`: the header's formula,
// which is an upper bound for some roots. `counted` and `counted_on_hosts`: messages are counted on
// the links of a network, or on hosts. `at_least`: a lower bound, because counting would take too
// long. `not_stated`: there are no terms, because the algorithm has no header.
enum class Basis : std::uint8_t { formula, bound, counted, counted_on_hosts, at_least, not_stated };

struct Alternative {
  const schedule::Generator* generator = nullptr;
  Settings settings;
  std::string name;  // "tree:branches=2"; hybrids by their strategy: "hybrid:4cx16r.8c"
  Terms terms;
  Basis basis = Basis::formula;
  double distance = 0;  // of the partners (contention.hpp); 0 if it is not counted
  // Returns true if the terms are a lower bound, and so no price.
  [[nodiscard]] bool is_lower_bound() const { return basis == Basis::at_least; }
};

// The links that messages share. The ranks are the first nodes of `network`, on whose links a byte
// takes `link` (ways.hpp). Without a network, they are the mesh or the line of the question, whose
// links are `kappa` times as fast as a port; `kappa` is infinite where no two messages disturb each
// other. These rates say which plans are counted first: the ones that may be the best for `bytes`,
// if that is a size, and then the ones that are nearly the best at any size.
struct Sharing {
  double kappa = 1;
  RemoteRates remote{};
  const machine::Topology* network = nullptr;
  double link = 1;
  NodeTimes nodes{};
  Rates rates{1, 1e-4, 1e-4, 0, 0};
  double bytes = 0;
};
[[nodiscard]] Sharing sharing_of(const machine::Profile& profile,
                                 const machine::Topology* network = nullptr);
[[nodiscard]] Rates rates_of(const machine::Profile& profile);

// Plans are counted as long as all of them together have at most so many messages and rounds of
// ranks. The others have the basis `at_least`.
[[nodiscard]] constexpr std::int64_t most_counted(int p) {
  return 1'500'000 + std::int64_t{300} * p;
}

// Returns everything that serves the shape, whether or not the operator and the policy allow it.
[[nodiscard]] std::vector<Alternative> alternatives(const Question& question,
                                                    const Sharing& sharing);

// Returns one plan that serves the shape, with its price; nothing if its cost is not stated.
[[nodiscard]] std::optional<Alternative> priced(const Question& question,
                                                const schedule::Generator& generator,
                                                const Settings& settings, const Sharing& sharing);

// Returns why an alternative must not serve the call, in a clause; empty if it may. If the call
// must be reproducible, the verifier has to find that all results have the canonical expression
// tree. Scans have no such tree; of their algorithms only `doubling` is reproducible.
[[nodiscard]] std::string rejection(const Alternative& alternative, const Question& question);

// Returns why the collective of the MPI itself must not serve the call, in a clause; empty if it
// may.
[[nodiscard]] std::string native_rejection(const Question& question);

// Removes the alternatives of which only a lower bound is known, unless that is so of all.
void leave_out_lower_bounds(std::vector<Alternative>& all);

[[nodiscard]] const char* to_text(Basis basis);

}  // namespace tutti::selection
