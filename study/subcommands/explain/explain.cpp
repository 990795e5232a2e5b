// SPDX-License-Identifier: BSD-3-Clause
// `tutti explain` tells which algorithm a call would get on a machine, and why not the others.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "explain/curve.hpp"
#include "explain/print.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "selection/machine_info.hpp"
#include "selection/mesh_plan.hpp"
#include "support/call.hpp"
#include "support/child.hpp"
#include "support/picture.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

struct ExplainOptions {
  CallOptions call;
  std::string hosts;
  std::string old_mesh;  // value of --mesh, such as 16x32, which no help lists
  bool ordered = false;
  bool reproducible = false;
  bool table2 = false;
  bool all = false;
  std::string curve;  // a file
  std::string over = "bytes";
};

constexpr int most_ranks_explained = 1 << 16;

// Returns the host of each rank, in order. "3" distributes the ranks over three hosts as evenly as
// possible; "4,2,1" gives the number of ranks on each host.
selection::Hosts parse_hosts(const std::string& text, int p) {
  std::vector<int> sizes;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    sizes.push_back(base::number_in<int>(text.substr(at, end - at)).value_or(0));
    at = end + 1;
  }
  const bool even = sizes.size() == 1;
  std::int64_t sum = 0;
  for (const int size : sizes) sum += size;
  if (*std::min_element(sizes.begin(), sizes.end()) < 1 || (even ? sum > p : sum != p)) {
    base::fail(base::Status::invalid_argument,
               "--hosts is '{}' but must be a number of hosts or a list of how many of the {} "
               "ranks each has",
               text, p);
  }
  selection::Hosts hosts;
  for (int rank = 0; even && rank < p; ++rank) hosts.push_back(static_cast<int>(sum * rank / p));
  for (int host = 0; !even && host < static_cast<int>(sizes.size()); ++host) {
    hosts.insert(hosts.end(), static_cast<std::size_t>(sizes[static_cast<std::size_t>(host)]),
                 host);
  }
  return selection::numbered_hosts(hosts);
}

using Reasons = std::vector<std::string>;

// Returns the mesh that TUTTI_MESH gives all nodes of an iCC program, if there is one. A call of a
// group of another size is not on it, and then the reason is added to `unused`.
std::unique_ptr<machine::Topology> mesh_of_environment(const ExplainOptions& options,
                                                       Reasons& unused) {
  const std::string value = base::text(base::Variable::mesh).value_or("");
  if (value.empty()) return nullptr;
  std::unique_ptr<machine::Topology> network;
  try {
    network = machine::parse_topology("mesh:" + value);
  } catch (const base::Error&) {
  }
  if (network == nullptr || machine::mesh_of(*network).empty())
    base::fail(base::Status::bad_environment,
               "environment variable TUTTI_MESH is '{}' but must be rows x columns, such as 4x8",
               value);
  const int nodes = network->nodes();
  const int ranks = ranks_of(options.call, most_ranks_explained).value_or(nodes);
  if (ranks != nodes) {
    unused.push_back(
        fmt::format("TUTTI_MESH is '{}', which is not used: it is a mesh of {} nodes, and the call "
                    "has {} ranks",
                    value, nodes, ranks));
    return nullptr;
  }
  if (!options.hosts.empty())
    unused.push_back(
        fmt::format("TUTTI_MESH is '{}', which is not used: --hosts says where ranks lie", value));
  return network;
}

std::unique_ptr<machine::Topology> network_asked_for(const ExplainOptions& options,
                                                     Reasons& unused) {
  const std::string& topology = options.call.topology;
  if (!topology.empty() && !options.old_mesh.empty())
    base::fail(base::Status::invalid_argument, "the network is given twice, as {} and as a mesh {}",
               topology, options.old_mesh);
  if (topology.empty() && options.old_mesh.empty()) return mesh_of_environment(options, unused);
  return machine::parse_topology(topology.empty() ? "mesh:" + options.old_mesh : topology);
}

// The network of a question: that which was asked for, else the machine's own if the ranks fit on
// its nodes.
struct NetworkChoice {
  std::shared_ptr<const machine::Topology> network;
  bool asked_for = false;
};

NetworkChoice network_for(const ExplainOptions& options, Reasons& unused) {
  if (auto asked = network_asked_for(options, unused))
    return {.network = std::move(asked), .asked_for = true};
  if (options.call.machine.empty()) return {};
  return {network_of(options.call)};
}

// Sets the number of ranks and their placement: as requested, else as on the network or mesh of the
// machine if it has that many nodes. Returns the network on which messages are counted; without
// one, the ranks lie on a mesh, a line or hosts.
const machine::Topology* place(selection::Question& question, const ExplainOptions& options,
                               const machine::Profile& machine, const NetworkChoice& choice) {
  const machine::Topology* const network = choice.network.get();
  const std::optional<int> ranks = ranks_of(options.call, most_ranks_explained);
  const int own = machine.mesh.size() == 2 ? machine.mesh[0] * machine.mesh[1] : 0;
  const int nodes = network != nullptr ? network->nodes() : own;
  if (!ranks && nodes == 0)
    base::fail(base::Status::invalid_argument, "-n is needed, or a --topology");
  question.p = ranks.value_or(nodes);
  if (question.p > most_ranks_explained)
    base::fail(base::Status::invalid_argument, "{} ranks are too many; at most {}", question.p,
               most_ranks_explained);
  if (!options.hosts.empty()) {
    selection::lay_on(question, parse_hosts(options.hosts, question.p));
    return nullptr;
  }
  if (question.p > nodes && choice.asked_for)
    base::fail(base::Status::invalid_argument, "{} ranks do not fit on the {} nodes of {}",
               question.p, nodes, network->name());
  if (network == nullptr || question.p > nodes) {
    if (own == question.p) question.mesh = machine.mesh;
    return nullptr;
  }
  if (question.p == nodes) question.mesh = machine::mesh_of(*network);
  return network;
}

// Adds the library's own choice in a job on this machine. The user's choice and a table come before
// the price. A --topology concerns only the explanation, because the processes of a job run on
// hosts.
void add_library(ExplainAnswer& answer, selection::Chooser& chooser,
                 const machine::Topology* network) {
  selection::Question question = answer.explanation.question;
  selection::lay_on(question, question.hosts);
  const std::int64_t bytes = answer.explanation.bytes;
  answer.library = chooser.choose(question, bytes);
  answer.decided_for = chooser.size_asked_for(question.operation, question.p, bytes);
  const selection::Forced plan{algorithms::named(question.operation, answer.library->algorithm),
                               answer.library->settings};
  const bool priced = answer.explanation.host
                          ? selection::can_be_priced(*plan.generator, plan.settings, question)
                          : selection::header_of(*plan.generator) != nullptr;
  if (priced) answer.library_row = selection::row_of(plan, answer.explanation, network);
}

// Returns the mesh on which the ranks lie; without one they form a line.
selection::MeshPlace mesh_place(const selection::Question& question) {
  if (question.mesh.size() != 2) return {question.operation, 1, question.p};
  return {question.operation, question.mesh[0], question.mesh[1]};
}

// Reads factors, or the words short and long, as calls of iCC do.
selection::Settings settings_of_icc(const std::string& forced, const selection::MeshPlace& place) {
  try {
    if (forced.find('=') == std::string::npos) return selection::settings_on_mesh(forced, place);
  } catch (const base::Error&) {
  }
  base::fail(base::Status::bad_environment,
             "environment variable TUTTI_ICC is '{}' but must be short, long, hybrid, or factors "
             "such as 4cx16r.8c",
             forced);
}

// Returns the row of what TUTTI_ICC forces for a call of iCC. If it forces nothing, sets `why`. The
// explanation is that by alpha, beta and gamma, which chooses the hybrids of iCC.
std::optional<selection::Row> forced_for_icc(const std::string& forced,
                                             const selection::Explanation& e,
                                             const machine::Topology* network, std::string& why) {
  const selection::Question& q = e.question;
  const bool fastest = forced == "hybrid";
  const auto settings = fastest ? selection::Settings() : settings_of_icc(forced, mesh_place(q));
  const schedule::Generator* hybrid = algorithms::find(q.operation, "hybrid");
  why = "one rank sends nothing";
  if (q.p == 1) return std::nullopt;
  why = fmt::format("iCC has no algorithm of its own for {}", schedule::to_text(q.operation));
  if (hybrid == nullptr) return std::nullopt;
  if (fastest) {
    why = "none of the hybrid family may serve this call";
    const auto best = std::find_if(e.rows.begin(), e.rows.end(), [&](const selection::Row& row) {
      return row.alternative.generator == hybrid;
    });
    return best != e.rows.end() ? std::optional(*best) : std::nullopt;
  }
  why = fmt::format("the product of its factors is not the number of ranks, {}", q.p);
  if (!hybrid->applies(settings.shape(q.p, q.root))) return std::nullopt;
  return selection::row_of({hybrid, settings}, e, network);
}

void add_icc(ExplainAnswer& answer, const machine::Topology* network) {
  const std::string forced = base::text(base::Variable::icc).value_or("");
  if (forced.empty()) return;
  std::string why;
  const selection::Explanation& e = answer.explanation;
  const selection::Explanation by_model =
      e.host ? selection::explain(e.question, e.bytes, e.machine, network) : e;
  answer.icc = forced_for_icc(forced, by_model, network, why);
  if (answer.icc && !by_model.rows.empty()) answer.best_for_icc = by_model.rows[0];
  if (!answer.icc)
    answer.unused.push_back(
        fmt::format("TUTTI_ICC is '{}', which forces nothing here: {}", forced, why));
}

// Returns the row of a plan that the user names, or the best row of an algorithm without settings.
selection::Row asked_row(const std::string& name, const selection::Explanation& e,
                         const machine::Topology* network) {
  const selection::Forced plan = selection::parse_plan_on_mesh(name, mesh_place(e.question));
  if (algorithms::settings_in(name).empty()) {
    const auto best = std::find_if(e.rows.begin(), e.rows.end(), [&](const selection::Row& row) {
      return row.alternative.generator == plan.generator;
    });
    if (best != e.rows.end()) return *best;
  }
  return selection::row_of(plan, e, network);
}

// Returns the size of a call's data; a barrier has none.
Extent extent_of_call(const CallOptions& call, const selection::Question& question) {
  if (question.operation == schedule::Operation::barrier) return {};
  return extent_of(call, question.operation, question.p);
}

[[noreturn]] void start_table2(const CallOptions& call) {
  std::vector<std::string> words = {"table2"};
  if (!call.machine.empty()) words.insert(words.end(), {"--machine", call.machine});
  if (call.json) words.emplace_back("--json");
  become_helper(papers_program, words);
}

// Draws the prices over what --over names. `explain` explains a question about a size.
template <class Explain>
void write_curve(const ExplainOptions& options, const ExplainAnswer& answer, Explain explain) {
  if (options.over == "ranks" && !options.hosts.empty())
    base::fail(base::Status::invalid_argument,
               "--over ranks and --hosts exclude each other: hosts have so many ranks each");
  const auto explained = [&](int ranks) {
    selection::Question question = answer.explanation.question;
    question.p = ranks;
    question.root = std::min(question.root, ranks - 1);
    question.mesh.clear();
    return explain(question, extent_of_call(options.call, question).bytes);
  };
  const draw::Plot plot =
      options.over == "ranks" ? curve_over_ranks(answer, explained) : curve_over_bytes(answer);
  write_picture({options.curve, "--curve", "fewer ranks"},
                draw::plots_text({&plot, 1}, plot.title, options.curve));
}

// Prints what the options ask for, unless the picture is what the standard output gets.
void print(const ExplainOptions& options, const ExplainAnswer& answer) {
  if (options.curve == standard_output) return;
  if (options.call.json) return fmt::print("{}", answer_text("explain", to_json(answer)));
  fmt::print("{}", to_text(answer, options.all ? Detail::all : Detail::best));
}

void print_explanation(const ExplainOptions& options) {
  const CallOptions& call = options.call;
  require_one_output(call.json, {{"--curve", options.curve}});
  const machine::Profile machine = machine::load(call.machine.empty() ? "host" : call.machine);
  selection::Question question;
  question.operation = operation_of(call);
  Reasons unused;
  const NetworkChoice choice = network_for(options, unused);
  const machine::Topology* network = place(question, options, machine, choice);
  question.root = root_of(call, question.p);
  question.commutative = !options.ordered;
  question.reproducible = options.reproducible;
  const Extent extent = extent_of_call(call, question);
  const selection::MachineInfo here_now = selection::machine_info_of_environment();
  if (const std::string warning = selection::warning_of(here_now); !warning.empty())
    base::warn_of({warning});
  selection::Chooser chooser = selection::chooser_of(selection::policy_of_environment(), here_now);
  const bool here = machine.name == "host";
  // A mesh or another network has links, which one host does not have.
  const bool one_host =
      here && network == nullptr && question.mesh.empty() && question.hosts.empty();
  // Between hosts like this one, too, the library chooses by the profile of the user.
  const bool hosts_here = here && !question.hosts.empty();
  const auto explained = [&](const selection::Question& asked, std::int64_t bytes) {
    return one_host
               ? selection::explain_on_host(asked, bytes, chooser.machine(), chooser.processors())
               : selection::explain(asked, bytes, hosts_here ? chooser.machine() : machine,
                                    network);
  };
  ExplainAnswer answer{explained(question, extent.bytes), extent};
  answer.unused = std::move(unused);
  if (here) add_library(answer, chooser, network);
  if (!call.algorithm.empty()) {
    require_schedule(algorithms::name_in(call.algorithm));
    answer.asked = asked_row(call.algorithm, answer.explanation, network);
  }
  add_icc(answer, network);
  if (!options.curve.empty()) write_curve(options, answer, explained);
  print(options, answer);
}

int explain(ExplainOptions options) {
  const int missing_program = 1;
  const auto body = [&] {
    take_file(options.call);
    if (options.table2) start_table2(options.call);
    print_explanation(options);
    return 0;
  };
  return reporting_errors("explain", body, options.table2 ? missing_program : usage_error);
}

}  // namespace

void add_explain(CLI::App& verb, int& code) {
  auto options = std::make_shared<ExplainOptions>();
  add_call_options(
      verb, options->call,
      {.ranks = "; default all nodes of the network",
       .bytes = "; default 1K",
       .algorithm = "; also prices this one",
       .machine = "; default host, this machine",
       .topology =
           "; default TUTTI_MESH, else the machine's, if it has so many nodes, else a line"});
  verb.add_option("--mesh", options->old_mesh)->group("");
  verb.add_option("--hosts", options->hosts,
                  "machines without common memory, to which the ranks are dealt in order")
      ->type_name("H");
  verb.add_flag("--ordered", options->ordered, "the operator is not commutative");
  verb.add_flag("--reproducible", options->reproducible,
                "only what combines in the canonical order");
  verb.add_flag("--all", options->all, "show all settings of every algorithm");
  verb.add_option("--curve", options->curve,
                  "a picture of the prices into this file, SVG or, by its ending, .html")
      ->type_name("FILE");
  verb.add_option("--over", options->over,
                  "with --curve, what the prices are drawn over: bytes or ranks; default bytes")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"bytes", "ranks"}))
      ->needs("--curve");
  verb.add_flag("--table2", options->table2,
                "instead, table 2 of Mitra and others (1995) by a Paragon's profile");
  verb.callback([options, &code] { code = explain(*options); });
}

}  // namespace tutti::tools
