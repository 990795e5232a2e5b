// SPDX-License-Identifier: BSD-3-Clause
// crossings LIBRARY, under an MPI: runs every algorithm through LIBRARY's wire and counts what is
// handed to MPI. Between hosts it must be exactly the messages of the plan, within a host nothing.
// The rest must have gone through shared memory: the checking transport counts both.
#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <vector>

#include "algorithms/registry.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "launch/mpi_segment.hpp"
#include "oracle.hpp"
#include "transport/checking/transport.hpp"
#include "transport/wire/library.hpp"
#include "transport/wire/mail.hpp"
#include "transport/wire/transport.hpp"

namespace tutti::engine::test {
namespace {

using transport::wire::FrameHeader;
using transport::wire::FrameKind;
using transport::wire::WireJob;

struct Crossed {
  std::int64_t packets = 0;  // of collectives
  std::int64_t others = 0;   // messages that the transport counts beside them
};

// The table has no place for an argument, so what its functions know stands here; one per process,
// as MPI.
const tutti_wire* real_wire = nullptr;
std::vector<Crossed> crossed;  // by rank

int counting_send(const void* data, std::int64_t bytes, int to, int tag,
                  tutti_wire_token* request) {
  const bool packet = static_cast<const FrameHeader*>(data)->kind == FrameKind::packet;
  Crossed& there = crossed[static_cast<std::size_t>(to)];
  ++(packet ? there.packets : there.others);
  return real_wire->send(data, bytes, to, tag, request);
}

tutti_wire counting_wire(const char* library) {
  using Entry = const tutti_wire* (*)();
  transport::wire::provide_mpi(base::mpi_launcher().value().flavour);
  void* loaded = ::dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  const auto entry =
      loaded == nullptr ? nullptr : reinterpret_cast<Entry>(::dlsym(loaded, TUTTI_WIRE_ENTRY));
  if (entry == nullptr) base::fail(base::Status::system_error, "{}", ::dlerror());
  real_wire = entry();
  tutti_wire wire = *real_wire;
  wire.send = counting_send;
  return wire;
}

// Returns the number of messages that the Program of one rank sends to each rank.
std::vector<std::int64_t> planned(const schedule::Program& program, int p) {
  std::vector<std::int64_t> messages(static_cast<std::size_t>(p));
  for (const schedule::Round& round : program) {
    for (const schedule::Op& op : round.ops) {
      if (op.what != schedule::Do::send) continue;
      for (int i = 0; i < op.to.count; ++i) {
        const int to = op.to.first + i * op.to.stride;
        if (to != op.to.except) ++messages[static_cast<std::size_t>(to)];
      }
    }
  }
  return messages;
}

// The transport of one process, made as the runtime makes it, over a wire that counts messages.
class Counter {
 public:
  explicit Counter(const tutti_wire& wire)
      : job_(wire, base::text(base::Variable::hosts).value_or(""), 0),
        mapping_(launch::share_segment(job_)),
        memory_(mapping_, job_.rank()),
        memory_post_(mapping_, job_.rank()),
        link_(job_, mapping_.tuning()),
        far_(memory_, link_),
        remote_mail_(memory_post_, link_),
        checking_(far_) {
    link_.serve(far_, remote_mail_);
    crossed.resize(static_cast<std::size_t>(job_.size()));
  }

  void count(const Scene& scene) {
    Player player(scene, job_.rank(), checking_);
    const std::vector<std::int64_t> messages = planned(player.program(), job_.size());
    const std::vector<Crossed> crossed_before = crossed;
    const std::vector<std::int64_t> sent_before = sent();
    player.run();
    expect(player.verdict().empty(), scene, player.verdict());
    const std::vector<std::int64_t> sent_after = sent();
    for (std::size_t to = 0; to < messages.size(); ++to) {
      const bool here = job_.hosts().here(static_cast<int>(to));
      const std::int64_t over_mpi = crossed[to].packets - crossed_before[to].packets;
      expect(sent_after[to] - sent_before[to] == messages[to], scene,
             fmt::format("{} messages to rank {} instead of {}", sent_after[to] - sent_before[to],
                         to, messages[to]));
      expect(over_mpi == (here ? 0 : messages[to]), scene,
             fmt::format("{} messages over MPI to rank {}, but the plan has {} and it is {}",
                         over_mpi, to, messages[to], here ? "here" : "on another host"));
      expect(!here || crossed[to].others == 0, scene,
             fmt::format("rank {} is here and was told over MPI", to));
      crossings_ += over_mpi;
    }
    ++plans_;
  }

  // Adds up the findings of all ranks. Rank 0 reports.
  int finish() {
    checking_.expect_settled();
    link_.leave();
    const auto sum = [](const std::vector<std::int64_t>& all) {
      return std::accumulate(all.begin(), all.end(), std::int64_t{0});
    };
    const std::int64_t failures = sum(job_.gather_all(failures_)),
                       crossings = sum(job_.gather_all(crossings_));
    if (job_.rank() == 0) {
      fmt::print("{} plans on {} ranks of {} hosts, {} messages between hosts, {} failures\n",
                 plans_, job_.size(), job_.hosts().count(), crossings, failures);
    }
    job_.end();
    return failures == 0 && (crossings > 0) == (job_.hosts().count() > 1) ? 0 : 1;
  }

  [[nodiscard]] int size() const { return job_.size(); }

 private:
  [[nodiscard]] std::vector<std::int64_t> sent() const {
    std::vector<std::int64_t> packets;
    for (int to = 0; to < job_.size(); ++to) {
      packets.push_back(static_cast<std::int64_t>(checking_.sent(to).packets));
    }
    return packets;
  }
  void expect(bool holds, const Scene& scene, const std::string& otherwise) {
    if (holds) return;
    ++failures_;
    fmt::print(stderr, "rank {}, {}: {}\n", job_.rank(), describe(scene), otherwise);
  }

  WireJob job_;
  transport::shm::Mapping mapping_;
  transport::shm::ShmTransport memory_;
  transport::shm::ShmMail memory_post_;
  transport::wire::WireLink link_;
  transport::wire::RemoteTransport far_;
  transport::wire::RemoteMail remote_mail_;
  transport::checking::CheckingTransport checking_;
  std::int64_t failures_ = 0, crossings_ = 0;
  int plans_ = 0;
};

// Returns true for scenes whose messages have no bytes or fit into one packet each, so that a
// message is a packet.
bool wanted(const Scene& scene) {
  return !scene.in_place && (scene.n == 0 || scene.n == 30);
}

int run(const char* library) {
  const tutti_wire wire = counting_wire(library);
  Counter counter(wire);
  for (const schedule::Generator* generator : algorithms::all()) {
    for (const Scene& scene : scenes_of(*generator, counter.size())) {
      if (wanted(scene)) counter.count(scene);
    }
  }
  return counter.finish();
}

}  // namespace
}  // namespace tutti::engine::test

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: {} LIBRARY\n", arguments[0]);
    return 2;
  }
  try {
    return tutti::engine::test::run(arguments[1]);
  } catch (const tutti::base::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
