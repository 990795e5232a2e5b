// SPDX-License-Identifier: BSD-3-Clause
// Tests frames, channels and mailbox messages between hosts, over a wire that is not MPI: order,
// room, memory, leaving and errors.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "fake_wire.hpp"
#include "transport/wire/mail.hpp"
#include "transport/wire/transport.hpp"

namespace tutti::transport::wire::test {
namespace {

template <class Action>
std::string refusal(base::Status status, const Action& action) {
  try {
    action();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.status(), status) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

std::byte pattern(std::uint64_t message, std::uint64_t index) {
  return static_cast<std::byte>((message * 131 + index * 7 + index / 256) & 255U);
}
void fill(std::byte* data, std::uint64_t message, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; ++i) data[i] = pattern(message, i);
}
bool is_filled(const std::byte* data, std::uint64_t message, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (data[i] != pattern(message, i)) return false;
  }
  return true;
}

shm::Mapping segment_for(int ranks) {
  shm::SegmentOptions options;
  options.world_size = static_cast<std::uint32_t>(ranks);
  options.unsupervised = true;
  return shm::Mapping::create(options);
}

// The state of one process.
struct Process {
  Process(const FakeWire& wire, const std::string& hosts, const shm::Mapping& mapping, int rank)
      : job(wire.table(), hosts, 0), memory(mapping, rank), memory_post(mapping, rank) {
    link.serve(transport, post);
  }
  WireJob job;
  shm::ShmTransport memory;
  shm::ShmMail memory_post;
  WireLink link{job, memory.tuning()};
  RemoteTransport transport{memory, link};
  RemoteMail post{memory_post, link};
};

// Ranks 0 and 1 share a host; rank 2 is alone on another.
class Mpi : public testing::Test {
 protected:
  Mpi() {
    for (int rank = 0; rank < 3; ++rank) {
      wire.act_as(rank);
      processes.push_back(std::make_unique<Process>(wire, "0,0,5", rank < 2 ? here : there, rank));
    }
  }
  Process& as(int rank) {
    wire.act_as(rank);
    return *processes[static_cast<std::size_t>(rank)];
  }
  // Polls until `condition()` of that rank holds. The other ranks work meanwhile.
  template <class Condition>
  [[nodiscard]] bool comes(int rank, const Condition& condition) {
    for (int turn = 0; turn < 10'000; ++turn) {
      for (int other = 0; other < 3; ++other) as(other).link.advance();
      as(rank);
      if (condition()) return true;
    }
    return false;
  }
  void post_packet(int from, int to, std::uint64_t number, std::uint32_t bytes) {
    Process& sender = as(from);
    Channel& channel = sender.transport.channel(to);
    ASSERT_TRUE(comes(from, [&] { return channel.ready(); }));
    if (bytes <= sender.transport.limits().at_once) {
      std::byte payload[most_inline];
      fill(payload, number, bytes);
      channel.post_inline(number, payload, bytes);
      std::memset(payload, 0, sizeof payload);
      return;
    }
    const Lent fragment = sender.transport.acquire(bytes, 1, 1);
    ASSERT_NE(fragment.data, nullptr) << "fragments that have been sent are free again";
    fill(fragment.data, number, bytes);
    channel.post(number, 2 * bytes, fragment, bytes);
  }
  void expect_packet(int from, int to, std::uint64_t number, std::uint32_t bytes) {
    Channel& channel = as(to).transport.channel(from);
    ASSERT_TRUE(comes(to, [&] { return channel.peek() != nullptr; }));
    const Packet& packet = *channel.peek();
    ASSERT_EQ(packet.label, number);
    ASSERT_EQ(packet.bytes, bytes);
    ASSERT_EQ(packet.total, bytes <= as(to).transport.limits().at_once ? bytes : 2 * bytes);
    EXPECT_TRUE(is_filled(packet.payload, number, bytes));
    channel.pop();
  }
  void send_mail(int from, int to, std::uint64_t key, std::uint64_t bytes) {
    Mail& post = as(from).post;
    if (bytes <= line_payload) {
      std::byte payload[line_payload];
      fill(payload, key, bytes);
      ASSERT_TRUE(post.inject(to, key, payload, static_cast<std::uint32_t>(bytes)));
      return;
    }
    const Lent buffer = post.acquire(bytes, 1, 1);
    ASSERT_NE(buffer.data, nullptr);
    fill(buffer.data, key, bytes);
    ASSERT_TRUE(post.send(to, key, bytes, buffer, bytes));
  }
  void expect_mail(int from, int to, std::uint64_t key, std::uint64_t bytes) {
    Mail& post = as(to).post;
    Arrival arrival;
    ASSERT_TRUE(comes(to, [&] { return post.poll(from, nullptr, arrival) == Got::taken; }));
    ASSERT_EQ(arrival.source, from);
    ASSERT_EQ(arrival.key, key);
    ASSERT_EQ(arrival.bytes, bytes);
    EXPECT_TRUE(is_filled(arrival.payload(), key, bytes));
    if (arrival.handle != 0) post.release(arrival);
  }

  FakeWire wire{std::vector<int>{0, 0, 0}};
  const shm::Mapping here = segment_for(3), there = segment_for(3);
  std::vector<std::unique_ptr<Process>> processes;
};

TEST(MpiFrame, BeginsItsPayloadWithACacheLineAndIsUsedAgain) {
  FramePool pool{base::Tuning()};
  for (const std::uint64_t bytes : {0U, 1U, 256U, 257U, 65536U, 65537U, 1000000U}) {
    const Frame frame = pool.take(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame.payload()) % 64, 0U);
    EXPECT_EQ(frame.message() + sizeof(FrameHeader), frame.payload());
    EXPECT_GE(frame.capacity(), bytes);
    fill(frame.payload(), 1, bytes);
    const std::byte* base = frame.base();
    pool.give_back(frame);
    if (bytes > pool.long_bytes()) continue;
    const Frame again = pool.take(bytes);
    EXPECT_EQ(again.base(), base);
    pool.give_back(again);
  }
}

TEST_F(Mpi, KnowsHostsAndKeepsMemoryWithinThem) {
  EXPECT_EQ(as(2).job.hosts().count(), 2);
  EXPECT_EQ(as(0).job.hosts().number(2), 1);
  EXPECT_EQ(as(0).job.hosts().ranks_on_machine(), 3) << "whatever TUTTI_HOSTS says";
  post_packet(0, 1, 4, 8);
  expect_packet(0, 1, 4, 8);
  send_mail(1, 0, 6, 5000);
  expect_mail(1, 0, 6, 5000);
  EXPECT_EQ(wire.messages(), 0U);
}

TEST_F(Mpi, PacketsKeepTheirOrder) {
  constexpr std::uint32_t sizes[] = {0, 8, 200, 3000, 65536, 40};
  for (std::uint64_t burst = 0; burst < 40; ++burst) {
    for (const int to : {2, 0}) {
      for (std::uint64_t i = 0; i < 6; ++i) post_packet(2 - to, to, burst * 6 + i, sizes[i]);
    }
    for (const int to : {2, 0}) {
      for (std::uint64_t i = 0; i < 6; ++i) expect_packet(2 - to, to, burst * 6 + i, sizes[i]);
    }
  }
  EXPECT_TRUE(comes(0, [&] { return wire.quiet(); }));
}

TEST_F(Mpi, AReceiverGrantsRoom) {
  for (std::uint64_t i = 0; i < RemoteChannel::window; ++i) post_packet(0, 2, i, 8);
  Channel& out = as(0).transport.channel(2);
  EXPECT_FALSE(comes(0, [&] { return out.ready(); }));
  for (std::uint64_t i = 0; i + 1 < RemoteChannel::window / 4; ++i) expect_packet(0, 2, i, 8);
  EXPECT_FALSE(comes(0, [&] { return out.ready(); })) << "room is told of in quarters";
  expect_packet(0, 2, RemoteChannel::window / 4 - 1, 8);
  EXPECT_TRUE(comes(0, [&] { return out.ready(); }));
  EXPECT_EQ(wire.messages(), RemoteChannel::window + 1);
}

TEST_F(Mpi, MailOfAllLengthsKeepsItsOrder) {
  constexpr std::uint64_t sizes[] = {0, 40, 41, 65536, 65537, 7, 300000, 3};
  for (std::uint64_t burst = 0; burst < 10; ++burst) {
    for (std::uint64_t i = 0; i < 8; ++i) send_mail(0, 2, burst * 8 + i, sizes[i]);
    for (std::uint64_t i = 0; i < 8; ++i) send_mail(1, 2, burst * 8 + i, sizes[7 - i]);
    for (std::uint64_t i = 0; i < 8; ++i) expect_mail(0, 2, burst * 8 + i, sizes[i]);
    for (std::uint64_t i = 0; i < 8; ++i) expect_mail(1, 2, burst * 8 + i, sizes[7 - i]);
  }
  EXPECT_TRUE(comes(0, [&] { return wire.quiet(); }));
}

TEST_F(Mpi, ASenderLearnsWhatWasTaken) {
  for (std::uint64_t i = 0; i < 20; ++i) send_mail(0, 2, i, 8);
  for (std::uint64_t i = 0; i < 18; ++i) expect_mail(0, 2, i, 8);
  for (int turn = 0; turn < 10; ++turn) as(turn % 3).link.advance();
  const std::vector<Unreceived> first = as(0).post.unreceived();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first.front().receiver, "process 2");
  EXPECT_TRUE(first.front().at_most);
  EXPECT_EQ(first.front().messages, 4U) << "told of every 16th";
  const std::uint64_t told = wire.messages();
  EXPECT_TRUE(comes(0, [&] { return processes[0]->post.unreceived().front().messages == 2; }))
      << "the receiver was asked";
  expect_mail(0, 2, 18, 8);
  expect_mail(0, 2, 19, 8);
  EXPECT_TRUE(comes(0, [&] { return processes[0]->post.unreceived().empty(); }));
  EXPECT_EQ(wire.messages(), told + 2) << "it has told what it had taken, and when that was all";
}

// A process that has sent all and has left is not missed when only others are still awaited.
TEST_F(Mpi, AWaitForOthersGoesOnAfterOneHasLeft) {
  as(0).link.tell(2, FrameKind::good_bye, 0);
  ASSERT_TRUE(comes(2, [&] { return processes[2]->link.gone(0); }));
  const int both[] = {1, 0};
  Idler& idler = as(2).transport.idler();
  idler.idle(0, {.endpoints = both});
  for (int turn = 1; turn < 10; ++turn)
    idler.idle(turn, {.endpoints = std::span<const int>(both, 1)});
}

TEST_F(Mpi, AProcessThatLeavesIsNoLongerWaitedFor) {
  post_packet(2, 0, 1, 8);
  for (const int rank : {0, 1}) as(2).link.tell(rank, FrameKind::good_bye, 0);
  expect_packet(2, 0, 1, 8);
  ASSERT_TRUE(comes(0, [&] { return processes[0]->link.gone(2); }));
  EXPECT_NE(
      refusal(base::Status::peer_left, [&] { as(0).post.require_reachable(2); }).find("rank 2"),
      std::string::npos);
  const int other = 2;
  const WaitInfo info{.endpoints = std::span<const int>(&other, 1)};
  Idler& idler = as(0).transport.idler();
  EXPECT_NE(refusal(base::Status::peer_left,
                    [&] {
                      for (int turn = 0; turn < 10; ++turn) idler.idle(turn, info);
                    })
                .find("rank 2 has left the job"),
            std::string::npos);
  idler.awake();
  as(0).link.leave();
  as(1).link.leave();
  as(2).link.leave();
  EXPECT_TRUE(as(2).link.gone(0) && as(2).link.gone(1));
}

// Returns the message of the error that `action` gives if that part of the wire fails.
template <class Action>
std::string failure(FakeWire& wire, Part part, const Action& action) {
  wire.break_part(part);
  std::string said = refusal(base::Status::system_error, action);
  wire.break_part(Part::none);
  return said;
}

// Each error names the call of MPI. All memory must be given back; the sanitizers would report a
// leak.
TEST_F(Mpi, ErrorsOfTheWireAreSaidInItsWords) {
  const auto advance = [&](int rank) { as(rank).link.advance(); };
  EXPECT_EQ(failure(wire, Part::find, [&] { advance(0); }), "MPI_Improbe failed: the wire is cut");
  EXPECT_EQ(failure(wire, Part::send, [&] { as(0).link.tell(2, FrameKind::room, 1); }),
            "MPI_Isend failed: the wire is cut");
  std::byte none{};
  ASSERT_TRUE(as(0).post.inject(2, 1, &none, 0));
  EXPECT_EQ(failure(wire, Part::receive_found, [&] { advance(2); }),
            "MPI_Imrecv failed: the wire is cut");
}

TEST_F(Mpi, ABodyThatCannotBeReceivedIsNoMail) {
  send_mail(0, 2, 5, 300'000);
  EXPECT_EQ(failure(wire, Part::receive,
                    [&] {
                      for (int turn = 0; turn < 100; ++turn) as(2).link.advance();
                    }),
            "MPI_Irecv failed: the wire is cut");
  Arrival arrival;
  EXPECT_EQ(as(2).post.poll(0, nullptr, arrival), Got::nothing);
}

TEST_F(Mpi, ARequestThatCannotBeAskedIsNamed) {
  post_packet(0, 2, 1, 8);
  EXPECT_EQ(failure(wire, Part::test, [&] { as(2).link.advance(); }),
            "MPI_Test failed: the wire is cut");
  expect_packet(0, 2, 1, 8);
}

TEST(MpiLink, OnOneHostOnlyLetsMpiWork) {
  FakeWire wire(std::vector<int>{0, 0});
  wire.act_as(0);
  WireJob job(wire.table(), "", 0);
  const base::Tuning tuning;
  WireLink link(job, tuning);
  EXPECT_FALSE(link.advance());
  EXPECT_EQ(failure(wire, Part::poke, [&] { link.advance(); }),
            "MPI_Iprobe failed: the wire is cut");
}

TEST_F(Mpi, MpiIsLeftAloneOnceItWasFinalized) {
  for (const int rank : {0, 1}) as(2).link.tell(rank, FrameKind::good_bye, 0);
  wire.finalize(0);
  refusal(base::Status::job_ended, [&] { as(0).link.advance(); });
}

TEST(MpiJob, RefusesHostsThatDoNotFit) {
  for (const char* hosts : {"0,1", "0,0,1,1", "0,,1", "a,b,c", "0,1,", "0,-1,1"}) {
    FakeWire wire(std::vector<int>{0, 0, 0});
    const std::string said =
        refusal(base::Status::bad_environment, [&] { const WireJob job(wire.table(), hosts, 0); });
    EXPECT_NE(said.find("for each of the 3 ranks"), std::string::npos) << hosts;
  }
}

TEST(MpiJob, NamesWhatFailsAtTheStart) {
  const std::pair<Part, const char*> parts[] = {{Part::open, "MPI_Init_thread or MPI_Comm_dup"},
                                                {Part::broadcast, "MPI_Bcast"},
                                                {Part::gather_all, "MPI_Allgather"},
                                                {Part::before_finalize, "MPI_Comm_create_keyval"}};
  for (const auto& [part, call] : parts) {
    FakeWire wire(std::vector<int>{0});
    EXPECT_EQ(failure(wire, part, [&] { const WireJob job(wire.table(), "", 0); }),
              std::string(call) + " failed: the wire is cut");
  }
}

TEST(MpiJob, RefusesAnMpiThatCannotBeUsed) {
  const std::pair<tutti_wire_state, const char*> states[] = {
      {{1, 1, 3, 1, 3, 1}, "MPI was finalised before tutti was started"},
      {{1, 0, 2, 2, 3, 1}, "this MPI (fake) speaks MPI 2.2, but 3.0 is needed"},
      {{1, 0, 3, 1, 1, 0},
       "MPI was initialised for calls from its main thread only (thread level funneled), and this "
       "is another one: ask for MPI_THREAD_SERIALIZED"},
      {{1, 0, 4, 0, 0, 0},
       "MPI was initialised for calls from its main thread only (thread level single), and this is "
       "another one: ask for MPI_THREAD_SERIALIZED"}};
  for (const auto& [state, said] : states) {
    FakeWire wire(std::vector<int>{0});
    wire.set_state(state);
    EXPECT_EQ(refusal(base::Status::system_error, [&] { const WireJob job(wire.table(), "", 0); }),
              said);
  }
  for (const tutti_wire_state& state :
       {tutti_wire_state{1, 0, 3, 0, 0, 1}, {1, 0, 3, 1, 2, 0}, {0, 0, 3, 1, 0, 0}}) {
    FakeWire wire(std::vector<int>{0});
    wire.set_state(state);
    EXPECT_EQ(WireJob(wire.table(), "", 0).size(), 1);
  }
}

TEST(MpiJob, RefusesALauncherOfAnotherMpi) {
  FakeWire wire(std::vector<int>{0});
  const std::string said =
      refusal(base::Status::bad_environment, [&] { const WireJob job(wire.table(), "", 4); });
  EXPECT_NE(said.find("started as one of 4 but fake knows of one only"), std::string::npos) << said;
  EXPECT_NE(said.find("start the program with fake's mpirun -n 4 "), std::string::npos) << said;
  EXPECT_NE(said.find(" or with tutti run -n 4 "), std::string::npos) << said;
}

}  // namespace
}  // namespace tutti::transport::wire::test
