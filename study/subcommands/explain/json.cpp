// SPDX-License-Identifier: BSD-3-Clause
// Writes explanations as JSON.
#include <algorithm>

#include "explain/print.hpp"
#include "info/catalogue.hpp"
#include "schedule/host_counts.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

using nlohmann::json;

// Returns the settings as the name of a plan has them, such as "branches=2" or "2x4.2".
std::string settings_in(const std::string& name) {
  return name.substr(std::min(name.find(':'), name.size() - 1) + 1);
}

json to_json(const schedule::Work& work) {
  return {{"written_blocks", work.written},   {"read_blocks", work.read},
          {"combined_blocks", work.combined}, {"copied_blocks", work.copied},
          {"posted_messages", work.posted},   {"taken_messages", work.taken}};
}

// Returns what the plan costs processes that share memory.
json to_json(const selection::HostPlan& plan, const selection::Explanation& e) {
  const selection::HostTimes& times = plan.times;
  return {{"along_rounds", to_json(plan.counts.path)},
          {"all_ranks", to_json(plan.counts.total)},
          {"waits", plan.counts.waits},
          {"rounds", plan.counts.rounds},
          {"block_bytes", static_cast<double>(e.bytes) / plan.parts},
          {"processors", e.host->processors},
          {"time_us",
           {{"copying", times.copying},
            {"combining", times.combining},
            {"messages", times.messages},
            {"waiting", times.waiting}}}};
}

json to_json(const selection::Row& row, const selection::Explanation& e) {
  const selection::Alternative& a = row.alternative;
  const bool stated = a.basis != selection::Basis::not_stated;
  const selection::AlgorithmHeader* header = selection::header_of(*a.generator);
  json out = {{"name", a.name},
              {"algorithm", a.generator->name},
              {"settings", settings_in(selection::plan_name(*a.generator, a.settings))},
              {"aliases", a.generator->aliases},
              {"source", header != nullptr ? with_authors(std::string(header->source)) : ""},
              {"terms", stated ? tools::to_json(a.terms) : json()},
              {"terms_from", stated ? json(selection::to_text(a.basis)) : json()},
              {"time_us", row.time},
              {"why", row.why}};
  if (row.on_host) out["shared_memory"] = to_json(*row.on_host, e);
  return out;
}

json library_json(const ExplainAnswer& answer) {
  constexpr const char* deciders[] = {"user", "table", "shared memory", "model"};
  const selection::Choice& choice = *answer.library;
  return {{"name", library_name(answer)},
          {"decided_by", deciders[static_cast<std::size_t>(choice.decider)]},
          {"reason", choice.reason},
          {"decided_for_bytes", answer.decided_for},
          {"hosts", selection::host_count(answer.explanation.question.hosts)},
          {"time_us", answer.library_row ? json(answer.library_row->time) : json()}};
}

}  // namespace

json to_json(const selection::Terms& terms) {
  return {{"alpha", terms.alpha},
          {"beta", terms.beta},
          {"gamma", terms.gamma},
          {"hops", terms.hops},
          {"copied", terms.copied}};
}

json to_json(const selection::Explanation& e, const Extent& extent) {
  Table refused("name;why"), crossovers("from_bytes;name");
  for (const selection::Refused& r : e.refused) refused.add({r.name, r.why});
  for (const selection::EnvelopePiece& piece : e.pieces)
    crossovers.add({piece.from, e.rows[piece.line].alternative.name});
  json candidates = json::array();
  for (const selection::Row& row : e.rows) candidates.push_back(to_json(row, e));
  return {{"operation", schedule::to_text(e.question.operation)},
          {"ranks", e.question.p},
          {"root", e.question.root},
          {"mesh", e.question.mesh},
          {"network", e.network.empty() ? json() : json(e.network)},
          {"commutative", e.question.commutative},
          {"reproducible", e.question.reproducible},
          {"bytes", e.bytes},
          {"block_bytes", extent.block},
          {"machine", to_json(e.machine)},
          {"priced_by", e.host ? "shared memory" : "alpha, beta and gamma"},
          {"winner", e.rows.empty() ? json() : json(e.rows[0].alternative.name)},
          {"candidates", std::move(candidates)},
          {"not_eligible", refused.json()},
          {"crossovers", crossovers.json()}};
}

nlohmann::ordered_json to_json(const ExplainAnswer& answer) {
  nlohmann::ordered_json out;
  out["library"] = answer.library ? library_json(answer) : json();
  out["asked"] = answer.asked ? to_json(*answer.asked, answer.explanation) : json();
  out["icc"] = answer.icc ? to_json(*answer.icc, answer.explanation) : json();
  out["unused"] = answer.unused;
  const json explained = to_json(answer.explanation, answer.extent);
  for (const auto& [name, value] : explained.items()) out[name] = value;
  return out;
}

}  // namespace tutti::tools
