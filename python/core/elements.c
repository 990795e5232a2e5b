// SPDX-License-Identifier: BSD-3-Clause
// Says which elements of the library a buffer of Python has. A format is that of the struct module
// and of PEP 3118: an optional sign for the order of bytes, and a letter.
#include <string.h>

#include "core.h"

typedef struct {
  const char* name;    // NumPy's name
  const char* format;  // as Python writes it for memory of this machine
  Py_ssize_t bytes;
  tutti_type type;
} known_type;
static const known_type known[] = {
    {"int32", "i", 4, TUTTI_INT32},
    {"int64", "q", 8, TUTTI_INT64},
    {"float32", "f", 4, TUTTI_FLOAT},
    {"float64", "d", 8, TUTTI_DOUBLE},
    {"complex64", "Zf", 8, TUTTI_COMPLEX_FLOAT},
    {"complex128", "Zd", 16, TUTTI_COMPLEX_DOUBLE},
};
enum { KNOWN = sizeof known / sizeof *known };
static const char list_of_types[] = "int32, int64, float32, float64, complex64 and complex128";

// Skips the sign for the order of bytes that this machine has.
static const char* without_order(const char* format) {
  if (format == NULL) return "B";
  if (format[0] == '@' || format[0] == '=') return format + 1;
  return format[0] == (PY_BIG_ENDIAN ? '>' : '<') ? format + 1 : format;
}

// Returns true if a letter occurs in a format outside of the names of fields, which stand between
// colons.
static bool has_letter(const char* format, char letter) {
  bool in_name = false;
  for (; *format != '\0'; ++format) {
    if (*format == ':') in_name = !in_name;
    if (!in_name && *format == letter) return true;
  }
  return false;
}

// Returns the known type of a format without its order; NULL if there is none.
static const known_type* type_of(const char* letters, Py_ssize_t bytes) {
  if (strcmp(letters, "l") == 0) letters = bytes == 8 ? "q" : "i";
  for (int i = 0; i < KNOWN; ++i)
    if (strcmp(letters, known[i].format) == 0 && bytes == known[i].bytes) return &known[i];
  return NULL;
}

bool core_element_of(const char* format, Py_ssize_t bytes, core_element* element) {
  const char* letters = without_order(format);
  if (has_letter(letters, 'O')) {
    PyErr_SetString(PyExc_TypeError,
                    "elements are Python objects: use the calls whose names end with _object");
    return false;
  }
  if (has_letter(letters, PY_BIG_ENDIAN ? '<' : '>') || has_letter(letters, '!')) {
    PyErr_Format(PyExc_TypeError, "elements of format '%s' have the bytes of another machine",
                 format);
    return false;
  }
  const known_type* type = type_of(letters, bytes);
  element->combines = type != NULL;
  element->type = type != NULL ? type->type : TUTTI_BYTE;
  element->factor = type != NULL ? 1 : (int)bytes;
  return true;
}

bool core_same_elements(const char* left, const char* right) {
  left = without_order(left);
  right = without_order(right);
  if (strcmp(left, right) == 0) return true;
  // long is another name for one of the other integers.
  const char* wide = sizeof(long) == 8 ? "q" : "i";
  return strcmp(strcmp(left, "l") == 0 ? wide : left, strcmp(right, "l") == 0 ? wide : right) == 0;
}

void core_refuse_combine(const char* call, const char* format) {
  PyErr_Format(PyExc_TypeError, "%s cannot combine elements of format '%s': only %s", call,
               without_order(format), list_of_types);
}

const char* core_type_named(const char* name, core_element* element, Py_ssize_t* bytes) {
  for (int i = 0; i < KNOWN; ++i) {
    if (strcmp(name, known[i].name) != 0) continue;
    *element = (core_element){known[i].type, 1, true};
    *bytes = known[i].bytes;
    return known[i].format;
  }
  PyErr_Format(PyExc_TypeError, "operators have no elements of type '%s': only %s", name,
               list_of_types);
  return NULL;
}
