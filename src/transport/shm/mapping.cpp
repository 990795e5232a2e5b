// SPDX-License-Identifier: BSD-3-Clause
// Implements the life of the segment: a sparse memfd is made once, sealed against a change of size,
// mapped by every process of the job, and gone with the last of them.
#include "transport/shm/mapping.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/control_group.hpp"
#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/processor_tuning.hpp"
#include "base/processors.hpp"
#include "base/uninterrupted.hpp"
#include "machine/tuning.hpp"
#include "transport/shm/fence.hpp"

namespace tutti::transport::shm {
namespace {

constexpr std::size_t first_try = std::size_t{64} << 30;
// The heap begins at a huge page, so that large rings may get huge pages.
constexpr std::size_t heap_alignment = std::size_t{2} << 20;
constexpr std::size_t heap_start =
    (sizeof(SegmentHeader) + heap_alignment - 1) / heap_alignment * heap_alignment;
constexpr std::size_t smallest = heap_start + (std::size_t{16} << 20);

// Maps the segment and keeps it out of core dumps. A dump would read all of it, and each page that
// nobody has touched would then take memory: 64 GiB of it, and a core file of that size. A kernel
// that cannot leave it out still maps it.
std::byte* map(int descriptor, std::size_t bytes) {
  void* base =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (base == MAP_FAILED) return nullptr;
  // Failure is harmless: a kernel that cannot leave it out of core dumps still maps it.
  (void)::madvise(base, bytes, MADV_DONTDUMP);
  return static_cast<std::byte*>(base);
}

// Returns the most that this process maps. When a process ends under valgrind, its search for leaks
// reads all that is mapped. Each page of the segment that it reads then takes memory, which may be
// more than the machine has. valgrind's library in the process tells that it is there.
std::size_t most_to_map() {
  constexpr std::size_t under_valgrind = std::size_t{1} << 30;
  const bool valgrind = ::dlsym(RTLD_DEFAULT, "_vgnU_freeres") != nullptr;
  return valgrind ? under_valgrind : first_try;
}

// Size of the largest file that this process may make. Growing a file beyond RLIMIT_FSIZE raises a
// signal that kills, so the limit is asked first.
std::size_t file_size_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= first_try) return first_try;
  return static_cast<std::size_t>(limit.rlim_cur);
}

struct Area {
  std::byte* base;
  std::size_t bytes;
};

// Maps as much as is granted. Address space may be limited (ulimit -v) or scarce, so the size is
// halved after each refusal.
Area map_largest(int descriptor) {
  const std::size_t limit = file_size_limit();
  int error = EFBIG;
  for (std::size_t bytes = most_to_map(); bytes >= smallest; bytes /= 2) {
    if (bytes > limit) continue;
    if (::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0) {
      if (std::byte* base = map(descriptor, bytes)) return {base, bytes};
    }
    error = errno;
  }
  base::fail(base::Status::system_error,
             "no address space for the shared segment: even {} MiB are refused: {} (ulimit -v and "
             "-f limit it)",
             smallest >> 20, std::strerror(error));
}

std::int64_t memory_limit(const SegmentOptions& options) {
  if (options.limit_bytes) return *options.limit_bytes;
  if (const auto given = base::bytes(base::Variable::shm_limit)) return *given;
  return base::default_memory_limit();
}

DeathPolicy death_policy(const SegmentOptions& options) {
  if (options.policy) return *options.policy;
  const bool together =
      base::one_of(base::Variable::deaths, {"together", "tolerant"}) == "together";
  return together ? DeathPolicy::together : DeathPolicy::tolerant;
}

// Sets the sizes of the rings so that those of fragments may take half of the limit. A small limit
// makes them smaller than the caches would like, but not so small that a few fragments fill them.
void set_rings(base::Tuning& tuning, std::int64_t limit, std::uint32_t ranks) {
  constexpr std::int64_t fragments = 4;
  base::TuningSettings suited;
  base::suit(suited, base::this_processor());
  if (tuning.fragment_ring == 0) tuning.fragment_ring = suited.values().fragment_ring;
  if (tuning.mail_ring == 0) tuning.mail_ring = suited.values().mail_ring;
  const std::uint64_t share = static_cast<std::uint64_t>(limit) / 2 / ranks;
  const auto allowed = static_cast<std::int64_t>(std::bit_floor(share));
  constexpr std::int64_t short_enough = std::int64_t{64} << 10;
  tuning.fragment = std::min(tuning.fragment, std::max(allowed / fragments, short_enough));
  tuning.fragment_ring =
      std::max(fragments * tuning.fragment, std::min(allowed, tuning.fragment_ring));
  const auto line = static_cast<std::int64_t>(line_bytes);
  tuning.mail_ring =
      std::min(std::max(allowed, fragments * tuning.fragment) / 4 * 3, tuning.mail_ring) / line *
      line;
}

// Sets what must not start as zero. The file is zero-filled, and nobody else knows of it yet.
void initialise(SegmentHeader& header, std::size_t bytes, const SegmentOptions& options,
                std::int64_t limit) {
  header.version = layout_version;
  header.world_size = options.world_size;
  header.ranks_here = options.ranks_here == 0 ? options.world_size : options.ranks_here;
  header.segment_bytes = bytes;
  header.policy = death_policy(options);
  header.unsupervised = options.unsupervised ? 1 : 0;
  header.quota = base::cpu_quota();
  header.tuning = options.tuning ? *options.tuning : machine::job_tuning().values();
  set_rings(header.tuning, limit, header.ranks_here);
  header.fences_at_sleep.put(take_part_in_fences() ? 1 : 0);
  add_processors(header);
  header.slots.put(options.world_size);
  header.reserved_bytes.put(header_bytes(options.world_size));
  header.limit_bytes = limit;
  header.heap_top.put(heap_start);
  for (std::uint32_t rank = 0; rank < options.world_size; ++rank) {
    Endpoint& endpoint = header.endpoints[rank];
    endpoint.generation.put(1);
    endpoint.world_rank.put(static_cast<std::int32_t>(rank));
    endpoint.presence.put(Presence::expected);
  }
  header.magic = segment_magic;
}

struct FileHead {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t world_size;
  std::uint64_t segment_bytes;
};
static_assert(offsetof(FileHead, segment_bytes) == offsetof(SegmentHeader, segment_bytes));

// Maps the segment, or as much of its beginning as is granted. A process has less address space
// than the launcher if it runs under valgrind or a limit of its own (ulimit -v).
Area map_beginning(int descriptor, std::size_t whole) {
  for (std::size_t bytes = std::min(whole, most_to_map()); bytes >= smallest; bytes /= 2) {
    if (std::byte* base = map(descriptor, bytes)) return {base, bytes};
  }
  base::fail_errno("mapping the job's shared segment");
}

// Keeps the job from handing out memory at the end of the segment, which this process cannot reach.
void give_up_end(SegmentHeader& header, std::uint64_t bytes) {
  std::uint64_t seen = header.unreachable_bytes.peek();
  while (seen < bytes && !header.unreachable_bytes.show_instead(seen, bytes)) {
  }
  if (header.heap_top.check() > header.segment_bytes - bytes) {
    base::fail(base::Status::out_of_memory,
               "this process has address space for {} MiB of the job's shared memory, but more is "
               "in use",
               (header.segment_bytes - bytes) >> 20);
  }
}

FileHead read_head(int descriptor) {
  FileHead head{};
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) base::fail_errno("the job's shared segment");
  const auto got = base::uninterrupted([&] { return ::pread(descriptor, &head, sizeof head, 0); });
  if (got < 0 && errno != EBADF) base::fail_errno("the job's shared segment");
  if (got != static_cast<ssize_t>(sizeof head) || head.magic != segment_magic) {
    base::fail(base::Status::bad_environment, "descriptor {} is not a segment of a tutti job",
               descriptor);
  }
  if (head.version != layout_version ||
      head.segment_bytes != static_cast<std::uint64_t>(status.st_size)) {
    base::fail(
        base::Status::bad_environment,
        "the job was started by another version of tutti (segment layout {}, this library has {})",
        head.version, layout_version);
  }
  return head;
}

}  // namespace

// The fixed part and the endpoints of the world. slots.cpp reserves later endpoints.
std::int64_t header_bytes(std::uint32_t world_size) {
  return static_cast<std::int64_t>(sizeof(SegmentHeader) -
                                   sizeof(Endpoint) * (std::size_t{capacity} - world_size));
}

Mapping Mapping::create(const SegmentOptions& options) {
  if (options.world_size < 1 || options.world_size > static_cast<std::uint32_t>(capacity)) {
    base::fail(base::Status::no_slot, "a job of {} processes: from 1 to {} fit", options.world_size,
               capacity);
  }
  const std::int64_t limit = memory_limit(options);
  if (limit < header_bytes(options.world_size)) {
    base::fail(base::Status::out_of_memory,
               "the shared memory limit of {} bytes is too small: {} processes need {}", limit,
               options.world_size, header_bytes(options.world_size));
  }
  const int descriptor = base::raised(::memfd_create("tutti", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (descriptor < 0) base::fail_errno("shared memory for the job (memfd_create)");
  Mapping mapping(nullptr, 0, descriptor);  // owns the descriptor if the next line throws
  const Area area = map_largest(descriptor);
  mapping.base_ = area.base;
  mapping.bytes_ = area.bytes;
  // Failure is harmless: the seals only guard against faults of programs.
  ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  initialise(mapping.header(), area.bytes, options, limit);
  mapping.tuning_ = mapping.header().tuning;
  return mapping;
}

Mapping Mapping::open(int descriptor) {
  const FileHead head = read_head(descriptor);
  const Area area = map_beginning(descriptor, head.segment_bytes);
  Mapping mapping(area.base, area.bytes, -1);
  if (area.bytes < head.segment_bytes)
    give_up_end(mapping.header(), head.segment_bytes - area.bytes);
  join_fences(mapping.header());
  mapping.tuning_ = base::own_tuning(mapping.header().tuning);
  return mapping;
}

Mapping::Mapping(Mapping&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      stays_(other.stays_),
      tuning_(other.tuning_) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(stays_, other.stays_);
  std::swap(tuning_, other.tuning_);
  return *this;
}

Mapping::~Mapping() {
  if (base_ != nullptr && !stays_) ::munmap(base_, bytes_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace tutti::transport::shm
