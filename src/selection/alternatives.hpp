// SPDX-License-Identifier: BSD-3-Clause
// Everything that could serve a call, priced, for rankings and explanations. These are the
// algorithms of the registry with the settings worth trying, and the hybrid strategies that can be
// best at some size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/topology.hpp"
#include "schedule/generator.hpp"
#include "selection/hosts.hpp"
#include "selection/settings.hpp"
#include "selection/strategies.hpp"

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
  bool commutative = true;    // operands may change places
  bool reproducible = false;  // the expression tree must be the canonical one
  std::vector<int>
      mesh;  // rows and columns, row-major, of p ranks; empty: a line where links can be shared
  Hosts hosts{};  // host of each rank, where there are several; the mesh is then mesh_of(hosts)
  Native native = Native::no_mpi;
  const schedule::Generator* only = nullptr;  // the one algorithm whose settings are sought
  friend auto operator<=>(const Question&, const Question&) = default;
};

// Places the ranks of the question on these hosts, or on one host that all share if `hosts` is
// empty.
void lay_on(Question& question, Hosts hosts);

// Says where the terms of an alternative come from. `formula` and `bound`: the header's formula,
// which is a bound for some roots. `counted`: alpha and gamma come from the header, and beta is
// counted on the links of the mesh. `counted_on_hosts`: alpha and beta are counted on hosts.
// `not_stated`: there are no terms, because the algorithm has no header.
enum class Basis : std::uint8_t { formula, bound, counted, counted_on_hosts, not_stated };

struct Alternative {
  const schedule::Generator* generator = nullptr;
  Settings settings;
  std::string name;  // "tree:branches=2"; hybrids by their strategy: "hybrid:4cx16r.8c"
  Terms terms;
  Basis basis = Basis::formula;
};

// The links that messages share. `kappa` is infinite where no two messages disturb each other. The
// ranks are the first nodes of `network`; without one, they are the mesh or the line of the
// question.
struct Sharing {
  double kappa = 1;
  RemoteRates remote{};
  const machine::Topology* network = nullptr;
};

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

[[nodiscard]] const char* to_text(Basis basis);

}  // namespace tutti::selection
