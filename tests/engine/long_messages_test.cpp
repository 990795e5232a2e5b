// SPDX-License-Identifier: BSD-3-Clause
// Executes every algorithm over shared memory where messages of a few KiB count as long, so that
// they are copied once: with operands in memory of the process, in that of the job, and in both.
// The endpoints are threads at one mapping. Counts how many messages went each way.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory_resource>
#include <thread>
#include <vector>

#include "algorithms/registry.hpp"
#include "oracle.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/line_ring.hpp"
#include "transport/shm/ring.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::engine::test {
namespace {

using namespace transport::shm;

// Memory of the job.
class Lent final : public std::pmr::memory_resource {
 public:
  explicit Lent(const Mapping& mapping) : heap_(mapping), mapping_(&mapping) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    return mapping_->at<void>(heap_.allocate(std::max<std::size_t>(bytes, 1)).value());
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) override {
    heap_.free(mapping_->offset_of(memory), std::max<std::size_t>(bytes, 1));
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  Heap heap_;
  const Mapping* mapping_;
};

enum class Memory { own, lent, lent_of_even_ranks };

class LongMessages : public testing::TestWithParam<const schedule::Generator*> {
 protected:
  static Mapping mapping_of(int p) {
    base::Tuning tuning;
    tuning.one_copy_from = tuning.one_end_from = 4 << 10;
    tuning.one_copy_piece = 8 << 10;
    Mapping mapping = Mapping::create(
        {.world_size = static_cast<std::uint32_t>(p), .unsupervised = true, .tuning = tuning});
    for (int rank = 0; rank < p; ++rank) {
      Endpoint& endpoint = mapping.endpoint(rank);
      endpoint.pid.put(::getpid());
      endpoint.presence.put(Presence::attached);
      endpoint.kept_at_end.put(1);
    }
    return mapping;
  }
  static void TearDownTestSuite() {
    if (testing::UnitTest::GetInstance()->test_to_run_count() < 50) return;
    EXPECT_GT(sent.in_place, 100U);
    EXPECT_GT(sent.together, 100U);
  }
  static void play(const std::vector<Scene>& scenes, int p, Memory memory) {
    const Mapping mapping = mapping_of(p);
    std::vector<std::string> verdicts(static_cast<std::size_t>(p));
    std::vector<transport::LongCounts> of_ranks(static_cast<std::size_t>(p));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < p; ++rank) {
      threads.emplace_back([&, rank] {
        ShmTransport transport(mapping, rank);
        Lent lent(mapping);
        const bool lends =
            memory == Memory::lent || (memory == Memory::lent_of_even_ranks && rank % 2 == 0);
        for (Scene scene : scenes) {
          scene.n = 30'000;
          Player player(scene, rank, transport, lends ? lent : *std::pmr::new_delete_resource());
          player.run();
          std::string& verdict = verdicts[static_cast<std::size_t>(rank)];
          if (verdict.empty() && !player.verdict().empty())
            verdict = describe(scene) + ": " + player.verdict();
        }
        of_ranks[static_cast<std::size_t>(rank)] = transport.long_messages();
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const transport::LongCounts& one : of_ranks) {
      sent.in_place += one.in_place;
      sent.together += one.together;
    }
    for (const std::string& verdict : verdicts) EXPECT_EQ(verdict, "");
  }
  static void play(int p, std::initializer_list<Memory> memories) {
    std::vector<Scene> scenes = scenes_of(*GetParam(), p);
    std::erase_if(scenes, [](const Scene& scene) { return scene.n != 30; });
    for (const Memory memory : memories) play(scenes, p, memory);
  }

  inline static transport::LongCounts sent;
};

TEST_P(LongMessages, GiveTheSameResultsToTwo) {
  play(2, {Memory::own, Memory::lent, Memory::lent_of_even_ranks});
}

// More of them take longer, so test-full does this.
TEST_P(LongMessages, GiveTheSameResultsToMany) {
  for (const int p : {3, 5}) play(p, {Memory::own, Memory::lent, Memory::lent_of_even_ranks});
}

std::string name_of(const testing::TestParamInfo<const schedule::Generator*>& info) {
  return "operation" + std::to_string(static_cast<int>(info.param->operation)) + "_" +
         info.param->name;
}

INSTANTIATE_TEST_SUITE_P(All, LongMessages,
                         testing::ValuesIn(algorithms::all().begin(), algorithms::all().end()),
                         name_of);

}  // namespace
}  // namespace tutti::engine::test
