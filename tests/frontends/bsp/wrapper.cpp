// SPDX-License-Identifier: BSD-3-Clause
// Tests the thesis's C++ interface on any BSPlib: remote memory, messages as in its example,
// broadcast and fold. It also tests the additions of present-day C++: h-relations on values,
// supersteps by counts and among neighbours, and groups if the library has them.
#include <cstdlib>
#include <cstring>
#include <string>
#include <tutti-bsp/bsp.hpp>

using namespace BSPWrapper;

namespace {

void require(bool holds, int line) {
  if (!holds) Backend().abort("wrapper.cpp:%d does not hold\n", line);
}
#define REQUIRE(condition) require(condition, __LINE__)

void remote_memory() {
  CAVector<int> area(8);
  for (int i = 0; i < area.size; ++i) area[i] = -1;
  PushReg(area.data, area.size * static_cast<int>(sizeof(int)));
  Sync();
  const int value = 100 + Pid;
  int got = 0, direct = 0;
  Put((Pid + 1) % P, &value, area.data, 4, sizeof value);
  Get((Pid + 1) % P, area.data, 0, &got, sizeof got);
  HpPut((Pid + 1) % P, &value, area.data, 8, sizeof value);
  Sync();
  HpGet((Pid + 1) % P, area.data, 4, &direct, sizeof direct);
  Sync();
  REQUIRE(area[1] == 100 + (Pid + P - 1) % P && area[2] == area[1] && got == -1 &&
          direct == 100 + Pid);
  PopReg(area.data);
  Sync();
}

void messages() {
  SetTagSize(sizeof(int));
  Sync();
  const char data[10] = "ninechars";
  for (int p = 0; p < P; ++p) Send(p, &Pid, data, sizeof data);
  HpSend(0, &Pid, data, 3);
  Sync();
  int status = 0, tag = 0, count = 0;
  for (GetTag(&status, &tag); status >= 0; GetTag(&status, &tag), ++count) {
    char found[10] = "";
    if (count % 2 == 0) {
      Move(found, status);
    } else {
      void* place = nullptr;
      int size = 0;
      HpMove(place, size);
      REQUIRE(size == status);
      std::memcpy(found, place, static_cast<std::size_t>(size));
    }
    REQUIRE(std::memcmp(found, data, static_cast<std::size_t>(status)) == 0 && tag >= 0 && tag < P);
  }
  REQUIRE(count == P + (Pid == 0 ? P : 0));
}

void larger(char* result, char* left, char* right, int* size) {
  double a = 0, b = 0;
  std::memcpy(&a, left, sizeof a);
  std::memcpy(&b, right, sizeof b);
  const double most = std::max(a, b);
  std::memcpy(result, &most, static_cast<std::size_t>(*size));
}

void collectives() {
  const double own = Pid * 2.5;
  double result = 0;
  Fold(&own, &result, sizeof own, larger);
  REQUIRE(result == (P - 1) * 2.5);
  Broadcast(P - 1, sizeof own, &own, &result);
  REQUIRE(result == (P - 1) * 2.5);
  CMultiQueue<long> out(P);
  for (int q = 0; q < P; ++q) {
    for (long k = 0; k <= q; ++k) {
      const long value = 1000L * Pid + k;
      out.Enqueue(q, &value, 1);
    }
  }
  CMultiQueue<long> in = Exchange(out);
  for (int q = 0; q < P; ++q) {
    long* data = nullptr;
    int count = 0;
    in.FirstHead(data, count);
    REQUIRE(count == Pid + 1 && data[0] == 1000L * q && data[count - 1] == 1000L * q + Pid);
    in.DeleteFirstHead(count);
  }
  long* data = nullptr;
  int count = 1;
  in.FirstHead(data, count);
  REQUIRE(count == 0);
}

struct Person {
  std::string name;
  std::vector<std::pair<std::string, double>> marks;
  bool operator==(const Person&) const = default;
};

}  // namespace

template <>
struct BSPWrapper::Packing<Person> {
  static void Write(Writer& out, const Person& person) { out& person.name& person.marks; }
  static void Read(Reader& in, Person& person) { in& person.name& person.marks; }
};

namespace {

Person person_of(int from, int to, int number) {
  Person person{std::string(static_cast<std::size_t>(10 * from + number), 'x'), {}};
  for (int i = 0; i < to; ++i)
    person.marks.emplace_back("mark " + std::to_string(i), from + number / 8.0);
  return person;
}

// Process s has q + 1 values for each process q.
void relations() {
  std::vector<std::vector<Person>> persons(static_cast<std::size_t>(P));
  std::vector<std::vector<double>> numbers(persons.size());
  for (int q = 0; q < P; ++q) {
    for (int k = 0; k <= q; ++k)
      persons[static_cast<std::size_t>(q)].push_back(person_of(Pid, q, k));
    for (int k = 0; k <= q; ++k) numbers[static_cast<std::size_t>(q)].push_back(1000.0 * Pid + k);
  }
  const auto arrived = Exchange(persons);
  const auto counted = Exchange(numbers, std::vector<int>(persons.size(), Pid + 1));
  for (int q = 0; q < P; ++q) {
    const auto& from = arrived[static_cast<std::size_t>(q)];
    const auto& values = counted[static_cast<std::size_t>(q)];
    REQUIRE(static_cast<int>(from.size()) == Pid + 1 && values.size() == from.size());
    for (int k = 0; k <= Pid; ++k) {
      REQUIRE(from[static_cast<std::size_t>(k)] == person_of(q, Pid, k));
      REQUIRE(values[static_cast<std::size_t>(k)] == 1000.0 * q + k);
    }
  }
  std::vector<int> keys;
  for (int k = 0; k < 100; ++k) keys.push_back(100 * Pid + k);
  std::size_t total = 0;
  for (const int key : Route(keys, [](int value) { return value % P; }))
    REQUIRE((++total, key % P == Pid));
  REQUIRE(total >= static_cast<std::size_t>(100 * P / P - P) &&
          total <= static_cast<std::size_t>(100 + P));
}

void partial_supersteps() {
  const int right = (Pid + 1) % P, left = (Pid + P - 1) % P;
  const int none = 0;
  SetTagSize(0);
  Sync();
  for (int round = 0; round < 5; ++round) {
    for (int k = 0; k <= round; ++k) Send(right, &none, &Pid, sizeof Pid);
    std::vector<int> counts(static_cast<std::size_t>(P));
    counts[static_cast<std::size_t>(left)] = round + 1;
    if (round % 2 == 0) Sync(counts);
    if (round % 2 == 1) SyncWith({left, right});
    int status = 0, found = -1;
    for (int k = 0; k <= round; ++k) {
      GetTag(&status, nullptr);
      Move(&found, sizeof found);
      REQUIRE(status == sizeof found && found == left);
    }
    GetTag(&status, nullptr);
    REQUIRE(status == -1);
  }
  Sync();
}

void groups() {
  const int all = P, own = Pid;
  const Group halves(Pid % 2, -Pid);
  {
    const Group::Within within(halves);
    REQUIRE(P == (all + 1 - own % 2) / 2 && Pid == (all - 1 - own) / 2);
    relations();
  }
  REQUIRE(P == all && Pid == own && halves);
}

}  // namespace

int main(int argc, char** argv) {
  Init(argc, argv);
  remote_memory();
  messages();
  collectives();
  relations();
  partial_supersteps();
  if (Backend().group_split != nullptr) groups();
  REQUIRE(Time() >= 0);
  Print(0, "the wrapper works on %d processes of %s\n", P,
        std::strrchr(Backend().name, '/') == nullptr ? Backend().name
                                                     : std::strrchr(Backend().name, '/') + 1);
  Exit();
  return 0;
}
