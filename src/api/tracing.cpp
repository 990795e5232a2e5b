// SPDX-License-Identifier: BSD-3-Clause
// Owns the recorder of this process.
#include "api/tracing.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "api/state.hpp"
#include "base/environment.hpp"
#include "transport/wait_clock.hpp"

namespace tutti::api {
namespace {

std::string title_of(const launch::Membership& membership) {
  if (membership.parent() >= 0) return fmt::format("task {}", membership.id());
  return fmt::format("rank {}", membership.id());
}

std::uint64_t ring_bytes() {
  constexpr std::int64_t least = 64 << 10, most = std::int64_t{4} << 30;
  const std::int64_t bytes = base::bytes(base::Variable::trace_memory).value_or(0);
  if (bytes >= least && bytes <= most) return static_cast<std::uint64_t>(bytes);
  base::fail(base::Status::bad_environment,
             "environment variable {} is {} bytes but must be 64K to 4G",
             base::name_of(base::Variable::trace_memory), bytes);
}

}  // namespace

trace::Tracer* begin_trace(const launch::Membership& membership, engine::InFlight& in_flight) {
  const auto file = base::text(base::Variable::trace);
  if (!file) return nullptr;
  // The program may go to another folder before it ends.
  std::error_code error;
  const std::string path = std::filesystem::absolute(*file, error).string();
  trace::Tracer* const recorder = trace::Tracer::open({error ? *file : path, ring_bytes(),
                                                       membership.id(), title_of(membership)})
                                      .release();
  process.recorder = recorder;
  if (recorder == nullptr) return nullptr;
  static const int registered = std::atexit(end_trace);
  static_cast<void>(registered);
  in_flight.set_recorder(recorder);
  return recorder;
}

void end_trace() {
  if (process.recorder == nullptr) return;
  if (process.current != nullptr) {
    process.current->recorder = nullptr;
    process.current->job.in_flight().set_recorder(nullptr);
  }
  const std::unique_ptr<trace::Tracer> last(std::exchange(process.recorder, nullptr));
  last->close();
}

}  // namespace tutti::api
