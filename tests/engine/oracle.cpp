// SPDX-License-Identifier: BSD-3-Clause
// Computes the results of operations by definition, and implements the players.
#include "oracle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace tutti::engine::test {
namespace {

using schedule::Operation;

constexpr Value untouched = 0xdeadbeefdeadbeefU;

void compose_arrays(void* result, const void* left, const void* right, std::int64_t count,
                    void* /*user*/) {
  for (std::int64_t i = 0; i < count; ++i) {
    static_cast<Value*>(result)[i] =
        compose(static_cast<const Value*>(left)[i], static_cast<const Value*>(right)[i]);
  }
}

group::Members everybody(int p) {
  std::vector<int> endpoints(static_cast<std::size_t>(p));
  std::iota(endpoints.begin(), endpoints.end(), 0);
  return {std::move(endpoints), 0};
}

data::Layout layout_for(std::int64_t elements, bool strided) {
  // A strided vector has columns of 3 with a gap of 2. Counts that are no multiple of 3 stay
  // contiguous.
  if (strided && elements % 3 == 0) return data::Layout::matrix(3, elements / 3, 5);
  return data::Layout::contiguous(elements);
}

}  // namespace

Value value_of(int rank, std::int64_t index) {
  const auto a = static_cast<std::uint32_t>(rank * 7919 + index * 104729 + 3) | 1U;
  const auto b = static_cast<std::uint32_t>(rank * 31337 + index * 65537 + 11);
  return Value{a} << 32 | b;
}

// Composes maps, left after right: a = a1*a2, b = a1*b2 + b1.
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
  const selection::Settings& settings = request.settings;
  return fmt::format(
      "{} {} p={} root={} n={} branches={} rings={} segments={} factors={} cut={}{}{}",
      static_cast<int>(request.generator->operation), request.generator->name, scene.p,
      request.root, scene.n, settings.branches, settings.rings, settings.segments,
      fmt::join(settings.factors, "x"), settings.cut, scene.in_place ? " in place" : "",
      scene.strided ? " strided" : "");
}

std::int64_t Player::input_elements() const {
  switch (operation()) {
    case Operation::barrier:
    case Operation::broadcast:
      return 0;
    case Operation::scatter:
      return rank_ == scene_.request.root ? scene_.n * scene_.p : 0;
    case Operation::reduce_scatter:
    case Operation::alltoall:
      return scene_.n * scene_.p;
    default:
      return scene_.n;
  }
}

std::int64_t Player::output_elements() const {
  const bool is_root = rank_ == scene_.request.root;
  switch (operation()) {
    case Operation::barrier:
      return 0;
    case Operation::reduce:
      return is_root ? scene_.n : 0;
    case Operation::gather:
      return is_root ? scene_.n * scene_.p : 0;
    case Operation::allgather:
    case Operation::alltoall:
      return scene_.n * scene_.p;
    default:
      return scene_.n;
  }
}

// Returns the combined values of ranks 0 .. count-1 at `index`.
Value Player::combined(int count, std::int64_t index) const {
  Value sum = value_of(0, index);
  for (int rank = 1; rank < count; ++rank) {
    op_->combine(&sum, &sum, std::vector<Value>{value_of(rank, index)}.data(), 1);
  }
  return sum;
}

Value Player::expected_output(std::int64_t index) const {
  switch (operation()) {
    case Operation::broadcast:
      return value_of(scene_.request.root, index);
    case Operation::scatter:
      return value_of(scene_.request.root, rank_ * scene_.n + index);
    case Operation::gather:
    case Operation::allgather:
      return value_of(static_cast<int>(index / scene_.n), index % scene_.n);
    case Operation::alltoall:
      return value_of(static_cast<int>(index / scene_.n), rank_ * scene_.n + index % scene_.n);
    case Operation::reduce_scatter:
      return combined(scene_.p, rank_ * scene_.n + index);
    case Operation::scan:
      return combined(rank_ + 1, index);
    case Operation::exscan:
      return combined(rank_, index);
    default:
      return combined(scene_.p, index);
  }
}

// Returns true if the operation defines this rank's output.
bool Player::has_result() const {
  return operation() != Operation::exscan || rank_ > 0;
}

Player::Player(const Scene& scene, int rank, transport::Transport& transport,
               std::pmr::memory_resource& memory)
    : scene_(scene),
      rank_(rank),
      members_(everybody(scene.p)),
      input_memory_(&memory),
      output_memory_(&memory),
      plan_(members_, rank, scene.request, transport),
      waiter_(transport),
      call_(plan_, in_flight_, Mode::blocking) {
  op_ = scene.request.generator->commutative_only() ? &commutative_operator() : &ordered_operator();
  input_.layout = layout_for(input_elements(), scene.strided);
  output_.layout = layout_for(output_elements(), scene.strided);
  input_.element_bytes = output_.element_bytes = sizeof(Value);
  input_memory_.assign(static_cast<std::size_t>(input_.layout.extent()), untouched);
  output_memory_.assign(static_cast<std::size_t>(output_.layout.extent()), untouched);
  input_.address = input_memory_.data();
  output_.address = output_memory_.data();
  if (scene.in_place) share_memory();
  const bool root_sends = operation() == Operation::broadcast && rank == scene.request.root;
  const CallOperand& filled = root_sends ? output_ : input_;
  filled.layout.for_each_run(0, filled.layout.size(),
                             [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
                               for (std::int64_t i = 0; i < length; ++i)
                                 static_cast<Value*>(filled.address)[offset + i] =
                                     value_of(rank, position + i);
                             });
}

// Lets input and output share memory: they are the same vector, or one is the rank's part of the
// other.
void Player::share_memory() {
  const std::int64_t part = rank_ * scene_.n;
  if (output_.layout == input_.layout) {
    output_.address = input_.address;
  } else if (!is_cut_by_rank(operation()) || !output_.layout.is_contiguous() ||
             !input_.layout.is_contiguous()) {
    return;
  } else if (input_.layout.size() > output_.layout.size()) {
    if (output_.layout.size() > 0) output_.address = static_cast<Value*>(input_.address) + part;
  } else if (input_.layout.size() > 0) {
    input_.address = static_cast<Value*>(output_.address) + part;
  }
}

Arguments Player::arguments() {
  const bool has_input = operation() != Operation::broadcast;
  return {has_input ? &input_ : nullptr, &output_, combines(operation()) ? op_ : nullptr, nullptr};
}

void Player::start() {
  call_.keep(arguments());
  call_.start(0);
}
Look Player::advance() {
  return call_.advance();
}
void Player::run() {
  call_.run(0, arguments());
}

std::string Player::verdict() const {
  std::string wrong;
  const auto* memory = static_cast<const Value*>(output_.address);
  std::vector<bool> belongs(static_cast<std::size_t>(output_.layout.extent()));
  output_.layout.for_each_run(
      0, output_.layout.size(),
      [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
        for (std::int64_t i = 0; i < length; ++i) {
          belongs[static_cast<std::size_t>(offset + i)] = true;
          const Value found = memory[offset + i];
          const Value wanted = has_result() ? expected_output(position + i) : found;
          if (found != wanted && wrong.empty()) {
            wrong = fmt::format("rank {} element {}: {:016x} instead of {:016x}", rank_,
                                position + i, found, wanted);
          }
        }
      });
  for (std::size_t i = 0; i < belongs.size(); ++i) {
    if (!belongs[i] && memory[i] != untouched)
      return fmt::format("rank {} wrote outside its elements at {}", rank_, i);
  }
  return wrong;
}

namespace {

// Returns some lists of factors for p: p alone, its primes, and twos that cover it.
std::set<std::vector<int>> factor_lists(int p) {
  if (p == 1) return {{}};
  std::vector<int> primes, twos;
  for (int rest = p, prime = 2; rest > 1; rest % prime == 0 ? rest /= prime : ++prime) {
    if (rest % prime == 0) primes.push_back(prime);
  }
  for (int reach = 1; reach < p; reach *= 2) twos.push_back(2);
  return {{p}, primes, twos};
}

std::vector<Request> with_factors(const Request& request, int p) {
  std::vector<Request> requests;
  for (const std::vector<int>& factors : factor_lists(p)) {
    const bool cuts = request.generator->parameter == schedule::Parameter::factors_and_cut;
    for (int cut = 0; cut <= (cuts ? static_cast<int>(factors.size()) : 0); ++cut) {
      requests.push_back(request);
      requests.back().settings.factors = factors;
      requests.back().settings.cut = cut;
    }
  }
  return requests;
}

// Returns requests for one host, for hosts of one rank, and for two hosts of different sizes.
std::vector<Request> with_sizes(const Request& request, int p) {
  std::vector<Request> requests(p > 1 ? 3 : 1, request);
  requests[0].settings.factors = {p};
  if (p == 1) return requests;
  requests[1].settings.factors.assign(static_cast<std::size_t>(p), 1);
  requests[2].settings.factors = {(p + 2) / 3, p - (p + 2) / 3};
  return requests;
}

// Returns the request with each value to try of the parameter that the generator has.
std::vector<Request> with_parameters(const Request& request, int p) {
  const auto varied = [&](int selection::Settings::*parameter, const std::vector<int>& values) {
    std::vector<Request> requests(values.size(), request);
    for (std::size_t i = 0; i < values.size(); ++i) requests[i].settings.*parameter = values[i];
    return requests;
  };
  switch (request.generator->parameter) {
    case schedule::Parameter::none:
      return {request};
    case schedule::Parameter::branches:
      return varied(&selection::Settings::branches, {1, 2, 3, 9});
    case schedule::Parameter::rings:
      return varied(&selection::Settings::rings, {1, 2, 3, 9});
    case schedule::Parameter::segments:
      return varied(&selection::Settings::segments, {1, 2, 5});
    case schedule::Parameter::factors:
    case schedule::Parameter::factors_and_cut:
      return with_factors(request, p);
    case schedule::Parameter::sizes:
      return with_sizes(request, p);
  }
  return {};
}

bool applies(const Request& request, int p) {
  return request.generator->applies == nullptr ||
         request.generator->applies(request.settings.shape(p, request.root));
}

}  // namespace

std::vector<Scene> scenes_of(const schedule::Generator& generator, int p) {
  std::vector<std::int64_t> sizes{0, 1, 3, 5, 12, 30};
  if (generator.operation == Operation::barrier) sizes = {0};
  std::vector<Scene> scenes;
  for (const int root : std::set<int>{0, p / 2, p - 1}) {
    for (const Request& request : with_parameters({.generator = &generator, .root = root}, p)) {
      if (!applies(request, p)) continue;
      for (const std::int64_t n : sizes) {
        const bool strided = (n + root) % 2 == 0;
        for (const bool in_place : {false, true})
          scenes.push_back({request, p, n, in_place, strided});
      }
    }
  }
  return scenes;
}

}  // namespace tutti::engine::test
