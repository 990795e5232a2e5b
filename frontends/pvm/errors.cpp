// SPDX-License-Identifier: BSD-3-Clause
// Texts of PVM's errors, and the reaction to one: it is kept, printed, or ends the program.
#include "core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "state.hpp"

namespace tutti::pvm {
namespace {

// Returns how the process at an endpoint has ended, or "" if it has not.
std::string ending_of(int endpoint) {
  std::string text(tutti_ending_text(endpoint, nullptr, 0) + 1, '\0');
  tutti_ending_text(endpoint, text.data(), text.size());
  text.pop_back();
  return text;
}

// Returns true if the process was killed or has failed.
bool has_died(int endpoint) {
  tutti_ending ending{};
  ending.struct_size = sizeof ending;
  tutti_ending_of(endpoint, &ending);
  return ending.how == TUTTI_KILLED || ending.how == TUTTI_EXITED || ending.how == TUTTI_FAILED;
}

struct Text {
  int code;
  const char* text;
};
constexpr Text texts[] = {
    {PvmOk, "Success"},
    {PvmBadParam, "Bad parameter"},
    {PvmMismatch, "Count does not match"},
    {PvmOverflow, "Value too large"},
    {PvmNoData, "No data left in buffer"},
    {PvmNoHost, "No such host"},
    {PvmNoFile, "No such file"},
    {PvmDenied, "Permission denied"},
    {PvmNoMem, "Out of memory"},
    {PvmBadMsg, "Message cannot be decoded"},
    {PvmSysErr, "The machine cannot be reached, or a task that is needed has ended"},
    {PvmNoBuf, "No active buffer"},
    {PvmNoSuchBuf, "No such buffer"},
    {PvmNullGroup, "Group without a name"},
    {PvmDupGroup, "Already in this group"},
    {PvmNoGroup, "No such group"},
    {PvmNotInGroup, "Not in this group"},
    {PvmNoInst, "No such instance"},
    {PvmHostFail, "Host has failed"},
    {PvmNoParent, "No parent task"},
    {PvmNotImpl, "Not implemented"},
    {PvmDSysErr, "System error of the machine"},
    {PvmBadVersion, "Versions differ"},
    {PvmOutOfRes, "Out of resources"},
    {PvmDupHost, "Host is there already"},
    {PvmCantStart, "Cannot start the machine"},
    {PvmAlready, "In progress already"},
    {PvmNoTask, "No such task"},
    {PvmNotFound, "Not found"},
    {PvmExists, "Exists already"},
    {PvmParentNotSet, "Spawned without a parent"},
};

// The runtime's text without the name of its function.
std::string of_the_runtime(const std::string& reason) {
  const std::size_t colon = reason.find(": ");
  return colon == std::string::npos ? reason : reason.substr(colon + 2);
}

// Names the tasks of the machine that were killed or have failed, the last few only.
std::string tasks_that_died(const VirtualMachine& machine) {
  constexpr int most_named = 3;
  int count = 0;
  std::string text;
  for (int slot = slots - 1; slot >= 0; --slot) {
    const TaskEntry& task = machine.task(slot);
    const int endpoint = task.endpoint_plus_1.load() - 1;
    if (endpoint < 0) continue;
    if (!has_died(endpoint) || ++count > most_named) continue;
    text += fmt::format("{}task t{:x} ({}) {}", count == 1 ? "" : ", ", task.tid,
                        machine.name(endpoint), ending_of(endpoint));
  }
  if (count > most_named) text += fmt::format(", and {} more", count - most_named);
  return text;
}

// Returns what stands behind the text of PvmSysErr: what the runtime says, and who may be the
// cause.
std::string why_it_failed(const PvmState& mine) {
  const std::string reason = of_the_runtime(mine.reason);
  const std::string died = mine.machine ? tasks_that_died(*mine.machine) : "";
  std::string text = reason.empty() ? "" : ": " + reason;
  if (!died.empty()) text += (text.empty() ? ": " : "; ") + died;
  return text;
}

constexpr int print = 1, leave = 2, dump = 3;  // values of PvmAutoErr

}  // namespace

const char* text_of(int code) {
  const auto* found = std::find_if(std::begin(texts), std::end(texts),
                                   [code](const Text& one) { return one.code == code; });
  return found == std::end(texts) ? "Unknown error" : found->text;
}

}  // namespace tutti::pvm

using namespace tutti::pvm;

extern "C" {

int pvm_errno = PvmOk;
int pvmdebmask = 0;

// Reports an error as a call of PVM does. No header declares it, but programs call it.
TUTTI_API int lpvmerr(const char* name, int code);
int lpvmerr(const char* name, int code) {
  return tutti_pvm_result(name, code);
}

void tutti_pvm_keep_reason(const char* text) {
  state().reason = text;
}

int tutti_pvm_result(const char* name, int code) {
  const PvmState& mine = state();
  if (code >= 0) return code;
  pvm_errno = code;
  const int reaction = mine.option[PvmAutoErr];
  if (reaction >= print) {
    const std::string why = code == PvmSysErr ? why_it_failed(mine) : "";
    const std::string text =
        fmt::format("libpvm [t{:x}]: {}(): {}{}\n", mine.tid, name, text_of(code), why);
    std::fputs(text.c_str(), stderr);
  }
  if (reaction == leave) std::exit(1);
  if (reaction >= dump) std::abort();
  return code;
}

int pvm_perror(char* message) {
  const PvmState& mine = state();
  const std::string text = fmt::format("libpvm [t{:x}]: {}: {}\n", mine.tid,
                                       message == nullptr ? "(null)" : message, text_of(pvm_errno));
  std::fputs(text.c_str(), stderr);
  return PvmOk;
}

char* pvm_strerror(void) {
  return const_cast<char*>(text_of(pvm_errno));
}

}  // extern "C"
