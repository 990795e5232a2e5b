// SPDX-License-Identifier: BSD-3-Clause
// Blocks that take turns: when they begin, that they do not meet, and how long each rests. Windows
// are plain memory here, and the tuning table has what each test says.
#include "stream_memory.hpp"

#include <tutti/tutti_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {
bool no_memory = false;
const std::map<std::string, int64_t> usual = {{"block_ring", 4 << 20},
                                              {"block_ring_after", 12 << 20},
                                              {"block_from", 4 << 10},
                                              {"block_to", 512 << 10}};
std::map<std::string, int64_t> table = usual;
}  // namespace

extern "C" {
int64_t tutti_tuning(const char* row) {
  return table.at(row);
}
tutti_status tutti_window_allocate(int64_t bytes, void** address) {
  if (no_memory) return TUTTI_OUT_OF_MEMORY;
  *address = std::aligned_alloc(64, static_cast<std::size_t>(bytes));
  return TUTTI_OK;
}
tutti_status tutti_window_free(void* address) {
  std::free(address);
  return TUTTI_OK;
}
uint64_t tutti_window_name(const void* address) {
  return reinterpret_cast<std::uint64_t>(address);
}
}

namespace {

using tutti::bsp::OwnBlock;
using tutti::bsp::StreamMemory;

constexpr std::size_t written_before = 12 << 20;

// Circular memory of a table with another value.
StreamMemory memory_with(const char* row, int64_t value) {
  table[row] = value;
  StreamMemory memory;
  table = usual;
  return memory;
}

int failures = 0;

void expect(bool right, const char* what, std::size_t value) {
  if (right) return;
  ++failures;
  std::printf("failed: %s: %zu\n", what, value);
}

void begin_when_much_was_written() {
  StreamMemory turns;
  turns.written(written_before - 1);
  expect(turns.take(1000).block == nullptr, "a block after less than it takes", 0);
  turns.written(1);
  const OwnBlock block = turns.take(1000);
  expect(block.block != nullptr && block.capacity >= 1000 && !block.owner,
         "capacity of the first block", block.capacity);
  expect(block.name == tutti_window_name(block.block), "name of the first block", block.name);
}

// Two blocks are in use at each time, like those of two supersteps.
void a_block_rests_while_the_others_are_used() {
  constexpr std::size_t capacity = 100'000;
  StreamMemory turns;
  turns.written(written_before);
  OwnBlock before = turns.take(capacity);
  const std::uint64_t first = before.name;
  std::size_t steps = 0;
  for (;; ++steps) {
    OwnBlock block = turns.take(capacity);
    if (block.name == first || steps == 1000) break;
    turns.give_back(before);
    before = std::move(block);
  }
  expect(steps >= 39 && steps <= 41, "blocks until the first comes again", steps);
}

void hold(std::vector<OwnBlock>& held, const OwnBlock& block, std::size_t capacity) {
  const auto begin_of = [](const OwnBlock& of) {
    return reinterpret_cast<const std::byte*>(of.block);
  };
  const auto end_of = [](const OwnBlock& of) { return of.block->records() + of.capacity; };
  expect(block.capacity >= capacity, "capacity", block.capacity);
  expect(block.name % 64 == 0, "place in a line", block.name % 64);
  for (const OwnBlock& other : held) {
    expect(end_of(block) <= begin_of(other) || end_of(other) <= begin_of(block), "blocks that meet",
           held.size());
  }
  held.push_back({block.block, block.name, block.capacity, nullptr});
}

void blocks_in_use_do_not_meet() {
  std::mt19937 random(20261123);
  StreamMemory turns;
  turns.written(written_before);
  std::vector<OwnBlock> held;
  std::size_t taken = 0, refused = 0;
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t capacity = 1 + random() % 500'000;
    const OwnBlock block = held.size() < 12 ? turns.take(capacity) : OwnBlock{};
    if (block.block != nullptr) {
      ++taken;
      hold(held, block, capacity);
    } else if (!held.empty()) {
      refused += held.size() < 12 ? 1 : 0;
      const std::size_t which = random() % held.size();
      turns.give_back(held[which]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  expect(taken > 5000, "blocks taken", taken);
  expect(refused > 100, "blocks for which there was no room", refused);
  for (const OwnBlock& block : held) turns.give_back(block);
  expect(turns.take(500'000).block != nullptr, "room when all were given back", 0);
}

void without_memory_there_are_none() {
  StreamMemory turns;
  turns.written(written_before);
  no_memory = true;
  expect(turns.take(1000).block == nullptr, "a block without memory", 0);
  no_memory = false;
  expect(turns.take(1000).block == nullptr, "a block after it was refused", 0);
}

void lengths() {
  const StreamMemory turns;
  expect(!turns.suit(0) && !turns.suit(4000), "turns of short streams", 1);
  expect(turns.suit(4096) && turns.suit(400'000), "turns of middle ones", 0);
  expect(!turns.suit(1 << 20), "turns of long ones", 1);
}

void effect_of_block_from() {
  const StreamMemory turns = memory_with("block_from", 100);
  expect(!turns.suit(99) && turns.suit(100), "turns of streams from 100 bytes on", 100);
}

void effect_of_block_to() {
  const StreamMemory turns = memory_with("block_to", 5000);
  expect(turns.suit(5000) && !turns.suit(5001), "turns of streams up to 5000 bytes", 5000);
}

void effect_of_block_ring() {
  StreamMemory turns = memory_with("block_ring", 64 << 10);
  turns.written(written_before);
  expect(turns.take(60'000).block != nullptr, "a block of nearly all", 0);
  expect(turns.take(60'000).block == nullptr, "a second block of nearly all", 0);
}

void effect_of_block_ring_after() {
  StreamMemory turns = memory_with("block_ring_after", 1000);
  turns.written(999);
  expect(turns.take(1000).block == nullptr, "a block after 999 bytes", 0);
  turns.written(1);
  expect(turns.take(1000).block != nullptr, "a block after 1000 bytes", 0);
}

}  // namespace

int main() {
  lengths();
  begin_when_much_was_written();
  a_block_rests_while_the_others_are_used();
  blocks_in_use_do_not_meet();
  without_memory_there_are_none();
  effect_of_block_from();
  effect_of_block_to();
  effect_of_block_ring();
  effect_of_block_ring_after();
  return failures != 0;
}
