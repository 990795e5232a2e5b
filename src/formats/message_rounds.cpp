// SPDX-License-Identifier: BSD-3-Clause
// Finds the rounds of a graph of messages. An event is a message, with its send and its receive, or
// a piece of work. An event that waits for another one has a later round, with two exceptions. Work
// may have the round of the receives of its processor that it waits for. A receive may have the
// round of a send of its rank if it must, because sends do not wait for the receives of their
// round.
#include "formats/message_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "formats/check.hpp"
#include "schedule/components.hpp"

namespace tutti::formats {
namespace {

using Kind = MessageNode::Kind;
using schedule::Block;
using schedule::Buffer;

constexpr std::size_t most_streams = std::size_t{1} << 16;

struct Wait {
  int event;
  enum class Round : std::uint8_t { later, later_unless_circle, same } round;
};

struct Event {
  MessageEnd from, to{-1};  // of a message; of work, `from` says who does it
  std::int64_t size = 0;    // bytes of a message, nanoseconds of work
  int order = 0;            // place of the send among the operations of its rank
  int tag = 0;
  std::vector<Wait> followers;
  int round = 0;
  [[nodiscard]] bool is_message() const { return to.rank >= 0; }
};

// How far another node must have come before a node begins.
enum class Until : std::uint8_t { begun, ended };

// A dependence between nodes of two streams of a rank.
struct Tie {
  int before = 0, after = 0;                // events
  int before_stream = 0, after_stream = 0;  // which of their ends is meant
  bool ended = true;
};

class Levelling {
 public:
  Levelling(const MessageGraph& graph, std::string_view file) : graph_(graph), file_(file) {}

  MessageRounds run() {
    make_streams();
    make_events();
    join_events();
    const schedule::Components components(successors());
    components_ = components.of_nodes();
    members_.resize(static_cast<std::size_t>(components.count()));
    for (std::size_t i = 0; i < events_.size(); ++i)
      members_[static_cast<std::size_t>(components_[i])].push_back(static_cast<int>(i));
    check_circles();
    if (!place_by_tags()) place();
    for (const Event& event : events_) rounds_ = std::max(rounds_, event.round + 1);
    return result();
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    base::fail(base::Status::invalid_argument, "{}: {}", file_,
               fmt::format(format, std::forward<Args>(args)...));
  }

  void make_streams() {
    std::set<int> interfaces{0};
    for (std::size_t r = 0; r < graph_.size(); ++r) {
      const int rank = static_cast<int>(r);
      std::set<int> processors;
      for (const MessageNode& node : graph_[r]) {
        processors.insert(node.processor);
        if (node.kind != Kind::work) interfaces.insert(node.interface);
      }
      if (processors.empty()) processors.insert(0);
      for (const int processor : processors) streams_.push_back({rank, processor});
    }
    interfaces_.assign(interfaces.begin(), interfaces.end());
    if (streams_.size() > most_streams || graph_.size() * interfaces_.size() > most_streams)
      fail("ranks have {} streams (cpu) and {} interfaces (nic) together, limit {}",
           streams_.size(), graph_.size() * interfaces_.size(), most_streams);
  }

  // Returns who does a node of the rank.
  MessageEnd end_of(int rank, const MessageNode& node) const {
    const auto stream =
        std::lower_bound(streams_.begin(), streams_.end(), RankStream{rank, node.processor});
    const auto interface = std::lower_bound(interfaces_.begin(), interfaces_.end(), node.interface);
    return {rank, static_cast<int>(stream - streams_.begin()),
            node.kind == Kind::work ? 0 : static_cast<int>(interface - interfaces_.begin())};
  }

  // The k-th send of a rank to another one with a tag and the k-th receive there are one event.
  void make_events() {
    using Key = std::tuple<int, int, int>;  // sender, receiver, tag
    std::map<Key, std::vector<std::pair<int, int>>> sent, received;
    for (std::size_t r = 0; r < graph_.size(); ++r) {
      event_of_.emplace_back(graph_[r].size(), -1);
      const int rank = static_cast<int>(r);
      for (std::size_t i = 0; i < graph_[r].size(); ++i) {
        const MessageNode& node = graph_[r][i];
        const std::pair at(rank, static_cast<int>(i));
        if (node.kind == Kind::send) sent[{rank, node.peer, node.round}].push_back(at);
        if (node.kind == Kind::receive) received[{node.peer, rank, node.round}].push_back(at);
        if (node.kind != Kind::work) continue;
        event_of_[r][i] = static_cast<int>(events_.size());
        events_.push_back({end_of(rank, node), {-1}, node.bytes, 0, 0, {}, 0});
      }
    }
    for (const auto& [key, some] : received)
      if (sent.find(key) == sent.end()) unmatched(key, 0, some.size());
    for (const auto& [key, some] : sent) {
      const auto& others = received[key];
      if (others.size() != some.size()) unmatched(key, some.size(), others.size());
      for (std::size_t k = 0; k < some.size(); ++k) make_message(key, some[k], others[k]);
    }
  }

  [[noreturn]] void unmatched(const std::tuple<int, int, int>& key, std::size_t sends,
                              std::size_t receives) const {
    fail("rank {} sends {} messages with tag {} to rank {}, which receives {}", std::get<0>(key),
         sends, std::get<2>(key), std::get<1>(key), receives);
  }

  const MessageNode& node(const std::pair<int, int>& at) const {
    return graph_[static_cast<std::size_t>(at.first)][static_cast<std::size_t>(at.second)];
  }
  int& event_of(const std::pair<int, int>& at) {
    return event_of_[static_cast<std::size_t>(at.first)][static_cast<std::size_t>(at.second)];
  }

  void make_message(const std::tuple<int, int, int>& key, const std::pair<int, int>& send,
                    const std::pair<int, int>& receive) {
    if (node(send).bytes != node(receive).bytes)
      fail("rank {} sends {} bytes with tag {} to rank {}, which receives {}", std::get<0>(key),
           node(send).bytes, std::get<2>(key), std::get<1>(key), node(receive).bytes);
    event_of(send) = event_of(receive) = static_cast<int>(events_.size());
    events_.push_back({end_of(send.first, node(send)),
                       end_of(receive.first, node(receive)),
                       node(send).bytes,
                       send.second,
                       std::get<2>(key),
                       {},
                       0});
  }

  void join_events() {
    for (std::size_t r = 0; r < graph_.size(); ++r) {
      for (std::size_t i = 0; i < graph_[r].size(); ++i) {
        const std::pair at(static_cast<int>(r), static_cast<int>(i));
        for (const int before : node(at).after) join({at.first, before}, at, Until::ended);
        for (const int before : node(at).after_start) join({at.first, before}, at, Until::begun);
      }
    }
  }

  // Notes that a node waits until another one has ended, or else has begun. A stream goes through
  // its own rounds in their order, so only what another stream waits for must have a round before.
  void join(const std::pair<int, int>& before, const std::pair<int, int>& after, Until until) {
    using enum Wait::Round;
    const bool ended = until == Until::ended;
    const int first = end_of(before.first, node(before)).stream;
    const int second = end_of(after.first, node(after)).stream;
    Wait::Round round = ended ? later : same;
    const bool exchange = node(before).kind == Kind::send && node(after).kind == Kind::receive;
    const bool works = node(before).kind == Kind::receive && node(after).kind == Kind::work;
    if (exchange && ended) round = later_unless_circle;
    if (first == second && works) round = same;
    if (first != second && !ended) round = later_unless_circle;
    events_[static_cast<std::size_t>(event_of(before))].followers.push_back(
        {event_of(after), round});
    if (first != second) ties_.push_back({event_of(before), event_of(after), first, second, ended});
  }

  std::vector<std::vector<int>> successors() const {
    std::vector<std::vector<int>> found(events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (const Wait& wait : events_[i].followers) found[i].push_back(wait.event);
    return found;
  }
  Event& event(int i) { return events_[static_cast<std::size_t>(i)]; }
  std::size_t component(int i) const {
    return static_cast<std::size_t>(components_[static_cast<std::size_t>(i)]);
  }

  void check_circles() const {
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (const Wait& wait : events_[i].followers)
        if (wait.round == Wait::Round::later &&
            component(wait.event) == component(static_cast<int>(i)))
          name_circle(events_[i]);
  }

  // Takes the tags for rounds, as files of tutti have them. Returns false if they cannot be rounds.
  bool place_by_tags() {
    std::map<int, int> round_of;
    for (const Event& each : events_)
      if (each.is_message()) round_of.emplace(each.tag, 0);
    int number = 0;
    for (auto& entry : round_of) entry.second = number++;
    std::vector<int> earliest(events_.size(), 0);
    for (std::size_t c = members_.size(); c-- > 0;) {
      for (const int i : members_[c]) {
        const int first = earliest[static_cast<std::size_t>(i)];
        event(i).round = event(i).is_message() ? round_of.at(event(i).tag) : first;
        if (event(i).round < first) return false;
        for (const Wait& wait : event(i).followers)
          earliest[static_cast<std::size_t>(wait.event)] =
              std::max(earliest[static_cast<std::size_t>(wait.event)],
                       event(i).round + (wait.round == Wait::Round::later ? 1 : 0));
      }
    }
    std::set<std::tuple<int, int, int>> pairs;
    return std::all_of(events_.begin(), events_.end(), [&](const Event& each) {
      return !each.is_message() ||
             pairs.insert({each.from.stream, each.to.stream, each.round}).second;
    });
  }

  void place() {
    std::vector<int> first(members_.size(), 0);
    for (std::size_t c = members_.size(); c-- > 0;) {
      const int round = free_round(members_[c], first[c]);
      for (const int i : members_[c]) {
        event(i).round = round;
        if (event(i).is_message()) taken_.insert({event(i).from.stream, event(i).to.stream, round});
        for (const Wait& wait : event(i).followers) {
          const std::size_t other = component(wait.event);
          const int step = wait.round == Wait::Round::same ? 0 : 1;
          if (other != c) first[other] = std::max(first[other], round + step);
        }
      }
    }
  }

  // Returns the first round from `round` on in which no pair of the events has another message.
  int free_round(const std::vector<int>& members, int round) const {
    const auto is_taken = [&](int i) {
      const Event& event = events_[static_cast<std::size_t>(i)];
      return event.is_message() && taken_.contains({event.from.stream, event.to.stream, round});
    };
    while (std::any_of(members.begin(), members.end(), is_taken)) ++round;
    const std::string too_many =
        problem_of_rounds(std::int64_t{round} + 1, static_cast<std::int64_t>(streams_.size()));
    if (!too_many.empty()) fail("{}", too_many);
    return round;
  }

  [[noreturn]] void name_circle(const Event& event) const {
    if (event.is_message())
      fail("operations wait for each other in a circle; the message of rank {} to rank {} is one",
           event.from.rank, event.to.rank);
    fail("operations wait for each other in a circle; work of rank {} is one", event.from.rank);
  }

  MessageRounds result() const {
    MessageRounds made;
    made.p = static_cast<int>(graph_.size());
    made.rounds = rounds_;
    made.interfaces = static_cast<int>(interfaces_.size());
    made.streams = streams_;
    made.work.assign(streams_.size(), std::vector<double>(static_cast<std::size_t>(rounds_), 0));
    std::vector<const Event*> messages;
    for (const Event& event : events_) {
      if (event.is_message())
        messages.push_back(&event);
      else
        made.work[static_cast<std::size_t>(event.from.stream)]
                 [static_cast<std::size_t>(event.round)] += static_cast<double>(event.size);
    }
    std::sort(messages.begin(), messages.end(), [](const Event* a, const Event* b) {
      return std::tie(a->round, a->from.rank, a->order) <
             std::tie(b->round, b->from.rank, b->order);
    });
    std::int64_t unit = 0, longest = 0;
    for (const Event* event : messages) {
      unit = std::gcd(unit, event->size);
      longest = std::max(longest, event->size);
      made.messages.push_back({event->round, event->from, event->to, event->size});
    }
    made.unit = std::max<std::int64_t>(unit, 1);
    if (longest / made.unit > std::numeric_limits<int>::max())
      fail("a message of {} bytes is too long beside others of {}", longest, made.unit);
    made.buffers.output = static_cast<int>(longest / made.unit);
    add_programs(made);
    add_waits(made);
    return made;
  }

  // An event in the round of the one that it follows needs no wait: it is a receive in an exchange.
  void add_waits(MessageRounds& made) const {
    for (const Tie& tie : ties_) {
      const int before = events_[static_cast<std::size_t>(tie.before)].round;
      const int after = events_[static_cast<std::size_t>(tie.after)].round;
      if (before < after)
        made.waits.push_back({tie.after_stream, after, tie.before_stream, before, tie.ended});
    }
  }

  static void add_programs(MessageRounds& made) {
    made.programs.assign(made.streams.size(),
                         schedule::Program(static_cast<std::size_t>(made.rounds)));
    const auto round_of = [&](int stream, int round) -> schedule::Round& {
      return made.programs[static_cast<std::size_t>(stream)][static_cast<std::size_t>(round)];
    };
    for (const RoundMessage& message : made.messages) {
      schedule::Blocks blocks;
      if (message.bytes > 0)
        blocks.push_back({Buffer::output, 0, static_cast<int>(message.bytes / made.unit)});
      round_of(message.from.stream, message.round).send(blocks, schedule::Rank{message.to.stream});
      round_of(message.to.stream, message.round)
          .receive(blocks, schedule::Rank{message.from.stream});
    }
  }

  const MessageGraph& graph_;
  std::string_view file_;
  std::vector<Event> events_;
  std::vector<std::vector<int>> event_of_;     // by rank and node
  std::vector<int> components_;                // by event
  std::vector<std::vector<int>> members_;      // by component; what waits has a smaller number
  std::set<std::tuple<int, int, int>> taken_;  // sending and receiving stream, round
  std::vector<RankStream> streams_;            // by rank, then by processor
  std::vector<int> interfaces_;                // as the file numbers them
  std::vector<Tie> ties_;
  int rounds_ = 0;
};

}  // namespace

MessageRounds rounds_of(const MessageGraph& graph, std::string_view file) {
  return Levelling(graph, file).run();
}

}  // namespace tutti::formats
