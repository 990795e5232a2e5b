// SPDX-License-Identifier: BSD-3-Clause
// Finds the address that the loader has bound a reference of a library to.
#pragma once

namespace tutti::mpi {

// Returns the address that a loaded library uses for a symbol of this name. Several libraries may
// define it, as they do the common blocks of Fortran's constants, and the loader has chosen one of
// them. Returns nullptr if the library is not loaded, or does not use the symbol.
[[nodiscard]] void* bound_symbol(const char* library, const char* name);

}  // namespace tutti::mpi
