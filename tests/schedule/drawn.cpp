// SPDX-License-Identifier: BSD-3-Clause
#include "drawn.hpp"

#include <algorithm>
#include <map>

namespace tutti::schedule::drawn {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

int below(std::mt19937& random, int n) {
  return static_cast<int>(random() % static_cast<unsigned>(n));
}

// The messages of a round: the blocks that one rank sends to another.
using Messages = std::map<std::pair<int, int>, std::vector<int>>;

Programs empty_programs(int p, int rounds) {
  return Programs(at(p), Program(at(rounds)));
}

// Draws messages of blocks that the senders hold and, unless `again`, the receivers do not.
Messages draw_messages(std::mt19937& random, const std::vector<std::vector<bool>>& held,
                       bool again) {
  const int p = static_cast<int>(held.size()), blocks = static_cast<int>(held.front().size());
  Messages messages;
  std::vector<std::vector<bool>> arrives(at(p), std::vector<bool>(at(blocks), false));
  for (int tries = 0; tries < 2 * p; ++tries) {
    const int from = below(random, p), to = below(random, p), block = below(random, blocks);
    const bool known = held[at(to)][at(block)] && !(again && below(random, 8) == 0);
    if (from == to || !held[at(from)][at(block)] || known || arrives[at(to)][at(block)]) continue;
    arrives[at(to)][at(block)] = true;
    messages[{from, to}].push_back(block);
  }
  return messages;
}

Blocks in(Buffer buffer, const std::vector<int>& numbers) {
  Blocks blocks;
  for (const int number : numbers) blocks.push_back({buffer, number});
  return blocks;
}

void receive(std::mt19937& random, Round& round, int from, const std::vector<int>& numbers,
             int blocks, bool scratch) {
  if (!scratch || below(random, 4) != 0)
    return round.receive(in(Buffer::output, numbers), Rank{from});
  // Scratch has room for two vectors.
  std::vector<int> places = numbers;
  const int vector = below(random, 2);
  for (int& place : places) place += vector * blocks;
  round.receive(in(Buffer::scratch, places), Rank{from});
  round.copy(in(Buffer::output, numbers), in(Buffer::scratch, places));
}

}  // namespace

Programs draw_broadcast(std::mt19937& random, int p, int root, int blocks, int rounds,
                        Liberties liberties) {
  Programs programs = empty_programs(p, rounds);
  std::vector<std::vector<bool>> held(at(p), std::vector<bool>(at(blocks), false));
  held[at(root)].assign(at(blocks), true);
  for (int t = 0; t < rounds; ++t) {
    const Messages messages = draw_messages(random, held, liberties.again);
    for (const auto& [pair, numbers] : messages)
      programs[at(pair.first)][at(t)].send(in(Buffer::output, numbers), Rank{pair.second});
    for (const auto& [pair, numbers] : messages) {
      receive(random, programs[at(pair.second)][at(t)], pair.first, numbers, blocks,
              liberties.scratch);
      for (const int number : numbers) held[at(pair.second)][at(number)] = true;
    }
  }
  return programs;
}

Programs draw_scatter(std::mt19937& random, int p, int root, int rounds, bool copies) {
  Programs programs = empty_programs(p, rounds);
  std::vector<std::vector<int>> owners(at(p), {root});  // of each block
  for (int t = 0; t < rounds; ++t) {
    Messages messages;
    for (int block = 0; block < p; ++block) {
      std::vector<int>& ranks = owners[at(block)];
      const int from = ranks[at(below(random, static_cast<int>(ranks.size())))];
      const int to = t + 1 == rounds || below(random, 3) == 0 ? block : below(random, p);
      if (from == to || std::find(ranks.begin(), ranks.end(), to) != ranks.end()) continue;
      if (from == block) continue;
      messages[{from, to}].push_back(block);
      if (!copies || below(random, 2) == 0) std::erase(ranks, from);
      ranks.push_back(to);
    }
    for (const auto& [pair, numbers] : messages) {
      const auto [from, to] = pair;
      programs[at(from)][at(t)].send(in(from == root ? Buffer::input : Buffer::scratch, numbers),
                                     Rank{to});
      Blocks blocks;
      for (const int number : numbers)
        blocks.push_back(number == to ? Block{Buffer::output, 0} : Block{Buffer::scratch, number});
      programs[at(to)][at(t)].receive(std::move(blocks), Rank{from});
    }
  }
  programs[at(root)].front().copy({{Buffer::output, 0}}, {{Buffer::input, root}});
  return programs;
}

}  // namespace tutti::schedule::drawn
