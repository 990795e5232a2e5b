// SPDX-License-Identifier: BSD-3-Clause
// Simulates a job while it runs (timekeeper.hpp). Its words and descriptors come from
// command/run/virtual_time.cpp.
#include "timekeeper/timekeeper.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "simulation/pictures.hpp"
#include "simulation/print.hpp"
#include "support/answer.hpp"
#include "timekeeper/live_source.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::tools {
namespace {

struct TimekeeperOptions {
  SimulateOptions simulate;
  int segment = -1;  // descriptor of the job's segment
  std::string title;
};

// A run of a job that goes on now. It can be played once.
class LiveRun : public PlayedRun {
 public:
  LiveRun(const transport::shm::Mapping& mapping, timed::TimedBoard& board,
          const machine::Machine& machine)
      : source_(std::make_unique<LiveSource>(mapping, board, machine)) {}

  [[nodiscard]] replay::Replayed play(const Setting& setting,
                                      const simulate::SimulationOptions& options) const override {
    replay::Replayed played;
    played.report = simulate::simulate(setting.machine, *source_, {}, options);
    played.left_out = {.arrivals = source_->arrivals(), .shared = source_->shared()};
    return played;
  }
  [[nodiscard]] std::string call_of(int node, int phase) const override {
    return source_->call_of(node, phase);
  }

 private:
  std::unique_ptr<LiveSource> source_;
};

timed::TimedBoard* board_of_job = nullptr;

// A signal from the terminal reaches all processes of its group. The supervisor ends the job then.
void ignore_the_terminal() {
  for (const int number : {SIGINT, SIGQUIT, SIGHUP}) std::signal(number, SIG_IGN);
  std::signal(SIGTERM, [](int) { timed::cut_short(*board_of_job); });
}

std::string text_of(const Setting& setting, const Outcome& outcome) {
  const std::string so_far =
      outcome.report.stopped ? "the job has ended early; this is what it did until then\n" : "";
  return so_far + outcome_text(setting, outcome);
}

int keep_time(const TimekeeperOptions& options) {
  const auto mapping = transport::shm::Mapping::open(options.segment);
  timed::TimedBoard* const board = timed::find_board(mapping);
  if (board == nullptr) base::fail(base::Status::invalid_argument, "the job has no virtual time");
  board_of_job = board;
  ignore_the_terminal();
  try {
    Setting setting = setting_of(options.simulate, schedule::Operation::barrier,
                                 options.simulate.call.machine, static_cast<int>(board->ranks));
    setting.file = options.title;
    setting.runs = 1;
    setting.run = std::make_shared<LiveRun>(mapping, *board, setting.machine);
    Recorder recorder;
    Candidate candidate;
    candidate.name = options.title;
    const Outcome outcome =
        simulated(candidate, setting, {}, draws(options.simulate) ? &recorder : nullptr);
    // A job that has ended before it did anything has nothing to tell.
    if (!outcome.report.stopped || outcome.report.time > 0)
      base::notice("{}", text_of(setting, outcome));
    std::vector<SimulateResult> results;
    results.push_back({setting, {outcome}});
    fmt::print("{}", answer_text("simulate", sweep_json(results, nullptr), Layout::compact));
    if (draws(options.simulate)) write_pictures(options.simulate, setting, outcome, recorder);
    if (std::fflush(stdout) != 0) base::fail_errno("writing the report");
    board->reported.publish(timed::TimedBoard::has_reported);
    return 0;
  } catch (const base::Error& error) {
    base::notice("tutti run: {}\n", error.what());
    board->reported.publish(timed::TimedBoard::has_failed);
    return 1;
  }
}

}  // namespace

void add_timekeeper(CLI::App& verb, int& code) {
  auto options = std::make_shared<TimekeeperOptions>();
  verb.group("");
  verb.add_option("--segment", options->segment)->required();
  verb.add_option("--title", options->title)->required();
  verb.add_option("--machine", options->simulate.call.machine)->required();
  verb.add_option("--topology", options->simulate.call.topology);
  verb.add_option("--seed", options->simulate.seed);
  verb.add_option("--noise", options->simulate.noise);
  verb.add_option("--drift", options->simulate.drift);
  verb.add_option("--top", options->simulate.top);
  verb.add_option("--svg", options->simulate.timeline);
  verb.add_option("--trace", options->simulate.trace);
  verb.add_option("--heat", options->simulate.heat);
  verb.add_flag("--force", options->simulate.force);
  verb.callback([options, &code] { code = keep_time(*options); });
}

}  // namespace tutti::tools
