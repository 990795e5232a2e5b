// SPDX-License-Identifier: BSD-3-Clause
// The start and the end of an application that is a BSP program.
#pragma once

#include <tutti/tutti_runtime.h>

#include <exception>
#include <tutti-bsp/bsp.hpp>

#include "command_line.hpp"
#include "output.hpp"

namespace support {

// Calls run(options) in all processes: those of the launcher, or as many as the options say. An
// exception ends the job with its text. Returns the exit code.
template <class Options, class Run>
int run_bsp_program(const char* name, const CommandLine<Options>& line, const Run& run) {
  const bool by_hand = tutti_has_launcher() == 0;
  const int wanted = line.exit_code ? 1 : line.options.processes;
  const bsp_backend_table& bsp = BSPWrapper::Backend();
  bsp.begin(by_hand ? wanted : bsp.nprocs());
  BSPWrapper::P = bsp.nprocs();
  BSPWrapper::Pid = bsp.pid();
  try {
    if (!line.exit_code) run(line.options);
    if (line.exit_code && BSPWrapper::Pid == 0) line.print_text();
    require_output();
  } catch (const std::exception& problem) {
    bsp.abort("%s: %s", name, problem.what());
  }
  BSPWrapper::Exit();
  return line.exit_code.value_or(0);
}

}  // namespace support
