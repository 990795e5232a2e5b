// SPDX-License-Identifier: BSD-3-Clause
// Implements tutti_generator_register.
#include "algorithms/registered.hpp"
#include "api/state.hpp"
#include "tutti/tutti_generator.h"

using namespace tutti;

extern "C" tutti_status tutti_generator_register(const tutti_generator* generator) {
  return api::guarded("tutti_generator_register", [&] {
    if (generator == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'generator' is NULL");
    if (api::process.membership != nullptr)
      base::fail(base::Status::invalid_argument,
                 "a generator must be registered before tutti_init, because the processes of a job "
                 "compare their generators when they join");
    algorithms::register_generator(*generator);
  });
}
