// SPDX-License-Identifier: BSD-3-Clause
// Counts calls and keeps samples (record.hpp).
#include "record.hpp"

#include <bit>
#include <mutex>

#include "clock.hpp"
#include "place.hpp"
#include "report.hpp"

namespace tutti::mpi {

constinit bool recording = false;

namespace {

std::mutex mutex;  // threads may add calls at the same time
[[gnu::tls_model("initial-exec")]] constinit thread_local CountedCall* current = nullptr;

std::uint64_t hash_of(const CallKind& kind) {
  const std::uint64_t about = static_cast<std::uint64_t>(kind.operation) |
                              static_cast<std::uint64_t>(kind.applier) << 8 |
                              static_cast<std::uint64_t>(kind.ours) << 9 |
                              static_cast<std::uint64_t>(kind.size_class) << 10 |
                              static_cast<std::uint64_t>(kind.members) << 16;
  std::uint64_t hash = (about ^ kind.site * 31) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 29;
}

}  // namespace

void CallRecord::keep_samples(std::size_t most) {
  most_samples_ = most;
  samples_.reserve(most);
}

// The table has free places, so a search ends.
std::uint32_t CallRecord::number_of(const CallKind& kind) {
  if (2 * (kinds_.size() + 1) > table_.size()) {
    table_.assign(std::bit_ceil(4 * (kinds_.size() + 16)), 0);
    for (std::uint32_t known = 0; known < kinds_.size(); ++known) {
      std::size_t place = hash_of(kinds_[known].kind) % table_.size();
      while (table_[place] != 0) place = (place + 1) % table_.size();
      table_[place] = known + 1;
    }
  }
  std::size_t place = hash_of(kind) % table_.size();
  for (; table_[place] != 0; place = (place + 1) % table_.size())
    if (kinds_[table_[place] - 1].kind == kind) return table_[place] - 1;
  kinds_.push_back({.kind = kind});
  table_[place] = static_cast<std::uint32_t>(kinds_.size());
  return table_[place] - 1;
}

void CallRecord::thin_out() {
  mask_ = mask_ * 2 + 1;
  std::erase_if(samples_,
                [&](const CallSample& sample) { return (sample_hash(sample) & mask_) != 0; });
}

void CallRecord::add(const CallKind& kind, std::int64_t bytes, const char* why,
                     const CallSample& sample) {
  const std::uint32_t number = number_of(kind);
  KindSums& sums = kinds_[number];
  ++sums.calls;
  sums.bytes += bytes;
  sums.nanoseconds += sample.taken;
  if (sums.why == nullptr) sums.why = why;
  if (sample.communicator == 0 || most_samples_ == 0) return;
  if (samples_.size() == most_samples_) thin_out();
  if ((sample_hash(sample) & mask_) != 0 || samples_.size() == most_samples_) return;
  samples_.push_back(sample);
  samples_.back().kind = number;
}

CallRecord& record() {
  static auto* const kept = new CallRecord;
  return *kept;
}

void CountedCall::begin(const void* caller) {
  site_ = site_of_call(caller);
  current = this;
  sample_.begun = nanoseconds_now();
}

// Threads of one communicator make its calls one after the other, as MPI wants.
void CountedCall::number(KnownCommunicator& communicator) {
  members_ = communicator.size;
  sample_.communicator = communicator.label;
  sample_.number = communicator.recorded++;
  sample_.is_root = communicator.rank == root_ ? 1 : 0;
}

void CountedCall::forget() {
  current = nullptr;
}

void CountedCall::end() {
  sample_.taken = nanoseconds_now() - sample_.begun;
  CallKind kind{.operation = operation_, .applier = applier_, .ours = why_ == nullptr};
  kind.members = members_;
  kind.site = site_;
  kind.size_class = static_cast<std::int32_t>(std::bit_width(static_cast<std::uint64_t>(bytes_)));
  const std::lock_guard lock(mutex);
  record().add(kind, bytes_, why_, sample_);
}

// A line of an explanation may take milliseconds, which are not the call's.
void CountedCall::explain(const char* reason) {
  why_ = reason;
  const std::int64_t before = nanoseconds_now();
  say_served_by_mpi(operation_, site_, reason);
  sample_.begun += nanoseconds_now() - before;
}

void CountedCall::tell_place() {
  if (current != nullptr) library.call_comes_from(current->site_);
}

void CountedCall::note_size(Count bytes, Applier applier) {
  if (current == nullptr) return;
  current->bytes_ = bytes;
  current->applier_ = applier;
}

}  // namespace tutti::mpi
