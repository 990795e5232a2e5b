// SPDX-License-Identifier: BSD-3-Clause
// Reads the two strings. Their characters get the numbers 0, 1, ... in the order of their values,
// so that tables over the alphabet are short.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace llcs {

enum class Characters : std::uint8_t {
  bytes,
  code_points,  // of UTF-8
  letters,      // of FASTA: header lines and white space are no letters
};

// Returns what a file of this name holds, by its ending: .fa, .fasta, .fna and .faa are FASTA, and
// all others are bytes.
Characters characters_of(std::string_view file);

// Goes through the characters of a text.
class Reader {
 public:
  Reader(std::string_view bytes, Characters characters) : bytes_(bytes), characters_(characters) {}
  // Reads the next character. Returns false at the end. Throws std::runtime_error, with the offset,
  // where UTF-8 is malformed.
  bool next(std::uint32_t& character) {
    if (characters_ == Characters::letters) skip_to_letter();
    if (at_ == bytes_.size()) return false;
    if (characters_ == Characters::code_points) return next_code_point(character);
    character = static_cast<unsigned char>(bytes_[at_++]);
    return true;
  }

 private:
  void skip_to_letter();
  bool next_code_point(std::uint32_t& character);
  [[noreturn]] void fail() const;

  std::string_view bytes_;
  Characters characters_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
};

// The characters that occur in either string.
class Alphabet {
 public:
  // Adds the characters of a string and returns how many it has.
  std::size_t add(std::string_view bytes, Characters characters);
  // Numbers the characters; called after the last add().
  void number();
  [[nodiscard]] std::size_t size() const { return characters_.size(); }
  [[nodiscard]] std::uint32_t code_of(std::uint32_t character) const { return codes_[character]; }
  [[nodiscard]] std::uint32_t character_of(std::uint32_t code) const { return characters_[code]; }

 private:
  std::vector<std::uint32_t> codes_;       // by character; before number(), whether it occurs
  std::vector<std::uint32_t> characters_;  // by code
};

// Appends a character as the bytes that it had in its file.
void append(std::string& text, std::uint32_t character, Characters characters);

}  // namespace llcs
