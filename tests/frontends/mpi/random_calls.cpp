// SPDX-License-Identifier: BSD-3-Clause
// random_calls CALLS SEED: makes random collective calls under tutti's library for programs of MPI,
// each also by its PMPI name on a copy of the same data, and compares all memory. The ranks use
// different types, and forms of the call, for the same data.
#include "random_calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace random_calls {
namespace {

using Memory = std::vector<int>;

enum Operation {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  gatherv,
  scatterv,
  allgatherv,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  scan,
  exscan,
  reduce_scatter,
  reduce_scatter_block,
  operations
};

// One call, as this rank makes it.
struct Call {
  MPI_Comm comm = MPI_COMM_NULL;
  int size = 1, rank = 0, root = 0;
  Operation operation = barrier;
  int block = 0;  // numbers of an equal block, or elements of a reduction
  bool in_place = false;
  Layout send, receive;
  Combine combine;
  Lists sent, received;  // of irregular calls
  std::vector<MPI_Datatype> send_types, receive_types;
  [[nodiscard]] bool at_root() const { return rank == root; }
};

#if MPI_VERSION >= 4
#define CALL_LARGE(Name, ...) MPI_##Name##_c(__VA_ARGS__)
constexpr int forms = 3;
#else
#define CALL_LARGE(Name, ...) MPI_##Name(__VA_ARGS__)
constexpr int forms = 2;
#endif
// Calls one form of a function whose arguments have no lists.
#define CALL(Name, ...)                                  \
  (form == Form::plain   ? PMPI_##Name(__VA_ARGS__)      \
   : form == Form::large ? CALL_LARGE(Name, __VA_ARGS__) \
                         : MPI_##Name(__VA_ARGS__))
#if MPI_VERSION >= 4
// Calls one form of a function with lists; `wide` are the arguments with large counts.
#define CALL_LISTS(Name, narrow, wide)         \
  (form == Form::plain   ? PMPI_##Name narrow  \
   : form == Form::large ? MPI_##Name##_c wide \
                         : MPI_##Name narrow)
#else
#define CALL_LISTS(Name, narrow, wide) \
  (form == Form::plain ? PMPI_##Name narrow : MPI_##Name narrow)
#endif

int elements(int ints, const Layout& layout) {
  return ints / layout.ints;
}

// Makes the call in a form of Fortran if there is one for it. Returns false if not.
bool run_fortran(const Call& c, void* from, void* to) {
  const Fortran& f = fortran();
  if (!f.there() || (c.in_place && f.in_place == nullptr)) return false;
  MPI_Fint error = 0;
  const MPI_Fint comm = MPI_Comm_c2f(c.comm);
  const MPI_Fint send = MPI_Type_c2f(c.send.type), receive = MPI_Type_c2f(c.receive.type);
  void* const input = from == MPI_IN_PLACE ? f.in_place : from;
  switch (c.operation) {
    case barrier:
      f.barrier(&comm, &error);
      return true;
    case bcast: {
      const MPI_Fint count = elements(c.block, c.send);
      f.bcast(from, &count, &send, &c.root, &comm, &error);
      return true;
    }
    case allreduce: {
      const MPI_Fint type = MPI_Type_c2f(c.combine.type), op = MPI_Op_c2f(c.combine.op);
      f.allreduce(input, to, &c.block, &type, &op, &comm, &error);
      return true;
    }
    case gatherv: {
      const MPI_Fint count =
          elements(c.sent.counts[static_cast<std::size_t>(c.rank)] * c.send.ints, c.send);
      f.gatherv(input, &count, &send, to, c.received.counts.data(), c.received.places.data(),
                &receive, &c.root, &comm, &error);
      return true;
    }
    case alltoallv:
      f.alltoallv(input, c.sent.counts.data(), c.sent.places.data(), &send, to,
                  c.received.counts.data(), c.received.places.data(), &receive, &comm, &error);
      return true;
    default:
      return false;
  }
}

void run_equal(Form form, const Call& c, void* from, void* to) {
  const int count = elements(c.block, c.send), receive_count = elements(c.block, c.receive);
  const MPI_Datatype send = c.send.type, receive = c.receive.type;
  void* const at_root = c.in_place && c.at_root() ? MPI_IN_PLACE : nullptr;
  void* const on_all = c.in_place ? MPI_IN_PLACE : nullptr;
  void* const input = on_all != nullptr ? on_all : from;
  switch (c.operation) {
    case bcast:
      CALL(Bcast, from, count, send, c.root, c.comm);
      return;
    case gather:
      CALL(Gather, at_root != nullptr ? at_root : from, count, send, to, receive_count, receive,
           c.root, c.comm);
      return;
    case scatter:
      CALL(Scatter, from, count, send, at_root != nullptr ? at_root : to, receive_count, receive,
           c.root, c.comm);
      return;
    case allgather:
      CALL(Allgather, input, count, send, to, receive_count, receive, c.comm);
      return;
    default:
      CALL(Alltoall, input, count, send, to, receive_count, receive, c.comm);
  }
}

void run_irregular(Form form, const Call& c, void* from, void* to) {
  const auto me = static_cast<std::size_t>(c.rank);
  const Lists &s = c.sent, &r = c.received;
  const MPI_Datatype send = c.send.type, receive = c.receive.type;
  const bool lone = c.operation == gatherv || c.operation == scatterv;
  void* const input = c.in_place && (!lone || c.at_root()) ? MPI_IN_PLACE : from;
  void* const output = c.in_place && c.at_root() ? MPI_IN_PLACE : to;
  switch (c.operation) {
    case gatherv:
      CALL_LISTS(Gatherv,
                 (input, s.counts[me], send, to, r.counts.data(), r.places.data(), receive, c.root,
                  c.comm),
                 (input, s.counts[me], send, to, r.large_counts.data(), r.large_places.data(),
                  receive, c.root, c.comm));
      return;
    case scatterv:
      CALL_LISTS(Scatterv,
                 (from, s.counts.data(), s.places.data(), send, output, r.counts[me], receive,
                  c.root, c.comm),
                 (from, s.large_counts.data(), s.large_places.data(), send, output, r.counts[me],
                  receive, c.root, c.comm));
      return;
    case allgatherv:
      CALL_LISTS(Allgatherv,
                 (input, s.counts[me], send, to, r.counts.data(), r.places.data(), receive, c.comm),
                 (input, s.counts[me], send, to, r.large_counts.data(), r.large_places.data(),
                  receive, c.comm));
      return;
    default:
      CALL_LISTS(Alltoallv,
                 (input, s.counts.data(), s.places.data(), send, to, r.counts.data(),
                  r.places.data(), receive, c.comm),
                 (input, s.large_counts.data(), s.large_places.data(), send, to,
                  r.large_counts.data(), r.large_places.data(), receive, c.comm));
  }
}

void run_typed(Form form, const Call& c, void* from, void* to) {
  const Lists &s = c.sent, &r = c.received;
  const MPI_Datatype *send = c.send_types.data(), *receive = c.receive_types.data();
  void* const input = c.in_place ? MPI_IN_PLACE : from;
  CALL_LISTS(Alltoallw,
             (input, s.counts.data(), s.places.data(), send, to, r.counts.data(), r.places.data(),
              receive, c.comm),
             (input, s.large_counts.data(), s.large_places.data(), send, to, r.large_counts.data(),
              r.large_places.data(), receive, c.comm));
}

void run_combine(Form form, const Call& c, void* from, void* to) {
  const MPI_Datatype type = c.combine.type;
  const MPI_Op op = c.combine.op;
  const bool place = c.in_place && (c.operation != reduce || c.at_root());
  void* const input = place ? MPI_IN_PLACE : from;
  switch (c.operation) {
    case reduce:
      CALL(Reduce, input, to, c.block, type, op, c.root, c.comm);
      return;
    case allreduce:
      CALL(Allreduce, input, to, c.block, type, op, c.comm);
      return;
    case scan:
      CALL(Scan, input, to, c.block, type, op, c.comm);
      return;
    case exscan:
      CALL(Exscan, input, to, c.block, type, op, c.comm);
      return;
    case reduce_scatter:
      CALL_LISTS(Reduce_scatter, (input, to, c.sent.counts.data(), type, op, c.comm),
                 (input, to, c.sent.large_counts.data(), type, op, c.comm));
      return;
    default:
      CALL(Reduce_scatter_block, input, to, c.block, type, op, c.comm);
  }
}

void run(Form form, const Call& c, Memory& send, Memory& receive) {
  void* const from = send.data();
  void* const to = receive.data();
  const bool lone = c.operation == gatherv;
  void* const input = c.in_place && (!lone || c.at_root()) ? MPI_IN_PLACE : from;
  if (form == Form::fortran && run_fortran(c, c.operation == bcast ? from : input, to)) return;
  if (c.operation == barrier) {
    form == Form::plain ? PMPI_Barrier(c.comm) : MPI_Barrier(c.comm);
    return;
  }
  if (c.operation <= alltoall) return run_equal(form, c, from, to);
  if (c.operation == alltoallw) return run_typed(form, c, from, to);
  if (c.operation < alltoallw) return run_irregular(form, c, from, to);
  run_combine(form, c, from, to);
}

template <class Choice>
const Choice& any_of(const std::vector<Choice>& choices, Random& random) {
  return choices[static_cast<std::size_t>(random.below(static_cast<int>(choices.size())))];
}

// Blocks have this many numbers.
constexpr int unit = 12;

// Returns the numbers of the block from one rank to another.
int numbers_of(int seed, int from, int to) {
  Random random(static_cast<std::uint64_t>(seed) * 31 + static_cast<std::uint64_t>(from) * 7 +
                static_cast<std::uint64_t>(to) + 1);
  random.below(2);
  return unit * random.below(4);
}

// Fills the lists of an irregular call. Blocks may have gaps between them, and the order of the
// ranks may be the other way round, which each rank decides for itself.
Lists lists_of(const std::vector<int>& numbers, const std::vector<Layout>& layouts, bool bytes,
               Random& own) {
  const int gap = own.below(2) * 2, ranks = static_cast<int>(numbers.size());
  const bool reversed = own.below(3) == 0;
  std::vector<int> counts(numbers.size()), places(numbers.size());
  int place = 0;
  for (int i = 0; i < ranks; ++i) {
    const auto rank = static_cast<std::size_t>(reversed ? ranks - 1 - i : i);
    const Layout& layout = layouts[rank];
    counts[rank] = elements(numbers[rank], layout);
    places[rank] = bytes ? place * static_cast<int>(sizeof(int)) : place;
    place += (bytes ? counts[rank] * layout.extent : counts[rank]) + gap;
  }
  Lists made;
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) made.add(counts[rank], places[rank]);
  return made;
}

void make_irregular(Call& c, int seed, Random& own, const std::vector<Layout>& layouts) {
  std::vector<int> out, in;
  std::vector<Layout> out_layouts, in_layouts;
  const bool each = c.operation == alltoallw, symmetric = c.in_place;
  for (int other = 0; other < c.size; ++other) {
    const bool pairs = c.operation == alltoallv || each;
    // In place, both directions of a pair have the same size.
    const int low = other < c.rank ? other : c.rank, high = other < c.rank ? c.rank : other;
    out.push_back(!pairs      ? numbers_of(seed, other, 0)
                  : symmetric ? numbers_of(seed, low, high)
                              : numbers_of(seed, c.rank, other));
    in.push_back(!pairs      ? numbers_of(seed, other, 0)
                 : symmetric ? numbers_of(seed, low, high)
                             : numbers_of(seed, other, c.rank));
    out_layouts.push_back(each ? any_of(layouts, own) : c.send);
    in_layouts.push_back(each ? any_of(layouts, own) : c.receive);
    c.send_types.push_back(out_layouts.back().type);
    c.receive_types.push_back(in_layouts.back().type);
  }
  c.sent = lists_of(out, out_layouts, each, own);
  c.received = lists_of(in, in_layouts, each, own);
}

Call make_call(MPI_Comm comm, int seed, Random& own, const std::vector<Layout>& layouts,
               const std::vector<Combine>& combines) {
  Random random(static_cast<std::uint64_t>(seed) + 1);
  Call c;
  c.comm = comm;
  MPI_Comm_size(comm, &c.size);
  MPI_Comm_rank(comm, &c.rank);
  c.operation = static_cast<Operation>(random.below(operations));
  c.root = random.below(c.size);
  c.in_place = random.below(3) == 0;
  const int lengths[] = {0, 1, 2, 5, 9, random.below(300)};
  const int length = lengths[random.below(6)];
  // Open MPI 4.1.4 chooses its algorithm for MPI_Allgatherv by the types of each rank, and hangs if
  // they differ.
  Random& who = c.operation == allgatherv ? random : own;
  c.send = any_of(layouts, who);
  c.receive = c.operation == allgatherv ? c.send : any_of(layouts, who);
  c.combine = any_of(combines, random);
  c.block = c.operation < reduce ? length * unit : length;
  if (c.operation == reduce && c.combine.fails_in_place(c.block, c.root)) c.in_place = false;
  if (c.operation >= gatherv && c.operation <= alltoallw) make_irregular(c, seed, own, layouts);
  if (c.operation == reduce_scatter) {
    for (int rank = 0; rank < c.size; ++rank) c.sent.add(numbers_of(seed, rank, 0) / 4, 0);
  }
  return c;
}

Memory data_for(const Call& c, Random& own) {
  Memory made(static_cast<std::size_t>(c.size * (c.block + 4 * unit) * 5 + 64));
  for (int& number : made) number = own.below(1000);
  if (c.operation >= reduce && c.combine.small_doubles) {
    const std::size_t count = made.size() * sizeof(int) / sizeof(double);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = own.below(1000);
      std::memcpy(reinterpret_cast<char*>(made.data()) + i * sizeof value, &value, sizeof value);
    }
  }
  return made;
}

// Returns the bytes of the receive buffer of which MPI says what they hold after the call.
std::size_t defined_bytes(const Call& c, const Memory& memory) {
  const auto whole = memory.size() * sizeof(int);
  const auto element = static_cast<std::size_t>(c.combine.bytes);
  if (c.operation == exscan && c.rank == 0) return 0;
  if (c.operation == reduce_scatter && c.in_place)
    return static_cast<std::size_t>(c.sent.counts[static_cast<std::size_t>(c.rank)]) * element;
  if (c.operation == reduce_scatter_block && c.in_place)
    return static_cast<std::size_t>(c.block) * element;
  return whole;
}

bool same(const Memory& a, const Memory& b, std::size_t bytes) {
  return std::memcmp(a.data(), b.data(), bytes) == 0;
}

// Makes the call twice. Returns false, after a line, if the results differ.
bool agrees(const Call& c, Form form, Random& own, int number) {
  const Memory send = data_for(c, own), receive = data_for(c, own);
  Memory our_send = send, our_receive = receive, their_send = send, their_receive = receive;
  run(form, c, our_send, our_receive);
  run(Form::plain, c, their_send, their_receive);
  if (same(our_send, their_send, send.size() * sizeof(int)) &&
      same(our_receive, their_receive, defined_bytes(c, receive)))
    return true;
  std::fprintf(stderr,
               "call %d differs: operation %d, rank %d of %d, root %d, block %d, in place %d, form "
               "%d, %d bytes an element\n",
               number, c.operation, c.rank, c.size, c.root, c.block, c.in_place ? 1 : 0,
               static_cast<int>(form), c.combine.bytes);
  return false;
}

int run_all(int calls, int seed) {
  int rank = 0, wrong = 0, all_wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Source source{Random(static_cast<std::uint64_t>(seed)),
                Random(static_cast<std::uint64_t>(seed) * 1000 + static_cast<std::uint64_t>(rank))};
  const std::vector<Layout> layouts = make_layouts();
  const std::vector<Combine> combines = make_combines();
  Communicators communicators;
  for (int i = 0; i < calls; ++i) {
    MPI_Comm comm = communicators.next(source);
    const int call_seed = source.common.below(1 << 30);
    if (comm == MPI_COMM_NULL) continue;
    const Call call = make_call(comm, call_seed, source.own, layouts, combines);
    const Form form = static_cast<Form>(1 + source.own.below(forms));
    if (!agrees(call, forms == 2 && form == Form::large ? Form::fortran : form, source.own, i))
      ++wrong;
  }
  PMPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("%s: %d calls from seed %d, Fortran %s\n", all_wrong == 0 ? "right" : "WRONG",
                calls, seed, fortran().there() ? "too" : "not found");
  }
  return all_wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace random_calls

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  const int code = random_calls::run_all(calls, seed);
  MPI_Finalize();
  return code;
}
