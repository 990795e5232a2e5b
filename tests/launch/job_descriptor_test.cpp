// SPDX-License-Identifier: BSD-3-Clause
// Checks that a job descriptor is read only if it is exactly right.
#include "launch/job_descriptor.hpp"

#include <gtest/gtest.h>

#include "launch/outcome.hpp"

namespace tutti::launch {
namespace {

TEST(JobDescriptorTest, IsRead) {
  const auto found = JobDescriptor::parse("segment=5,supervisor=6,before=1,rank=2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->segment, 5);
  EXPECT_EQ(found->supervisor, 6);
  EXPECT_EQ(found->rank, 2);
  EXPECT_TRUE(found->launched_before);
  EXPECT_FALSE(JobDescriptor::parse("segment=5,supervisor=6,before=0,rank=2")->launched_before);
}

TEST(JobDescriptorTest, NonsenseIsRefused) {
  for (const char* text :
       {"", "segment=5", "segment=5,supervisor=6,before=0,rank=",
        "segment=-5,supervisor=6,before=0,rank=2", "segment=5,supervisor=6,before=0,rank=2,",
        "supervisor=6,segment=5,before=0,rank=2", "segment=5,supervisor=6,before=0,rank=2x",
        "segment=5,supervisor=6,rank=2", "segment=5,supervisor=6,before=,rank=2"}) {
    EXPECT_FALSE(JobDescriptor::parse(text)) << text;
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
