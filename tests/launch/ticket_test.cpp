// SPDX-License-Identifier: BSD-3-Clause
// The ticket is read exactly or not at all.
#include "launch/ticket.hpp"

#include <gtest/gtest.h>

#include "launch/outcome.hpp"

namespace tutti::launch {
namespace {

TEST(Ticket, IsRead) {
  const auto ticket = JobTicket::parse("segment=5,judge=6,before=1,rank=2");
  ASSERT_TRUE(ticket);
  EXPECT_EQ(ticket->segment, 5);
  EXPECT_EQ(ticket->judge, 6);
  EXPECT_EQ(ticket->rank, 2);
  EXPECT_TRUE(ticket->launched_before);
  EXPECT_FALSE(JobTicket::parse("segment=5,judge=6,before=0,rank=2")->launched_before);
}

TEST(Ticket, NonsenseIsRefused) {
  for (const char* text :
       {"", "segment=5", "segment=5,judge=6,before=0,rank=", "segment=-5,judge=6,before=0,rank=2",
        "segment=5,judge=6,before=0,rank=2,", "judge=6,segment=5,before=0,rank=2",
        "segment=5,judge=6,before=0,rank=2x", "segment=5,judge=6,rank=2",
        "segment=5,judge=6,before=,rank=2"}) {
    EXPECT_FALSE(JobTicket::parse(text)) << text;
  }
}

TEST(Outcome, CodesFollowTheShell) {
  EXPECT_EQ((Ending{EndingKind::signalled, 9}.exit_code()), 137);
  EXPECT_EQ((Ending{EndingKind::exited, 3}.exit_code()), 3);
  EXPECT_TRUE((Ending{EndingKind::exited, 0}.good()));
  EXPECT_EQ(abort_exit_code(7), 7);
  EXPECT_EQ(abort_exit_code(0), 1);
  EXPECT_EQ(abort_exit_code(256), 1);
  EXPECT_EQ(abort_exit_code(-1), 255);
}

}  // namespace
}  // namespace tutti::launch
