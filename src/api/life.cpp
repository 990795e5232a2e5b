// SPDX-License-Identifier: BSD-3-Clause
// Implements tutti_init to tutti_version, and other functions about the life of a process in its
// job.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "api/at_exit.hpp"
#include "api/recording.hpp"
#include "api/state.hpp"
#include "api/tracing.hpp"
#include "api/uncaught.hpp"
#include "base/environment.hpp"
#include "base/notice.hpp"
#include "base/printable.hpp"
#include "base/processors.hpp"
#include "launch/helper_process.hpp"
#include "launch/join.hpp"
#include "launch/monitor_start.hpp"
#include "launch/self_supervised.hpp"
#include "launch/speaker.hpp"
#include "machine/tuning.hpp"
#include "schedule/printer.hpp"
#include "transport/shm/records.hpp"
#include "transport/wait_clock.hpp"
#include "transport/wire/library.hpp"

using namespace tutti;
using api::answered;
using api::guarded;
using api::state;

namespace {

// Ends a process that has no membership. Processes of another launcher fail to join for the same
// reason, and processes that have left their job may make the same wrong call, so one of them
// reports for all.
[[noreturn]] void end_alone(int code, const char* text) {
  const bool one_for_all =
      api::process.rank_0_before || (api::process.failed_to_join && base::started_by_launcher());
  try {
    const std::string line = fmt::format("tutti: {}\n", base::without_controls(text));
    if (one_for_all) {
      launch::say_for_all(api::process.rank_0_before.value_or(::getppid()), line);
    } else {
      std::fputs(line.c_str(), stderr);
    }
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "tutti: %s\n", text);
  }
  std::_Exit(launch::abort_exit_code(code));
}

// Prints a text that may have words of the environment in it.
void warn(const char* text) {
  try {
    base::notice("tutti: {}\n", text);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "tutti: %s\n", text);
  }
}

// Shows the call of a front end in reports and in the trace, until it ends.
void name_call(api::ApiState& mine, const api::CallWords& name) {
  api::write_call(mine.job.endpoint().state, name);
  api::CallObservers{mine.recorder, mine.record}.begin(name);
}

void end_call(api::ApiState& mine) {
  mine.job.endpoint().state.call[0].put(0);
  api::CallObservers{mine.recorder, mine.record}.end();
}

// Warns once in a job: tutti run has already warned its ranks, and of the ranks of MPI only rank 0
// does.
void warn_of_misspelt_variables() {
  if (api::process.membership->has_supervisor() || api::process.membership->id() != 0) return;
  base::warn_of(base::misspelt_variables());
}

// Joins a job. A process that gives up has begun what it cannot take back, so it must not become a
// job of one later.
template <class Join>
launch::Membership* joined(const Join& join) {
  try {
    return new launch::Membership(join());
  } catch (const base::Error& error) {
    if (error.status() == base::Status::would_wait) api::process.ended = api::Ended::given_up;
    throw;
  }
}

template <class Join>
void come(const Join& join) {
  if (api::process.current != nullptr) return;
  api::reject_if_ended();
  if (api::process.membership != nullptr) {
    base::fail(base::Status::not_initialized,
               "tutti could not be started in this process before, and cannot be now");
  }
  if (const auto variable = base::disregarded_launcher()) {
    base::fail(
        base::Status::bad_environment,
        "this program runs with rights that its caller does not have (set-user-ID, "
        "set-group-ID or capabilities), so it reads no environment variables and cannot join "
        "the job that {} names",
        *variable);
  }
  api::process.failed_to_join = true;
  api::process.membership = joined(join);
  api::process.failed_to_join = false;
  api::forget_in_forked_children();
  if (api::process.membership->ends_mpi()) api::leave_at_exit();
  warn_of_misspelt_variables();
  api::check_errors_variable();
  api::process.current = new api::ApiState(*api::process.membership);
  if (api::process.unwritten_call[0] != 0)
    name_call(*api::process.current, api::CallWords(api::process.unwritten_call));
}

// Fails if TUTTI_EXPLAIN names a file that could not take all lines. The user has asked for them.
void require_explained() {
  if (state().explainer != nullptr) state().explainer->require_written();
}

// Leaves the job. `finalize` ends the membership.
template <class Finalize>
void leave_job(const Finalize& finalize) {
  api::ApiState& leaving = state();
  if (leaving.record != nullptr && leaving.record->stream() != nullptr)
    leaving.record->stream()->leave();
  leaving.job.mailbox().close();
  leaving.job.outbox().close();
  launch::Membership& membership = leaving.job.membership();
  if (membership.launched())
    api::process.rank_0_before = membership.mapping().endpoint(0).pid.see();
  leaving.job.leave();
  // The program may read on what it has not freed, as an array of Python does.
  if (leaving.job.windows().keep()) membership.mapping().stay();
  leaving.job.free_windows();
  finalize(membership);
  api::end_trace();
  api::end_record();
  api::process.current = nullptr;
  api::process.ended = api::Ended::finalized;
  delete &leaving;
  delete std::exchange(api::process.membership, nullptr);
}

// Runs when the library is loaded. A process that was started as a helper goes no further.
[[gnu::constructor]] void help_if_started_for_it(int argc, char** argv) {
  api::end_without_memory();
  launch::serve_as_helper(argc, argv, {launch::self_started_supervisor, launch::failure_monitor},
                          schedule::name_in_report);
}

}  // namespace

extern "C" {

tutti_status tutti_init(void) {
  const auto join = [] {
    return launch::join(schedule::name_in_report, api::process.cancel_predicate.question());
  };
  const tutti_status status = guarded("tutti_init", [&join] { come(join); });
  // A program that does not look at statuses would find a rank of -1 without a reason. So the
  // reason is printed here.
  if (status != TUTTI_OK && api::program_wants_statuses()) warn(api::last_error_text());
  return status;
}

tutti_status tutti_init_in_machine(const char* machine, int make) {
  return answered("tutti_init_in_machine", [&] {
    if (machine == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'machine' is NULL");
    const auto made = make != 0 ? launch::Make::yes : launch::Make::no;
    come([&] { return launch::join(machine, made, schedule::name_in_report); });
  });
}

tutti_status tutti_init_over(const char* transport) {
  return answered("tutti_init_over", [&] {
    using launch::Membership;
    using transport::wire::WireJob;
    if (transport == nullptr || std::string_view(transport) != "pvmd") {
      base::fail(base::Status::invalid_argument, "argument 'transport' is {} but must be \"pvmd\"",
                 transport == nullptr ? "NULL" : transport);
    }
    come([&] { return Membership::over_wire(WireJob::over(transport), schedule::name_in_report); });
    const WireJob* const job = state().job.membership().wire();
    if (job != nullptr && job->is_open()) return;
    base::fail(base::Status::invalid_argument,
               "this process has started tutti already, over another transport");
  });
}

tutti_status tutti_finalize(void) {
  return guarded("tutti_finalize", [] {
    require_explained();
    leave_job([](launch::Membership& membership) { membership.finalize(); });
  });
}

tutti_status tutti_finalize_before_mpi(int* may_end) {
  return guarded("tutti_finalize_before_mpi", [&] {
    if (may_end == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'may_end' is NULL");
    require_explained();
    leave_job([&](launch::Membership& membership) {
      *may_end = membership.finalize_before_mpi() ? 1 : 0;
    });
  });
}

int tutti_initialized(void) {
  return api::process.current != nullptr ? 1 : 0;
}

void tutti_abort(int code, const char* text) {
  const char* const words = text == nullptr ? "" : text;
  if (api::process.membership != nullptr) api::process.membership->abort(code, words);
  end_alone(code, words);
}

#define TUTTI_TEXT_(x) #x
#define TUTTI_TEXT(x) TUTTI_TEXT_(x)
const char* tutti_version(void) {
  return TUTTI_TEXT(TUTTI_VERSION_MAJOR) "." TUTTI_TEXT(TUTTI_VERSION_MINOR) "." TUTTI_TEXT(
      TUTTI_VERSION_PATCH);
}

int tutti_launched(void) {
  api::ApiState* const current = api::process.current;
  return current != nullptr && current->job.membership().launched() ? 1 : 0;
}

int tutti_processors(void) {
  api::ApiState* const current = api::process.current;
  return static_cast<int>(current == nullptr
                              ? base::usable_cpus()
                              : current->job.membership().mapping().header().cpus.see());
}

int tutti_would_join(void) {
  if (api::process.current != nullptr) return tutti_launched();
  if (api::process.ended != api::Ended::no) return 0;
  try {
    return launch::would_join() ? 1 : 0;
  } catch (const base::Error&) {
    return 1;  // tutti_init says why this process cannot join the job that it belongs to
  }
}

int tutti_has_launcher(void) {
  return base::text(base::Variable::job) || base::started_by_launcher() ? 1 : 0;
}

void tutti_on_wait(tutti_give_up_fn give_up, void* user) {
  (void)answered("tutti_on_wait", [&] {
    api::process.cancel_predicate = {give_up, user};
    if (api::process.current != nullptr)
      api::process.current->job.waiter().set_question(api::process.cancel_predicate.question());
  });
}

void tutti_accept_shorter(tutti_shorter_fn tell, void* user) {
  (void)answered("tutti_accept_shorter", [&] {
    state().job.in_flight().set_tell_shorter({tell, user});
  });
}

tutti_status tutti_spawn_world(int n) {
  return answered("tutti_spawn_world", [n] {
    api::ApiState& mine = state();
    mine.job.spawn_world(n);
    mine.come_into_world();
  });
}

tutti_status tutti_enter(const char* call) {
  try {
    api::enter();
  } catch (const base::Error& error) {
    // The front end's own message names the call.
    api::set_error_text(error.what());
    return static_cast<tutti_status>(error.status());
  }
  tutti_errors_push_return();
  if (call == nullptr) return TUTTI_OK;
  if (api::process.current != nullptr) {
    name_call(*api::process.current, api::CallWords(call));
  } else {
    api::process.unwritten_call = api::CallWords(call).words;
  }
  return TUTTI_OK;
}

void tutti_leave(void) {
  tutti_errors_pop();
  api::ApiState* const current = api::process.current;
  if (current != nullptr) end_call(*current);
  api::process.unwritten_call = {};
  api::leave();
}

void tutti_explain(int on) {
  api::ApiState* const current = api::process.current;
  if (current != nullptr && current->explainer != nullptr) current->explainer->pause(on == 0);
}

void tutti_describe_call(const char* text) {
  if (api::process.current != nullptr) {
    api::describe_call(api::process.current->job.endpoint().state,
                       text == nullptr ? std::string_view() : text);
  }
}

tutti_status tutti_add_to_failure_report(const char* text) {
  return answered("tutti_add_to_failure_report", [text] {
    if (text == nullptr) base::fail(base::Status::invalid_argument, "argument 'text' is NULL");
    launch::Membership& membership = state().job.membership();
    transport::shm::publish(membership.mapping(), transport::shm::failure_record,
                            membership.endpoint(), text);
  });
}

tutti_status tutti_load_mpi(void) {
  return answered("tutti_load_mpi", transport::wire::load_wanted);
}

tutti_status tutti_let_mpi_work_often(int on) {
  return answered("tutti_let_mpi_work_often", [&] { state().job.let_mpi_work_often(on != 0); });
}

void tutti_measure_waits(int on) {
  api::process.measures_waits = on != 0;
  if (api::process.current != nullptr)
    api::process.current->job.waiter().wait_clock().set_sums(on != 0);
}

double tutti_seconds_waited(void) {
  if (api::process.current == nullptr) return 0;
  return static_cast<double>(api::process.current->job.waiter().wait_clock().waited) * 1e-9;
}

void tutti_count_sent_long(tutti_sent_long* counts) {
  if (counts == nullptr || counts->struct_size < sizeof *counts) return;
  transport::LongCounts sent;
  if (api::process.current != nullptr) sent = api::process.current->job.long_messages();
  counts->in_place = static_cast<int64_t>(sent.in_place);
  counts->together = static_cast<int64_t>(sent.together);
}

int64_t tutti_setting(const char* name) {
  std::int64_t value = -1;
  const tutti_status status = answered("tutti_setting", [&] {
    if (name == nullptr) base::fail(base::Status::invalid_argument, "argument 'name' is NULL");
    for (const base::VariableInfo& info : base::variables()) {
      if (std::string_view(info.name) != name) continue;
      const auto variable = static_cast<base::Variable>(&info - base::variables().data());
      switch (info.kind) {
        case base::VariableKind::flag:
          value = base::flag(variable) ? 1 : 0;
          return;
        case base::VariableKind::bytes:
          value = base::bytes(variable).value_or(-1);
          return;
        case base::VariableKind::seconds:
          value = static_cast<std::int64_t>(
              std::clamp(base::seconds(variable).value_or(-1), -1.0, 1e9));  // infinity is allowed
          return;
        default:
          value = base::integer(variable).value_or(-1);
          return;
      }
    }
    base::fail(base::Status::invalid_argument, "there is no variable '{}': see tutti info --vars",
               name);
  });
  return status == TUTTI_OK ? value : -1;
}

int64_t tutti_tuning(const char* row) {
  std::int64_t value = -1;
  const tutti_status status = answered("tutti_tuning", [&] {
    if (row == nullptr) base::fail(base::Status::invalid_argument, "argument 'row' is NULL");
    const api::ApiState* const current = api::process.current;
    value = base::value_in(
        current == nullptr ? machine::job_tuning().values() : current->job.tuning(), row);
  });
  return status == TUTTI_OK ? value : -1;
}

}  // extern "C"
