// SPDX-License-Identifier: BSD-3-Clause
// Starts the nodes of a program that was started by hand, before main, as the machine did: by
// `./prog -sz 4`, or by NX_DFLT_SIZE. The options leave the arguments of the program.
#include <tutti/tutti_runtime.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "failure.hpp"
#include "start.hpp"

namespace tutti::nx {
namespace {

constexpr int most_nodes = 1024;

NodeMesh asked;

[[noreturn]] void refuse(const char* program, const char* what, std::string_view value) {
  std::fprintf(stderr,
               "%s: %s is '%.*s' but must be a number of nodes such as 4, or 2x4 at most %d\n",
               program, what, static_cast<int>(value.size()), value.data(), most_nodes);
  std::_Exit(1);
}

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 1 && number <= most_nodes ? std::optional(number) : std::nullopt;
}

// Reads "8", or "2x4" for two rows of four nodes.
std::optional<NodeMesh> mesh_in(std::string_view text) {
  const std::size_t cross = text.find_first_of("xX");
  if (cross == std::string_view::npos) {
    const auto nodes = number_in(text);
    return nodes ? std::optional(NodeMesh{0, *nodes}) : std::nullopt;
  }
  const auto rows = number_in(text.substr(0, cross)), columns = number_in(text.substr(cross + 1));
  if (!rows || !columns || *rows * *columns > most_nodes) return std::nullopt;
  return NodeMesh{*rows, *columns};
}

// Takes -sz and -pn with their values out of the arguments. The value of -pn, a partition, means
// nothing here. The last -sz counts.
int take_options(int argc, char** argv, const char*& size) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const bool is_size = std::strcmp(argv[i], "-sz") == 0;
    if (!is_size && std::strcmp(argv[i], "-pn") != 0) {
      argv[kept++] = argv[i];
      continue;
    }
    if (i + 1 == argc) {
      std::fprintf(stderr, "%s: the option %s needs a value\n", argv[0], argv[i]);
      std::_Exit(1);
    }
    ++i;
    if (is_size) size = argv[i];
  }
  argv[kept] = nullptr;
  return kept;
}

// Tells main how many arguments are left. It has not been called yet: the number lies in front of
// the arguments, where the kernel has put it, and the program reads it after this.
void set_count(int argc, char** argv, int kept) {
  long& count = reinterpret_cast<long*>(argv)[-1];
  if (count == argc) count = kept;
}

[[gnu::constructor]] void start(int argc, char** argv, char**) {
  if (argc < 1 || argv == nullptr || argv[0] == nullptr) return;
  const char* size = nullptr;
  const int kept = take_options(argc, argv, size);
  if (kept != argc) set_count(argc, argv, kept);
  std::array<char, 64> preset{};
  const char* name = "the option -sz";
  if (size == nullptr && tutti_setting_text("NX_DFLT_SIZE", preset.data(), preset.size()) > 0) {
    size = preset.data();
    name = "environment variable NX_DFLT_SIZE";
  }
  if (size == nullptr) return;
  const auto mesh = mesh_in(size);
  if (!mesh) refuse(argv[0], name, size);
  asked = *mesh;
  const int nodes = mesh->nodes();
  if (nodes == 1 || tutti_has_launcher() != 0) return;
  ending(name, [nodes] {
    check(tutti_init());
    check(tutti_spawn_world(nodes));
  });
}

}  // namespace

const NodeMesh& mesh_asked_for() {
  return asked;
}

}  // namespace tutti::nx
