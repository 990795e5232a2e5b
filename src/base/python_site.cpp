// SPDX-License-Identifier: BSD-3-Clause
// Asks the interpreter (python_site.hpp) by functions that all versions of Python from 3.9 on have.
// They are looked up, because most processes have no Python.
#include "base/python_site.hpp"

#include <dlfcn.h>

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace tutti::base {
namespace {

template <class Function>
Function look_up(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

// The functions of CPython that are needed. Objects of Python are void here.
struct Interpreter {
  int (*is_initialized)() = look_up<int (*)()>("Py_IsInitialized");
  void* (*thread_state)() = look_up<void* (*)()>("PyGILState_GetThisThreadState");
  int (*ensure)() = look_up<int (*)()>("PyGILState_Ensure");
  void (*release)(int) = look_up<void (*)(int)>("PyGILState_Release");
  void* (*get_frame)() = look_up<void* (*)()>("PyEval_GetFrame");
  void* (*code_of)(void*) = look_up<void* (*)(void*)>("PyFrame_GetCode");
  int (*line_of)(void*) = look_up<int (*)(void*)>("PyFrame_GetLineNumber");
  void* (*attribute)(void*, const char*) =
      look_up<void* (*)(void*, const char*)>("PyObject_GetAttrString");
  const char* (*utf8)(void*) = look_up<const char* (*)(void*)>("PyUnicode_AsUTF8");
  void (*let_go)(void*) = look_up<void (*)(void*)>("Py_DecRef");
  void (*clear_error)() = look_up<void (*)()>("PyErr_Clear");

  [[nodiscard]] bool complete() const {
    return is_initialized != nullptr && thread_state != nullptr && ensure != nullptr &&
           release != nullptr && get_frame != nullptr && code_of != nullptr && line_of != nullptr &&
           attribute != nullptr && utf8 != nullptr && let_go != nullptr && clear_error != nullptr;
  }
};
const Interpreter& interpreter() {
  static const Interpreter found;
  return found;
}

// The lines that have made calls, by the code of their function.
struct Lines {
  std::mutex mutex;
  std::map<std::pair<const void*, int>, std::size_t> numbers;
  std::vector<std::string> texts;
};
Lines& lines() {
  static auto* const known = new Lines;
  return *known;
}

std::string file_of(void* code) {
  const Interpreter& call = interpreter();
  void* const name = call.attribute(code, "co_filename");
  const char* const text = name == nullptr ? nullptr : call.utf8(name);
  const std::string file = text == nullptr ? "?" : text;
  if (text == nullptr) call.clear_error();
  if (name != nullptr) call.let_go(name);
  return file.substr(file.rfind('/') + 1);
}

// Returns the site of a line, and lets the code go. The code of a new line stays in memory for
// ever, so that no other gets its address.
std::uint64_t site_of(void* code, int line) {
  Lines& known = lines();
  const std::pair<const void*, int> key{code, line};
  {
    const std::lock_guard lock(known.mutex);
    const auto found = known.numbers.find(key);
    if (found != known.numbers.end()) {
      interpreter().let_go(code);
      return found->second | python_bit;
    }
  }
  const std::string file = file_of(code);
  const std::lock_guard lock(known.mutex);
  const auto [place, is_new] = known.numbers.try_emplace(key, known.texts.size());
  if (is_new) known.texts.push_back(file + ":" + std::to_string(line));
  return place->second | python_bit;
}

}  // namespace

bool has_python() {
  static const bool found = interpreter().complete();
  return found && interpreter().is_initialized() != 0;
}

// A thread that has never executed Python has no line, and must not wait for the interpreter: the
// one that has it may wait for this thread.
std::uint64_t python_site() {
  const Interpreter& call = interpreter();
  if (call.thread_state() == nullptr) return 0;
  const int held = call.ensure();
  void* const frame = call.get_frame();
  const std::uint64_t site =
      frame == nullptr ? 0 : site_of(call.code_of(frame), call.line_of(frame));
  call.release(held);
  return site;
}

std::string python_site_text(std::uint64_t site) {
  Lines& known = lines();
  const std::lock_guard lock(known.mutex);
  const std::size_t number = site & ~python_bit;
  return number < known.texts.size() ? known.texts[number] : "";
}

}  // namespace tutti::base
