// SPDX-License-Identifier: BSD-3-Clause
// Joins the job, and finds the mesh and the rectangles on it (state.hpp).
#include "state.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "errors.hpp"

// NX says what the mesh is if the program is linked with it.
extern "C" long nx_app_rect(long* rows, long* columns) __attribute__((weak));

namespace tutti::icc {
namespace {

constexpr const char* no_mesh =
    "environment variable TUTTI_MESH is '{}' but must be rows x columns of the {} nodes, such as "
    "1x{}";

std::string setting(const char* call, const char* name) {
  std::array<char, 256> text{};
  if (tutti_setting_text(name, text.data(), text.size()) >= text.size())
    fail(call, "environment variable {} is too long", name);
  return text.data();
}

// Reads a positive number off the front of the text, or returns 0.
int take_number(std::string_view& text) {
  int number = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9' && number < 1'000'000) {
    number = 10 * number + (text.front() - '0');
    text.remove_prefix(1);
  }
  return number;
}

Rectangle mesh_in(const char* call, const std::string& value, int nodes) {
  std::string_view text = value;
  Rectangle mesh;
  mesh.rows = take_number(text);
  const bool separated = !text.empty() && text.front() == 'x';
  if (separated) text.remove_prefix(1);
  mesh.columns = take_number(text);
  if (!separated || !text.empty() || std::int64_t{mesh.rows} * mesh.columns != nodes)
    fail(call, no_mesh, value, nodes, nodes);
  return mesh;
}

// The user's word counts more than that of NX.
Rectangle physical_mesh(const char* call, int nodes) {
  const std::string value = setting(call, "TUTTI_MESH");
  if (!value.empty()) return mesh_in(call, value, nodes);
  if (nx_app_rect == nullptr) return {1, nodes};
  long rows = 0, columns = 0;
  nx_app_rect(&rows, &columns);
  if (rows < 1 || columns < 1 || rows * columns != nodes)
    fail(call, "nx_app_rect gives a mesh of {} x {}, but there are {} nodes", rows, columns, nodes);
  return {static_cast<int>(rows), static_cast<int>(columns)};
}

[[noreturn]] void refuse_algorithm(const char* call) {
  fail(call,
       "environment variable TUTTI_ICC is '{}' but must be short, long, hybrid, or factors such as "
       "4cx16r.8c",
       setting(call, "TUTTI_ICC"));
}

// Asks whether the forced algorithm serves a group. Factors serve groups of as many nodes as their
// product; a value that is none of the allowed ones ends the job.
bool is_forced(const char* call, const Communicator& made) {
  const std::string& algorithm = state().algorithm;
  if (algorithm.empty()) return false;
  tutti_plan_request request{};
  request.struct_size = sizeof request;
  request.operation = TUTTI_OP_BROADCAST;
  request.algorithm = algorithm.c_str();
  request.rows = made.rectangle.rows;
  tutti_plan plan{0};
  const tutti_status status = tutti_plan_get(made.group, &request, &plan);
  if (status == TUTTI_INVALID_ARGUMENT) refuse_algorithm(call);
  if (status != TUTTI_NO_SUCH_PLAN) check(call, status);
  return status == TUTTI_OK && made.size > 1;
}

// Factors may be meant for groups, so it is no error that they do not serve all nodes.
void note_unserved_world(const char* call) {
  const Communicator& all = *state().world;
  if (state().algorithm.empty() || all.forced || all.size == 1 || all.source != 0) return;
  const std::string line = fmt::format(
      "tutti: environment variable TUTTI_ICC is '{}', which serves only groups of as many nodes as "
      "the product of its factors; for the {} nodes together, tutti chooses\n",
      setting(call, "TUTTI_ICC"), all.size);
  std::fputs(line.c_str(), stderr);
}

// iCC has no call that ends it: a program of the machine ended when main returned. Other nodes may
// still need this one, and MPI waits for all, so a program that succeeds leaves the job in order.
void leave(int code, void*) {
  constexpr const char* call = "exit";
  if (code != 0 || tutti_initialized() == 0) return;
  const NamedCall named(call);
  check(call, tutti_finalize());
}

}  // namespace

IccState& state() {
  // Never destroyed, because programs call iCC from exit handlers.
  static IccState* const only = new IccState;
  return *only;
}

Rectangle rectangle_of(const std::vector<int>& nodes, int columns) {
  const int count = static_cast<int>(nodes.size()), first = nodes.front();
  int width = 1;
  while (width < count && first % columns + width < columns &&
         nodes[static_cast<std::size_t>(width)] == first + width)
    ++width;
  const Rectangle line{1, count};
  if (count % width != 0) return line;
  for (int i = 0; i < count; ++i)
    if (nodes[static_cast<std::size_t>(i)] != first + i / width * columns + i % width) return line;
  return {count / width, width};
}

std::unique_ptr<Communicator> make_communicator(const char* call, tutti_group group,
                                                std::vector<int> nodes) {
  auto made = std::make_unique<Communicator>();
  made->group = group;
  made->source = tutti_rank(group);
  made->size = static_cast<int>(nodes.size());
  made->rectangle = rectangle_of(nodes, state().mesh.columns);
  made->nodes = std::move(nodes);
  made->forced = is_forced(call, *made);
  return made;
}

void initialize(const char* call) {
  IccState& mine = state();
  if (mine.world != nullptr) return;
  const NamedCall named(call);
  check(call, tutti_init());
  const int nodes = tutti_size(tutti_world());
  mine.mesh = physical_mesh(call, nodes);
  const std::string forced = setting(call, "TUTTI_ICC");
  // A plan would take it for one of its settings.
  if (forced.find('=') != std::string::npos) refuse_algorithm(call);
  if (!forced.empty()) mine.algorithm = forced == "hybrid" ? forced : "hybrid:" + forced;
  std::vector<int> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  mine.world = make_communicator(call, tutti_world(), std::move(all));
  note_unserved_world(call);
  // Failure is harmless: without the function, the supervisor reports a process that leaves too
  // early.
  on_exit(leave, nullptr);
}

const Communicator& world(const char* call) {
  const IccState& mine = state();
  if (mine.world == nullptr) [[unlikely]] {
    // One process of a job reports for all, so the job is joined first.
    const NamedCall named(call);
    // Failure is harmless: the next line ends the program in any case.
    static_cast<void>(tutti_init());
    fail(call, "was called before iCC_initialize");
  }
  return *mine.world;
}

}  // namespace tutti::icc
