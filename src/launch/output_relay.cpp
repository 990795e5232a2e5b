// SPDX-License-Identifier: BSD-3-Clause
// Reads pipes, writes to outlets, and lets writers wait for readers.
#include "launch/output_relay.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/uninterrupted.hpp"
#include "launch/report.hpp"

namespace tutti::launch {

OutputRelay::OutputRelay(const transport::shm::Mapping& mapping, Watcher& watcher,
                         const OutputOptions& options, Judge judge)
    : mapping_(&mapping),
      watcher_(&watcher),
      options_(&options),
      judge_(std::move(judge)),
      one_outlet_(options.tagged && same_file(STDOUT_FILENO, STDERR_FILENO)) {}

// --- the streams of the ranks ---

OutputRelay::Streams OutputRelay::open(int rank) {
  Streams streams;
  for (std::size_t stream = 0; stream < streams.size(); ++stream) {
    streams[stream] = {
        .pipe = pipe_pair(), .tagger = LineTagger(rank), .file = open_file(rank, stream)};
  }
  return streams;
}

// Opens the output file of a rank. It is emptied only once in a job, because tasks that reuse a
// slot also reuse the name of its file.
Outlet OutputRelay::open_file(int rank, std::size_t stream) {
  if (options_->folder.empty()) return {};
  const std::string path = output_file(options_->folder, rank, world_size(), stream);
  const int begin = files_begun_.insert(path).second ? O_TRUNC : 0;
  Descriptor file(
      base::raised(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | begin, 0666)));
  if (!file.valid()) base::fail_errno(path.c_str());
  return Outlet(std::move(file));
}

void OutputRelay::begin(int rank, Streams streams) {
  const auto slot = static_cast<std::size_t>(rank);
  if (streams_.size() <= slot) streams_.resize(slot + 1);
  streams_[slot] = std::move(streams);
  try {
    for (std::size_t stream = 0; stream < 2; ++stream) {
      streams_[slot][stream].pipe.second.reset();
      if (!paused_[outlet_of(stream)]) watch_stream(rank, stream);
    }
  } catch (const base::Error&) {
    for (Stream& stream : streams_[slot]) stream.pipe = {};
    throw;
  }
}

void OutputRelay::watch_stream(int rank, std::size_t stream) {
  watcher_->watch(streams_[static_cast<std::size_t>(rank)][stream].pipe.first.get(),
                  stream == 0 ? Watched::output : Watched::error, rank);
}

void OutputRelay::on_output(int rank, std::size_t stream) {
  Stream& one = streams_[static_cast<std::size_t>(rank)][stream];
  if (!one.pipe.first.valid()) return;
  std::array<char, 65536> bytes;
  const auto got =
      base::uninterrupted([&] { return ::read(one.pipe.first.get(), bytes.data(), bytes.size()); });
  if (got < 0) {
    judge_(Broken{.text = fmt::format("the output of {} cannot be read: {}",
                                      list_ranks({rank}, world_size()), std::strerror(errno))});
  }
  const bool ended = got <= 0;
  const std::string_view text(bytes.data(), ended ? 0 : static_cast<std::size_t>(got));
  if (!options_->folder.empty()) {
    one.file.add(text);
    if (ended) one.file.close();
    if (one.file.error() != 0) {
      judge_(
          OutputLost{one.file.error(), output_file(options_->folder, rank, world_size(), stream)});
    }
  }
  if (ended) watcher_->drop(one.pipe.first);
  if (options_->tagged) forward(stream, ended ? one.tagger.finish() : one.tagger.add(text));
}

bool OutputRelay::drained(int rank) const {
  const auto slot = static_cast<std::size_t>(rank);
  return slot >= streams_.size() || std::ranges::none_of(streams_[slot], [](const Stream& one) {
           return one.pipe.first.valid();
         });
}

bool OutputRelay::left() const {
  if (outlets_[0].pending() || outlets_[1].pending()) return true;
  for (std::size_t slot = 0; slot < streams_.size(); ++slot)
    if (!drained(static_cast<int>(slot))) return true;
  return false;
}

// --- the outlets ---

// Returns the outlet of a stream. With 2>&1 the tagged lines of both streams wait in one queue, so
// that a line that a full pipe took only in part is completed before anything else.
std::size_t OutputRelay::outlet_of(std::size_t stream) const {
  return one_outlet_ ? 0 : stream;
}

void OutputRelay::say(std::string_view text) {
  forward(1, base::without_controls(text));
}

void OutputRelay::forward(std::size_t stream, std::string_view text) {
  const std::size_t outlet = outlet_of(stream);
  outlets_[outlet].add(text);
  check_outlet(outlet);
}

void OutputRelay::on_outlet(std::size_t outlet) {
  outlets_[outlet].flush();
  check_outlet(outlet);
}

// Returns true if so much text waits that the ranks should wait, too.
bool OutputRelay::is_full(const Outlet& outlet) const {
  return outlet.waiting() >= static_cast<std::size_t>(mapping_->tuning().output_held);
}

// Acts on the state of an outlet after each write: an error, a reader to wait for, or too much
// text.
void OutputRelay::check_outlet(std::size_t outlet) {
  const Outlet& one = outlets_[outlet];
  if (one.error() != 0)
    judge_(OutputLost{one.error(), outlet == 0 ? "standard output" : "standard error"});
  if (one.pending() != awaited_[outlet]) await_reader(outlet);
  if (is_full(one) != paused_[outlet]) pause_ranks(outlet);
}

void OutputRelay::await_reader(std::size_t outlet) {
  awaited_[outlet] = outlets_[outlet].pending();
  const int descriptor = outlets_[outlet].descriptor();
  if (!awaited_[outlet]) return watcher_->forget(descriptor);
  watcher_->watch_room(descriptor, outlet == 0 ? Watched::stdout_ready : Watched::stderr_ready);
}

// Leaves the ranks' pipes unread while too much text waits here, so that the ranks wait, too. Reads
// them again afterwards.
void OutputRelay::pause_ranks(std::size_t outlet) {
  paused_[outlet] = is_full(outlets_[outlet]);
  for (std::size_t slot = 0; slot < streams_.size(); ++slot) {
    for (std::size_t stream = 0; stream < 2; ++stream) {
      const Descriptor& pipe = streams_[slot][stream].pipe.first;
      if (outlet_of(stream) != outlet || !pipe.valid()) continue;
      if (paused_[outlet]) {
        watcher_->forget(pipe.get());
      } else {
        watch_stream(static_cast<int>(slot), stream);
      }
    }
  }
}

}  // namespace tutti::launch
