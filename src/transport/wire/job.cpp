// SPDX-License-Identifier: BSD-3-Clause
// Starts and ends a job over a wire.
#include "transport/wire/job.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <numeric>
#include <optional>

#include "base/advice.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "machine/tuning.hpp"
#include "transport/wire/late_notice.hpp"
#include "transport/wire/library.hpp"

namespace tutti::transport::wire {
namespace {

// Parses a text such as "0,0,1,1": one number per rank, where equal numbers are one host.
std::vector<int> parse_hosts(const std::string& text, int ranks) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  bool good = true;
  while (good && at != end) {
    int number = -1;
    const auto [stop, code] = std::from_chars(at, end, number);
    good = code == std::errc{} && number >= 0 && (stop == end || (*stop == ',' && stop + 1 != end));
    numbers.push_back(number);
    at = good && stop != end ? stop + 1 : stop;
  }
  if (good && static_cast<int>(numbers.size()) == ranks) return numbers;
  base::fail(base::Status::bad_environment,
             "environment variable TUTTI_HOSTS is '{}' but must have a number of a host for each "
             "of the {} ranks, such as 0,0,1,1",
             text, ranks);
}

std::string late_text(std::chrono::nanoseconds late) {
  const auto rank = base::mpi_launcher_rank();
  return fmt::format(
      "{} has waited {:g} s to join the job, in its first call of tutti or in MPI_Init: all "
      "processes that MPI has started must come there, also those that use tutti later or not at "
      "all",
      rank ? fmt::format("rank {}", *rank) : fmt::format("process {}", ::getpid()),
      std::chrono::duration<double>(late).count());
}

bool allows_this_thread(const tutti_wire_state& state) {
  constexpr int serialized = 2;
  return state.threads >= serialized || state.main_thread != 0;
}

}  // namespace

std::unique_ptr<WireJob> WireJob::of_environment(Role role) {
  const auto found = wanted();
  if (!found) return nullptr;
  const std::string hosts =
      role == Role::spare ? "" : base::text(base::Variable::hosts).value_or("");
  return std::make_unique<WireJob>(load(found->flavour), hosts, found->launched_size, role);
}

std::unique_ptr<WireJob> WireJob::over(const std::string& flavour) {
  return std::make_unique<WireJob>(load(flavour), "", 0);
}

WireJob::WireJob(const tutti_wire& wire, const std::string& hosts, int launched_size, Role role)
    : wire_(&wire) {
  if (wire.look != nullptr) require_usable();
  open(role);
  if (is_open()) return;
  if (launched_size > 1 && world_.job_size == 1) {
    base::fail(base::Status::bad_environment,
               "this process was started as one of {} but {} knows of one only, so program and "
               "launcher belong to different MPIs or there is no launcher: start the program with "
               "{}'s {} or with {}",
               launched_size, wire.flavour, wire.flavour, base::run_line("mpirun", launched_size),
               base::run_line("tutti run", launched_size));
  }
  // The variable of rank 0 counts, so nobody needs to pass it on to all machines.
  const std::string of_rank_0 = broadcast(hosts, 0);
  hosts_.learn(gather_all(world_.host), of_rank_0);
  watch_finalize();
}

// A spare process waits for the ranks however long they take. There is no memory of the job yet, so
// the row is that of a job that this process would make.
void WireJob::open(Role role) {
  std::optional<LateNotice> notice;
  if (role == Role::rank) {
    const std::chrono::nanoseconds late(machine::job_tuning().values().join_late);
    notice.emplace(std::chrono::duration_cast<std::chrono::milliseconds>(late), late_text(late));
  }
  check(wire_->open(role == Role::spare ? 1 : 0, &world_), "MPI_Init_thread or MPI_Comm_dup");
}

WireJob::~WireJob() {
  if (!ended_ && !finalized_ && !is_open()) wire_->before_finalize(nullptr, nullptr);
}

bool WireJob::callable_here() const {
  tutti_wire_state state{};
  if (wire_->look == nullptr) return true;
  wire_->look(&state);
  return allows_this_thread(state);
}

// Checks the state of MPI before it is asked for anything that it might answer by ending the
// process.
void WireJob::require_usable() {
  tutti_wire_state state{};
  wire_->look(&state);
  began_here_ = state.begun == 0;
  if (state.ended != 0)
    base::fail(base::Status::system_error, "MPI was finalised before tutti was started");
  if (state.version < 3) {
    base::fail(base::Status::system_error, "this MPI ({}) speaks MPI {}.{}, but 3.0 is needed",
               wire_->flavour, state.version, state.subversion);
  }
  if (state.begun == 0 || allows_this_thread(state)) return;
  base::fail(base::Status::system_error,
             "MPI was initialised for calls from its main thread only (thread level {}), and this "
             "is another one: ask for MPI_THREAD_SERIALIZED",
             state.threads == 0 ? "single" : "funneled");
}

void WireHosts::learn(std::vector<int> seen, const std::string& given) {
  hosts_ = std::move(seen);
  ranks_on_machine_ = static_cast<int>(std::count(hosts_.begin(), hosts_.end(), world_->host));
  if (given.empty()) return;
  const std::vector<int> numbers = parse_hosts(given, world_->size);
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    hosts_[rank] = static_cast<int>(std::find(numbers.begin(), numbers.end(), numbers[rank]) -
                                    numbers.begin());
  }
}

void WireJob::watch_finalize() {
  const auto function = [](void* user) {
    auto& self = *static_cast<WireJob*>(user);
    // Failure is harmless: the connection has ended.
    if (self.line_ >= 0) ::shutdown(self.line_, SHUT_RDWR);
    if (self.exit_note_ != nullptr) self.exit_note_->mark(note_of_finalize);
    if (self.before_finalize_ != nullptr) self.before_finalize_(self.user_);
    self.finalized_ = true;
  };
  check(wire_->before_finalize(function, this), "MPI_Comm_create_keyval");
}

std::vector<int> WireJob::world() const {
  if (is_open()) return {world_.numbers, world_.numbers + size()};
  std::vector<int> numbers(static_cast<std::size_t>(size()));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::string WireJob::name_of(int number) const {
  return is_open() ? fmt::format("task t{:x}", number) : fmt::format("rank {}", number);
}

int WireHosts::number(int rank) const {
  if (!is_open()) return below(of(rank));
  const int* const end_of_world = world_->numbers + world_->size;
  const int* const found = std::find(world_->numbers, end_of_world, rank);
  return found == end_of_world ? -1 : static_cast<int>(found - world_->numbers);
}

int WireHosts::below(int end) const {
  int count = 0;
  for (int leader = 0; leader < end; ++leader) count += of(leader) == leader ? 1 : 0;
  return count;
}

std::string WireJob::broadcast(const std::string& text, int root) const {
  int bytes = static_cast<int>(text.size());
  check(wire_->broadcast(&bytes, sizeof bytes, root), "MPI_Bcast");
  std::string result(static_cast<std::size_t>(bytes), '\0');
  if (rank() == root) result = text;
  if (bytes > 0) check(wire_->broadcast(result.data(), bytes, root), "MPI_Bcast");
  return result;
}

void WireJob::end() noexcept {
  if (ended_ || finalized_) return;
  ended_ = true;
  wire_->close(began_here_ ? 1 : 0);
}

void WireJob::reject(int code, const char* call) const {
  char text[512] = "";
  wire_->text(code, text, sizeof text);
  base::fail(base::Status::system_error, "{} failed: {}", is_open() ? wire_->flavour : call, text);
}

void WireJob::reject_ended() const {
  base::fail(base::Status::job_ended, "{}",
             finalized_ ? "the program has called MPI_Finalize before it left tutti"
                        : "this process has left the job");
}

}  // namespace tutti::transport::wire
