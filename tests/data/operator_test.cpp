// SPDX-License-Identifier: BSD-3-Clause
// Tests Element and Operator: which combinations are supported, what is sent, and that signatures
// differ for different operators.
#include "data/operator.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace tutti::data::test {
namespace {

std::vector<Element> all_elements() {
  std::vector<Element> all;
  for (int e = 0; e < element_kinds; ++e) all.push_back(static_cast<Element>(e));
  return all;
}
const std::vector<Element> elements = all_elements();

TEST(Element, SizesAndNames) {
  const std::size_t sizes[element_kinds] = {1, 4, 8, 4, 8, 8, 16, 1, 1, 1, 2, 2, 4, 8, 2, 2};
  std::set<std::string> names;
  for (const Element element : elements) {
    EXPECT_EQ(size_of(element), sizes[static_cast<std::size_t>(element)]);
    names.insert(name_of(element));
  }
  EXPECT_EQ(names.size(), 16U);
}

TEST(Operator, TypesThatMakeSense) {
  for (const Element element : elements) {
    const bool byte = element == Element::byte;
    const bool complex = element == Element::complex64 || element == Element::complex128;
    const bool integer = element == Element::int32 || element == Element::int64 ||
                         (element >= Element::boolean && element <= Element::uint64);
    for (const Builtin b : {Builtin::sum, Builtin::product, Builtin::absmax, Builtin::absmin}) {
      EXPECT_EQ(supported(b, element), !byte) << name_of(b) << name_of(element);
    }
    for (const Builtin b : {Builtin::max, Builtin::min})
      EXPECT_EQ(supported(b, element), !byte && !complex);
    for (const Builtin b : {Builtin::logical_and, Builtin::logical_or, Builtin::logical_xor,
                            Builtin::bit_and, Builtin::bit_or, Builtin::bit_xor}) {
      EXPECT_EQ(supported(b, element), byte || integer) << name_of(b) << name_of(element);
    }
  }
}

TEST(Operator, Builtin) {
  const Operator sum = Operator::of(Builtin::sum, Element::complex128);
  EXPECT_EQ(sum.kind(), Operator::Kind::builtin);
  EXPECT_TRUE(sum.commutative());
  EXPECT_FALSE(sum.has_maps());
  EXPECT_EQ(sum.wire_bytes(), 16U);
  EXPECT_EQ(sum.value_bytes(), 16U);
  EXPECT_EQ(sum.describe(), "sum of complex128");
  EXPECT_THROW((void)Operator::of(Builtin::max, Element::complex64), base::Error);
}

TEST(Operator, WithLocation) {
  const Operator amx = Operator::with_location(Builtin::absmax, Element::complex128);
  EXPECT_EQ(amx.kind(), Operator::Kind::located);
  EXPECT_TRUE(amx.commutative());
  EXPECT_TRUE(amx.has_maps());
  EXPECT_NE(amx.final_map(), nullptr);
  EXPECT_EQ(amx.wire_bytes(), 24U);
  EXPECT_EQ(amx.value_bytes(), 16U);
  EXPECT_EQ(amx.describe(), "absmax of complex128 with location");
  EXPECT_THROW((void)Operator::with_location(Builtin::sum, Element::float64), base::Error);
  EXPECT_THROW((void)Operator::with_location(Builtin::absmax, Element::byte), base::Error);
  EXPECT_THROW((void)Operator::with_location(Builtin::absmax, Element::int8), base::Error);
}

// The composition of maps x -> a x + b is associative and not commutative.
struct Affine {
  std::int32_t a, b, unused;
};

void compose(void* result, const void* left, const void* right, std::int64_t count, void* calls) {
  ++*static_cast<int*>(calls);
  for (std::int64_t i = 0; i < count; ++i) {
    const Affine f = static_cast<const Affine*>(left)[i], g = static_cast<const Affine*>(right)[i];
    static_cast<Affine*>(result)[i] = {f.a * g.a, f.a * g.b + f.b, 0};
  }
}

TEST(Operator, FromUser) {
  int calls = 0;
  const Operator op = Operator::from_user(sizeof(Affine), compose, &calls, Commutes::no);
  EXPECT_FALSE(op.commutative());
  EXPECT_FALSE(op.has_maps());
  EXPECT_EQ(op.wire_bytes(), 12U);
  EXPECT_EQ(op.describe(), "user function on 12 bytes");
  Affine left{2, 1, 0};
  const Affine right{3, 5, 0};
  op.combine(&left, &left, &right, 1);
  EXPECT_EQ(left.a, 6);
  EXPECT_EQ(left.b, 11);
  EXPECT_EQ(calls, 1);
  EXPECT_THROW((void)Operator::from_user(0, compose, nullptr, Commutes::no), base::Error);
  EXPECT_THROW((void)Operator::from_user(8, nullptr, nullptr, Commutes::no), base::Error);
}

int fail(void*, const void*, const void*, std::int64_t, void*) {
  return 7;
}

TEST(Operator, Fallible) {
  const Operator op = Operator::fallible(8, fail, nullptr, Commutes::yes, Grain::vector);
  EXPECT_TRUE(op.may_fail() && op.commutative() && op.takes_vectors());
  EXPECT_EQ(op.kind(), Operator::Kind::user);
  EXPECT_EQ(op.attempt(nullptr, nullptr, nullptr, 0), 7);
  EXPECT_FALSE(Operator::from_user(8, compose, nullptr, Commutes::no).may_fail());
}

TEST(Operator, SignaturesDiffer) {
  std::multiset<std::uint32_t> seen;
  for (int b = 0; b < builtin_kinds; ++b) {
    for (const Element element : elements) {
      const auto builtin = static_cast<Builtin>(b);
      if (supported(builtin, element)) seen.insert(Operator::of(builtin, element).signature());
      if (located(builtin, element).combine == nullptr) continue;
      seen.insert(Operator::with_location(builtin, element).signature());
    }
  }
  for (const Commutes commutes : {Commutes::no, Commutes::yes}) {
    seen.insert(Operator::from_user(24, compose, nullptr, commutes).signature());
    seen.insert(Operator::from_user(24, compose, nullptr, commutes, Grain::vector).signature());
    seen.insert(Operator::fallible(24, fail, nullptr, commutes, Grain::elements).signature());
    seen.insert(Operator::fallible(24, fail, nullptr, commutes, Grain::vector).signature());
  }
  EXPECT_EQ(std::set<std::uint32_t>(seen.begin(), seen.end()).size(), seen.size());
  EXPECT_GT(*seen.begin(), 0U);
  EXPECT_LT(*seen.rbegin(), 256U);
}

TEST(Operator, SignaturesAreReadable) {
  EXPECT_EQ(describe_signature(0), "no operator");
  EXPECT_EQ(describe_signature(Operator::of(Builtin::bit_xor, Element::int64).signature()),
            "bit_xor of int64");
  const Operator located = Operator::with_location(Builtin::absmin, Element::complex128);
  EXPECT_EQ(describe_signature(located.signature()), located.describe());
  EXPECT_EQ(describe_signature(Operator::from_user(8, compose, nullptr, Commutes::no).signature()),
            "a user's ordered function");
}

}  // namespace
}  // namespace tutti::data::test
