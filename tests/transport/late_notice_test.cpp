// SPDX-License-Identifier: BSD-3-Clause
// Tests the notice about processes that do not join.
#include "transport/wire/late_notice.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace tutti::transport::wire {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(LateNotice, SpeaksOnceWhenTheTimeIsOver) {
  testing::internal::CaptureStderr();
  {
    const LateNotice notice(milliseconds(1), "rank 1 waits");
    for (int i = 0; i < 5000 && ::lseek(STDERR_FILENO, 0, SEEK_END) == 0; ++i) ::usleep(1000);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tutti: rank 1 waits\n");
}

TEST(LateNotice, IsSilentWhenTheWaitIsOverBefore) {
  testing::internal::CaptureStderr();
  { const LateNotice notice(hours(1), "rank 1 waits"); }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace tutti::transport::wire
