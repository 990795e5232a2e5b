// SPDX-License-Identifier: BSD-3-Clause
// Compares the rules of jobs with the table in docs/internals/supervisor.md, cell by cell. The page
// and this test have the same rows, so neither can say more than the other.
#include "launch/job_policy.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tutti::launch {
namespace {

using transport::shm::DeathPolicy;

// The words of the table.
std::string word_of(const Decision& decision) {
  const bool silent = decision.reason.empty();
  switch (decision.act) {
    case Act::go_on:
      return "goes on";
    case Act::keep_code:
      return "keeps the code";
    case Act::say:
      return "says it, goes on";
    case Act::pass_on:
      return "passes it on";
    case Act::end_waits:
      return "ends all waits";
    case Act::look_closely:
      return "looks closely";
    case Act::name:
      return "names it";
    case Act::name_both:
      return "names the earlier one";
    case Act::kill:
      return silent ? "kills in silence" : "kills";
    case Act::end:
      if (decision.states == States::all_and_cycle) return "ends, tells states and cycle";
      if (decision.states == States::all) return "ends, tells states";
      return silent ? "ends in silence" : "ends";
  }
  return "";
}

struct Case {
  JobEvent event;
  JobFacts facts{};
};

const Ending code_3{EndingKind::exited, 3}, good{EndingKind::exited, 0},
    sigkill{EndingKind::signalled, SIGKILL}, sigint{EndingKind::signalled, SIGINT},
    unknown{EndingKind::unknown, 0};

const Aborted abort_of_rank{Who::rank, 1, 7, "rank 1", "because"};

ProcessEnded rank_ended(const Ending& ending, bool has_left = false) {
  return {.rank = 2, .ending = ending, .has_left = has_left, .sentence = [] {
            return std::string("rank 2 ended");
          }};
}

ProcessEnded task_ended(const Ending& ending, bool has_left = false) {
  ProcessEnded event = rank_ended(ending, has_left);
  event.who = Who::task;
  return event;
}

ProcessEnded root_ended(const Ending& ending) {
  ProcessEnded event = rank_ended(ending);
  event.who = Who::root;
  return event;
}

ProcessEnded unwanted_task() {
  ProcessEnded event = task_ended(sigkill);
  event.unwanted = true;
  return event;
}

ProcessEnded early(ProcessEnded event, bool was_signalled = false) {
  event.has_joined = false;
  event.was_signalled = was_signalled;
  return event;
}

const std::map<std::string, Case> cases = {
    {"a rank exits with 0, having left", {rank_ended(good, true)}},
    {"a rank exits with 0, not having left", {rank_ended(good)}},
    {"a rank exits with another code, having left", {rank_ended(code_3, true)}},
    {"a rank exits with another code, not having left", {rank_ended(code_3)}},
    {"a rank is killed", {rank_ended(sigkill)}},
    {"a rank is killed after it has left", {rank_ended(sigkill, true)}},
    {"a rank has ended, and nobody can tell how", {rank_ended(unknown)}},
    {"a rank is killed by the user's signal", {rank_ended(sigint), {.interrupt = SIGINT}}},
    {"a rank is killed after an abort", {rank_ended(sigkill), {.abort = &abort_of_rank}}},
    {"a rank is killed soon after another one has exited with 0, not having left",
     {rank_ended(sigkill), {.soon_after_exit = true}}},
    {"a rank is killed before it has joined", {early(rank_ended(sigkill))}},
    {"a task exits with another code, having left", {task_ended(code_3, true)}},
    {"a task is killed", {task_ended(sigkill)}},
    {"a task is killed before it has joined", {early(task_ended(sigkill))}},
    {"a task is killed by the job's signal before it has joined",
     {early(task_ended(sigkill), true)}},
    {"a task that is not wanted is killed", {unwanted_task()}},
    {"the root process is killed", {root_ended(sigkill)}},
    {"a rank aborts", {abort_of_rank}},
    {"a task aborts", {Aborted{Who::task, 5, 7, "task 5", "because"}}},
    {"SIGINT comes", {Signalled{.signal = SIGINT}}},
    {"SIGINT comes from a terminal", {Signalled{.signal = SIGINT, .of_terminal = true}}},
    {"SIGINT comes again", {Signalled{.signal = SIGINT, .again = true}}},
    {"SIGUSR1 comes", {Signalled{.signal = SIGUSR1}}},
    {"the time of --timeout is up", {TimeUp{2}}},
    {"all wait in vain", {AllWait{"all wait"}}},
    {"one waits for another that has left", {WaitInVain{"rank 1", "rank 2"}}},
    {"the reaper has ended", {ReaperEnded{}}},
    {"the timekeeper has ended", {TimekeeperEnded{"the timekeeper has ended"}}},
    {"the end of a process cannot be noticed", {Unwatched{"rank 1 cannot be watched"}}},
    {"the supervisor cannot go on", {Broken{1, "no memory"}}},
    {"the reader of the output has gone", {OutputLost{EPIPE, "standard output"}}},
    {"output cannot be written", {OutputLost{ENOSPC, "standard output"}}},
    {"all have ended, and output is left", {OutputUnread{2}}},
    {"all have ended, output is left, and SIGINT comes", {OutputUnread{2}, {.interrupt = SIGINT}}},
    {"anything after the decision", {rank_ended(sigkill), {.decided = true}}},
    {"the reaper has ended after the decision", {ReaperEnded{}, {.decided = true}}},
    {"SIGINT comes again after the decision",
     {Signalled{.signal = SIGINT, .again = true}, {.decided = true}}},
};

// Columns of the table.
JobFacts with_policy(JobFacts facts, int column) {
  facts.policy = column == 1 ? DeathPolicy::tolerant : DeathPolicy::together;
  facts.below_mpi = column == 2;
  return facts;
}

// Rows of the table, by their first cell.
std::map<std::string, std::vector<std::string>> table_of_page() {
  std::ifstream page(TUTTI_SUPERVISOR_PAGE);
  std::map<std::string, std::vector<std::string>> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    const bool is_head = line.starts_with("| event |");
    inside = line.starts_with('|') && (inside || is_head);
    if (!inside || is_head || line.starts_with("|--")) continue;
    std::vector<std::string> cells;
    std::istringstream text(line.substr(1));
    for (std::string cell; std::getline(text, cell, '|');) {
      const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    const std::string name = cells.front();
    cells.erase(cells.begin());
    EXPECT_TRUE(rows.emplace(name, cells).second) << "two rows: " << name;
  }
  return rows;
}

TEST(JobPolicy, DoesWhatTheTableSays) {
  const auto rows = table_of_page();
  for (const auto& [name, one] : cases) {
    const auto row = rows.find(name);
    ASSERT_NE(row, rows.end()) << "no row of the page: " << name;
    ASSERT_EQ(row->second.size(), 3U) << name;
    for (int column = 0; column < 3; ++column) {
      const Decision decision = decide(with_policy(one.facts, column), one.event);
      EXPECT_EQ(word_of(decision), row->second[static_cast<std::size_t>(column)])
          << name << ", column " << column;
    }
  }
  for (const auto& [name, cells] : rows) EXPECT_TRUE(cases.contains(name)) << name;
}

TEST(JobPolicy, GivesExitCodes) {
  const std::map<std::string, int> codes = {
      {"a rank exits with another code, having left", 3},
      {"a rank exits with another code, not having left", 3},
      {"a rank is killed", 128 + SIGKILL},
      {"a rank has ended, and nobody can tell how", 1},
      {"a rank is killed by the user's signal", 128 + SIGINT},
      {"a rank is killed after an abort", 7},
      {"a rank aborts", 7},
      {"SIGINT comes again", 128 + SIGINT},
      {"the time of --timeout is up", 124},
      {"all wait in vain", 1},
      {"the reaper has ended", 128 + SIGKILL},
      {"the supervisor cannot go on", 1},
      {"the reader of the output has gone", 128 + SIGPIPE},
      {"output cannot be written", 1},
      {"all have ended, and output is left", 124},
      {"all have ended, output is left, and SIGINT comes", 128 + SIGINT},
  };
  for (const auto& [name, code] : codes) {
    const Case& one = cases.at(name);
    EXPECT_EQ(decide(with_policy(one.facts, 0), one.event).exit_code, code) << name;
  }
}

// Tasks below an MPI follow the policy of their job, and all else follows MPI's.
TEST(JobPolicy, TreatsTasksBelowAnMpiByTheirPolicy) {
  for (const auto& [name, one] : cases) {
    JobFacts below = with_policy(one.facts, 1);
    below.below_mpi = true;
    const auto* ended = std::get_if<ProcessEnded>(&one.event);
    const auto* aborted = std::get_if<Aborted>(&one.event);
    const bool of_task = (ended != nullptr && ended->who == Who::task) ||
                         (aborted != nullptr && aborted->who == Who::task) ||
                         std::holds_alternative<Unwatched>(one.event);
    const Decision expected = decide(with_policy(one.facts, of_task ? 1 : 2), one.event);
    EXPECT_EQ(word_of(decide(below, one.event)), word_of(expected)) << name;
  }
}

TEST(JobPolicy, PassesOnTheSignalThatCame) {
  EXPECT_EQ(decide({}, Signalled{.signal = SIGTERM}).signal, SIGTERM);
  EXPECT_EQ(decide({}, Signalled{.signal = SIGUSR2}).signal, SIGUSR2);
  EXPECT_EQ(decide({}, Signalled{.signal = SIGUSR1, .of_terminal = true}).act, Act::go_on);
}

// A tolerant job keeps the code of a rank, and not that of a task.
TEST(JobPolicy, KeepsCodesOfRanksThatFailEarly) {
  const JobFacts tolerant{.policy = DeathPolicy::tolerant};
  EXPECT_EQ(decide(tolerant, early(rank_ended(sigkill))).exit_code, 128 + SIGKILL);
  EXPECT_EQ(decide(tolerant, early(task_ended(sigkill))).exit_code, 0);
}

TEST(JobPolicy, NamesTheCause) {
  const auto reason = [](const Case& one) { return decide(one.facts, one.event).reason; };
  EXPECT_EQ(reason({rank_ended(sigkill)}), "rank 2 ended");
  EXPECT_EQ(reason({rank_ended(sigint), {.interrupt = SIGINT}}), "ended by SIGINT");
  EXPECT_EQ(reason({rank_ended(sigkill), {.abort = &abort_of_rank}}),
            "rank 1 aborted with code 7: because");
  EXPECT_EQ(reason({WaitInVain{"rank 1", "rank 2"}}), "rank 2 has left while rank 1 waits for it");
  EXPECT_EQ(reason({TimeUp{2.5}}), "time is up after 2.5 s (--timeout)");
  EXPECT_EQ(decide({}, rank_ended(sigkill)).culprit, 2);
  EXPECT_EQ(decide({}, abort_of_rank).culprit, 1);
}

}  // namespace
}  // namespace tutti::launch
