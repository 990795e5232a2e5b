// SPDX-License-Identifier: BSD-3-Clause
// Lets messages and receives meet (node_mail.hpp).
#include "timekeeper/node_mail.hpp"

#include <algorithm>

namespace tutti::tools {

using timed::Selection;
using transport::Label;

std::vector<NodeMail::Posted>::iterator NodeMail::receive_for(int from, Label key) {
  return std::find_if(posted_.begin(), posted_.end(),
                      [&](const Posted& one) { return one.selection.fits(from, key); });
}

NodeMail::Letters::iterator NodeMail::place_of(int from, int number) {
  Letters& letters = letters_[from];
  const auto place =
      std::lower_bound(letters.begin(), letters.end(), number,
                       [](const Letter& one, int wanted) { return one.message.number < wanted; });
  return place != letters.end() && place->message.number == number ? place : letters.end();
}

NodeMail::Letters::iterator NodeMail::first_of(Letters& letters, const Selection& selection) {
  return std::find_if(letters.begin(), letters.end(), [&](const Letter& one) {
    return !one.is_lost && selection.fits(one.message.from, one.key);
  });
}

// A named receive that has no message has left none behind.
NodeMail::Meetings NodeMail::sent(int from, Label key, State state) {
  Meetings meetings;
  const int number = numbers_[from]++;
  if (has_ended_) return meetings;
  Letters& letters = letters_[from];
  const std::int64_t turn = state == State::sent ? not_yet : turns_++;
  letters.push_back({{from, number, state}, key, turn});
  if (const auto receive = receive_for(from, key); receive != posted_.end() && is_named(receive))
    meet(receive, letters, letters.end() - 1, meetings);
  else if (state != State::sent)
    count(letters.end() - 1, meetings);
  return meetings;
}

NodeMail::Meetings NodeMail::there(int from, int number) {
  Meetings meetings;
  const auto letter = place_of(from, number);
  if (letter == letters_[from].end()) return meetings;
  letter->message.state = State::there;
  letter->turn = turns_++;
  count(letter, meetings);
  return meetings;
}

NodeMail::Meetings NodeMail::post(simulate::RequestNumber request, const Selection& selection) {
  Meetings meetings;
  posted_.push_back({request, selection});
  if (!selection.is_named()) ++unnamed_;
  const auto receive = posted_.end() - 1;
  if (is_named(receive)) {
    Letters& letters = letters_[selection.from];
    if (const auto letter = first_of(letters, selection); letter != letters.end())
      meet(receive, letters, letter, meetings);
  } else if (Letters* const letters = sender_for(selection)) {
    meet(receive, *letters, first_of(*letters, selection), meetings);
  }
  return meetings;
}

std::optional<NodeMail::Meetings> NodeMail::cancel(simulate::RequestNumber request) {
  const auto found = std::find_if(posted_.begin(), posted_.end(),
                                  [&](const Posted& one) { return one.request == request; });
  if (found == posted_.end()) return std::nullopt;
  const bool named = found->selection.is_named();
  drop(found);
  Meetings meetings;
  if (!named) meet_named(meetings);
  return meetings;
}

// Returns true if the receive gets the first message that it selects when that is sent.
bool NodeMail::is_named(std::vector<Posted>::iterator receive) {
  const Selection& own = receive->selection;
  return own.is_named() &&
         (unnamed_ == 0 || std::all_of(posted_.begin(), receive, [&](const Posted& older) {
            return older.selection.is_named() ||
                   !older.selection.fits(own.from, {own.tag, own.detail});
          }));
}

// Called when a receive is gone before which others were not named.
void NodeMail::meet_named(Meetings& meetings) {
  for (auto receive = posted_.begin(); receive != posted_.end();) {
    if (is_named(receive)) {
      Letters& letters = letters_[receive->selection.from];
      const auto letter = first_of(letters, receive->selection);
      if (letter != letters.end()) {
        receive = meet(receive, letters, letter, meetings);
        continue;
      }
    }
    ++receive;
  }
}

// Lets the messages of a sender meet the receives that were posted for them.
void NodeMail::meet_all(int from, Meetings& meetings) {
  Letters& letters = letters_[from];
  for (auto receive = posted_.begin(); receive != posted_.end();) {
    const auto letter = first_of(letters, receive->selection);
    if (letter == letters.end() || letter->turn == not_yet) {
      ++receive;
      continue;
    }
    const bool named = receive->selection.is_named();
    meet(receive, letters, letter, meetings);
    if (!named) meet_named(meetings);
    receive = posted_.begin();
  }
}

// Returns the place of the next receive.
std::vector<NodeMail::Posted>::iterator NodeMail::meet(std::vector<Posted>::iterator receive,
                                                       Letters& letters, Letters::iterator letter,
                                                       Meetings& meetings) {
  meetings.push_back({receive->request, letter->message});
  letters.erase(letter);
  return drop(receive);
}

std::vector<NodeMail::Posted>::iterator NodeMail::drop(std::vector<Posted>::iterator receive) {
  if (!receive->selection.is_named()) --unnamed_;
  return posted_.erase(receive);
}

// A message is there now. It is lost only at this moment, if no receive selects it.
void NodeMail::count(Letters::iterator letter, Meetings& meetings) {
  const int from = letter->message.from;
  if (discarded_ && discarded_->fits(from, letter->key) &&
      receive_for(from, letter->key) == posted_.end()) {
    letter->is_lost = true;
    lost_.push_back(letter->message);
  }
  meet_all(from, meetings);
}

// Returns the messages of the sender whose message comes first.
NodeMail::Letters* NodeMail::sender_for(const Selection& selection) {
  Letters* found = nullptr;
  std::int64_t turn = 0;
  for (auto& [from, letters] : letters_) {
    const auto first = first_of(letters, selection);
    if (first == letters.end() || first->turn == not_yet) continue;
    if (found != nullptr && first->turn > turn) continue;
    found = &letters;
    turn = first->turn;
  }
  return found;
}

std::optional<NodeMail::Message> NodeMail::find(const Selection& selection,
                                                const std::set<Name>& refused) const {
  // A message that needs a posted receive, and that one is to get, is hidden from looks.
  const auto is_hidden = [this](const Letter& one) {
    return one.turn != not_yet && discarded_ && discarded_->fits(one.message.from, one.key);
  };
  const Letter* found = nullptr;
  for (const auto& [from, letters] : letters_) {
    const auto first = std::find_if(letters.begin(), letters.end(), [&](const Letter& one) {
      return !one.is_lost && !is_hidden(one) && selection.fits(one.message.from, one.key) &&
             refused.count({one.message.from, one.message.number}) == 0;
    });
    if (first == letters.end() || first->turn == not_yet) continue;
    if (found == nullptr || first->turn < found->turn) found = &*first;
  }
  if (found == nullptr) return std::nullopt;
  return found->message;
}

void NodeMail::see(int from, int number) {
  place_of(from, number)->message.state = State::seen;
}

void NodeMail::take(int from, int number) {
  if (const auto letter = place_of(from, number); letter != letters_[from].end())
    letters_[from].erase(letter);
}

void NodeMail::stays(int from, int number, Label key) {
  Letters& letters = letters_[from];
  const auto place = std::find_if(letters.begin(), letters.end(),
                                  [&](const Letter& one) { return one.message.number > number; });
  letters.insert(place, {{from, number, State::seen}, key, --before_all_});
}

std::optional<NodeMail::Message> NodeMail::next_lost(const Selection& selection) {
  for (auto& [from, letters] : letters_) {
    const auto lost = std::find_if(letters.begin(), letters.end(), [&](const Letter& one) {
      return one.is_lost && selection.fits(one.message.from, one.key);
    });
    if (lost == letters.end()) continue;
    const Message message = lost->message;
    letters.erase(lost);
    return message;
  }
  return std::nullopt;
}

std::vector<NodeMail::Message> NodeMail::end() {
  has_ended_ = true;
  std::vector<Message> left;
  for (const auto& [from, letters] : letters_)
    for (const Letter& one : letters)
      if (one.message.state != State::seen && !one.is_lost) left.push_back(one.message);
  letters_.clear();
  posted_.clear();
  unnamed_ = 0;
  return left;
}

}  // namespace tutti::tools
