// SPDX-License-Identifier: BSD-3-Clause
// The messages to one node, outside of operations, that no receive has got, and the receives that
// have no message: which of them meet, in virtual time.
//
// A message meets the receive that was posted first of those that select it. A receive that names
// its sender and its key gets the first such message that is sent, at once, unless an older one
// that does not name it selects that, too. Any other receive gets a message when that is there: it
// has come, or it waits for its receive before it begins. A message of the same sender that the
// receive selects, too, and that was sent before, comes first, however long it takes. So no message
// overtakes another one. If there are several senders, the one whose message is there first counts.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "simulate/rank_source.hpp"
#include "transport/timed/selection.hpp"

namespace tutti::tools {

class NodeMail {
 public:
  enum class State : std::uint8_t {
    sent,   // on its way
    there,  // has come, or waits to begin
    seen    // the node has it already, after a look, or because it has sent it to itself
  };
  struct Message {
    int from = 0;
    int number = 0;  // among those from there, from 0
    State state = State::sent;
  };
  struct Meeting {
    simulate::RequestNumber request = 0;
    Message message;
  };
  using Meetings = std::vector<Meeting>;

  // A message to this node is sent. `state` is `sent`, or `seen` for one of the node itself.
  [[nodiscard]] Meetings sent(int from, transport::Label key, State state);
  // A message that has met no receive is there.
  [[nodiscard]] Meetings there(int from, int number);
  [[nodiscard]] Meetings post(simulate::RequestNumber request, const timed::Selection& selection);
  // Takes a receive back, and lets others meet what it has selected. Returns nothing if it has met
  // a message.
  [[nodiscard]] std::optional<Meetings> cancel(simulate::RequestNumber request);

  // Returns the first message of the selection that is there. Those that the program has refused do
  // not count.
  using Name = std::pair<int, int>;  // sender and number
  [[nodiscard]] std::optional<Message> find(const timed::Selection& selection,
                                            const std::set<Name>& refused = {}) const;
  // The node has the message now, after a look.
  void see(int from, int number);
  // The program takes a message that it has seen.
  void take(int from, int number);
  // A receive has got this message, and the program has not taken it.
  void stays(int from, int number, transport::Label key);

  // From now on, messages of this selection, if there is one, that meet no receive when they are
  // there are lost.
  void discard(const std::optional<timed::Selection>& selection) { discarded_ = selection; }
  // Returns the messages that have been lost since the last call.
  [[nodiscard]] std::vector<Message> lost() { return std::exchange(lost_, {}); }
  // Returns a message that is lost and that the program has not been told of.
  [[nodiscard]] std::optional<Message> next_lost(const timed::Selection& selection);

  // The program has ended. Returns the messages that it has left. Nobody receives later ones.
  [[nodiscard]] std::vector<Message> end();
  [[nodiscard]] bool has_ended() const { return has_ended_; }

 private:
  static constexpr std::int64_t not_yet = -1;
  struct Letter {
    Message message;
    transport::Label key;
    std::int64_t turn = not_yet;  // among all that are there, as they came
    bool is_lost = false;
  };
  struct Posted {
    simulate::RequestNumber request = 0;
    timed::Selection selection;
  };
  using Letters = std::deque<Letter>;  // of one sender, in the order in which it has sent them

  [[nodiscard]] std::vector<Posted>::iterator receive_for(int from, transport::Label key);
  [[nodiscard]] Letters::iterator place_of(int from, int number);
  // Returns the first message of a sender that is not lost and that the selection selects.
  [[nodiscard]] static Letters::iterator first_of(Letters& letters,
                                                  const timed::Selection& selection);
  [[nodiscard]] bool is_named(std::vector<Posted>::iterator receive);
  [[nodiscard]] Letters* sender_for(const timed::Selection& selection);
  void meet_all(int from, Meetings& meetings);
  void meet_named(Meetings& meetings);
  void count(Letters::iterator letter, Meetings& meetings);
  std::vector<Posted>::iterator meet(std::vector<Posted>::iterator receive, Letters& letters,
                                     Letters::iterator letter, Meetings& meetings);
  std::vector<Posted>::iterator drop(std::vector<Posted>::iterator receive);

  std::map<int, Letters> letters_;  // by sender
  std::map<int, int> numbers_;      // of the next message, by sender
  std::vector<Posted> posted_;      // in the order in which they were posted
  std::size_t unnamed_ = 0;         // of these, as they select
  std::optional<timed::Selection> discarded_;
  std::vector<Message> lost_;
  std::int64_t turns_ = 0, before_all_ = not_yet;
  bool has_ended_ = false;
};

}  // namespace tutti::tools
