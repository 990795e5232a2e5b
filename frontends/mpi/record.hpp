// SPDX-License-Identifier: BSD-3-Clause
// The record of the program's collectives: how often each place calls which operation, how long the
// calls take, and when some of them begin and end. It is kept if this process explains or if the
// verdict is asked for; a call costs nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "communicator.hpp"
#include "servers.hpp"

namespace tutti::mpi {

// Calls that are alike.
struct CallKind {
  MpiOperation operation{};
  Applier applier = Applier::tutti;
  bool ours = true;             // tutti serves them
  std::int32_t members = 0;     // 0: the MPI knows better
  std::int32_t size_class = 0;  // width of the bytes of a call; 0: unknown or none
  std::uint64_t site = 0;       // tutti_call_site of the place that calls
  friend bool operator==(const CallKind&, const CallKind&) = default;
};
// The counts of a kind on this process.
struct KindSums {
  CallKind kind;
  std::int64_t calls = 0, bytes = 0, nanoseconds = 0;
  const char* why = nullptr;  // why the MPI serves them, the first time
};
// One call of the kind kinds()[kind]. All members of the communicator have the same number for it.
struct CallSample {
  std::uint64_t communicator = 0;
  std::uint32_t number = 0;
  std::uint32_t kind = 0;
  std::uint32_t is_root = 0;
  std::int64_t begun = 0, taken = 0;  // ns
};

class CallRecord {
 public:
  // Keeps at most so many samples. When they are full, every second call stops being a sample.
  void keep_samples(std::size_t most);
  void add(const CallKind& kind, std::int64_t bytes, const char* why, const CallSample& sample);

  [[nodiscard]] const std::vector<KindSums>& kinds() const { return kinds_; }
  [[nodiscard]] const std::vector<CallSample>& samples() const { return samples_; }
  // A call is a sample if these bits of its sample_hash() are 0.
  [[nodiscard]] std::uint32_t mask() const { return mask_; }

 private:
  [[nodiscard]] std::uint32_t number_of(const CallKind& kind);
  void thin_out();

  std::vector<KindSums> kinds_;
  std::vector<std::uint32_t> table_;  // 1 + places in kinds_, by hash; 0: free
  std::vector<CallSample> samples_;
  std::size_t most_samples_ = 0;
  std::uint32_t mask_ = 0;
};

// Spreads calls, so that no rhythm of the program agrees with that of the samples. All members of
// a communicator get the same number for a call.
[[nodiscard]] constexpr std::uint32_t sample_hash(const CallSample& sample) {
  const std::uint64_t label = sample.communicator * 0x9e3779b97f4a7c15U;
  std::uint32_t hash = sample.number ^ static_cast<std::uint32_t>(label >> 32);
  hash = (hash ^ hash >> 16) * 0x7feb352dU;
  hash = (hash ^ hash >> 15) * 0x846ca68bU;
  return hash ^ hash >> 16;
}

// The record of this process. Threads may add calls at the same time; others look when all is over.
[[nodiscard]] CallRecord& record();

// One call of the program, from its beginning to its end.
class CountedCall {
 public:
  static constexpr int no_root = -1;
  CountedCall(MpiOperation operation, const void* caller, int root)
      : operation_(operation), root_(root) {
    if (recording) [[unlikely]]
      begin(caller);
  }
  ~CountedCall() {
    if (recording) [[unlikely]]
      end();
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

  // Says which communicator the call is made on; nullptr if it is none. The call is numbered here,
  // because an error handler may jump out of it.
  void on(KnownCommunicator* communicator) {
    if (recording && communicator != nullptr) [[unlikely]]
      number(*communicator);
  }
  // Called when tutti has served the call, or leaves it to the MPI.
  void decided() {
    if (recording) [[unlikely]]
      forget();
  }
  // Says that the MPI serves the call, and why.
  void by_mpi(const char* reason) {
    if (recording) [[unlikely]]
      explain(reason);
  }
  // Says how many bytes the call of this thread moves, and whether tutti applies its operator.
  static void note_size(Count bytes, Applier applier);
  // Tells tutti the place of this thread's call. Called inside of tutti.
  static void tell_place();

 private:
  void begin(const void* caller);
  void end();
  void explain(const char* reason);
  void number(KnownCommunicator& communicator);
  static void forget();

  MpiOperation operation_;
  Applier applier_ = Applier::tutti;
  int root_, members_ = 0;
  CallSample sample_;
  std::uint64_t site_ = 0;
  const char* why_ = nullptr;  // why the MPI serves the call
  Count bytes_ = 0;
};

}  // namespace tutti::mpi
