// SPDX-License-Identifier: BSD-3-Clause
// The costs of a machine in the model of the papers: numbers, each with the place it comes from.
// Profiles are TOML files; those of the papers' machines are part of the library, others are read
// by path.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::machine {

// How far a number can be trusted.
enum class Provenance { published, derived, fitted, measured, assumed };

struct Number {
  double value = 0;
  Provenance status = Provenance::assumed;
  std::string source;
  int line = 0;  // of its file; 0 for a number that stands in none
};

// A property that is given by a word, such as the topology.
struct Word {
  std::string value;
  Provenance status = Provenance::assumed;
  std::string source;
  int line = 0;
};

// Times in microseconds, sizes in bytes.
struct Profile {
  std::string name;
  std::vector<std::string> aliases;
  std::string about;
  // Rows and columns of the machine that was measured, from `mesh` or a topology mesh:RxC; empty if
  // it is no mesh.
  std::vector<int> mesh;
  Number alpha;  // start-up of a message
  Number beta;   // a byte of a message
  Number gamma;  // combining a byte
  // Bandwidth of a link over that of a node: so many messages share a link before they slow each
  // other down.
  Number kappa;
  // All other values of the file by their names there; `hop` in the table [network] is
  // "network.hop".
  std::map<std::string, Number> more;
  std::map<std::string, Word> words;
};

// Throws Error(invalid_argument) that names `origin`, line, key and what is wrong. A table [graph]
// is not looked at.
[[nodiscard]] Profile parse(std::string_view toml, const std::string& origin);

// A file as it was read, so that others need not find it again. Without an origin it is no file at
// all.
struct Document {
  std::string origin, text;
  friend bool operator==(const Document&, const Document&) = default;
};
[[nodiscard]] Document read_document(const std::string& path, const char* what = "machine profile");

// The names of the profiles in the library, sorted.
[[nodiscard]] std::vector<std::string> builtin_profiles();

// By name or alias, else by path (an argument with a '/' or that ends in .toml). Throws
// Error(invalid_argument).
[[nodiscard]] Profile load(const std::string& name_or_path);
// Returns the text that load() parses.
[[nodiscard]] Document document_of(const std::string& name_or_path);

[[nodiscard]] const char* to_text(Provenance status);

}  // namespace tutti::machine
