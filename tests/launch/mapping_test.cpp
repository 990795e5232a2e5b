// SPDX-License-Identifier: BSD-3-Clause
// Tests segments: one is made with its header filled in, has the same memory for all who open it,
// and a file that is no segment is refused.
#include "transport/shm/mapping.hpp"
#include "base/processor_tuning.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/error.hpp"
#include "base/processors.hpp"
#include "launch/member.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using transport::shm::Presence;

// Returns the flags of the mapping at this address, such as " rd wr sh dd ".
std::string kernel_flags_at(const void* address) {
  std::ostringstream begin;
  begin << address;  // "0x" and the digits that /proc shows
  std::ifstream file("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(file, line);) {
    if (line.find('-') == begin.str().size() - 2) here = line.starts_with(begin.str().substr(2));
    if (here && line.starts_with("VmFlags:")) return line.substr(line.find(':') + 1) + " ";
  }
  return "";
}

[[noreturn]] void map_with_little_space() {
  constexpr rlim_t space = rlim_t{4} << 30;
  const rlimit limit{space, space};
  ::setrlimit(RLIMIT_AS, &limit);
  const auto mapping = Mapping::create({.world_size = 1, .limit_bytes = {}});
  ::_exit(mapping.header().segment_bytes < space ? 0 : 1);
}

// An MPI may bind each rank to a processor of its own.
TEST(Mapping, CountsTheProcessorsOfAllItsProcesses) {
  cpu_set_t all, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const auto mapping = Mapping::create({.world_size = 2, .limit_bytes = std::int64_t{1} << 30});
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(mapping.header().cpus.see(), 1U);
  transport::shm::add_processors(mapping.header());
  EXPECT_EQ(mapping.header().cpus.see(), base::usable_cpus());
}

TEST(Mapping, StartsWithTheWorldExpected) {
  const auto mapping = Mapping::create({.world_size = 3, .limit_bytes = std::int64_t{1} << 30});
  EXPECT_EQ(mapping.header().world_size, 3U);
  EXPECT_EQ(mapping.header().limit_bytes, std::int64_t{1} << 30);
  EXPECT_GE(mapping.header().cpus.see(), 1U);
  EXPECT_EQ(mapping.endpoint(2).presence.see(), Presence::expected);
  EXPECT_EQ(mapping.endpoint(2).world_rank.see(), 2);
  EXPECT_EQ(mapping.endpoint(3).presence.see(), Presence::empty);
  EXPECT_GE(mapping.header().heap_top.see(), sizeof(transport::shm::SegmentHeader));
}

TEST(Mapping, IsSharedWithWhoOpensIt) {
  const auto mapping = Mapping::create({.world_size = 1, .limit_bytes = {}});
  const auto other = Mapping::open(mapping.descriptor());
  mapping.header().attached.publish(5);
  EXPECT_EQ(other.header().attached.see(), 5U);
  EXPECT_EQ(other.offset_of(&other.header().attached),
            mapping.offset_of(&mapping.header().attached));
}

TEST(Mapping, ArenasFitIntoASmallLimit) {
  const auto arenas_of = [](std::uint32_t ranks, std::int64_t limit) {
    const auto mapping = Mapping::create({.world_size = ranks, .limit_bytes = limit});
    return std::int64_t{ranks} * mapping.header().tuning.fragment_ring;
  };
  EXPECT_LE(arenas_of(16, std::int64_t{32} << 20), std::int64_t{16} << 20);
  EXPECT_LE(arenas_of(40, std::int64_t{32} << 20), std::int64_t{16} << 20);
  base::TuningSettings suited;
  base::suit(suited, base::this_processor());
  EXPECT_EQ(arenas_of(2, std::int64_t{1} << 30), 2 * suited.values().fragment_ring);
}

// The kernel would fill every page of the segment to write it into a core file.
TEST(Mapping, IsLeftOutOfCoreDumps) {
  const auto mapping = Mapping::create({.world_size = 1, .limit_bytes = {}});
  const auto other = Mapping::open(mapping.descriptor());
  EXPECT_NE(kernel_flags_at(&mapping.header()).find(" dd "), std::string::npos);
  EXPECT_NE(kernel_flags_at(&other.header()).find(" dd "), std::string::npos);
}

TEST(Mapping, RefusesWhatIsNoSegment) {
  const Descriptor file(::memfd_create("something else", MFD_CLOEXEC));
  EXPECT_THROW((void)Mapping::open(file.get()), base::Error);
  EXPECT_THROW((void)Mapping::create({.world_size = 5000, .limit_bytes = {}}), base::Error);
  EXPECT_THROW((void)Mapping::create({.world_size = 8, .limit_bytes = 4096}), base::Error);
}

TEST(Mapping, AsksForLessAddressSpaceWhenThereIsLess) {
#if defined(TUTTI_SANITIZED)
  GTEST_SKIP() << "sanitizers need all address space themselves";
#endif
  EXPECT_EXIT(map_with_little_space(), testing::ExitedWithCode(0), "");
}

TEST(Membership, AloneIsAJobOfOne) {
  Membership job = Membership::singleton();
  EXPECT_EQ(job.endpoint(), 0);
  EXPECT_EQ(job.world_size(), 1);
  EXPECT_FALSE(job.has_supervisor());
  EXPECT_TRUE(job.valid());
  const Membership moved = std::move(job);
  EXPECT_TRUE(moved.valid());
}

TEST(Membership, LeavesOnce) {
  Membership job = Membership::singleton();
  auto& header = job.mapping().header();
  EXPECT_EQ(header.attached.see(), 1U);
  job.finalize();
  job.finalize();
  EXPECT_EQ(header.attached.see(), 0U);
  EXPECT_EQ(job.mapping().endpoint(0).presence.see(), Presence::finalized);
}

TEST(Membership, RefusesATicketOfClosedDescriptors) {
  EXPECT_THROW(static_cast<void>(Membership::attach({900, 901, 0})), base::Error);
}

}  // namespace
}  // namespace tutti::launch
