// SPDX-License-Identifier: BSD-3-Clause
// Tests which messages and receives of a node meet in virtual time.
#include "timekeeper/node_mail.hpp"

#include <gtest/gtest.h>

namespace tutti::tools {
namespace {

using timed::Selection;
using State = NodeMail::State;

Selection named(int from, std::uint64_t tag) {
  return {tag, Selection::all_tags, 0, Selection::all_details, from};
}
Selection of_anybody(std::uint64_t tag) {
  return {tag, Selection::all_tags, 0, Selection::all_details};
}
constexpr Selection everything{};

// Returns "REQUEST:SENDER.NUMBER ..." of what has met.
std::string text(const NodeMail::Meetings& meetings) {
  std::string text;
  for (const auto& [request, message] : meetings)
    text += (text.empty() ? "" : " ") + std::to_string(request) + ":" +
            std::to_string(message.from) + "." + std::to_string(message.number);
  return text;
}

class NodeMailTest : public testing::Test {
 protected:
  std::string send(int from, std::uint64_t tag) {
    return text(mail.sent(from, {tag}, State::sent));
  }
  std::string come(int from, int number) { return text(mail.there(from, number)); }
  std::string post(unsigned request, const Selection& what) {
    return text(mail.post(request, what));
  }
  std::string found(const Selection& what, const std::set<NodeMail::Name>& refused = {}) {
    const auto message = mail.find(what, refused);
    if (!message) return "none";
    return std::to_string(message->from) + "." + std::to_string(message->number);
  }

  NodeMail mail;
};

TEST_F(NodeMailTest, NamedReceivesGetMessagesWhenTheyAreSent) {
  EXPECT_EQ(post(1, named(3, 7)), "");
  EXPECT_EQ(send(3, 8), "");
  EXPECT_EQ(send(3, 7), "1:3.1");
  EXPECT_EQ(send(3, 7), "");
  EXPECT_EQ(post(2, named(3, 7)), "2:3.2");
  EXPECT_EQ(post(3, named(3, 8)), "3:3.0");
}

TEST_F(NodeMailTest, OthersGetThemWhenTheyAreThere) {
  EXPECT_EQ(post(1, of_anybody(7)), "");
  EXPECT_EQ(send(3, 7), "");
  EXPECT_EQ(send(4, 7), "");
  EXPECT_EQ(come(4, 0), "1:4.0");
  EXPECT_EQ(come(3, 0), "");
  EXPECT_EQ(post(2, everything), "2:3.0");
}

TEST_F(NodeMailTest, NoMessageOvertakesAnotherOneThatAReceiveSelects) {
  EXPECT_EQ(send(3, 7), "");
  EXPECT_EQ(send(3, 8), "");
  EXPECT_EQ(come(3, 1), "");
  EXPECT_EQ(post(1, everything), "");
  EXPECT_EQ(post(2, of_anybody(8)), "2:3.1");
  EXPECT_EQ(come(3, 0), "1:3.0");
}

TEST_F(NodeMailTest, AnOlderReceiveComesFirst) {
  EXPECT_EQ(post(1, of_anybody(7)), "");
  EXPECT_EQ(post(2, named(3, 7)), "");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(send(3, 7), "");
  EXPECT_EQ(come(3, 0), "1:3.0 2:3.1") << "the second message is named now";
  EXPECT_EQ(come(3, 2), "");
  EXPECT_EQ(post(3, named(3, 7)), "3:3.2");
}

TEST_F(NodeMailTest, AReceiveThatIsTakenBackLetsOthersMeet) {
  EXPECT_EQ(post(1, everything), "");
  EXPECT_EQ(post(2, named(3, 7)), "");
  EXPECT_EQ(send(3, 7), "");
  const auto meetings = mail.cancel(1);
  ASSERT_TRUE(meetings);
  EXPECT_EQ(text(*meetings), "2:3.0");
  EXPECT_FALSE(mail.cancel(2)) << "it has a message";
}

TEST_F(NodeMailTest, LooksFindTheFirstOfEachSender) {
  for (const int from : {3, 4, 3}) EXPECT_EQ(send(from, 7), "");
  EXPECT_EQ(come(3, 1), "");
  EXPECT_EQ(found(everything), "none");
  EXPECT_EQ(come(4, 0), "");
  EXPECT_EQ(come(3, 0), "");
  EXPECT_EQ(found(everything), "4.0");
  EXPECT_EQ(found(everything, {{4, 0}}), "3.0");
  EXPECT_EQ(found(everything, {{4, 0}, {3, 0}}), "3.1");
  EXPECT_EQ(found(everything, {{4, 0}, {3, 0}, {3, 1}}), "none");
  mail.see(4, 0);
  mail.take(4, 0);
  EXPECT_EQ(found(everything), "3.0");
  mail.stays(4, 0, {7});
  EXPECT_EQ(found(everything), "4.0") << "a message that was not taken is the oldest";
}

TEST_F(NodeMailTest, SetsSelectNumbers) {
  Selection set;
  set.set = 1U << 2 | 1U << 30;
  for (const std::uint64_t tag : {1, 2, 29, 30, 1000}) EXPECT_EQ(send(3, tag), "");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(come(3, i), "");
  EXPECT_EQ(post(1, set), "1:3.1");
  EXPECT_EQ(post(2, set), "2:3.3");
  EXPECT_EQ(post(3, set), "3:3.4");
  EXPECT_EQ(post(4, set), "");
}

TEST_F(NodeMailTest, MessagesThatNeedAReceiveAreLostWithoutOne) {
  mail.discard(of_anybody(9));
  EXPECT_EQ(post(1, named(3, 9)), "");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(send(3, 9), i == 0 ? "1:3.0" : "");
  EXPECT_EQ(come(3, 1), "");
  EXPECT_EQ(post(2, everything), "") << "it is lost";
  EXPECT_EQ(come(3, 2), "2:3.2");
  EXPECT_FALSE(mail.next_lost(of_anybody(8)));
  EXPECT_EQ(mail.lost().size(), 1U);
  EXPECT_TRUE(mail.lost().empty());
  ASSERT_TRUE(mail.next_lost(everything));
  EXPECT_FALSE(mail.next_lost(everything)) << "it is told once";
}

TEST_F(NodeMailTest, AMessageIsLostOnlyWhenItIsThere) {
  mail.discard(of_anybody(9));
  EXPECT_EQ(post(1, of_anybody(9)), "");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(send(3, 9), "");
  EXPECT_EQ(come(3, 1), "") << "the first one is to come before it";
  EXPECT_EQ(come(3, 0), "1:3.0");
  EXPECT_TRUE(mail.lost().empty());
  EXPECT_EQ(found(everything), "none") << "looks do not see it";
  EXPECT_EQ(post(2, of_anybody(9)), "2:3.1");
}

TEST_F(NodeMailTest, MessagesThatAreLeftAreNamed) {
  EXPECT_EQ(send(3, 7), "");
  EXPECT_EQ(text(mail.sent(0, {7}, State::seen)), "") << "a message to itself is there";
  EXPECT_EQ(found(everything), "0.0");
  const auto left = mail.end();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().from, 3);
  EXPECT_TRUE(mail.has_ended());
}

}  // namespace
}  // namespace tutti::tools
