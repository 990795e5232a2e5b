// SPDX-License-Identifier: BSD-3-Clause
// Files of all generators are read as equal Programs.
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "formats/check.hpp"
#include "formats/program_file.hpp"
#include "samples.hpp"
#include "shapes.hpp"

namespace tutti {
namespace {

using formats::Schedule;
using schedule::Generator;
using schedule::Operation;
using schedule::Shape;

constexpr int largest_p = 17;
constexpr int largest_p_of_all_roots = 5;
constexpr std::size_t most_shapes = 6;  // for one number of ranks

void expect_same(const Schedule& written, const std::string& about) {
  const Schedule read = formats::read_program(formats::program_text(written), "file").schedule;
  EXPECT_EQ(read.name, written.name) << about;
  EXPECT_EQ(read.operation, written.operation) << about;
  EXPECT_EQ(read.p, written.p) << about;
  EXPECT_EQ(read.root, written.root) << about;
  EXPECT_EQ(read.operators, written.operators) << about;
  EXPECT_EQ(read.buffers.parts, written.buffers.parts) << about;
  EXPECT_EQ(read.buffers.scratch, written.buffers.scratch) << about;
  EXPECT_EQ(read.buffers.input_own_part, written.buffers.input_own_part) << about;
  EXPECT_TRUE(read.programs == written.programs) << about;
  EXPECT_EQ(formats::hash_of(read), formats::hash_of(written)) << about;
}

std::vector<int> some_roots(const Generator& g, int p) {
  if (!has_root(g.operation)) return {0};
  if (p > largest_p_of_all_roots) return {0, p / 2, p - 1};
  std::vector<int> roots;
  for (int root = 0; root < p; ++root) roots.push_back(root);
  return roots;
}

TEST(ProgramFile, KeepsThePrograms) {
  for (const Generator* generator : algorithms::all()) {
    int tried = 0;
    for (int p = 2; p <= largest_p; ++p) {
      const Shapes shapes = shapes_of(*generator, p);
      const std::size_t step = std::max<std::size_t>(1, shapes.all.size() / most_shapes);
      for (std::size_t i = 0; i < shapes.all.size(); i += step) {
        for (const int root : some_roots(*generator, p)) {
          Shape shape = shapes.all[i];
          shape.root = root;
          if (!generator->applies(shape)) continue;
          expect_same(formats::schedule_of(*generator, shape), describe(*generator, shape));
          ++tried;
        }
      }
    }
    EXPECT_GT(tried, 0) << full_name(*generator);
  }
}

TEST(ProgramFile, IsFoundRightLikeItsGenerator) {
  for (const Generator* generator : algorithms::all()) {
    for (int p = 2; p <= 8; p += 3) {
      const Shapes shapes = shapes_of(*generator, p);
      if (shapes.all.empty()) continue;
      const Schedule schedule = formats::schedule_of(*generator, shapes.all.back());
      EXPECT_EQ(formats::verdict_of(schedule).problem, "") << full_name(*generator);
    }
  }
}

TEST(ProgramFile, ReadsHandWrittenFiles) {
  const Schedule read = formats::read_program(R"( {
    "rounds": [ {"0": [ {"to": [1, 2], "send": ["output[0]"]} ],
                 "2": [ {"receive": ["output[0]"], "from": 0} ],
                 "1": [ {"receive": ["output[0..0] x 1 by 0"], "from": 0} ]} ],
    "tutti_program": 1, "operation": "broadcast", "root": 0, "p": 3,
    "about": "one \u00e4nd \"two\"",
    "buffers": {"parts": 1, "input": 0, "output": 1, "scratch": 0} } )",
                                              "file")
                            .schedule;
  EXPECT_EQ(read.about, "one änd \"two\"");
  EXPECT_EQ(read.programs[0][0].ops.size(), 2U);
  EXPECT_EQ(formats::verdict_of(read).problem, "");
}

TEST(ProgramFile, HashIsOfTheMeaning) {
  Schedule ring = formats::schedule_of(Operation::allreduce, "ring", 4);
  const std::string hash = formats::hash_of(ring);
  ring.name = "another";
  ring.about = "note";
  EXPECT_EQ(formats::hash_of(ring), hash);
  ring.in_place = false;
  EXPECT_NE(formats::hash_of(ring), hash);
}

// From FIPS 180-4's examples.
TEST(Sha256, HasTheValuesOfTheStandard) {
  EXPECT_EQ(base::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(base::sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(base::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

}  // namespace
}  // namespace tutti
