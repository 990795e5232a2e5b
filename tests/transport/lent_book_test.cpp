// SPDX-License-Identifier: BSD-3-Clause
// Tests that the book has room for any number of blocks, and that a cleaner finds what is in it.
#include "transport/shm/lent_book.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {
namespace {

using Kind = LentBook::Kind;
constexpr Kind kinds[] = {Kind::sent, Kind::in_ring, Kind::held, Kind::block};

std::multiset<std::uint64_t> found(const Mapping& mapping, Kind kind) {
  std::multiset<std::uint64_t> blocks;
  LentBook::for_each(mapping, 0, kind,
                     [&](LentBook::Word&, std::uint64_t block) { blocks.insert(block); });
  return blocks;
}

// The second table begins at the 128th block.
TEST(LentBook, HasAllThatIsWrittenDown) {
  const Mapping mapping = Mapping::create({});
  std::mt19937 random(3);
  LentBook one(mapping, 0), two(mapping, 0);
  struct Entry {
    LentBook::Word* word;
    Kind kind;
    std::uint64_t block;
  };
  std::vector<Entry> entries;
  std::uint64_t next = line_bytes;
  for (const std::size_t wanted : {100U, 500U, 3U, 700U, 0U}) {
    while (entries.size() != wanted) {
      if (entries.size() < wanted || random() % 3 == 0) {
        const Kind kind = kinds[random() % 4];
        LentBook::Word* const word = (random() % 2 == 0 ? one : two).add(next, kind);
        ASSERT_NE(word, nullptr);
        entries.push_back({word, kind, next});
        next += line_bytes;
      }
      if (entries.size() > wanted || random() % 3 == 0) {
        std::swap(entries[random() % entries.size()], entries.back());
        one.remove(entries.back().word);
        entries.pop_back();
      }
    }
    for (const Kind kind : kinds) {
      std::multiset<std::uint64_t> expected;
      for (const Entry& entry : entries) {
        if (entry.kind == kind) expected.insert(entry.block);
      }
      EXPECT_EQ(found(mapping, kind), expected);
    }
  }
}

// Tables stay with the slot, so its next processes need no further ones.
TEST(LentBook, AnyNumberOfBlocksOfTheKilledIsFreed) {
  const Mapping mapping = Mapping::create({.limit_bytes = std::int64_t{200} << 20});
  constexpr std::size_t bytes = 140'000;  // reserved while it is in use
  std::int64_t before = mapping.header().reserved_bytes.see();
  for (int life = 0; life < 3; ++life) {
    LentBook book(mapping, 0);
    for (int i = 0; i < 500; ++i) {
      const auto block = Heap(mapping).allocate(sizeof(LentHeader) + bytes);
      auto& header = *mapping.at<LentHeader>(block.value());
      header.bytes = bytes;
      header.readers.put(0);
      header.untold.put(0);
      ASSERT_NE(book.add(*block, i % 2 == 0 ? Kind::sent : Kind::block), nullptr);
    }
    abandon(mapping, 0);
    EXPECT_GT(mapping.header().reserved_bytes.see() - before, 250 * std::int64_t{bytes});
    free_blocks(mapping, 0);
    if (life == 0) {
      EXPECT_LE(mapping.header().reserved_bytes.see() - before, 8192) << "only tables";
      before = mapping.header().reserved_bytes.see();
    }
    EXPECT_EQ(mapping.header().reserved_bytes.see(), before);
  }
}

TEST(LentBook, WithoutMemoryForATableItRefuses) {
  const Mapping mapping = Mapping::create({});
  Heap heap(mapping);
  LentBook book(mapping, 0);
  std::vector<LentBook::Word*> words;
  while (words.size() < LentTable::words_count) words.push_back(book.add(line_bytes, Kind::held));
  for (std::size_t bytes = std::size_t{1} << 30; bytes >= sizeof(LentTable); bytes /= 2) {
    while (heap.allocate(bytes)) {
    }
  }
  EXPECT_EQ(book.add(line_bytes, Kind::held), nullptr);
  book.remove(words[5]);
  EXPECT_EQ(book.add(line_bytes, Kind::held), words[5]);
}

}  // namespace
}  // namespace tutti::transport::shm
