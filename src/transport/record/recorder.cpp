// SPDX-License-Identifier: BSD-3-Clause
// Writes items and texts (recorder.hpp).
#include "transport/record/recorder.hpp"

#include <unistd.h>

#include "base/error.hpp"
#include "transport/trace/ticks.hpp"

namespace tutti::record {

RunRecorder::RunRecorder(const Request& request)
    : pid_(::getpid()),
      counter_(trace::has_constant_counter()),
      wants_places_(request.places),
      last_(now()) {
  if (request.timed != nullptr) stream_.emplace(*request.timed, request.process);
  if (!request.path.empty()) file_.emplace(request.path, request.process, counter_, last_);
}

// A child made by fork() has the same memory, in which its parent goes on. The timekeeper hears of
// the end from the supervisor, which knows whether it was good.
void RunRecorder::close() {
  if (pid_ != ::getpid()) return;
  put(ItemKind::end, 0, 0, 0);
  if (file_) file_->close();
}

void RunRecorder::put_text(ItemKind kind, std::string_view text) {
  const std::uint64_t computed = std::exchange(computed_, 0);
  put(kind, 0, 0, text.size());
  computed_ = computed;
  if (stream_) stream_->put_text(text);
  if (file_) file_->keep(text);
}

std::uint32_t RunRecorder::known(Numbers& numbers, ItemKind kind, std::string_view text) {
  const auto [at, is_new] =
      numbers.try_emplace(std::string(text), static_cast<std::uint32_t>(numbers.size() + 1));
  if (is_new) put_text(kind, text);
  return at->second;
}

}  // namespace tutti::record
