// SPDX-License-Identifier: BSD-3-Clause
// Writes bound operations as JSON, which becomes a part of the record of the job
// (src/formats/tutti-recording-1.schema.json).
#include "engine/recorded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "schedule/bound.hpp"
#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

schedule::BoundRound round_of(const RunState& run, Slice ops) {
  schedule::BoundRound round;
  const auto bytes_of_element = static_cast<std::int64_t>(run.memory.element_bytes());
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    if (run.steps[i].no_message) continue;
    const MicroOp& lowered = run.plan->ops[i];
    const schedule::Op op = raise(*run.plan, lowered, run.identity.endpoints);
    schedule::bind(round, op,
                   [&] { return run.memory.elements(lowered.spans) * bytes_of_element; });
    if (op.what == schedule::Do::send && schedule::reads_beyond_input(op)) round.passes_on = true;
  }
  return round;
}

// Adds `"name":[entry,...]` if there is an entry.
template <class List, class Entry>
void add_list(std::string& text, const char* name, const List& list, const Entry& entry) {
  if (list.empty()) return;
  const char* before = text.back() == '{' ? "" : ",";
  fmt::format_to(std::back_inserter(text), "{}\"{}\":", before, name);
  const char* between = "[";
  for (const auto& one : list) {
    text += between;
    text += entry(one);
    between = ",";
  }
  text += ']';
}

void add_round(std::string& text, const schedule::BoundRound& round) {
  text += '{';
  add_list(text, "sends", round.sends, [](const schedule::BoundSend& send) {
    return fmt::format(R"({{"to":{},"bytes":{}}})", send.to, send.bytes);
  });
  add_list(text, "receives", round.receives, [](const schedule::BoundReceive& receive) {
    const bool combined = receive.then == schedule::OnArrival::combined;
    return fmt::format(R"({{"from":{}{}}})", receive.from, combined ? R"(,"combined":true)" : "");
  });
  add_list(text, "copies", round.copies, [](std::int64_t bytes) { return fmt::to_string(bytes); });
  add_list(text, "combines", round.combines, [](const schedule::LocalCombine& combine) {
    return fmt::format(R"({{"bytes":{},"operands":{}}})", combine.bytes, combine.operands);
  });
  if (round.passes_on) text += R"(,"passes_on":true)";
  text += '}';
}

// No other algorithm can take the place of an operation that has more rounds than its own one.
std::string json_of(const RunState& run, const std::string& more_rounds) {
  const Identity& identity = run.identity;
  const std::string own = rounds_of(run);
  const char* const between = own.empty() || more_rounds.empty() ? "" : ",";
  return fmt::format(
      R"({{"operation":"{}","algorithm":"{}","group":"{}","member":{},"root":{},"bytes":{},)"
      R"("element":{},"even":{},"rounds":[{}{}{}]}})",
      schedule::to_text(identity.operation),
      selection::plan_name(*identity.generator, *identity.settings), identity.group_id,
      identity.rank, identity.root, run.bytes, run.memory.element_bytes(),
      run.evenly_cut && more_rounds.empty(), own, between, more_rounds);
}

}  // namespace

std::string rounds_of(const RunState& run) {
  std::string text;
  for (const Slice& ops : run.plan->rounds) {
    if (!text.empty()) text += ',';
    add_round(text, round_of(run, ops));
  }
  return text;
}

std::int32_t number_of(const RunState& run, const std::string& more_rounds,
                       record::RunRecorder& record) {
  const Identity& identity = run.identity;
  if (record.is_new_group(identity.group_id))
    record.group(fmt::format("{} {}", identity.group_id, fmt::join(identity.endpoints, " ")));
  return record.number_of_bound(json_of(run, more_rounds));
}

}  // namespace tutti::engine
