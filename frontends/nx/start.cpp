// SPDX-License-Identifier: BSD-3-Clause
// Starts the nodes of a program that was started by hand, before main, as the machine did: by
// `./prog -sz 4`, or by NX_DFLT_SIZE. All options that the machine took when it started a program
// leave the program's arguments.
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
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

// The options with a value. Those that are not read concern partitions, priorities and buffers of
// the machine.
constexpr std::array options_with_value = {"-sz",  "-pn",  "-pt",  "-on",  "-nd",  "-pri", "-mbf",
                                           "-mex", "-mea", "-sth", "-sct", "-gth", "-pkt", "-noc"};
constexpr const char* locks_memory = "-plk";  // the only option without one

struct AskedAtStart {
  NodeMesh mesh;
  const char* size = nullptr;   // the value of -sz
  const char* nodes = nullptr;  // that of -on
  long ptype = 0;
};
AskedAtStart asked;

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

long ptype_in(const char* program, std::string_view text) {
  std::uint16_t ptype = 0;  // a key has room for 16 bits
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ptype);
  if (error == std::errc() && end == text.data() + text.size()) return ptype;
  std::fprintf(stderr, "%s: the option -pt is '%s' but must be a number from 0 to 65535\n", program,
               text.data());
  std::_Exit(1);
}

bool has_value(const char* argument) {
  return std::ranges::any_of(options_with_value, [argument](const char* option) {
    return std::strcmp(argument, option) == 0;
  });
}

// The last one of each option counts.
void note_option(const char* program, const char* option, const char* value) {
  if (std::strcmp(option, "-pt") == 0) asked.ptype = ptype_in(program, value);
  if (std::strcmp(option, "-sz") == 0) asked.size = value;
  if (std::strcmp(option, "-on") == 0) asked.nodes = value;
  if (std::strcmp(option, "-mbf") == 0 && ::setenv("TUTTI_NX_BUFFER", value, 1) != 0) {
    std::fprintf(stderr, "%s: option -mbf: there is no memory\n", program);
    std::exit(1);
  }
}

// Takes the options of the machine out of the arguments, and returns how many arguments are left.
int take_options(int argc, char** argv) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], locks_memory) == 0) continue;
    if (!has_value(argv[i])) {
      argv[kept++] = argv[i];
      continue;
    }
    if (i + 1 == argc) {
      std::fprintf(stderr, "%s: the option %s needs a value\n", argv[0], argv[i]);
      std::_Exit(1);
    }
    note_option(argv[0], argv[i], argv[i + 1]);
    ++i;
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
  const int kept = take_options(argc, argv);
  if (kept != argc) set_count(argc, argv, kept);
  std::array<char, 64> preset{};
  const char* size = asked.size;
  const char* name = "the option -sz";
  if (size == nullptr && tutti_setting_text("NX_DFLT_SIZE", preset.data(), preset.size()) > 0) {
    size = preset.data();
    name = "environment variable NX_DFLT_SIZE";
  }
  if (size == nullptr) return;
  const auto mesh = mesh_in(size);
  if (!mesh) refuse(argv[0], name, size);
  asked.mesh = *mesh;
  const int nodes = mesh->nodes();
  if (nodes == 1 || tutti_has_launcher() != 0) return;
  ending(name, [nodes] {
    check(tutti_init());
    check(tutti_spawn_world(nodes));
  });
}

}  // namespace

const NodeMesh& mesh_asked_for() {
  return asked.mesh;
}

long ptype_asked_for() {
  return asked.ptype;
}

void tell_what_differs(int nodes) {
  if (asked.size != nullptr && asked.mesh.nodes() != nodes) {
    std::fprintf(stderr,
                 "nx: the option -sz asks for %s nodes, but the program has the %d that its "
                 "launcher has started\n",
                 asked.size, nodes);
  }
  if (asked.nodes != nullptr && std::strcmp(asked.nodes, "all") != 0) {
    std::fprintf(stderr, "nx: the option -on %s is not obeyed: the program runs on all %d nodes\n",
                 asked.nodes, nodes);
  }
}

}  // namespace tutti::nx
