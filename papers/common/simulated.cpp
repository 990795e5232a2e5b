// SPDX-License-Identifier: BSD-3-Clause
// Makes the simulator's jobs and runs them.
#include "papers/common/simulated.hpp"

#include <fmt/format.h>

#include "simulate/simulate.hpp"

namespace tutti::papers {
namespace {

// Rank 0 sends its vector to rank 1.
simulate::JobOperation message(int from, int to, std::int64_t bytes) {
  simulate::JobOperation operation;
  operation.shape.p = 2;
  operation.buffers = {.input = 1, .output = 1, .parts = 1};
  operation.programs.assign(2, schedule::Program(1));
  operation.programs[0][0].send({{schedule::Buffer::input, 0}}, schedule::Rank{1});
  operation.programs[1][0].receive({{schedule::Buffer::output, 0}}, schedule::Rank{0});
  operation.nodes = {from, to};
  operation.bytes = bytes;
  return operation;
}

const char* unit_of(const std::string& name) {
  for (const char* count : {"kappa", "queries", "threshold", "packet"})
    if (name.ends_with(count)) return "";
  return "us";
}

}  // namespace

machine::Machine simulated_machine(const std::string& file, Ports ports) {
  machine::Machine machine = machine::load_machine(file);
  if (ports == Ports::half) machine.node.ports = machine::Ports::half;
  return machine;
}

machine::Machine machine_on(const std::string& file, const std::string& topology, const char* why) {
  machine::Machine machine = machine::load_machine(file, {topology});
  machine.profile.words.at("network.topology").source = why;
  return machine;
}

void add_ports(Result& result, const machine::Machine& machine) {
  result.parameters.push_back(
      {machine.name + " as simulated: ports", machine::to_text(machine.node.ports), "",
       "paper 000, sections 5.4.2 and 7.2.1: without forced messages a node sends or receives"});
}

double time_of(const machine::Machine& machine, const simulate::SimulatedJob& job) {
  simulate::SimulationOptions options;
  options.links = false;
  options.top = 0;
  return simulate::simulate(machine, job, options).time;
}

double collective_time(const machine::Machine& machine, const schedule::Generator& generator,
                       const schedule::Shape& shape, std::int64_t bytes, int times) {
  simulate::JobOperation operation;
  operation.generator = &generator;
  operation.shape = shape;
  operation.bytes = bytes;
  operation.element = 4;
  simulate::SimulatedJob job{shape.p, {}};
  for (int i = 0; i < times; ++i) job.phases.emplace_back(simulate::Operations{{operation}});
  return time_of(machine, job);
}

double messages_time(const machine::Machine& machine, const std::vector<std::pair<int, int>>& pairs,
                     std::int64_t bytes) {
  simulate::Operations all;
  for (const auto& [from, to] : pairs) all.all.push_back(message(from, to, bytes));
  return time_of(machine, {0, {all}});
}

Parameter parameter_of(std::string name, const machine::Number& number, std::string unit) {
  return {std::move(name), number.value, std::move(unit),
          fmt::format("{}: {}", machine::to_text(number.status), number.source)};
}

void add_parameters(Result& result, const machine::Machine& machine) {
  const auto add = [&](const std::string& name, const machine::Number& number) {
    if (number.value == 0 && number.line == 0) return;  // the file does not give this number
    result.parameters.push_back(parameter_of(machine.name + " " + name, number, unit_of(name)));
  };
  add("alpha", machine.profile.alpha);
  add("beta", machine.profile.beta);
  add("gamma", machine.profile.gamma);
  for (const auto& [name, number] : machine.profile.more) add(name, number);
  for (const auto& [name, word] : machine.profile.words)
    result.parameters.push_back(
        {machine.name + " " + name, word.value, "",
         fmt::format("{}: {}", machine::to_text(word.status), word.source)});
}

}  // namespace tutti::papers
