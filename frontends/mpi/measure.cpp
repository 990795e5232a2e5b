// SPDX-License-Identifier: BSD-3-Clause
// Makes the communicator and times calls on it (measure.hpp). Times begin behind a barrier and end
// with the slowest member, as those of `tutti bench` do.
#include "measure.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "clock.hpp"
#include "communicator.hpp"
#include "measured_call.hpp"
#include "serve.hpp"

namespace tutti::mpi {
namespace {

constexpr int fewest_calls = 2, most_calls = 2000;

// Calls of this library are the program's while it lives, and are not reported.
class AsTheProgram {
 public:
  AsTheProgram() : nested_(nested), recording_(recording) {
    nested = recording = false;
    library.explain(0);
  }
  ~AsTheProgram() {
    library.explain(1);
    nested = nested_;
    recording = recording_;
  }
  AsTheProgram(const AsTheProgram&) = delete;
  AsTheProgram& operator=(const AsTheProgram&) = delete;

 private:
  bool nested_, recording_;
};

// A communicator of the first processes.
class Group {
 public:
  Group(int members, bool by_rows) {
    int rank = 0;
    plain.Comm_rank(MPI_COMM_WORLD, &rank);
    plain.Comm_split(MPI_COMM_WORLD, rank < members ? 0 : MPI_UNDEFINED, rank, &comm_);
    if (comm_ != MPI_COMM_NULL) join(by_rows);
    // Processes that are no members must go on or stop as the members do.
    plain.Allreduce(MPI_IN_PLACE, &served_, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  }
  // Members that have no part in the measurement sleep meanwhile, because they would take a
  // processor.
  ~Group() {
    if (comm_ != MPI_COMM_NULL) plain.Comm_free(&comm_);
    MPI_Request all{};
    plain.Ibarrier(MPI_COMM_WORLD, &all);
    constexpr timespec nap{0, 1000000};
    for (int done = 0; done == 0;) {
      plain.Test(&all, &done, MPI_STATUS_IGNORE);
      if (done == 0) ::nanosleep(&nap, nullptr);
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] bool takes_part() const { return known_ != nullptr; }
  // Returns true on all processes if tutti serves the members.
  [[nodiscard]] bool served() const { return served_ != 0; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int members() const { return known_->size; }
  [[nodiscard]] int rank() const { return known_->rank; }
  // These go by tutti, which gives its turn to others at once where processors are few.
  void meet() const { ::MPI_Barrier(comm_); }
  [[nodiscard]] double agreed(double mine, MPI_Op op) const {
    double all = 0;
    ::MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, comm_);
    return all;
  }

 private:
  void join(bool by_rows) {
    known_ = find_communicator(comm_);
    while (!known_->settled) static_cast<void>(count_call(*known_, comm_));
    served_ = known_->ours ? 1 : 0;
    if (known_->ours && !by_rows) known_->servers->give_all_to_tutti();
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  KnownCommunicator* known_ = nullptr;
  int served_ = 1;
};

// Returns the us of a call, without the time of writing its data.
enum class Input : std::uint8_t { stays, rewritten };
double timed(const Group& group, const RepeatedCall& call, By by, int calls, Input input) {
  const bool rewritten = input == Input::rewritten;
  std::int64_t writing = 0;
  group.meet();
  const std::int64_t start = nanoseconds_now();
  for (int i = 0; i < calls; ++i) {
    const int root = i % group.members();
    if (rewritten) {
      const std::int64_t before = nanoseconds_now();
      call.rewrite(root);
      writing += nanoseconds_now() - before;
    }
    call.make(by, root);
  }
  const auto elapsed = static_cast<double>(nanoseconds_now() - start);
  auto written = static_cast<double>(writing);
  if (rewritten && call.root_writes()) written = group.agreed(written, MPI_SUM);
  return group.agreed(elapsed - written, MPI_MAX) * 1e-3 / calls;
}

// Returns how many calls take as long as a block. The shortest of a few trials counts.
int calls_for(const Group& group, const RepeatedCall& call, By by, double block_us) {
  double us = timed(group, call, by, fewest_calls, Input::stays);
  for (int i = 0; i < 2; ++i) {
    const int calls = us < block_us / 100 ? 20 : fewest_calls;
    if (i > 0 && us > block_us) break;
    us = std::min(us, timed(group, call, by, calls, Input::stays));
  }
  const double calls = us > 0 ? block_us / us : most_calls;
  return static_cast<int>(std::clamp<double>(calls, static_cast<double>(fewest_calls),
                                             static_cast<double>(most_calls)));
}

bool is_clear(const MeasuredTurns& turns) {
  constexpr std::size_t few = 3;
  constexpr double clearly = 1.5;
  if (turns.ours.size() != few) return false;
  for (std::size_t i = 0; i < few; ++i)
    if (turns.theirs[i] < clearly * turns.ours[i]) return false;
  return true;
}

MeasuredTurns measured(const Group& group, const RepeatedCall& call,
                       const tutti_mpi_measurement& how) {
  const int our_calls = calls_for(group, call, By::program, how.block_us);
  const int their_calls = calls_for(group, call, By::mpi, how.block_us);
  const Input input = how.rewritten != 0 ? Input::rewritten : Input::stays;
  MeasuredTurns turns;
  for (int round = 0; round < how.rounds; ++round) {
    std::array order = {By::program, By::mpi};
    if (round % 2 != 0) std::swap(order[0], order[1]);
    for (const By by : order) {
      const bool ours = by == By::program;
      const double us = timed(group, call, by, ours ? our_calls : their_calls, input);
      (ours ? turns.ours : turns.theirs).push_back(us);
    }
    if (how.stop_early != 0 && is_clear(turns)) break;
  }
  return turns;
}

}  // namespace

bool measure_calls(const tutti_mpi_measurement& how, const std::vector<MeasuredCall>& calls,
                   const std::function<void(int, const MeasuredTurns&)>& got) {
  const AsTheProgram as_the_program;
  const Group group(how.members, how.by_rows != 0);
  if (!group.served()) return false;
  if (!group.takes_part()) return true;
  for (int i = 0; i < static_cast<int>(calls.size()); ++i) {
    const RepeatedCall call(calls[static_cast<std::size_t>(i)], group.comm(), group.members(),
                            group.rank());
    // A member without memory would keep the others waiting.
    if (group.agreed(call.possible() ? 1 : 0, MPI_MIN) > 0) got(i, measured(group, call, how));
  }
  return true;
}

namespace {

MpiOperation operation_named(std::string_view name) {
  int i = 0;
  while (i + 1 < operation_count && name != name_of(static_cast<MpiOperation>(i))) ++i;
  return static_cast<MpiOperation>(i);
}

}  // namespace
}  // namespace tutti::mpi

extern "C" TUTTI_API int tutti_mpi_measure(const tutti_mpi_measurement* how, int cells,
                                           const tutti_mpi_cell* list, tutti_mpi_turns_fn got,
                                           void* user) {
  using namespace tutti::mpi;
  if (!job.joined) return 1;
  std::vector<MeasuredCall> calls;
  for (int i = 0; i < cells; ++i) {
    calls.push_back({operation_named(list[i].operation),
                     list[i].mpi_combines != 0 ? Applier::mpi : Applier::tutti, list[i].bytes});
  }
  int rank = 0;
  plain.Comm_rank(MPI_COMM_WORLD, &rank);
  const bool served = measure_calls(*how, calls, [&](int cell, const MeasuredTurns& turns) {
    if (rank == 0)
      got(user, cell, static_cast<int>(turns.ours.size()), turns.ours.data(), turns.theirs.data());
  });
  return served ? 0 : 1;
}
