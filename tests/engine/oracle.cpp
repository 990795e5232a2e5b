// SPDX-License-Identifier: BSD-3-Clause
// Results by definition, and the players.
#include "oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

namespace tutti::engine::test {
namespace {

using schedule::Operation;

constexpr Value untouched = 0xdeadbeefdeadbeefU;

void compose_arrays(void* result, const void* left, const void* right, std::int64_t count, void* /*user*/) {
  for (std::int64_t i = 0; i < count; ++i) {
    static_cast<Value*>(result)[i] = compose(static_cast<const Value*>(left)[i], static_cast<const Value*>(right)[i]);
  }
}

group::Members everybody(int p) {
  std::vector<int> endpoints(static_cast<std::size_t>(p));
  std::iota(endpoints.begin(), endpoints.end(), 0);
  return {std::move(endpoints), 0};
}

bool uses(const schedule::Generator& generator, std::string_view name) {
  return generator.name == name;
}

data::Layout layout_for(std::int64_t elements, bool strided) {
  // Columns of 3 with a gap of 2: element counts that are no multiple of 3 stay contiguous.
  if (strided && elements % 3 == 0) return data::Layout::matrix(3, elements / 3, 5);
  return data::Layout::contiguous(elements);
}

}  // namespace

Value value_of(int rank, std::int64_t index) {
  const auto a = static_cast<std::uint32_t>(rank * 7919 + index * 104729 + 3) | 1U;
  const auto b = static_cast<std::uint32_t>(rank * 31337 + index * 65537 + 11);
  return Value{a} << 32 | b;
}

// (left after right): a = a1*a2, b = a1*b2 + b1.
Value compose(Value left, Value right) {
  const auto a1 = static_cast<std::uint32_t>(left >> 32), b1 = static_cast<std::uint32_t>(left);
  const auto a2 = static_cast<std::uint32_t>(right >> 32), b2 = static_cast<std::uint32_t>(right);
  return Value{a1 * a2} << 32 | (a1 * b2 + b1);
}

const data::Operator& ordered_operator() {
  static const data::Operator op =
      data::Operator::from_user(sizeof(Value), compose_arrays, nullptr, data::Commutes::no);
  return op;
}

const data::Operator& commutative_operator() {
  static const data::Operator op = data::Operator::of(data::Builtin::sum, data::Element::int64);
  return op;
}

std::string describe(const Scene& scene) {
  const Request& request = scene.request;
  return fmt::format("{} {} p={} root={} n={} branches={} rings={} segments={}{}{}",
                     static_cast<int>(request.generator->operation), request.generator->name, scene.p, request.root,
                     scene.n, request.branches, request.rings, request.segments, scene.in_place ? " in place" : "",
                     scene.strided ? " strided" : "");
}

std::int64_t Player::input_elements() const {
  switch (scene_.request.generator->operation) {
    case Operation::barrier:
    case Operation::broadcast:
      return 0;
    case Operation::scatter:
      return rank_ == scene_.request.root ? scene_.n * scene_.p : 0;
    default:
      return scene_.n;
  }
}

std::int64_t Player::output_elements() const {
  const bool is_root = rank_ == scene_.request.root;
  switch (scene_.request.generator->operation) {
    case Operation::barrier:
      return 0;
    case Operation::reduce:
      return is_root ? scene_.n : 0;
    case Operation::gather:
      return is_root ? scene_.n * scene_.p : 0;
    default:
      return scene_.n;
  }
}

Value Player::expected_output(std::int64_t index) const {
  switch (scene_.request.generator->operation) {
    case Operation::broadcast:
      return value_of(scene_.request.root, index);
    case Operation::scatter:
      return value_of(scene_.request.root, rank_ * scene_.n + index);
    case Operation::gather:
      return value_of(static_cast<int>(index / scene_.n), index % scene_.n);
    default:
      break;
  }
  Value sum = value_of(0, index);
  for (int rank = 1; rank < scene_.p; ++rank) {
    op_->combine(&sum, &sum, std::vector<Value>{value_of(rank, index)}.data(), 1);
  }
  return sum;
}

Player::Player(const Scene& scene, int rank, transport::Transport& transport)
    : scene_(scene), rank_(rank), members_(everybody(scene.p)), plan_(members_, rank, scene.request, transport) {
  const schedule::Generator& generator = *scene.request.generator;
  op_ = generator.commutative_only ? &commutative_operator() : &ordered_operator();
  input_.layout = layout_for(input_elements(), scene.strided);
  output_.layout = layout_for(output_elements(), scene.strided);
  input_.element_bytes = output_.element_bytes = sizeof(Value);
  input_memory_.assign(static_cast<std::size_t>(input_.layout.extent()), untouched);
  output_memory_.assign(static_cast<std::size_t>(output_.layout.extent()), untouched);
  input_.address = input_memory_.data();
  output_.address = output_memory_.data();
  const bool root_sends = generator.operation == Operation::broadcast && rank == scene.request.root;
  std::vector<Value>& filled = root_sends ? output_memory_ : input_memory_;
  const data::Layout& layout = root_sends ? output_.layout : input_.layout;
  layout.for_each_run(0, layout.size(), [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
    for (std::int64_t i = 0; i < length; ++i)
      filled[static_cast<std::size_t>(offset + i)] = value_of(rank, position + i);
  });
  if (scene.in_place && output_.layout == input_.layout) output_.address = input_.address;
}

Arguments Player::arguments() {
  const bool combines = scene_.request.generator->operation == Operation::reduce ||
                        scene_.request.generator->operation == Operation::allreduce;
  const bool has_input = scene_.request.generator->operation != Operation::broadcast;
  return {has_input ? &input_ : nullptr, &output_, combines ? op_ : nullptr, nullptr};
}

void Player::start() {
  plan_.start(0, arguments());
}
Progress Player::advance() {
  return plan_.advance();
}
void Player::run() {
  plan_.run(0, arguments());
}

std::string Player::verdict() const {
  std::string wrong;
  const auto* memory = static_cast<const Value*>(output_.address);
  std::vector<bool> belongs(static_cast<std::size_t>(output_.layout.extent()));
  output_.layout.for_each_run(
      0, output_.layout.size(), [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
        for (std::int64_t i = 0; i < length; ++i) {
          belongs[static_cast<std::size_t>(offset + i)] = true;
          const Value found = memory[offset + i], wanted = expected_output(position + i);
          if (found != wanted && wrong.empty()) {
            wrong = fmt::format("rank {} element {}: {:016x} instead of {:016x}", rank_, position + i, found, wanted);
          }
        }
      });
  for (std::size_t i = 0; i < belongs.size(); ++i) {
    if (!belongs[i] && memory[i] != untouched) return fmt::format("rank {} wrote outside its elements at {}", rank_, i);
  }
  return wrong;
}

std::vector<Scene> scenes_of(const schedule::Generator& generator, int p) {
  const std::vector<int> few = {1, 2, 3, 9};
  const std::vector<int> one = {1};
  std::set<int> roots = {0, p / 2, p - 1};
  if (generator.operation == Operation::barrier) roots = {0};
  std::vector<Scene> scenes;
  for (const int root : roots) {
    for (const int branches : uses(generator, "tree") ? few : one) {
      for (const int rings : uses(generator, "multiring") ? few : one) {
        for (const std::int64_t n : {0, 1, 3, 5, 12, 30}) {
          Request request{&generator, root, branches, rings, 1};
          schedule::Shape shape;
          shape.p = p;
          shape.root = root;
          shape.branches = branches;
          shape.rings = rings;
          if (generator.applies != nullptr && !generator.applies(shape)) continue;
          const bool strided = (n + root) % 2 == 0;
          for (const bool in_place : {false, true}) scenes.push_back({request, p, n, in_place, strided});
        }
      }
    }
  }
  return scenes;
}

}  // namespace tutti::engine::test
