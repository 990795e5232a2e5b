// SPDX-License-Identifier: BSD-3-Clause
// Compares the settings that a process was given with those of its job.
#include "job/join.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "algorithms/adopted.hpp"
#include "algorithms/from_file.hpp"
#include "algorithms/registered.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/processors.hpp"
#include "schedule/operation.hpp"
#include "transport/shm/records.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::job {
namespace {

using transport::shm::Mapping;
using transport::shm::Record;
using transport::wire::WireJob;

// Names of records: the settings that the first process to join forces, and with which all others
// must agree; and the machine information of endpoint 0.
constexpr std::string_view forcing = "tutti.forcing", machine_info = "tutti.machine_info";

constexpr int exit_code = 2;  // exit code as for a command line that is not understood

// Returns the MPI job; nullptr unless MPI has started this job. An open job also gives nullptr: its
// processes do not start together, so each uses its own settings.
const WireJob* common_job(const launch::Membership& membership) {
  const WireJob* const job = membership.wire();
  return job == nullptr || job->is_open() ? nullptr : job;
}

// Returns true if this process may publish its machine information for all that share its memory.
bool speaks_first(const launch::Membership& membership) {
  return membership.id() == 0 || membership.wire() != nullptr;
}

template <class Body>
void reporting(launch::Membership& membership, const Body& body) {
  try {
    body();
  } catch (const base::Error& error) {
    if (membership.launched()) membership.abort(exit_code, error.what());
    throw;
  }
}

std::string name_of(const Mapping& mapping, int id) {
  const int slot = transport::shm::slot_of(id);
  const bool is_rank = static_cast<std::uint32_t>(slot) < mapping.header().world_size;
  return is_rank ? fmt::format("rank {}", slot) : fmt::format("the task at endpoint {}", id);
}

std::string setting(const char* variable, std::string_view value) {
  return value.empty() ? fmt::format("no {}", variable) : fmt::format("{}={}", variable, value);
}

struct Difference {
  const char* variable;
  std::string_view mine, theirs;
};

[[noreturn]] void refuse(const launch::Membership& membership, const Mapping& mapping, int other,
                         const Difference& difference, const char* rule) {
  base::fail(base::Status::bad_environment, "{} has {} but {} has {}: {}",
             name_of(mapping, membership.id()), setting(difference.variable, difference.mine),
             name_of(mapping, other), setting(difference.variable, difference.theirs), rule);
}

// Returns the forced algorithms, such as "allreduce=ring", as a message shows them. A second line
// is what has to be the same: for a file, what it holds stands there and not its name, because
// equal files may have different names, and files of one name may differ from host to host. A third
// line holds "1" if results are to be reproducible, and a fourth one the generators of plug-ins and
// of the program.
std::string forcing_of(const selection::Policy& policy) {
  selection::Policy shown = policy, named = policy;
  shown.reproducible = named.reproducible = false;
  std::string sources;
  for (auto& forced : named.forced) {
    const auto* source = forced ? algorithms::source_of(*forced->generator) : nullptr;
    if (source == nullptr) continue;
    const bool file = algorithms::names_file(forced->generator->name);
    sources +=
        fmt::format(" ({} {} is SHA-256 {})", schedule::to_text(forced->generator->operation),
                    file ? "file" : forced->generator->name, source->identity());
    if (file) forced.reset();
  }
  return selection::to_text(shown) + sources + '\n' + selection::to_text(named) + sources +
         (policy.reproducible ? "\n1\n" : "\n\n") + algorithms::registered_text();
}

void compare_forcing(launch::Membership& membership, const selection::Policy& policy) {
  const Mapping& mapping = membership.mapping();
  const std::string mine = forcing_of(policy);
  if (const WireJob* job = common_job(membership))
    publish(mapping, forcing, 0, job->broadcast(mine, 0));
  const auto published = publish(mapping, forcing, membership.id(), mine);
  if (published.is_new) return;
  const auto* const first = published.record;
  constexpr const char* rule = "what is forced must be the same for all processes of a job";
  std::string_view own = mine, theirs = text_of(*first);
  const auto take_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  const auto check = [&](const Difference& shown, std::string_view a, std::string_view b) {
    if (a != b) refuse(membership, mapping, first->maker, shown, rule);
  };
  const Difference algorithms{"TUTTI_ALGORITHM", take_line(own), take_line(theirs)};
  check(algorithms, take_line(own), take_line(theirs));
  for (const char* variable : {"TUTTI_REPRODUCIBLE", "generators"}) {
    const Difference lines{variable, take_line(own), take_line(theirs)};
    check(lines, lines.mine, lines.theirs);
  }
}

// Compares the contents of profile and table with those of endpoint 0, because equal files may have
// different names. A process that names no file uses what endpoint 0 has.
void compare_machine_info(launch::Membership& membership, const selection::MachineInfo& theirs) {
  const auto names = [](base::Variable variable, const selection::Found& found) {
    const auto own = base::text(variable);
    return own && *own != found.named;
  };
  const bool profile = names(base::Variable::profile, theirs.profile),
             table = names(base::Variable::table, theirs.table);
  if (!profile && !table) return;
  const selection::MachineInfo mine = selection::machine_info_of_environment();
  constexpr const char* rule =
      "what rank 0 has counts for all processes of a job, so others need the same or none";
  const auto compare = [&](const char* variable, const selection::Found& own,
                           const selection::Found& other) {
    if (own.document.text == other.document.text) return;
    refuse(membership, membership.mapping(), 0, {variable, own.named, other.named}, rule);
  };
  if (profile) compare("TUTTI_PROFILE", mine.profile, theirs.profile);
  if (table) compare("TUTTI_TABLE", mine.table, theirs.table);
}

// Returns how many processors the job may use on a host; where hosts differ, the least number. An
// MPI may bind each rank to processors of its own, so those of all ranks of a host count.
// Collective over the ranks, and equal on all.
int processors_of_each_host(launch::Membership& membership, const WireJob& job) {
  struct Allowed {
    base::ProcessorSet processors;
    std::uint32_t quota;
  };
  const auto all =
      job.gather_all(Allowed{base::own_processor_set(), membership.mapping().header().quota});
  std::map<int, Allowed> hosts;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Allowed& one = all[static_cast<std::size_t>(rank)];
    hosts.try_emplace(job.hosts().of(rank), one).first->second.processors.add(one.processors);
  }
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (const auto& [host, allowed] : hosts)
    least = std::min({least, std::max(allowed.processors.count(), 1U), allowed.quota});
  return static_cast<int>(least);
}

std::string own_machine_info(launch::Membership& membership, const selection::Policy& policy) {
  selection::MachineInfo found = selection::machine_info_of_environment();
  found.processors = static_cast<int>(membership.mapping().header().cpus.peek());
  const bool has_files =
      !found.profile.document.origin.empty() || !found.table.document.origin.empty();
  if (has_files) (void)selection::chooser_of(policy, found);  // reports errors in the files now
  if (const std::string warning = selection::warning_of(found); !warning.empty())
    base::warn_of({warning});
  return selection::pack(found);
}

// Rank 0 sends its machine information to all hosts: a shared segment reaches one host only.
void share_machine_info(launch::Membership& membership, const WireJob& job,
                        const selection::Policy& policy) {
  const std::string own = job.rank() == 0 ? own_machine_info(membership, policy) : std::string();
  selection::MachineInfo found = selection::unpack_machine_info(job.broadcast(own, 0));
  found.processors = processors_of_each_host(membership, job);
  publish(membership.mapping(), machine_info, 0, selection::pack(found));
  compare_machine_info(membership, found);
}

}  // namespace

void agree(launch::Membership& membership, const selection::Policy& policy) {
  reporting(membership, [&] {
    compare_forcing(membership, policy);
    if (const WireJob* job = common_job(membership))
      return share_machine_info(membership, *job, policy);
    const Mapping& mapping = membership.mapping();
    if (const Record* const found = find_record(mapping, machine_info))
      return compare_machine_info(membership, selection::unpack_machine_info(text_of(*found)));
    if (!speaks_first(membership)) return;
    publish(mapping, machine_info, membership.id(), own_machine_info(membership, policy));
  });
}

selection::MachineInfo common_machine_info(launch::Membership& membership,
                                           transport::Waiter& waiter) {
  static constexpr int source = 0;
  const Mapping& mapping = membership.mapping();
  const Record* record = nullptr;
  const auto poll = [&] {
    record = find_record(mapping, machine_info);
    return record != nullptr || transport::shm::lost(mapping, source) ? transport::Look::done
                                                                      : transport::Look::nothing;
  };
  waiter.wait_until(poll, [](transport::WaitInfo& info) { info.endpoints = {&source, 1}; });
  if (record == nullptr) return {};
  selection::MachineInfo found = selection::unpack_machine_info(text_of(*record));
  reporting(membership, [&] { compare_machine_info(membership, found); });
  return found;
}

}  // namespace tutti::job
