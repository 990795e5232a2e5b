// SPDX-License-Identifier: BSD-3-Clause
// Breaks every rule of the checking transport once, which must be reported, and checks its counts
// of traffic.
#include "transport/checking/transport.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "transport/loopback/network.hpp"

namespace tutti::transport::checking {
namespace {

class Checking : public testing::Test {
 protected:
  loopback::LoopbackNetwork network{2, {}};
  CheckingTransport one{network.endpoint(0)};
  CheckingTransport two{network.endpoint(1)};
  const double payload = 3.5;

  template <class Misuse>
  void expect_refusal(const Misuse& misuse, const char* rule) {
    try {
      misuse();
      ADD_FAILURE() << "accepted: " << rule;
    } catch (const base::Error& error) {
      EXPECT_NE(std::string(error.what()).find(rule), std::string::npos) << error.what();
    }
  }
};

TEST_F(Checking, LetsProperUsePassAndCountsIt) {
  Channel& out = one.channel(1);
  ASSERT_TRUE(out.ready());
  out.post_inline(9, &payload, sizeof(payload));
  const Lent fragment = one.acquire(60, 1, 1);
  ASSERT_TRUE(out.ready());
  out.post(10, 60, fragment, 60);
  Channel& in = two.channel(0);
  ASSERT_NE(in.peek(), nullptr);
  EXPECT_EQ(in.peek()->label, 9U);
  in.pop();
  ASSERT_NE(in.peek(), nullptr);
  in.pop();
  EXPECT_EQ(one.sent(1).packets, 2U);
  EXPECT_EQ(one.sent(1).bytes, 68U);
  EXPECT_EQ(two.sent(0).packets, 0U);
  one.expect_settled();
  EXPECT_TRUE(network.quiet());
}

TEST_F(Checking, RefusesPostsWithoutRoom) {
  expect_refusal([&] { one.channel(1).post_inline(1, &payload, 8); },
                 "a post must follow a ready()");
  ASSERT_TRUE(one.channel(1).ready());
  one.channel(1).post_inline(1, &payload, 8);
  expect_refusal([&] { one.channel(1).post_inline(1, &payload, 8); },
                 "a post must follow a ready()");
}

TEST_F(Checking, RefusesFragmentsForTheWrongReaders) {
  expect_refusal([&] { (void)one.acquire(0, 1, 1); }, "1 to CutLimits::fragment");
  expect_refusal([&] { (void)one.acquire(65, 1, 1); }, "1 to CutLimits::fragment");
  expect_refusal([&] { (void)one.acquire(50, 0, 1); }, "at least one reader");
  const Lent fragment = one.acquire(50, 1, 1);
  expect_refusal([&] { one.expect_settled(); }, "not posted to all its readers");
  expect_refusal([&] { (void)one.acquire(50, 1, 1); }, "before the next one is acquired");
  ASSERT_TRUE(one.channel(1).ready());
  expect_refusal([&] { one.channel(1).post(1, 30, fragment, 30); }, "must be posted inline");
  expect_refusal([&] { one.channel(1).post(1, 90, fragment, 60); }, "must fit its fragment");
  one.channel(1).post(1, 90, fragment, 50);
  ASSERT_TRUE(one.channel(1).ready());
  expect_refusal([&] { one.channel(1).post(1, 90, fragment, 40); }, "no more readers");
}

TEST_F(Checking, RefusesPopsWithoutALook) {
  expect_refusal([&] { two.channel(0).pop(); }, "pop() must follow a peek()");
  EXPECT_EQ(two.channel(0).peek(), nullptr);
  expect_refusal([&] { two.channel(0).pop(); }, "pop() must follow a peek()");
  expect_refusal([&] { two.idler().awake(); }, "awake() must follow idle()");
}

}  // namespace
}  // namespace tutti::transport::checking
