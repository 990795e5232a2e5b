// SPDX-License-Identifier: BSD-3-Clause
// Executes every algorithm over shared memory. The endpoints are threads at one mapping, so that
// ThreadSanitizer can check the transport.
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"
#include "oracle.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::engine::test {
namespace {

using transport::shm::Mapping;
using transport::shm::ShmTransport;
using Processes = std::vector<int>;

class SharedMemory
    : public testing::TestWithParam<std::tuple<const schedule::Generator*, Processes>> {};

TEST_P(SharedMemory, DeliversTheResultToThreadsAtOneMapping) {
  for (const int p : std::get<1>(GetParam())) {
    transport::shm::SegmentOptions options;
    options.world_size = static_cast<std::uint32_t>(p);
    const Mapping mapping = Mapping::create(options);
    const std::vector<Scene> scenes = scenes_of(*std::get<0>(GetParam()), p);
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

std::string name_of(const testing::TestParamInfo<SharedMemory::ParamType>& info) {
  const schedule::Generator& generator = *std::get<0>(info.param);
  return "operation" + std::to_string(static_cast<int>(generator.operation)) + "_" + generator.name;
}

auto all_on(Processes processes) {
  return testing::Combine(testing::ValuesIn(algorithms::all().begin(), algorithms::all().end()),
                          testing::Values(std::move(processes)));
}

INSTANTIATE_TEST_SUITE_P(All, SharedMemory, all_on({1, 2, 3, 5}), name_of);
INSTANTIATE_TEST_SUITE_P(Full, SharedMemory, all_on({8}), name_of);

}  // namespace
}  // namespace tutti::engine::test
