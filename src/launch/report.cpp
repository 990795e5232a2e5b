// SPDX-License-Identifier: BSD-3-Clause
// Turns state lines into text. Everything read here may be a moment old, but only text depends on
// it.
#include "launch/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/number_list.hpp"
#include "transport/shm/records.hpp"
#include "transport/shm/state_text.hpp"

namespace tutti::launch {

using transport::shm::Endpoint;
using transport::shm::Presence;
using transport::shm::StateLine;

namespace {

std::string operation_text(const RankView& view, OperationName name) {
  const std::string words = view.words.empty() ? "(a message)" : fmt::format("({})", view.words);
  if (view.operation == transport::wait_from_anybody) return words + " from anybody";
  if (view.operation == 0) return words;
  const std::string operation = name != nullptr ? std::string(name(view.operation))
                                                : fmt::format("operation {}", view.operation);
  return fmt::format("({} #{}, {} ranks, round {})", operation, view.sequence, view.group_size,
                     view.round + 1);
}

std::string awaited_text(const RankView& view) {
  std::vector<int> sorted = view.wait_for;
  std::sort(sorted.begin(), sorted.end());
  std::string text = list_ranks(sorted, view.world_size);
  if (view.wait_count > sorted.size())
    text += fmt::format(" and others ({} in all)", view.wait_count);
  return text;
}

std::string wait_text(const RankView& view) {
  if (view.wait_for.empty()) return "";
  return fmt::format(
      " for {}{}", view.waiting == WaitState::for_any && view.wait_for.size() > 1 ? "any of " : "",
      awaited_text(view));
}

std::string waiting_text(const RankView& view, OperationName name) {
  const std::string where = view.call.empty() ? "" : fmt::format(" in {}", view.call);
  const char* const more = view.or_more ? ", or for another message" : "";
  if (view.waits_for_room()) {
    return fmt::format("waiting{} until {} {} room for a message{}", where, awaited_text(view),
                       view.wait_count == 1 ? "has" : "have", more);
  }
  return fmt::format("waiting{} {}{}{}", where, operation_text(view, name), wait_text(view), more);
}

}  // namespace

RankView view_of(const transport::shm::Mapping& mapping, int rank) {
  const Endpoint& endpoint = mapping.endpoint(rank);
  const StateLine& state = endpoint.state;
  RankView view;
  view.rank = rank;
  view.world_size = static_cast<int>(mapping.header().world_size);
  view.pid = endpoint.pid.peek();
  view.presence = endpoint.presence.see();
  view.call = transport::shm::text_in(state.call);
  view.about = transport::shm::text_in(state.about);
  const auto waiting = state.waiting.see();
  view.waiting = (waiting & 3U) == 1   ? WaitState::for_all
                 : (waiting & 3U) == 2 ? WaitState::for_any
                                       : WaitState::no;
  view.may_give_up = (waiting & 4U) != 0;
  view.or_more = (waiting & 8U) != 0;
  view.wait_number = state.waits.peek();
  view.looks = state.looks.peek();
  view.operation = state.operation.peek();
  view.group_size = state.group_size.peek();
  view.sequence = state.sequence.peek();
  view.round = state.round.peek();
  view.words = transport::shm::text_in(state.words);
  view.wait_count = view.waiting == WaitState::no ? 0 : state.wait_count.peek();
  const auto shown = std::min(view.wait_count, static_cast<std::uint32_t>(StateLine::waits_shown));
  for (std::uint32_t i = 0; i < shown; ++i) view.wait_for.push_back(state.wait_for[i].peek());
  return view;
}

std::vector<RankView> view_world(const transport::shm::Mapping& mapping) {
  std::vector<RankView> world;
  const int slots = static_cast<int>(mapping.header().slots.see());
  for (int rank = 0; rank < slots; ++rank) world.push_back(view_of(mapping, rank));
  return world;
}

std::string describe(const RankView& view, OperationName operation_name, std::size_t ranks) {
  const char* const has = ranks == 1 ? "has" : "have";
  const bool in_order = view.presence == Presence::finalized || view.presence == Presence::left;
  if (!view.ended.empty() && !in_order) return view.ended;
  switch (view.presence) {
    case Presence::empty:
    case Presence::expected:
      return fmt::format("running, {} not joined the job (yet)", has);
    case Presence::finalized:
      return fmt::format("{} finished", has);
    case Presence::left:
      return fmt::format("{} left", has);
    case Presence::dead:
      return fmt::format("{} ended", has);
    case Presence::attached:
      break;
  }
  std::string text = "computing";
  if (view.waiting != WaitState::no) {
    text = waiting_text(view, operation_name);
  } else if (!view.call.empty()) {
    text = fmt::format("in {}", view.call);
  }
  return view.call.empty() || view.about.empty() ? text : fmt::format("{}: {}", text, view.about);
}

namespace {

std::string list_of(const char* what, std::span<const int> ranks) {
  return fmt::format("{}{} {}", what, ranks.size() == 1 ? "" : "s", base::number_list(ranks));
}

}  // namespace

std::string list_ranks(const std::vector<int>& ranks, int world_size) {
  const std::span<const int> all(ranks);
  const auto in_world =
      static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), world_size) - all.begin());
  std::string text;
  if (in_world > 0) text = list_of("rank", all.first(in_world));
  if (in_world == all.size()) return text;
  return text + (text.empty() ? "" : ", ") + list_of("task", all.subspan(in_world));
}

std::string failure_note(const transport::shm::Mapping& mapping) {
  const auto* const found = transport::shm::find_record(mapping, transport::shm::failure_record);
  return found != nullptr ? fmt::format("tutti: {}\n", text_of(*found)) : "";
}

std::string describe_world(const std::vector<RankView>& world, int without_rank,
                           OperationName name) {
  struct Alike {
    const RankView* first;
    std::vector<int> ranks;
  };
  std::vector<Alike> groups;
  std::map<std::string, std::size_t> place;  // of the group with this text
  for (const auto& view : world) {
    if (view.rank == without_rank || (view.is_task() && view.presence == Presence::empty)) continue;
    const auto [known, is_new] = place.try_emplace(describe(view, name), groups.size());
    if (is_new) groups.push_back({&view, {}});
    groups[known->second].ranks.push_back(view.rank);
  }
  std::string lines;
  for (const auto& [first, ranks] : groups) {
    lines += fmt::format("  {}: {}\n", list_ranks(ranks, world.front().world_size),
                         describe(*first, name, ranks.size()));
  }
  return lines;
}

std::string report_states(const transport::shm::Mapping& mapping,
                          const std::vector<RankView>& world, int without_rank, OperationName name,
                          const std::string& cycle) {
  return describe_world(world, without_rank, name) +
         (cycle.empty() ? "" : fmt::format("  cycle: {}\n", cycle)) + failure_note(mapping);
}

}  // namespace tutti::launch
