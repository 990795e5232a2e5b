// SPDX-License-Identifier: BSD-3-Clause
// Sorts the accesses by address and checks those that overlap (audit.hpp).
#include "audit.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "errors.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

struct Interval {
  std::uintptr_t begin, end;
  int pid;
  Accessed access;
};

// The hash is FNV-1a with 64 bits.
std::uint64_t sum_of(const void* data, std::size_t size) {
  std::uint64_t sum = 14695981039346656037U;
  for (std::size_t i = 0; i < size; ++i) {
    sum =
        (sum ^ static_cast<std::uint64_t>(static_cast<const std::byte*>(data)[i])) * 1099511628211U;
  }
  return sum;
}

bool is_direct(AccessKind kind) {
  return kind == AccessKind::hpput || kind == AccessKind::hpget ||
         kind == AccessKind::hpget_destination;
}
bool writes(AccessKind kind) {
  return kind != AccessKind::get && kind != AccessKind::hpget;
}

const char* name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::put:
      return "bsp_put";
    case AccessKind::hpput:
      return "bsp_hpput";
    case AccessKind::get:
    case AccessKind::get_destination:
      return "bsp_get";
    default:
      return "bsp_hpget";
  }
}

// The order "gets read, gets write, puts write" decides between buffered accesses of different
// kinds. Nothing decides between two of the same kind, or when a direct access happens.
bool conflict(const Interval& a, const Interval& b) {
  if (!writes(a.access.kind) && !writes(b.access.kind)) return false;
  if (!is_direct(a.access.kind) && !is_direct(b.access.kind) && a.access.kind != b.access.kind)
    return false;
  const bool same_content = a.begin == b.begin && a.end == b.end &&
                            a.access.kind == b.access.kind && a.access.kind == AccessKind::put &&
                            a.access.content == b.access.content;
  return !same_content;
}

std::string side(const BspMachine& machine, const Interval& interval) {
  const std::uint64_t own = machine.peers.loaded[static_cast<std::size_t>(machine.pid)];
  const std::uint64_t theirs = machine.peers.loaded[static_cast<std::size_t>(interval.pid)];
  return fmt::format("{} of process {} at {}", name_of(interval.access.kind), interval.pid,
                     place_text(interval.access.site - theirs + own));
}

}  // namespace

void Audit::note(int pid, const Accessed& access, const void* content) {
  Accessed noted = access;
  if (content != nullptr) noted.content = sum_of(content, access.bytes);
  std::memcpy(streams_[static_cast<std::size_t>(pid)].append(sizeof noted), &noted, sizeof noted);
}

void Audit::note_source(const void* source, std::size_t size, std::uint64_t site) {
  sources_.push_back({source, size, sum_of(source, size), site});
}

std::string Audit::changed_source() const {
  for (const Source& source : sources_) {
    if (sum_of(source.address, source.size) != source.content) {
      return fmt::format("the source of bsp_hpput at {} changed before the superstep ended",
                         place_text(source.site));
    }
  }
  return {};
}

std::string Audit::check_rules(const BspMachine& machine) {
  const std::string changed = changed_source();
  sources_.clear();
  delivery_.exchange(*peers_, streams_);
  std::vector<Interval> intervals;
  for (std::size_t pid = 0; pid < peers_->count(); ++pid) {
    const auto next = [&](std::uint64_t name) { return peers_->resolve(pid, name); };
    for_each_record(delivery_.from(pid), next, [&](const std::byte* record) {
      const auto& access = *reinterpret_cast<const Accessed*>(record);
      const bool own = access.kind == AccessKind::get_destination ||
                       access.kind == AccessKind::hpget_destination;
      const std::uint64_t base =
          own ? 0 : reinterpret_cast<std::uintptr_t>(machine.registry.address(access.slot));
      intervals.push_back({base + access.offset, base + access.offset + access.bytes,
                           static_cast<int>(pid), access});
      return sizeof(Accessed);
    });
  }
  if (!changed.empty()) return changed;
  std::sort(intervals.begin(), intervals.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    for (std::size_t k = i + 1; k < intervals.size() && intervals[k].begin < intervals[i].end;
         ++k) {
      if (!conflict(intervals[i], intervals[k])) continue;
      return fmt::format(
          "{} bytes of this process are the matter of both {} and {}, and chance decides what "
          "becomes of it",
          std::min(intervals[i].end, intervals[k].end) - intervals[k].begin,
          side(machine, intervals[i]), side(machine, intervals[k]));
    }
  }
  return {};
}

bool is_mapped(const void* address, std::size_t size) {
  if (size == 0) return true;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(address) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(address) + size;
  std::vector<unsigned char> resident((end - begin + page - 1) / page);
  return end > begin && mincore(reinterpret_cast<void*>(begin), end - begin, resident.data()) == 0;
}

std::uint64_t program_address() {
  std::uint64_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        *static_cast<std::uint64_t*>(found) = info->dlpi_addr;
        return 1;  // the first entry is the program
      },
      &address);
  return address;
}

}  // namespace tutti::bsp
