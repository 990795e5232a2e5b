// SPDX-License-Identifier: BSD-3-Clause
// Opens and closes the trace of this process, and numbers names.
#include "transport/trace/tracer.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "transport/trace/events.hpp"

namespace tutti::trace {
namespace {

template <std::size_t size>
void put(char (&field)[size], std::string_view text) {
  std::copy_n(text.data(), std::min(text.size(), size - 1), field);
}

}  // namespace

std::unique_ptr<Tracer> Tracer::open(const Request& request) {
  auto journal = std::make_unique<Journal>(request.path, Journal::Join::as_process);
  try {
    Part part = Part::create(part_path(request.path, request.process), request.bytes);
    return std::unique_ptr<Tracer>(new Tracer(std::move(journal), std::move(part), request));
  } catch (const base::Error& error) {
    if (error.status() != base::Status::out_of_memory) throw;
    if (journal->may_speak())
      base::notice("tutti: there is no trace of this job: {}\n", error.what());
    journal->stay_open();
    return nullptr;
  }
}

Tracer::Tracer(std::unique_ptr<Journal> journal, Part part, const Request& request)
    : journal_(std::move(journal)),
      part_(std::move(part)),
      header_(&part_.header()),
      ring_(part_.records()),
      capacity_(header_->capacity),
      counter_(has_constant_counter()) {
  // Each page is touched now, so that no call is slowed down by its first use.
  std::fill_n(ring_, capacity_, TraceRecord{});
  header_->counter = counter_;
  header_->process = request.process;
  header_->pid = ::getpid();
  put(header_->boot, boot_name());
  put(header_->title, request.title);
  header_->begin_real = nanoseconds(CLOCK_REALTIME);
  header_->begin_monotonic = nanoseconds(CLOCK_MONOTONIC);
  header_->begin_ticks = last_ = now();
  header_->magic = Header::current_magic;
}

void Tracer::close() {
  if (header_->pid != ::getpid()) return;
  std::string why;
  try {
    if (write_events(part_, *journal_)) return part_.remove();
    if (!journal_->may_speak()) return;
    why = journal_->reason();
  } catch (const base::Error& error) {
    why = error.what();
  }
  base::notice(
      "tutti: the trace '{}' cannot be written: {}; the records stay in '{}' and files like it, "
      "and `tutti trace` adds them when it can\n",
      journal_->path(), why, part_path(journal_->path(), header_->process));
}

std::uint32_t Tracer::number_of(std::string_view name) {
  const std::uint32_t count = header_->name_count.load(std::memory_order_relaxed);
  name = name.substr(0, Header::name_bytes - 1);
  for (std::uint32_t i = 1; i < count; ++i)
    if (name == header_->names[i]) return i;
  if (count == Header::most_names) return 0;
  put(header_->names[count], name);
  header_->name_count.store(count + 1, std::memory_order_release);
  return count;
}

void Tracer::learn(Known& known, const Words& name) {
  const auto text = std::bit_cast<std::array<char, sizeof(Words)>>(name);
  known = {name, number_of(std::string_view(text.data(), ::strnlen(text.data(), text.size())))};
}

}  // namespace tutti::trace
