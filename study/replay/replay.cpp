// SPDX-License-Identifier: BSD-3-Clause
// Turns the items of a record into those of the simulator (replay.hpp).
#include "replay/replay.hpp"

#include <deque>
#include <set>
#include <utility>

namespace tutti::replay {
namespace {

using namespace formats;
using simulate::RankItem;
using simulate::RequestNumber;

class RecordSource : public simulate::RankSource {
 public:
  RecordSource(const RecordedRun& run, const ReplayOptions& options, simulate::Posting posting)
      : run_(run),
        options_(options),
        operations_(run, posting, options.choose),
        places_(run.ranks.size()),
        unreceived_(run.ranks.size()) {
    find_unreceived();
  }

  [[nodiscard]] int nodes() const override { return static_cast<int>(run_.ranks.size()); }

  RankItem next(int node) override {
    Place& place = places_[static_cast<std::size_t>(node)];
    const std::vector<RecordedItem>& items = run_.ranks[static_cast<std::size_t>(node)].items;
    while (place.ready.empty()) {
      if (place.next == items.size())
        end(node, place);
      else
        translate(node, place, items[place.next]);
      ++place.next;
    }
    RankItem item = std::move(place.ready.front());
    place.ready.pop_front();
    return item;
  }

  [[nodiscard]] LeftOut left_out() const {
    return {not_computed_, arrivals_, shared_, operations_.substituted(), operations_.kept()};
  }

 private:
  using Message = std::pair<int, int>;  // a sender, and which of its messages to the receiver
  struct Place {
    std::size_t next = 0;            // item of the record
    std::deque<RankItem> ready;      // what it has become
    RequestNumber own = 1U << 31;    // requests of the record are smaller
    std::set<RequestNumber> posted;  // receives that the rank has not waited for
    std::set<Message> seen;          // messages that the rank has waited for and not taken
  };

  template <class What>
  void put(Place& place, What what) {
    place.ready.push_back({static_cast<int>(place.next) + 1, std::move(what)});
  }

  void translate(int node, Place& place, const RecordedItem& item) {
    const double computed = static_cast<double>(item.after) / 1000;
    if (options_.compute > 0 && computed > 0)
      put(place, simulate::Compute{computed * options_.compute});
    else
      not_computed_ += computed;
    if (std::holds_alternative<RecordedShared>(item.what)) {
      const std::vector<std::string>& calls = run_.ranks[static_cast<std::size_t>(node)].calls;
      ++shared_[item.call < 0 ? "others" : calls[static_cast<std::size_t>(item.call)]];
    }
    std::visit([&](const auto& what) { add(node, place, what); }, item.what);
  }

  void add(int node, Place& place, const RecordedCall& call) {
    const RecordedOperation& part =
        run_.ranks[static_cast<std::size_t>(node)].bound[static_cast<std::size_t>(call.bound)];
    const auto number = static_cast<std::uint64_t>(call.number);
    simulate::RunOperation run{.operation = &operations_.at(part.group, number),
                               .member = part.member,
                               .group = static_cast<std::uint64_t>(part.group),
                               .number = number};
    if (call.request != 0) run.request = call.request;
    put(place, run);
  }
  // A message to oneself takes no time on any machine that is described.
  void add(int node, Place& place, const RecordedSend& send) {
    if (send.to == node) return;
    simulate::SendMessage message{.to = send.to, .bytes = send.bytes};
    if (send.request != 0) message.request = send.request;
    put(place, message);
  }
  void add(int node, Place& place, const RecordedReceive& receive) {
    if (place.seen.erase({receive.from, receive.message}) == 0)
      await(node, place, receive.from, receive.message);
  }
  // The first look that finds a message waits for it.
  void add(int node, Place& place, const RecordedProbe& probe) {
    if (place.seen.insert({probe.from, probe.message}).second)
      await(node, place, probe.from, probe.message);
  }
  void await(int node, Place& place, int from, int message) {
    if (from == node) return;
    put(place, simulate::PostReceive{from, place.own, message});
    put(place, simulate::AwaitRequest{place.own++});
  }
  void add(int node, Place& place, const RecordedPost& post) {
    if (place.seen.erase({post.from, post.message}) > 0 || post.from == node) return;
    put(place, simulate::PostReceive{post.from, post.request, post.message});
    place.posted.insert(post.request);
  }
  void add(int /* node */, Place& place, const RecordedWait& wait) {
    put(place, simulate::AwaitRequest{wait.request});
    place.posted.erase(wait.request);
  }
  void add(int /* node */, Place& /* place */, const RecordedArrival& /* arrival */) {
    ++arrivals_;
  }

  void add(int /* node */, Place& /* place */, const RecordedShared& /* shared */) {}

  // Messages that the program has left are received at its end, so that the replay ends well. The
  // program ends when all its messages have come, also those that it has not waited for.
  void end(int node, Place& place) {
    for (const auto& [from, message] : unreceived_[static_cast<std::size_t>(node)]) {
      put(place, simulate::PostReceive{from, place.own, message});
      place.posted.insert(place.own++);
    }
    for (const RequestNumber request : place.posted) put(place, simulate::AwaitRequest{request});
    put(place, simulate::Finish{});
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
  const ReplayOptions& options_;
  RecordedOperations operations_;
  std::vector<Place> places_;
  std::vector<std::set<Message>> unreceived_;  // by rank: messages that nobody receives
  double not_computed_ = 0;
  std::int64_t arrivals_ = 0;
  std::map<std::string, std::int64_t> shared_;
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
