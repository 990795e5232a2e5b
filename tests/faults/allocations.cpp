// SPDX-License-Identifier: BSD-3-Clause
// A library that is preloaded and lets allocations of one process of a job fail. Only those count
// that tutti's libraries and commands make, by themselves or through the C++ library. It replaces
// operator new as well as malloc, so that the caller's address tells which library has asked.
//
// ALLOCATIONS_IN is command, supervisor, or the number of a rank. With ALLOCATIONS_FAIL=N the N-th
// allocation fails, with N- that one and all behind it. ALLOCATIONS_FILE is a file of 16 bytes that
// the processes share: how many were counted, and the pid of the process that counts.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* before, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}

namespace {

enum class Place : std::uint8_t { nowhere, command, supervisor, rank };

struct Shared {
  std::atomic<std::uint64_t> counted;
  std::atomic<std::int64_t> process;  // 0 until a process of the right kind allocates
};

Shared* shared = nullptr;
Place place = Place::nowhere;
pid_t first_process = 0;  // the process that the loader has started, not a child of its forks
std::uint64_t from = 0, end = 0;

bool is_command() {
  return std::string_view(program_invocation_short_name).starts_with("tutti");
}

struct Search {
  std::uintptr_t address;
  bool ours;
};

bool holds(const dl_phdr_info& module, std::uintptr_t address) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    const std::uintptr_t begin = module.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz) return true;
  }
  return false;
}

// The C++ library allocates for whoever calls it. Programs that count are C, or tutti's own.
bool is_ours(std::string_view path) {
  if (path.empty()) return is_command();  // the program itself
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libtutti") || file.starts_with("libstdc++");
}

int look_at(dl_phdr_info* module, size_t, void* given) {
  auto* search = static_cast<Search*>(given);
  if (!holds(*module, search->address)) return 0;
  search->ours = is_ours(module->dlpi_name);
  return 1;
}

bool called_by_us(const void* caller) {
  Search search{reinterpret_cast<std::uintptr_t>(caller), false};
  dl_iterate_phdr(look_at, &search);
  return search.ours;
}

// A fork of the command is the supervisor. The first process of the right kind counts alone.
bool counts_here() {
  const pid_t me = ::getpid();
  if ((place == Place::supervisor) == (me == first_process)) return false;
  std::int64_t nobody = 0;
  return shared->process.compare_exchange_strong(nobody, me) || nobody == me;
}

bool fails(const void* caller) {
  if (place == Place::nowhere || !called_by_us(caller) || !counts_here()) return false;
  const std::uint64_t number = shared->counted.fetch_add(1) + 1;
  return number >= from && number < end;
}

Place place_of(const char* wanted) {
  const char* rank = std::getenv("TUTTI_RANK");
  if (is_command() && std::strcmp(wanted, "command") == 0) return Place::command;
  if (is_command() && std::strcmp(wanted, "supervisor") == 0) return Place::supervisor;
  return !is_command() && rank != nullptr && std::strcmp(wanted, rank) == 0 ? Place::rank
                                                                            : Place::nowhere;
}

// It runs after the initialisers of the C++ library, whose own store for exceptions must be there.
__attribute__((constructor)) void begin() {
  const char* wanted = std::getenv("ALLOCATIONS_IN");
  const char* number = std::getenv("ALLOCATIONS_FAIL");
  const char* path = std::getenv("ALLOCATIONS_FILE");
  if (wanted == nullptr || path == nullptr) return;
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  void* mapped = file < 0
                     ? MAP_FAILED
                     : ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) ::close(file);
  if (mapped == MAP_FAILED) ::_exit(99);
  shared = static_cast<Shared*>(mapped);
  if (number != nullptr) {
    from = std::strtoull(number, nullptr, 10);
    end = std::strchr(number, '-') != nullptr ? UINT64_MAX : from + 1;
  }
  first_process = ::getpid();
  place = place_of(wanted);
}

void* refused() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {

void* malloc(size_t bytes) {
  return fails(__builtin_return_address(0)) ? refused() : __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
  return fails(__builtin_return_address(0)) ? refused() : __libc_calloc(count, bytes);
}

void* realloc(void* before, size_t bytes) {
  return fails(__builtin_return_address(0)) ? refused() : __libc_realloc(before, bytes);
}

void* memalign(size_t alignment, size_t bytes) {
  return fails(__builtin_return_address(0)) ? refused() : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  return fails(__builtin_return_address(0)) ? refused() : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** result, size_t alignment, size_t bytes) {
  if (fails(__builtin_return_address(0))) return ENOMEM;
  *result = __libc_memalign(alignment, bytes);
  return *result == nullptr ? ENOMEM : 0;
}

}  // extern "C"

namespace {

void* allocated(size_t bytes, const void* caller) {
  void* memory = fails(caller) ? nullptr : __libc_malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* allocated(size_t bytes, std::align_val_t alignment, const void* caller) {
  void* memory = fails(caller) ? nullptr : __libc_memalign(static_cast<size_t>(alignment), bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) {
  return allocated(bytes, __builtin_return_address(0));
}

void* operator new[](size_t bytes) {
  return allocated(bytes, __builtin_return_address(0));
}

void* operator new(size_t bytes, std::align_val_t alignment) {
  return allocated(bytes, alignment, __builtin_return_address(0));
}

void* operator new[](size_t bytes, std::align_val_t alignment) {
  return allocated(bytes, alignment, __builtin_return_address(0));
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete[](void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, size_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}
