// SPDX-License-Identifier: BSD-3-Clause
// tutti::Vector: its values are in memory of tutti_alloc, serve in calls, and behave as those of
// std::vector. Run with 1 to 4 processes.
#include <tutti/tutti.hpp>

#include <complex>
#include <cstdio>
#include <numeric>
#include <utility>

namespace {

int failures = 0;

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "rank %d: %s\n", tutti::world().rank(), what);
  ++failures;
}

template <class Call>
bool refuses(tutti_status status, const Call& call) {
  try {
    call();
  } catch (const tutti::Error& error) {
    return error.status() == status;
  }
  return false;
}

void as_values(const tutti::Group& world) {
  tutti::Vector<double> mine(100'000), all(mine.size() * static_cast<std::size_t>(world.size()));
  std::iota(mine.begin(), mine.end(), world.rank());
  world.allgather(mine, all);
  for (int r = 0; r < world.size(); ++r)
    require(all[mine.size() * static_cast<std::size_t>(r)] == r, "a wrong block");
  tutti::Vector<double> moved = std::move(mine), copied = moved;
  require(moved.data() != copied.data() && moved == copied && copied.at(1) == 1 + world.rank(),
          "a copy differs");
  copied.resize(200'000);
  require(copied.back() == 0, "new elements are not 0");
  world.nonblocking().bcast(copied, 0).wait();
  require(copied[7] == 7, "a wrong broadcast");
  tutti::Vector<std::complex<float>> pairs(10, {1, 2});
  world.allreduce(pairs, tutti::Op::sum);
  require(pairs.back().imag() == 2 * static_cast<float>(world.size()), "a wrong sum");
}

void limits() {
  require(refuses(TUTTI_OUT_OF_MEMORY, [] { tutti::Vector<char> huge(std::size_t{1} << 40); }),
          "too much is not refused");
  const tutti::Vector<int> empty;
  require(empty.empty(), "an empty vector");
}

// The receive goes on. So the memory of the vector that it had must stay.
void destroyed_while_in_use(const tutti::Group& world) {
  if (world.size() == 1) return;
  const int next = (world.rank() + 1) % world.size();
  tutti::Request receive;
  {
    tutti::Vector<int> gone(100'000);
    receive = world.ireceive(gone, tutti::any, 5);
  }
  const tutti::Vector<int> other(100'000, 3);
  world.barrier();
  world.send(tutti::Vector<int>(100'000, 8), next, 5);
  receive.wait();
  require(other.front() == 3 && other.back() == 3, "a receive wrote into another vector");
}

}  // namespace

int main() {
  tutti::Session session;
  const tutti::Group world = tutti::world();
  as_values(world);
  limits();
  destroyed_while_in_use(world);
  return failures == 0 ? 0 : 1;
}
