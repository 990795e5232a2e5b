// SPDX-License-Identifier: BSD-3-Clause
// The supervisor's part for output: from the ranks' pipes to files, to stdout and stderr, or to
// both. While nobody reads stdout, the ranks that write to it wait, but the supervisor continues to
// supervise.
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/uninterrupted.hpp"
#include "launch/supervisor.hpp"

namespace tutti::launch {

namespace {

constexpr int code_of_failed_write = 1;

}  // namespace

std::array<Supervisor::Stream, 2> Supervisor::open_streams(int rank) {
  std::array<Stream, 2> streams;
  for (std::size_t stream = 0; stream < 2; ++stream) {
    streams[stream] = {
        .pipe = pipe_pair(), .tagger = LineTagger(rank), .file = open_file(rank, stream)};
  }
  return streams;
}

// If the streams cannot be watched, nobody would ever see their end, so they are closed.
void Supervisor::watch_streams(int rank) {
  try {
    for (std::size_t stream = 0; stream < 2; ++stream) {
      at(rank).streams[stream].pipe.second.reset();
      if (!paused_[outlet_of(stream)]) watch_stream(rank, stream);
    }
  } catch (const base::Error&) {
    for (Stream& stream : at(rank).streams) stream.pipe = {};
    throw;
  }
}

void Supervisor::watch_stream(int rank, std::size_t stream) {
  watch(at(rank).streams[stream].pipe.first.get(), stream == 0 ? Source::output : Source::error,
        rank);
}

// Opens the output file of a rank. It is emptied only once in a job, because tasks that reuse a
// slot also reuse the name of its file.
Outlet Supervisor::open_file(int rank, std::size_t stream) {
  const std::string& folder = options_.output.folder;
  if (folder.empty()) return {};
  const std::string path = output_file(folder, rank, world_size(), stream);
  const int begin = files_begun_.insert(path).second ? O_TRUNC : 0;
  Descriptor file(
      base::raised(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | begin, 0666)));
  if (!file.valid()) base::fail_errno(path.c_str());
  return Outlet(std::move(file));
}

void Supervisor::on_output(int rank, std::size_t stream) {
  Stream& one = at(rank).streams[stream];
  if (!one.pipe.first.valid()) return;
  std::array<char, 65536> bytes;
  const auto got =
      base::uninterrupted([&] { return ::read(one.pipe.first.get(), bytes.data(), bytes.size()); });
  if (got < 0) {
    conclude({code_of_failed_write, fmt::format("the output of {} cannot be read: {}",
                                                short_name(rank), std::strerror(errno))},
             States::omit);
  }
  const bool ended = got <= 0;
  const std::string_view text(bytes.data(), ended ? 0 : static_cast<std::size_t>(got));
  if (!options_.output.folder.empty()) {
    one.file.add(text);
    if (ended) one.file.close();
    if (one.file.error() != 0)
      fail_output(output_file(options_.output.folder, rank, world_size(), stream), one.file);
  }
  if (ended) unwatch(one.pipe.first);
  if (options_.output.tagged) forward(stream, ended ? one.tagger.finish() : one.tagger.add(text));
}

// Returns the outlet of a stream. With 2>&1 the tagged lines of both streams wait in one queue, so
// that a line that a full pipe took only in part is completed before anything else.
std::size_t Supervisor::outlet_of(std::size_t stream) const {
  return one_outlet_ ? 0 : stream;
}

void Supervisor::say(std::string_view text) {
  forward(1, base::without_controls(text));
}

void Supervisor::forward(std::size_t stream, std::string_view text) {
  const std::size_t outlet = outlet_of(stream);
  outlets_[outlet].add(text);
  check_outlet(outlet);
}

void Supervisor::on_outlet(std::size_t outlet) {
  outlets_[outlet].flush();
  check_outlet(outlet);
}

// Returns true if so much text waits that the ranks should wait, too.
bool Supervisor::is_full(const Outlet& outlet) const {
  return outlet.waiting() >= static_cast<std::size_t>(mapping_.tuning().output_held);
}

// Acts on the state of an outlet after each write: an error, a reader to wait for, or too much
// text.
void Supervisor::check_outlet(std::size_t outlet) {
  const Outlet& one = outlets_[outlet];
  if (one.error() != 0) fail_output(outlet == 0 ? "standard output" : "standard error", one);
  if (one.pending() != awaited_[outlet]) await_reader(outlet);
  if (is_full(one) != paused_[outlet]) pause_ranks(outlet);
}

void Supervisor::await_reader(std::size_t outlet) {
  awaited_[outlet] = outlets_[outlet].pending();
  const int descriptor = outlets_[outlet].descriptor();
  if (awaited_[outlet]) {
    watch(descriptor, outlet == 0 ? Source::stdout_ready : Source::stderr_ready, 0, EPOLLOUT);
  } else {
    forget(descriptor);
  }
}

// Leaves the ranks' pipes unread while too much text waits here, so that the ranks wait, too. Reads
// them again afterwards.
void Supervisor::pause_ranks(std::size_t outlet) {
  paused_[outlet] = is_full(outlets_[outlet]);
  for (int rank = 0; rank < slots(); ++rank) {
    for (std::size_t stream = 0; stream < 2; ++stream) {
      const Descriptor& pipe = at(rank).streams[stream].pipe.first;
      if (outlet_of(stream) != outlet || !pipe.valid()) continue;
      if (paused_[outlet]) {
        forget(pipe.get());
      } else {
        watch_stream(rank, stream);
      }
    }
  }
}

// Ends the job because output cannot be written. If the reader has gone, as in `tutti run ... |
// head`, the job ends silently, as the programs themselves would.
void Supervisor::fail_output(const std::string& where, const Outlet& outlet) {
  if (outlet.error() == EPIPE) return conclude({128 + SIGPIPE, ""}, States::omit);
  conclude({code_of_failed_write, fmt::format("cannot write the job's output to {}: {}", where,
                                              std::strerror(outlet.error()))},
           States::omit);
}

bool Supervisor::output_left() const {
  if (outlets_[0].pending() || outlets_[1].pending()) return true;
  return std::any_of(ranks_.begin(), ranks_.end(), [](const Watched& watched) {
    return watched.streams[0].pipe.first.valid() || watched.streams[1].pipe.first.valid();
  });
}

// Passes on the output that is left. Every writer has ended, so each pipe has an end. A reader may
// take its time, unless the user ends the job by a signal or --timeout passes.
void Supervisor::drain_output() {
  const int signal = interrupt_;
  std::optional<Clock::time_point> until;
  while (output_left() && interrupt_ == signal) {
    const auto now = Clock::now();
    if (!until && (signal != 0 || (deadline_ && now >= *deadline_)))
      until = now + std::chrono::nanoseconds(mapping_.tuning().last_output);
    if (until && now >= *until) break;
    try {
      wait_for_events(10);
    } catch (const base::Error& error) {
      return conclude({code_of_failed_write, error.what()}, States::omit);
    }
  }
  if (interrupt_ != signal) return conclude({128 + interrupt_, ""}, States::omit);
  if (signal != 0 || !output_left()) return;
  ExitDecision late = time_is_up();
  late.reason +=
      ": the ranks have ended, but not all of their output was read; see what keeps its reader, or "
      "give more time";
  conclude(std::move(late), States::omit);
}

}  // namespace tutti::launch
