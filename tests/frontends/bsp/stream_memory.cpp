// SPDX-License-Identifier: BSD-3-Clause
// Blocks that take turns: when they begin, that they do not meet, and how long each rests. Windows
// are plain memory here.
#include "stream_memory.hpp"

#include <tutti/tutti_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {
bool no_memory = false;
}

extern "C" {
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

int failures = 0;

void expect(bool right, const char* what, std::size_t value) {
  if (right) return;
  ++failures;
  std::printf("failed: %s: %zu\n", what, value);
}

void begin_when_much_was_written() {
  StreamMemory turns;
  turns.written(StreamMemory::written_before - 1);
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
  turns.written(StreamMemory::written_before);
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
  turns.written(StreamMemory::written_before);
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
  turns.written(StreamMemory::written_before);
  no_memory = true;
  expect(turns.take(1000).block == nullptr, "a block without memory", 0);
  no_memory = false;
  expect(turns.take(1000).block == nullptr, "a block after it was refused", 0);
}

void lengths() {
  expect(!StreamMemory::suit(0) && !StreamMemory::suit(4000), "turns of short streams", 1);
  expect(StreamMemory::suit(4096) && StreamMemory::suit(400'000), "turns of middle ones", 0);
  expect(!StreamMemory::suit(1 << 20), "turns of long ones", 1);
}

}  // namespace

int main() {
  lengths();
  begin_when_much_was_written();
  a_block_rests_while_the_others_are_used();
  blocks_in_use_do_not_meet();
  without_memory_there_are_none();
  return failures != 0;
}
