// SPDX-License-Identifier: BSD-3-Clause
// Puts calls into words and compares them (call_facts.hpp).
#include "call_facts.hpp"

#include <algorithm>
#include <string_view>

#include "arguments.hpp"

namespace tutti::blacs {
namespace {

char letter_of(const Grid& grid, const Scope& scope) {
  if (&scope == &grid.row) return 'R';
  if (&scope == &grid.column) return 'C';
  for (const auto& [name, list] : grid.lists)
    if (&scope == &list) return name;
  return 'A';
}

char upper(std::int32_t letter) {
  return static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
}

std::string word_of(std::int32_t scope) {
  if (scope == 'R') return "Row";
  if (scope == 'C') return "Column";
  return scope == 'A' ? "All" : fmt::format("'{}'", static_cast<char>(scope));
}

// Returns the place in the grid of a rank of the scope.
Coordinates place_of(const Grid& grid, const Scope& scope, int rank) {
  if (rank == everyone) return {};
  if (&scope == &grid.row) return {grid.my_row, rank};
  if (&scope == &grid.column) return {rank, grid.my_column};
  const int number = scope.listed.empty() ? rank : scope.listed[static_cast<std::size_t>(rank)];
  return {number / grid.columns, number % grid.columns};
}

const char* types_of(std::int32_t type) {
  switch (type) {
    case TUTTI_INT32:
      return "integers";
    case TUTTI_FLOAT:
      return "singles";
    case TUTTI_DOUBLE:
      return "doubles";
    case TUTTI_COMPLEX_FLOAT:
      return "complex singles";
    default:
      return "complex doubles";
  }
}

std::string data_text(const CallFacts& facts) {
  const std::string size = fmt::format("{} x {}", facts.m, facts.n);
  if (facts.uplo == 0)
    return fmt::format("a {} matrix of {} (LDA {})", size, types_of(facts.type), facts.ld);
  return fmt::format("the {} trapezoid of a {} matrix of {} (LDA {}, DIAG '{}')",
                     facts.uplo == 'U' ? "upper" : "lower", size, types_of(facts.type), facts.ld,
                     static_cast<char>(facts.diag));
}

std::string with_text(const CallFacts& facts) {
  return fmt::format("process {{{},{}}}", facts.with_row, facts.with_column);
}

std::string combine_text(const CallFacts& facts, const char* verb) {
  return fmt::format("{} {}{} for {}", verb, data_text(facts),
                     facts.places != 0 ? " with places" : "",
                     facts.with_row < 0 ? "all" : with_text(facts));
}

std::string deed_text(const CallFacts& facts) {
  switch (facts.deed) {
    case Deed::send:
      return fmt::format("sends {} to {}", data_text(facts), with_text(facts));
    case Deed::receive:
      return fmt::format("receives {} from {}", data_text(facts), with_text(facts));
    case Deed::receive_from_anybody:
      return fmt::format("receives {} from anybody", data_text(facts));
    case Deed::broadcast:
      if (facts.sends != 0) return fmt::format("broadcasts {}", data_text(facts));
      return fmt::format("receives {} that {} broadcasts", data_text(facts), with_text(facts));
    case Deed::sum:
      return combine_text(facts, "sums");
    case Deed::largest:
      return combine_text(facts, "takes the largest of");
    case Deed::smallest:
      return combine_text(facts, "takes the smallest of");
    case Deed::by_user:
      return combine_text(facts, "combines by its own functions");
    case Deed::map_list:
      return "compares its list with those of the other processes in it";
    case Deed::flush:
      return "waits until its messages are received";
    case Deed::barrier:
      break;
  }
  return "waits at the barrier";
}

bool has_scope(Deed deed) {
  return deed >= Deed::broadcast && deed <= Deed::barrier;
}

// A general matrix may have another form on each side, as long as it has equally many elements.
bool same_shape(const CallFacts& one, const CallFacts& other) {
  if (one.uplo != 0) return one.m == other.m && one.n == other.n;
  return std::int64_t{one.m} * one.n == std::int64_t{other.m} * other.n;
}

const char* scoped_difference(const CallFacts& one, const CallFacts& other) {
  if (one.deed != other.deed) return "operations";
  if (one.scope != other.scope) return "SCOPEs";
  if (one.top != other.top) return "TOPs";
  if (const char* const found = difference_of_data(one, other)) return found;
  if (one.with_row != other.with_row || one.with_column != other.with_column)
    return one.deed == Deed::broadcast ? "sources" : "destinations";
  return one.places == other.places ? nullptr : "wishes for places";
}

}  // namespace

CallFacts facts_of(const RoutineCall& call, const Intent& intent) {
  const Grid& grid = call.grid();
  const Coordinates with = place_of(grid, *intent.scope, intent.with);
  CallFacts facts{};
  const std::string_view name = call.routine();
  std::copy_n(name.data(), std::min(name.size(), facts.routine.size() - 1), facts.routine.begin());
  facts.deed = intent.deed;
  facts.my_row = grid.my_row;
  facts.my_column = grid.my_column;
  facts.scope = letter_of(grid, *intent.scope);
  facts.top = static_cast<unsigned char>(lower(intent.top));
  facts.with_row = with.row;
  facts.with_column = with.column;
  facts.sends = intent.also.sends ? 1 : 0;
  facts.places = intent.also.places ? 1 : 0;
  if (intent.data == nullptr) return facts;
  const tutti_data& data = *intent.data;
  facts.type = data.type;
  facts.uplo = data.shape == TUTTI_TRAPEZOID ? data.uplo : 0;
  facts.diag = data.shape == TUTTI_TRAPEZOID ? data.diag : 0;
  facts.m = static_cast<std::int32_t>(data.m);
  facts.n = static_cast<std::int32_t>(data.n);
  facts.ld = static_cast<std::int32_t>(data.ld);
  return facts;
}

std::string text_of(const CallFacts& facts) {
  std::string text = deed_text(facts);
  if (has_scope(facts.deed)) text += fmt::format(", SCOPE {}", word_of(facts.scope));
  if (facts.top != 0) text += fmt::format(", TOP '{}'", upper(facts.top));
  return text;
}

const char* difference_of_data(const CallFacts& one, const CallFacts& other) {
  if (one.type != other.type) return "types";
  if ((one.uplo == 0) != (other.uplo == 0)) return "kinds of matrix";
  if (one.uplo != other.uplo) return "UPLOs";
  if (one.diag != other.diag) return "DIAGs";
  return same_shape(one, other) ? nullptr : "shapes";
}

Disagreement disagreement(std::span<const CallFacts> calls) {
  for (const CallFacts& other : calls.subspan(1)) {
    if (const char* const what = scoped_difference(calls.front(), other))
      return {what, &calls.front(), &other};
  }
  return {};
}

}  // namespace tutti::blacs
