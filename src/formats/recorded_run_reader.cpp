// SPDX-License-Identifier: BSD-3-Clause
// Reads recorded runs. Rules for one process are checked here, while its line is known, and those
// for several when all is read (recorded_run_check.cpp).
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "formats/json_keys.hpp"
#include "formats/limits.hpp"
#include "formats/recorded_run.hpp"
#include "formats/recorded_run_check.hpp"

namespace tutti::formats {
namespace {

using schedule::BoundRound;

constexpr std::int64_t longest_computation = 999'999'999'999'999;  // nanoseconds, 11 days

class RecordedRunReader {
 public:
  RecordedRunReader(std::string_view text, std::string_view file) : json_(text, file) {}

  RecordedRun read() {
    static constexpr std::string_view known[] = {"tutti_recording", "tutti", "groups", "ranks"};
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      const std::size_t index = keys.take(key, known);
      if (index == 0) take_version(json_);
      if (index == 1) json_.skip();
      if (index == 2) read_groups();
      if (index != 3) return;
      keys.need(0, known);
      keys.need(2, known);
      json_.array([&] { read_rank(); });
    });
    keys.need(3, known);
    json_.end();
    number_operations();
    if (const std::string problem = problem_of(run_); !problem.empty()) json_.fail("{}", problem);
    return std::move(run_);
  }

 private:
  std::int64_t number(std::int64_t least, std::int64_t most) {
    const std::int64_t value = json_.integer();
    if (value < least || value > most)
      json_.fail("the number is {}, limit {} to {}", value, least, most);
    return value;
  }
  // Returns a number below `count`.
  int index(std::size_t count) {
    return static_cast<int>(number(0, static_cast<std::int64_t>(count) - 1));
  }
  int count() { return static_cast<int>(number(0, std::numeric_limits<int>::max())); }
  std::int64_t bytes() { return number(0, most_bytes_of_message); }
  std::uint32_t request() {
    return static_cast<std::uint32_t>(number(1, std::numeric_limits<std::int32_t>::max()));
  }

  void read_groups() {
    json_.object([&](std::string_view id) {
      if (!groups_.emplace(id, static_cast<int>(run_.groups.size())).second)
        json_.fail("the group stands twice");
      std::vector<int>& members = run_.groups.emplace_back();
      json_.array([&] { members.push_back(index(most_ranks)); });
      if (members.empty()) json_.fail("a group has no members");
      if (std::set<int>(members.begin(), members.end()).size() != members.size())
        json_.fail("a rank stands twice in the group");
    });
  }

  void read_rank() {
    if (run_.ranks.size() == most_ranks) json_.fail("there are more ranks than {}", most_ranks);
    rank_ = &run_.ranks.emplace_back();
    static constexpr std::string_view known[] = {"process", "complete", "calls", "counters",
                                                 "bound",   "items",    "places"};
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      const std::size_t which = keys.take(key, known);
      if (which == 0) rank_->process = count();
      if (which == 1) rank_->complete = json_.boolean();
      if (which == 2) json_.array([&] { rank_->calls.push_back(json_.string(most_text)); });
      if (which == 3) json_.array([&] { rank_->counters.push_back(json_.string(most_text)); });
      if (which == 6) json_.array([&] { rank_->places.push_back(json_.string(most_text)); });
      if (which == 4) json_.array([&] { read_bound(); });
      if (which != 5) return;
      for (std::size_t before = 0; before < which; ++before) keys.need(before, known);
      json_.array([&] { read_item(); });
    });
    keys.need(5, known);
  }

  // ---- operations ----
  void read_bound() {
    static constexpr std::string_view known[] = {
        "operation", "algorithm", "group", "member", "root", "bytes", "element", "even", "rounds"};
    Keys keys(json_);
    RecordedOperation& made = rank_->bound.emplace_back();
    json_.object([&](std::string_view key) {
      const std::size_t which = keys.take(key, known);
      if (which == 0) made.operation = take_operation(json_, most_text);
      if (which == 1) made.algorithm = json_.string(most_text);
      if (which == 2) made.group = group();
      if (which == 3) made.member = count();
      if (which == 4) made.root = count();
      if (which == 5) made.bytes = bytes();
      if (which == 6) made.element = number(1, most_bytes_of_element);
      if (which == 7) made.even = json_.boolean();
      if (which == 8) json_.array([&] { read_round(made.rounds.emplace_back()); });
    });
    for (std::size_t each = 0; each < std::size(known); ++each) keys.need(each, known);
    check(made);
  }

  int group() {
    const auto found = groups_.find(json_.string(most_text));
    if (found == groups_.end()) json_.fail("there is no such group");
    return found->second;
  }

  void read_round(BoundRound& round) {
    if (++rounds_ > most_rounds_of_ranks)
      json_.fail("there are more rounds than the limit, {}", most_rounds_of_ranks);
    static constexpr std::string_view known[] = {"sends", "receives", "copies", "combines",
                                                 "passes_on"};
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      const std::size_t which = keys.take(key, known);
      if (which == 0) json_.array([&] { round.sends.push_back(send()); });
      if (which == 1) json_.array([&] { round.receives.push_back(receive()); });
      if (which == 2) json_.array([&] { round.copies.push_back(bytes()); });
      if (which == 3) json_.array([&] { round.combines.push_back(combine()); });
      if (which == 4) round.passes_on = json_.boolean();
    });
  }

  // Reads an object that must have both keys. The functions take their values.
  template <class First, class Second>
  void read_both(std::span<const std::string_view> known, const First& first,
                 const Second& second) {
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      if (keys.take(key, known) == 0)
        first();
      else
        second();
    });
    keys.need(0, known);
    keys.need(1, known);
  }

  schedule::BoundSend send() {
    static constexpr std::string_view known[] = {"to", "bytes"};
    schedule::BoundSend made{};
    read_both(
        known, [&] { made.to = count(); }, [&] { made.bytes = bytes(); });
    return made;
  }

  schedule::BoundReceive receive() {
    static constexpr std::string_view known[] = {"from", "combined"};
    Keys keys(json_);
    schedule::BoundReceive made{0, schedule::OnArrival::taken};
    json_.object([&](std::string_view key) {
      if (keys.take(key, known) == 0) {
        made.from = count();
      } else if (json_.boolean()) {
        made.then = schedule::OnArrival::combined;
      }
    });
    keys.need(0, known);
    return made;
  }

  schedule::LocalCombine combine() {
    static constexpr std::string_view known[] = {"bytes", "operands"};
    schedule::LocalCombine made{};
    read_both(
        known, [&] { made.bytes = bytes(); }, [&] { made.operands = number(2, most_ranks + 1); });
    return made;
  }

  void check(const RecordedOperation& made) const {
    const std::vector<int>& members = run_.groups[static_cast<std::size_t>(made.group)];
    const int p = static_cast<int>(members.size()), self = static_cast<int>(run_.ranks.size()) - 1;
    if (made.member >= p || members[static_cast<std::size_t>(made.member)] != self)
      json_.fail("member {} of the group is not this rank", made.member);
    if (made.root >= p) json_.fail("there is no root {} in a group of {}", made.root, p);
    const auto is_other = [&](int member) { return member < p && member != made.member; };
    for (const BoundRound& round : made.rounds) {
      for (const schedule::BoundSend& one : round.sends)
        if (!is_other(one.to)) json_.fail("member {} cannot be sent to", one.to);
      for (const schedule::BoundReceive& one : round.receives)
        if (!is_other(one.from)) json_.fail("member {} cannot send to this one", one.from);
    }
  }

  // Operations of a group have the order of the items.
  void number_operations() {
    for (RecordedRank& rank : run_.ranks) {
      std::map<int, std::int64_t> counts;  // by group
      for (RecordedItem& item : rank.items)
        if (auto* const one = std::get_if<RecordedCall>(&item.what))
          one->number = counts[rank.bound[static_cast<std::size_t>(one->bound)].group]++;
    }
  }

  // ---- items ----
  // Keys of items; the first eight are their verbs.
  enum Word : std::size_t {
    run,
    send_to,
    receive_from,
    probe,
    post,
    wait,
    arrive,
    shared,
    call,
    message,
    length,
    many,
    under,
    after,
    place
  };
  static constexpr std::string_view words_of_items_[] = {
      "run",  "send",    "receive", "probe", "post",    "wait",  "arrive", "shared",
      "call", "message", "bytes",   "count", "request", "after", "place"};
  static constexpr std::size_t verbs_ = call;
  // By verb: a bit for each word from "message" to "request" that its items must have. Those of run
  // and send may have a request, and no item has any other of these words.
  static constexpr unsigned needed_[] = {
      0, 1U << length, 1U << message, 1U << message, 1U << message | 1U << under, 0, 1U << many, 0};

  // An item as it stands in the file.
  struct Words {
    std::size_t verb = verbs_;
    int first = 0, message = 0;
    std::int64_t bytes = 0, count = 0;
    std::uint32_t request = 0;
  };

  void read_item() {
    if (++items_ > most_operations)
      json_.fail("there are more items than the limit, {}", most_operations);
    Keys keys(json_);
    RecordedItem& item = rank_->items.emplace_back();
    Words words;
    json_.object([&](std::string_view key) {
      const std::size_t which = keys.take(key, words_of_items_);
      if (which < verbs_) return read_verb(words, which);
      if (which == call) item.call = index(rank_->calls.size());
      if (which == message) words.message = static_cast<int>(number(0, most_operations - 1));
      if (which == length) words.bytes = bytes();
      if (which == many) words.count = number(1, most_ranks);
      if (which == under) words.request = request();
      if (which == after) item.after = number(0, longest_computation);
      if (which == place) item.place = index(rank_->places.size());
    });
    check(keys, words);
    item.what = what_of(words);
  }

  void read_verb(Words& words, std::size_t verb) {
    if (words.verb != verbs_)
      json_.fail("an item has one verb, and {} stands before", words_of_items_[words.verb]);
    words.verb = verb;
    if (verb == wait) {
      words.request = request();
    } else {
      words.first = count();
    }
  }

  void check(const Keys& keys, const Words& words) const {
    if (words.verb == verbs_)
      json_.fail("an item needs a verb: run, send, receive, probe, post, wait, arrive or shared");
    for (std::size_t word = message; word <= under; ++word) {
      if ((needed_[words.verb] >> word & 1) != 0) {
        keys.need(word, words_of_items_);
      } else if (keys.has(word) && !(word == under && words.verb <= send_to)) {
        json_.fail("{} has no {}", words_of_items_[words.verb], words_of_items_[word]);
      }
    }
    if (words.verb == run) check_index(words.first, rank_->bound.size());
    if (words.verb == arrive) check_index(words.first, rank_->counters.size());
  }
  void check_index(int index, std::size_t count) const {
    if (static_cast<std::size_t>(index) >= count)
      json_.fail("the number is {}, and there are {}", index, count);
  }

  static RecordedDeed what_of(const Words& words) {
    switch (words.verb) {
      case run:
        return RecordedCall{words.first, words.request};
      case send_to:
        return RecordedSend{words.first, words.bytes, words.request};
      case receive_from:
        return RecordedReceive{words.first, words.message};
      case probe:
        return RecordedProbe{words.first, words.message};
      case post:
        return RecordedPost{words.first, words.message, words.request};
      case wait:
        return RecordedWait{words.request};
      case arrive:
        return RecordedArrival{words.first, words.count};
      default:
        return RecordedShared{};
    }
  }

  JsonText json_;
  RecordedRun run_;
  RecordedRank* rank_ = nullptr;  // the one that is read
  std::map<std::string, int, std::less<>> groups_;
  std::int64_t rounds_ = 0, items_ = 0;
};

}  // namespace

bool is_recorded_run(std::string_view text) {
  std::size_t at = 0;
  const auto skip = [&] { at = std::min(text.find_first_not_of(" \t\r\n", at), text.size()); };
  skip();
  if (!text.substr(at).starts_with('{')) return false;
  ++at;
  skip();
  return text.substr(at).starts_with("\"tutti_recording\"");
}

RecordedRun read_recorded_run(std::string_view text, std::string_view file) {
  return RecordedRunReader(text, file).read();
}

}  // namespace tutti::formats
