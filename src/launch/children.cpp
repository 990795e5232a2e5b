// SPDX-License-Identifier: BSD-3-Clause
// Looks at ends by waitid, and waits afterwards.
#include "launch/children.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

#include "base/uninterrupted.hpp"
#include "launch/process.hpp"
#include "transport/shm/reach.hpp"

namespace tutti::launch {
namespace {

int look_at_any_end(siginfo_t& info) {
  return base::uninterrupted([&info] {
    info = {};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
  });
}

void wait_for(pid_t ended) {
  base::uninterrupted([ended] { return ::waitpid(ended, nullptr, WNOHANG); });
}

}  // namespace

Children::Children(const transport::shm::Mapping& mapping) : mapping_(&mapping) {
  siginfo_t ignored{};
  sees_ends_first_ = look_at_any_end(ignored) == 0 || errno == ECHILD;
}

bool Children::reap(const std::vector<pid_t>& running, const Note& note) {
  if (!sees_ends_first_) return reap_at_once(note);
  reap_kept();
  siginfo_t info{};
  while (kept_.empty() && look_at_any_end(info) == 0) {
    if (info.si_pid == 0) return true;
    end(info.si_pid, ending_of(info), note);
  }
  // That there are no children is no error unless some of them are known to run.
  if (kept_.empty()) return (errno != ECHILD || !running.empty()) && do_without(note);
  // The system goes on to name the one that is kept, so the others are asked for one by one.
  for (const pid_t child : running) {
    if (std::ranges::any_of(kept_, [child](const Kept& one) { return one.pid == child; })) continue;
    const Ending ending = peek_ending(-1, child);
    if (ending.kind != EndingKind::running) end(child, ending, note);
  }
  return true;
}

// The system refuses to show an end before it is waited for, which it did not at first. From now on
// nobody copies from or to the memory of another process, but for a piece that is under way.
bool Children::do_without(const Note& note) {
  sees_ends_first_ = false;
  const auto slots = static_cast<int>(mapping_->header().slots.see());
  for (int slot = 0; slot < slots; ++slot) mapping_->endpoint(slot).kept_at_end.publish(0);
  return reap_at_once(note);
}

bool Children::reap_at_once(const Note& note) {
  int status = 0;
  const auto next = [&status] { return ::waitpid(-1, &status, WNOHANG); };
  pid_t pid = 0;
  while ((pid = base::uninterrupted(next)) > 0) note(pid, Ending::of_wait_status(status));
  return pid == 0 || errno != ECHILD;
}

void Children::end(pid_t pid, const Ending& ending, const Note& note) {
  const int slot = note(pid, ending);
  if (slot >= 0 && transport::shm::is_reached(*mapping_, slot)) {
    kept_.push_back({pid, slot});
  } else {
    wait_for(pid);
  }
}

void Children::reap_kept() {
  std::erase_if(kept_, [this](const Kept& one) {
    if (transport::shm::is_reached(*mapping_, one.slot)) return false;
    wait_for(one.pid);
    return true;
  });
}

}  // namespace tutti::launch
