// SPDX-License-Identifier: BSD-3-Clause
// Enumerates the alternatives of a call, prices them, and decides which may serve it.
#include "selection/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "algorithms/adopted.hpp"
#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "schedule/canonical.hpp"
#include "schedule/verifier.hpp"
#include "selection/headers.hpp"
#include "selection/pricing.hpp"

namespace tutti::selection {
namespace {

using schedule::Generator;
using schedule::Parameter;

constexpr int largest_number = 9;  // most branches and rings, as in the BLACS
constexpr int largest_segments = 1024;
constexpr int most_factors =
    3;  // per dimension of a mesh of many ranks; more gain 1 % (broadcast) to 9 % (sum)
constexpr int all_factors_to = 1024;

// Appends the multiplicative partitions of p: factors of at least 2, falling.
void add_partitions(int p, int largest, std::vector<int>& prefix, std::vector<Settings>& out) {
  if (p == 1) {
    Settings settings;
    settings.factors = prefix;
    out.push_back(std::move(settings));
    return;
  }
  for (int factor = std::min(p, largest); factor >= 2; --factor) {
    if (p % factor != 0) continue;
    prefix.push_back(factor);
    add_partitions(p / factor, factor, prefix, out);
    prefix.pop_back();
  }
}

// Appends lists of equal factors, the radices, whose product is p or a little more.
void add_radices(int p, std::vector<Settings>& out) {
  for (const int radix : {2, 3, 4, 8}) {
    Settings settings;
    for (std::int64_t reached = 1; reached < p; reached *= radix) settings.factors.push_back(radix);
    if (std::find(out.begin(), out.end(), settings) == out.end())
      out.push_back(std::move(settings));
  }
}

std::vector<Settings> settings_of(Parameter parameter, const Question& question) {
  const int p = question.p;
  std::vector<Settings> out;
  // The numbers up to `last`: all, or with a factor of 2 the powers of two.
  const auto add_numbers = [&](int Settings::*field, int last, int factor) {
    for (int k = 1; k <= last; k = std::max(k + 1, factor * k)) (out.emplace_back()).*field = k;
  };
  const int last = std::clamp(p - 1, 1, largest_number);
  if (parameter == Parameter::none) out.emplace_back();
  if (parameter == Parameter::branches) add_numbers(&Settings::branches, last, 1);
  if (parameter == Parameter::rings) add_numbers(&Settings::rings, last, 1);
  if (parameter == Parameter::segments) add_numbers(&Settings::segments, largest_segments, 2);
  if (parameter == Parameter::sizes && !question.hosts.empty()) {
    Settings sizes;
    sizes.factors = sizes_of(question.hosts);
    if (!sizes.factors.empty()) out.push_back(std::move(sizes));
  }
  if (parameter == Parameter::factors) {
    std::vector<int> prefix;
    add_partitions(p, p, prefix, out);
    add_radices(p, out);
  }
  return out;
}

void add_registered(const Generator& generator, const Question& question, const Pricing& pricing,
                    std::vector<Alternative>& out) {
  for (Settings& settings : settings_of(generator.parameter, question)) {
    if (!generator.applies(settings.shape(question.p, question.root))) continue;
    std::string name = plan_name(generator, settings);
    Alternative a{&generator, std::move(settings), std::move(name), {}, {}};
    if (pricing.state(a)) out.push_back(std::move(a));
  }
}

// Returns the hybrids that are the best at some size for one of the given ratios of links to ports.
std::vector<Candidate> hybrids_of(const Question& question, const Pricing& pricing) {
  const int rows = question.rows();
  const std::vector<Strategy> all =
      strategies(rows, question.p / rows, question.p <= all_factors_to ? any_number : most_factors);
  std::vector<Candidate> found;
  for (const double kappa : pricing.kappas()) {
    for (Candidate& one : pareto(candidates(question.operation, all, kappa, pricing.remote()))) {
      const auto same = [&](const Candidate& other) { return other.strategy == one.strategy; };
      if (std::none_of(found.begin(), found.end(), same)) found.push_back(std::move(one));
    }
  }
  return found;
}

void add_hybrids(const Generator& generator, const Question& question, const Pricing& pricing,
                 std::vector<Alternative>& out) {
  for (const Candidate& candidate : hybrids_of(question, pricing)) {
    Settings settings;
    settings.factors = candidate.strategy.shape_factors();
    settings.cut = candidate.strategy.cut;
    if (!generator.applies(settings.shape(question.p, question.root))) continue;
    std::string name = plan_name(generator, settings);
    Alternative a{&generator, std::move(settings), std::move(name), {}, {}};
    if (pricing.state(a)) out.push_back(std::move(a));
  }
}

// Returns why results might have other bits than those of another algorithm; empty if they cannot.
// Prefixes of different lengths have no common tree that an algorithm could share, so for scans one
// algorithm is the reference.
std::string disorder(const Generator& generator, const schedule::Shape& shape) {
  using schedule::Operation;
  if (generator.operation == Operation::scan || generator.operation == Operation::exscan) {
    return generator.name == std::string_view("doubling")
               ? ""
               : "combines in another order than doubling";
  }
  if (!combines(generator.operation)) return {};
  // A schedule from elsewhere may be wrong, which only the verifier sees.
  const bool built_in = algorithms::source_of(generator) == nullptr;
  if ((!built_in || schedule::may_be_canonical(generator, shape)) &&
      schedule::verify(generator, shape).canonical)
    return {};
  return fmt::format("combines in another order than the canonical one (verified for p = {})",
                     shape.p);
}

bool cuts_the_vector(const Alternative& a, const Question& question) {
  const schedule::Shape shape = a.settings.shape(question.p, question.root);
  return a.generator->applies(shape) && a.generator->buffers(shape).parts > 1;
}

}  // namespace

Rates rates_of(const machine::Profile& profile) {
  const auto given = [&](const char* key) {
    const auto found = profile.more.find(key);
    return found != profile.more.end() ? found->second.value : 0;
  };
  return {profile.alpha.value, profile.beta.value, profile.gamma.value, given("network.hop"),
          given("node.copy")};
}

Sharing sharing_of(const machine::Profile& profile, const machine::Topology* network) {
  return {profile.kappa.value, remote_rates_of(profile), network,
          link_of(profile),    nodes_of(profile),        rates_of(profile)};
}

void lay_on(Question& question, Hosts hosts) {
  question.mesh = mesh_of(hosts);
  question.hosts = std::move(hosts);
}

std::vector<Alternative> alternatives(const Question& question, const Sharing& sharing) {
  std::vector<Alternative> out;
  const Pricing pricing(question, sharing);
  for (const Generator* generator : algorithms::all()) {
    if (generator->operation != question.operation) continue;
    if (question.only != nullptr && generator != question.only) continue;
    if (question.only == nullptr && !algorithms::is_candidate(*generator)) continue;
    if (generator->parameter != Parameter::factors_and_cut) {
      add_registered(*generator, question, pricing, out);
    } else {
      add_hybrids(*generator, question, pricing, out);
    }
  }
  // Plans that cannot serve the call must not use up the limit of counting.
  if (!question.commutative)
    std::erase_if(out, [](const Alternative& a) { return a.generator->commutative_only(); });
  if (question.whole_vectors)
    std::erase_if(out, [&](const Alternative& a) { return cuts_the_vector(a, question); });
  pricing.count_all(out);
  // If several plans cost the same, the one with the nearest partners is the first.
  std::stable_sort(out.begin(), out.end(), [](const Alternative& a, const Alternative& b) {
    return a.distance < b.distance;
  });
  return out;
}

std::optional<Alternative> priced(const Question& question, const Generator& generator,
                                  const Settings& settings, const Sharing& sharing) {
  const Pricing pricing(question, sharing);
  Alternative a{&generator, settings, plan_name(generator, settings), {}, {}};
  if (!pricing.state(a)) return std::nullopt;
  pricing.count(a, most_counted(question.p));
  return a;
}

std::string native_rejection(const Question& question) {
  switch (question.native) {
    case Native::no_mpi:
      return "is the MPI's own, and no MPI has started this job";
    case Native::other_group:
      return "is the MPI's own, which serves tutti_world, and other groups after "
             "tutti_group_use_mpi";
    case Native::unserved:
      return "is the MPI's own, which has no operators of the user's, none with location, no "
             "absmax or absmin, and here no unequal counts and no more elements than int can count";
    case Native::may_serve:
      break;
  }
  return question.reproducible ? "combines in an order that only the MPI knows" : std::string();
}

std::string rejection(const Alternative& a, const Question& question) {
  if (algorithms::is_native(*a.generator)) return native_rejection(question);
  const schedule::Shape shape = a.settings.shape(question.p, question.root);
  if (!a.generator->applies(shape)) {
    const std::string needs = needs_of(*a.generator);
    return fmt::format("does not serve this shape; needs {}",
                       needs.empty() ? "another one" : needs);
  }
  if (a.generator->commutative_only() && !question.commutative)
    return "does not keep the order of the operands, and the operator is not commutative";
  if (question.whole_vectors && cuts_the_vector(a, question))
    return "cuts the vector, and the operator takes whole vectors";
  return question.reproducible ? disorder(*a.generator, shape) : std::string();
}

void leave_out_lower_bounds(std::vector<Alternative>& all) {
  const auto is_bound = [](const Alternative& a) { return a.is_lower_bound(); };
  if (!std::all_of(all.begin(), all.end(), is_bound)) std::erase_if(all, is_bound);
}

const char* to_text(Basis basis) {
  switch (basis) {
    case Basis::formula:
      return "formula";
    case Basis::bound:
      return "bound";
    case Basis::counted_on_hosts:
      return "counted on hosts";
    case Basis::not_stated:
      return "not stated";
    case Basis::at_least:
      return "at least";
    case Basis::counted:
      break;
  }
  return "counted on the network";
}

}  // namespace tutti::selection
