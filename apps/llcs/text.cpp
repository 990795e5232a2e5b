// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace llcs {
namespace {

constexpr std::uint32_t code_points = 0x110000;

}  // namespace

Characters characters_of(std::string_view file) {
  constexpr std::array<std::string_view, 4> endings{".fa", ".fasta", ".fna", ".faa"};
  const bool fasta = std::ranges::any_of(
      endings, [file](std::string_view ending) { return file.ends_with(ending); });
  return fasta ? Characters::letters : Characters::bytes;
}

// A header is a line that begins with '>' or ';'.
void Reader::skip_to_letter() {
  for (; at_ < bytes_.size(); ++at_) {
    const char c = bytes_[at_];
    if (line_begins_ && (c == '>' || c == ';')) {
      at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      if (at_ == bytes_.size()) return;
    } else if (c != '\n' && c != '\r' && c != ' ' && c != '\t') {
      line_begins_ = false;
      return;
    }
    line_begins_ = bytes_[at_] == '\n';
  }
}

bool Reader::next_code_point(std::uint32_t& character) {
  const auto first = static_cast<unsigned char>(bytes_[at_]);
  if (first < 0x80) {
    character = first;
    ++at_;
    return true;
  }
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  if (first < 0xc2 || first > 0xf4 || bytes_.size() - at_ <= static_cast<std::size_t>(more)) fail();
  std::uint32_t value = first & (0x3fU >> more);
  for (int i = 1; i <= more; ++i) {
    const auto byte = static_cast<unsigned char>(bytes_[at_ + static_cast<std::size_t>(i)]);
    if ((byte & 0xc0) != 0x80) fail();
    value = value << 6 | (byte & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 4> least{0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (value < least[static_cast<std::size_t>(more)] || value >= code_points || surrogate) fail();
  character = value;
  at_ += static_cast<std::size_t>(more) + 1;
  return true;
}

void Reader::fail() const {
  throw std::runtime_error(
      fmt::format("byte {} is not UTF-8: use --characters bytes to compare bytes", at_));
}

std::size_t Alphabet::add(std::string_view bytes, Characters characters) {
  codes_.resize(std::max<std::size_t>(codes_.size(),
                                      characters == Characters::code_points ? code_points : 256));
  Reader reader(bytes, characters);
  std::size_t count = 0;
  for (std::uint32_t character = 0; reader.next(character); ++count) codes_[character] = 1;
  return count;
}

void Alphabet::number() {
  for (std::uint32_t character = 0; character < codes_.size(); ++character) {
    if (codes_[character] == 0) continue;
    codes_[character] = static_cast<std::uint32_t>(characters_.size());
    characters_.push_back(character);
  }
}

void append(std::string& text, std::uint32_t character, Characters characters) {
  const auto byte = [&text](std::uint32_t value) { text.push_back(static_cast<char>(value)); };
  if (characters != Characters::code_points || character < 0x80) return byte(character);
  if (character < 0x800) {
    byte(0xc0 | character >> 6);
  } else if (character < 0x10000) {
    byte(0xe0 | character >> 12);
    byte(0x80 | (character >> 6 & 0x3f));
  } else {
    byte(0xf0 | character >> 18);
    byte(0x80 | (character >> 12 & 0x3f));
    byte(0x80 | (character >> 6 & 0x3f));
  }
  byte(0x80 | (character & 0x3f));
}

}  // namespace llcs
