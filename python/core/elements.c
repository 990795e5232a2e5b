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
// Python has no letter for bfloat16; this one is NumPy's for the type of that name in ml_dtypes.
static const known_type known[] = {
    {"bool", "?", 1, TUTTI_BOOL},
    {"int8", "b", 1, TUTTI_INT8},
    {"int16", "h", 2, TUTTI_INT16},
    {"int32", "i", 4, TUTTI_INT32},
    {"int64", "q", 8, TUTTI_INT64},
    {"uint8", "B", 1, TUTTI_UINT8},
    {"uint16", "H", 2, TUTTI_UINT16},
    {"uint32", "I", 4, TUTTI_UINT32},
    {"uint64", "Q", 8, TUTTI_UINT64},
    {"bfloat16", "E", 2, TUTTI_BFLOAT16},
    {"float16", "e", 2, TUTTI_FLOAT16},
    {"float32", "f", 4, TUTTI_FLOAT},
    {"float64", "d", 8, TUTTI_DOUBLE},
    {"complex64", "Zf", 8, TUTTI_COMPLEX_FLOAT},
    {"complex128", "Zd", 16, TUTTI_COMPLEX_DOUBLE},
};
enum { KNOWN = sizeof known / sizeof *known };
static const char list_of_types[] =
    "bool, integers of 8 to 64 bits, bfloat16, float16, float32, float64, complex64 and complex128";

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

// long is another name for one of the other integers.
static const char* without_long(const char* letters) {
  if (letters[0] == '\0' || letters[1] != '\0') return letters;
  if (letters[0] == 'l') return sizeof(long) == 8 ? "q" : "i";
  if (letters[0] == 'L') return sizeof(long) == 8 ? "Q" : "I";
  return letters;
}

// Returns the known type of a format without its order; NULL if there is none. With a sign for the
// order, long has 4 bytes.
static const known_type* type_of(const char* letters, Py_ssize_t bytes) {
  if (bytes == 4 && strcmp(letters, "l") == 0) letters = "i";
  if (bytes == 4 && strcmp(letters, "L") == 0) letters = "I";
  letters = without_long(letters);
  // The first letters differ for most types. Each call asks this twice, so that 30 calls of strcmp
  // would be seen in its time.
  for (int i = 0; i < KNOWN; ++i)
    if (letters[0] == known[i].format[0] && bytes == known[i].bytes &&
        strcmp(letters, known[i].format) == 0)
      return &known[i];
  return NULL;
}

bool core_element_of(const char* format, Py_ssize_t bytes, core_element* element) {
  const char* letters = without_order(format);
  const known_type* type = type_of(letters, bytes);
  if (type != NULL) {
    *element = (core_element){type->type, 1, true};
    return true;
  }
  if (has_letter(letters, 'O')) {
    PyErr_SetString(PyExc_TypeError,
                    "elements are Python objects: use the calls whose names end with _object");
    return false;
  }
  *element = (core_element){TUTTI_BYTE, (int)bytes, false};
  return true;
}

bool core_same_elements(const char* left, const char* right) {
  return strcmp(without_long(without_order(left)), without_long(without_order(right))) == 0;
}

void core_refuse_combine(const char* call, PyObject* object, const char* format) {
  PyObject* name = core_type_name(object, format);
  if (name == NULL) return;
  const char* letters = without_order(format);
  if (has_letter(letters, PY_BIG_ENDIAN ? '<' : '>') || has_letter(letters, '!')) {
    PyErr_Format(PyExc_TypeError,
                 "%s cannot combine elements of type %U: their bytes have the order of another "
                 "machine",
                 call, name);
  } else {
    PyErr_Format(PyExc_TypeError, "%s cannot combine elements of type %U: only %s", call, name,
                 list_of_types);
  }
  Py_DECREF(name);
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
