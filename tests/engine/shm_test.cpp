// SPDX-License-Identifier: BSD-3-Clause
// Executes every algorithm over shared memory. The endpoints are threads at one mapping, so that
// ThreadSanitizer can check the transport.
#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "algorithms/registry.hpp"
#include "oracle.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::engine::test {
namespace {

using transport::shm::Mapping;
using transport::shm::ShmTransport;

class SharedMemory : public testing::TestWithParam<const schedule::Generator*> {};

TEST_P(SharedMemory, DeliversTheResultToThreadsAtOneMapping) {
  for (const int p : {1, 2, 3, 5, 8}) {
    transport::shm::SegmentOptions options;
    options.world_size = static_cast<std::uint32_t>(p);
    const Mapping mapping = Mapping::create(options);
    const std::vector<Scene> scenes = scenes_of(*GetParam(), p);
    std::vector<std::string> verdicts(static_cast<std::size_t>(p));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < p; ++rank) {
      threads.emplace_back([&, rank] {
        ShmTransport transport(mapping, rank);
        for (Scene scene : scenes) {
          if (scene.n == 30) scene.n = 30'000;  // several fragments
          Player player(scene, rank, transport);
          player.run();
          std::string wrong = player.verdict();
          if (!wrong.empty() && verdicts[static_cast<std::size_t>(rank)].empty()) {
            verdicts[static_cast<std::size_t>(rank)] = describe(scene) + ": " + wrong;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& verdict : verdicts) EXPECT_EQ(verdict, "");
  }
}

std::string name_of(const testing::TestParamInfo<const schedule::Generator*>& info) {
  return "operation" + std::to_string(static_cast<int>(info.param->operation)) + "_" +
         info.param->name;
}

INSTANTIATE_TEST_SUITE_P(All, SharedMemory,
                         testing::ValuesIn(algorithms::all().begin(), algorithms::all().end()),
                         name_of);

}  // namespace
}  // namespace tutti::engine::test
