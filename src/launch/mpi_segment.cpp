// SPDX-License-Identifier: BSD-3-Clause
// Makes a segment as a memfd, which has no name that could be left behind. The other ranks of the
// host reach it through /proc.
#include "launch/mpi_segment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "launch/attempt.hpp"
#include "launch/descriptor.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using transport::wire::WireJob;

struct Place {
  int pid = 0, descriptor = -1;
};

Mapping create_segment(const WireJob& job) {
  const bool has_spares = job.job_size() > job.size();
  if (!has_spares && base::text(base::Variable::deaths).value_or("") == "tolerant") {
    base::fail(base::Status::bad_environment,
               "TUTTI_DEATHS=tolerant: under MPI the death of a rank ends the job");
  }
  return Mapping::create({.world_size = static_cast<std::uint32_t>(job.size()),
                          .ranks_here = static_cast<std::uint32_t>(job.hosts().ranks_on_machine()),
                          .unsupervised = true,
                          .limit_bytes = {}});
}

}  // namespace

Mapping private_segment() {
  return Mapping::create({.world_size = 1,
                          .ranks_here = 1,
                          .unsupervised = true,
                          .policy = transport::shm::DeathPolicy::tolerant,
                          .limit_bytes = {}});
}

Descriptor find_segment(int pid, int descriptor) {
  const std::string path = fmt::format("/proc/{}/fd/{}", pid, descriptor);
  Descriptor segment(base::raised(::open(path.c_str(), O_RDWR | O_CLOEXEC)));
  if (!segment.valid()) {
    base::fail_errno(fmt::format(
        "the memory of process {}, which should be on the same host (TUTTI_HOSTS)", pid));
  }
  return segment;
}

Mapping open_segment(int pid, int descriptor) {
  return Mapping::open(find_segment(pid, descriptor).get());
}

Mapping share_segment(const WireJob& job) {
  const int leader = job.hosts().of(job.rank());
  std::optional<Mapping> mapping;
  Attempt result;
  if (leader == job.rank()) result = attempt([&] { mapping = create_segment(job); });
  const auto places = job.gather_all(Place{::getpid(), mapping ? mapping->descriptor() : -1});
  const Place& place = places[static_cast<std::size_t>(leader)];
  if (leader != job.rank() && place.descriptor >= 0)
    result = attempt([&] { mapping = open_segment(place.pid, place.descriptor); });
  agree(job, result);
  return std::move(*mapping);
}

}  // namespace tutti::launch
