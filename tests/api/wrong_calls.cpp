// SPDX-License-Identifier: BSD-3-Clause
// Makes the mistake that its argument names and catches nothing. It must never reach its end. With
// "caught" in front, it catches the error and must reach its end. "own" makes a wrong C call in
// this program, which ends the job as in C.
#include <array>
#include <iostream>
#include <string>
#include <tutti/tutti.hpp>

namespace {

void make(const std::string& mistake, const tutti::Group& world) {
  double one = 0;
  std::int64_t other = 0;
  std::array<double, 8> many{};
  const std::span<double> few(many.data(), world.rank() == 0 ? 8 : 4);
  if (mistake == "calls" && world.rank() == 2) return world.barrier();
  if (mistake == "calls") one = world.allreduce(one, tutti::Op::sum);
  if (mistake == "counts") world.allreduce(few, tutti::Op::sum);
  if (mistake == "types" && world.rank() == 0) other = world.allreduce(other, tutti::Op::sum);
  if (mistake == "types" && world.rank() != 0) one = world.allreduce(one, tutti::Op::sum);
  if (mistake == "root") world.bcast(many, 9);
  if (mistake == "roots") world.bcast(many, world.rank() == 1 ? 1 : 0);
  if (mistake == "one" && world.rank() == 0) world.bcast(many, 0);
  if (mistake == "own") tutti_bcast(world.handle(), nullptr, 0);
}

void run(const std::string& mistake) {
  const tutti::Session session;
  const tutti::Group world = tutti::world();
  std::cout << "rank " + std::to_string(world.rank()) + " of " + std::to_string(world.size()) +
                   "\n";
  make(mistake, world);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "none";
  if (first == "uninitialised") return tutti::world().rank();
  if (first != "caught") {
    run(first);
  } else {
    try {
      run(argc > 2 ? argv[2] : "none");
      return 1;
    } catch (const tutti::Error& error) {
      std::cout << std::string("caught: ") + error.what() + "\n";
    }
  }
  std::cout << "came to its end\n";
  return 0;
}
