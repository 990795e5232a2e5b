// SPDX-License-Identifier: BSD-3-Clause
// Files that are refused: each breaks one rule of a right one, and the error names place and rule.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "formats/check.hpp"
#include "formats/msccl.hpp"
#include "formats/program_file.hpp"
#include "samples.hpp"

namespace tutti {
namespace {

using schedule::Operation;

// A right allreduce for two ranks: each sends its whole input to the other.
const std::string right = R"({"tutti_program":1,"name":"swap","operation":"allreduce","p":2,
"commutative_only":false,
"buffers":{"parts":1,"input":1,"output":1,"scratch":0},
"rounds":[
{"0":[{"send":["input[0]"],"to":1},
      {"receive_combine":["output[0]"],"of":[["input[0]"],{"from":1}]}],
 "1":[{"send":["input[0]"],"to":0},
      {"receive_combine":["output[0]"],"of":[{"from":0},["input[0]"]]}]}]}
)";

std::string error_of(const std::string& text) {
  try {
    return formats::verdict_of(formats::read_program(text, "f.json").schedule).problem;
  } catch (const base::Error& error) {
    return error.what();
  }
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = right;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

struct Refused {
  const char* from;
  const char* to;
  const char* error;  // a part of it
};

const Refused refused[] = {
    {"\"tutti_program\":1", "\"tutti_program\":2",
     "line 1, tutti_program: the format is version 2"},
    {"\"tutti_program\":1,", "", "line 8: the key tutti_program is missing"},
    {"\"name\"", "\"nam\"", "line 1, nam: there is no such key"},
    {"\"p\":2", "\"p\":2,\"p\":2", "line 1, p: the key stands twice"},
    {"\"p\":2", "\"p\":5000", "p is 5000, limit 1 to 4096"},
    {"\"p\":2", "\"p\":1000000000000", "the number is 1000000000000, limit 1 to 2147483647"},
    {"\"p\":2", "\"p\":3", "line 8, rounds[0]: 2 ranks stand in the round, and there are 3"},
    {"\"p\":2", "\"p\":2,\"root\":0", "allreduce has no root"},
    {"allreduce", "reduce", "reduce needs a root"},
    {"allreduce", "allredce", "there is no operation \"allredce\""},
    {"\"scratch\":0", "\"scratch\":11", "scratch is too large: 11 blocks, limit 10"},
    {"\"scratch\":0", "\"scratch\":1000000000",
     "buffers are too large: 2000000004 blocks of all ranks, limit 67108864"},
    {"\"parts\":1", "\"parts\":1000000000", "buffers are too large"},
    {"\"scratch\":0", "\"scratch\":-1", "the number is -1"},
    {"\"1\":", "\"2\":", "rounds[0].\"2\": there is no such rank, only \"0\" to \"1\""},
    {"\"1\":", "\"01\":", "there is no such rank"},
    {"\"1\":", "\"0\":", "rounds[0].\"0\": the rank stands twice in the round"},
    {"\"to\":1", "\"to\":0", "rounds[0].\"0\"[0]: a rank has a message to itself"},
    {"\"to\":1", "\"to\":2", "there is no rank 2, only 0 to 1"},
    {"\"to\":1", "\"to\":[]", "a message goes to no rank"},
    {"\"to\":1", "\"to\":{\"first\":0,\"count\":2}", "a rank has a message to itself"},
    {"\"to\":1", "\"to\":{\"first\":0,\"count\":1000000000}", "1000000000 ranks are named, of 2"},
    {"\"to\":1", "\"from\":1", "the key to is missing"},
    {"\"to\":1", "\"to\":1,\"of\":[]", "send has no of"},
    {"{\"send\":[\"input[0]\"],\"to\":1}", "{}", "an operation needs a verb"},
    {"\"to\":1", "\"to\":1,\"copy\":[]", "an operation has one verb, and send stands before"},
    {"[\"input[0]\"],\"to\":1", "[\"input[1]\"],\"to\":1",
     "line 5, rounds[0].\"0\"[0].send[0]: there is no block 1 in a buffer of 1"},
    {"[\"input[0]\"],\"to\":1", "[\"input[0..2147483647]\"],\"to\":1", "is no range of blocks"},
    {"[\"input[0]\"],\"to\":1", "[\"input[0] x 2147483647 by 0\"],\"to\":1",
     "runs of 1 blocks are only 0 apart"},
    {"[\"input[0]\"],\"to\":1", "[\"input[0] x 2147483647 by 2147483647\"],\"to\":1",
     "there is no block 4611686011984936962 in a buffer of 1"},
    {"[\"input[0]\"],\"to\":1", "[\"input[0] x 2 by -1\"],\"to\":1",
     "there is no block -1 in a buffer of 1"},
    {"[\"input[0]\"],\"to\":1", "[\"input[0] x 0 by 1\"],\"to\":1", "an empty range"},
    {"[\"input[0]\"],\"to\":1", "[\"input[0]\",\"input[0]\",\"input[0]\"],\"to\":1",
     "an operation names 3 blocks, and the rank has 2"},
    {"[\"input[0]\"],\"to\":1", "[\"inpt[0]\"],\"to\":1", "\"inpt[0]\" is no range of blocks"},
    {"[\"output[0]\"]", "[\"input[0]\"]", "input is never written"},
    {"receive_combine", "combine", "only receive_combine has operands from other ranks"},
    {"[[\"input[0]\"],{\"from\":1}]", "[]", "there are no operands"},
    {"[[\"input[0]\"],{\"from\":1}]", "[[\"input[0]\"]]",
     "receive_combine has no operand from another rank"},
    {"{\"from\":1}", "{\"from\":0}", "a rank has a message to itself"},
    // These are for the verifier.
    {"{\"send\":[\"input[0]\"],\"to\":1},", "", "rank 0 sends no such message in this round"},
    {"[{\"from\":0},[\"input[0]\"]]", "[[\"input[0]\"],{\"from\":0}]",
     "not in rank order, and the schedule does not say commutative_only"},
    {"\"output\":1", "\"output\":2", "buffers: 1 blocks of input and 2 of output"},
};

TEST(RefusedFiles, EachNamesPlaceAndRule) {
  EXPECT_EQ(error_of(right), "");
  for (const Refused& one : refused) {
    const std::string error = error_of(changed(one.from, one.to));
    EXPECT_NE(error.find(one.error), std::string::npos) << one.to << "\n  gives: " << error;
  }
}

TEST(RefusedFiles, BarriersHavePartsToo) {
  formats::Schedule barrier = formats::schedule_of(Operation::barrier, "dissemination", 2);
  barrier.buffers = {.output = 1, .parts = 0};
  barrier.programs[0][0].ops[0].blocks = {{schedule::Buffer::output, 0}};
  EXPECT_EQ(error_of(formats::program_text(barrier)), "buffers: a vector of 0 parts");
}

TEST(RefusedFiles, EveryTruncatedFile) {
  for (std::size_t length = 0; length + 2 < right.size(); ++length)
    EXPECT_NE(error_of(right.substr(0, length)), "") << length;
}

TEST(RefusedFiles, ManyBrackets) {
  EXPECT_NE(error_of(std::string(std::size_t{64} << 20, '[')).find("an object is expected"),
            std::string::npos);
  EXPECT_NE(error_of("{\"rounds\":" + std::string(std::size_t{1} << 20, '[')).find("64 deep"),
            std::string::npos);
  EXPECT_NE(error_of(std::string((std::size_t{64} << 20) + 1, ' ')).find("limit 67108864"),
            std::string::npos);
}

TEST(RefusedFiles, AnyRootIsForTwoOperations) {
  formats::Schedule chain = formats::schedule_of(Operation::broadcast, "increasing_ring", 4);
  chain.any_root = true;
  EXPECT_EQ(error_of(formats::program_text(chain)), "");
  formats::Schedule ring = formats::schedule_of(Operation::allgather, "ring", 4);
  ring.any_root = true;
  EXPECT_NE(error_of(formats::program_text(ring)).find("only broadcast and reduce"),
            std::string::npos);
}

// For another root, the sends to two ranks become two sends each, which wait for each other here.
TEST(RefusedFiles, AnyRootThatIsRightForTheRootOfTheFileOnly) {
  const auto with = [](const char* any_root) {
    return std::string(R"({"tutti_program":1,"operation":"broadcast","p":4,"root":0,"any_root":)") +
           any_root + R"(,"buffers":{"parts":1,"input":0,"output":1,"scratch":0},"rounds":[
{"0":[{"send":["output[0]"],"to":1}],"1":[{"receive":["output[0]"],"from":0}],"2":[],"3":[]},
{"0":[{"send":["output[0]"],"to":{"first":1,"count":2}},{"receive":["output[0]"],"from":1}],
 "1":[{"send":["output[0]"],"to":{"first":0,"count":2,"stride":3}},
      {"receive":["output[0]"],"from":0}],
 "2":[{"receive":["output[0]"],"from":0}],"3":[{"receive":["output[0]"],"from":1}]}]})";
  };
  EXPECT_EQ(error_of(with("false")), "");
  EXPECT_NE(error_of(with("true")), "");
}

// A small file would need much memory.
TEST(RefusedFiles, RepeatedBlocks) {
  std::string blocks, receivers;
  for (int i = 0; i < 1100; ++i) blocks += fmt::format("{}\"output[{}]\"", i == 0 ? "" : ",", i);
  for (int i = 1; i < 4096; ++i) receivers += fmt::format("{}{}", i == 1 ? "" : ",", i);
  EXPECT_NE(error_of(fmt::format(
                         R"({{"tutti_program":1,"operation":"broadcast","p":4096,"root":0,
"buffers":{{"parts":1100,"input":0,"output":1100,"scratch":0}},
"rounds":[{{"0":[{{"send":[{}],"to":[{}]}}]}}]}})",
                         blocks, receivers))
                .find("repeat more blocks than the limit"),
            std::string::npos);
}

std::string msccl_error_of(const std::string& text) {
  try {
    static_cast<void>(formats::read_msccl(text, "f.xml"));
    return {};
  } catch (const base::Error& error) {
    return error.what();
  }
}

TEST(RefusedFiles, ManyRoundsOfManyRanks) {
  std::string text = R"(<algo name="a" ngpus="4096" nchunksperloop="1" coll="allreduce">)";
  for (int gpu = 0; gpu < 4096; ++gpu) {
    text +=
        fmt::format(R"(<gpu id="{}" s_chunks="0"><tb id="0" send="-1" recv="-1" chan="0">)", gpu);
    for (int step = 0; gpu == 0 && step < 4200; ++step)
      text += fmt::format(R"(<step s="{}" type="nop" depid="-1" deps="-1" hasdep="0"/>)", step);
    text += "</tb></gpu>";
  }
  EXPECT_NE(msccl_error_of(text + "</algo>").find("rounds of all ranks"), std::string::npos)
      << msccl_error_of(text + "</algo>");
}

TEST(RefusedFiles, BuffersOfRanksDiffer) {
  const auto with = [](const char* size) {
    return fmt::format(
        R"(<algo name="a" ngpus="2" nchunksperloop="1" coll="allreduce">
<gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0"></gpu>
<gpu id="1" i_chunks="{}" o_chunks="1" s_chunks="0"></gpu></algo>)",
        size);
  };
  EXPECT_NE(msccl_error_of(with("9")).find("i_chunks is 9, and 1 in a gpu before it"),
            std::string::npos);
  EXPECT_EQ(msccl_error_of(with("1")).find("i_chunks"), std::string::npos);
}

}  // namespace
}  // namespace tutti
