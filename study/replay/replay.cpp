// SPDX-License-Identifier: BSD-3-Clause
// Reads the items of a record for the simulator (replay.hpp).
#include "replay/replay.hpp"

#include <set>
#include <utility>

#include "replay/item_source.hpp"

namespace tutti::replay {
namespace {

using namespace formats;

class RecordSource : public ItemSource {
 public:
  RecordSource(const RecordedRun& run, const ReplayOptions& options, simulate::Posting posting)
      : ItemSource(run.ranks.size(), options.compute),
        run_(run),
        posting_(posting),
        substitutes_(run, posting, options.choose),
        next_(run.ranks.size()),
        parts_(run.ranks.size()),
        unreceived_(run.ranks.size()) {
    find_unreceived();
  }

  [[nodiscard]] std::string call_of(int node, int item) const override {
    const RecordedRank& rank = run_.ranks[static_cast<std::size_t>(node)];
    const auto index = static_cast<std::size_t>(item - 1);
    if (index >= rank.items.size() || rank.items[index].call < 0) return "";
    return call_name(node, rank.items[index].call);
  }
  [[nodiscard]] LeftOut left_out() const {
    return {.not_computed = not_computed(),
            .arrivals = arrivals(),
            .shared = shared(),
            .substituted = substitutes_.substituted(),
            .kept = substitutes_.kept()};
  }

 private:
  using Message = std::pair<int, int>;  // a sender, and which of its messages to the receiver

  // Messages that the program has left are received at its end, so that the replay ends well. It
  // does not wait for them.
  void read_on(int node) override {
    const auto rank = static_cast<std::size_t>(node);
    const std::vector<RecordedItem>& items = run_.ranks[rank].items;
    if (next_[rank] < items.size()) return translate(node, items[next_[rank]++]);
    for (const auto& [from, message] : unreceived_[rank]) take_at_end(node, from, message);
    end(node);
  }

  simulate::RunOperation operation_of(int node, const RecordedCall& call) override {
    const auto rank = static_cast<std::size_t>(node);
    const RecordedOperation& part = run_.ranks[rank].bound[static_cast<std::size_t>(call.bound)];
    simulate::BoundOperation* operation =
        substitutes_.at(part.group, static_cast<std::size_t>(call.number));
    if (operation == nullptr) {
      const std::vector<int>& members = run_.groups[static_cast<std::size_t>(part.group)];
      operation = &parts_[rank].try_emplace(call.bound, part, members, posting_).first->second;
    }
    return {.operation = operation,
            .member = part.member,
            .group = static_cast<std::uint64_t>(part.group),
            .number = static_cast<std::uint64_t>(call.number)};
  }
  const std::string& counter_name(int node, int counter) const override {
    return run_.ranks[static_cast<std::size_t>(node)].counters[static_cast<std::size_t>(counter)];
  }
  const std::string& call_name(int node, int call) const override {
    return run_.ranks[static_cast<std::size_t>(node)].calls[static_cast<std::size_t>(call)];
  }

  void find_unreceived() {
    std::vector<std::map<int, int>> sent(run_.ranks.size());  // by receiver and sender
    for (int node = 0; node < nodes(); ++node)
      for (const RecordedItem& item : run_.ranks[static_cast<std::size_t>(node)].items)
        if (const auto* send = std::get_if<RecordedSend>(&item.what); send != nullptr) {
          const int message = sent[static_cast<std::size_t>(send->to)][node]++;
          if (send->to != node)
            unreceived_[static_cast<std::size_t>(send->to)].insert({node, message});
        }
    for (int node = 0; node < nodes(); ++node)
      for (const RecordedItem& item : run_.ranks[static_cast<std::size_t>(node)].items) {
        auto& left = unreceived_[static_cast<std::size_t>(node)];
        if (const auto* receive = std::get_if<RecordedReceive>(&item.what))
          left.erase({receive->from, receive->message});
        if (const auto* probe = std::get_if<RecordedProbe>(&item.what))
          left.erase({probe->from, probe->message});
        if (const auto* post = std::get_if<RecordedPost>(&item.what))
          left.erase({post->from, post->message});
      }
  }

  const RecordedRun& run_;
  simulate::Posting posting_;
  Substitutes substitutes_;
  std::vector<std::size_t> next_;                // by rank: the item that is read next
  std::vector<std::map<int, BoundPart>> parts_;  // by rank and RecordedRank::bound
  std::vector<std::set<Message>> unreceived_;    // by rank: messages that nobody receives
};

void require_complete(const RecordedRun& run) {
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    const RecordedRank& each = run.ranks[rank];
    if (each.complete) continue;
    const int call = each.items.empty() ? -1 : each.items.back().call;
    base::fail(base::Status::invalid_argument,
               "the record of rank {} ends early, after {} items{}: the process was killed, or "
               "there was no room for its record",
               rank, each.items.size(),
               call < 0 ? "" : ", in " + each.calls[static_cast<std::size_t>(call)]);
  }
}

}  // namespace

Replayed replay(const machine::Machine& machine, const RecordedRun& run,
                const ReplayOptions& options) {
  require_complete(run);
  RecordSource source(run, options, simulate::posting_on(machine));
  Replayed replayed;
  replayed.report = simulate::simulate(machine, source, {}, options.simulation);
  replayed.left_out = source.left_out();
  return replayed;
}

formats::MessageGraph graph_of(const RecordedRun& run, const ReplayOptions& options,
                               const machine::Machine* machine) {
  require_complete(run);
  const simulate::Posting posting =
      machine == nullptr ? simulate::Posting::by_round : simulate::posting_on(*machine);
  RecordSource source(run, options, posting);
  return graph_of(source, machine);
}

}  // namespace tutti::replay
