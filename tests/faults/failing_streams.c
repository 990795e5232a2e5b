/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of failing_calls.c that concern streams of the C library. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "failing.h"

int __isoc99_fscanf(FILE* stream, const char* format, ...);

POINTING(FILE, fopen, fopen, (const char* path, const char* mode), (path, mode))
POINTING(FILE, fopen64, fopen, (const char* path, const char* mode), (path, mode))
POINTING(FILE, fdopen, fopen, (int fd, const char* mode), (fd, mode))

/* A stream remembers that a call has failed. */
static void note_failure(FILE* stream, int error) {
  enum { error_seen = 0x20 }; /* _IO_ERR_SEEN of glibc; ferror looks at it */
  stream->_flags |= error_seen;
  errno = error;
}

size_t fwrite(const void* from, size_t size, size_t n, FILE* stream) {
  FIND(fwrite);
  const int error = plan_error(kind_fwrite, CALLER, fileno(stream));
  if (error == 0) return real(from, size, n, stream);
  note_failure(stream, error);
  return 0;
}

int fputs(const char* text, FILE* stream) {
  FIND(fputs);
  const int error = plan_error(kind_fwrite, CALLER, fileno(stream));
  if (error == 0) return real(text, stream);
  note_failure(stream, error);
  return EOF;
}

int fputc(int letter, FILE* stream) {
  FIND(fputc);
  const int error = plan_error(kind_fwrite, CALLER, fileno(stream));
  if (error == 0) return real(letter, stream);
  note_failure(stream, error);
  return EOF;
}

int fflush(FILE* stream) {
  FIND(fflush);
  const int error = plan_error(kind_fwrite, CALLER, stream == NULL ? -1 : fileno(stream));
  if (error == 0) return real(stream);
  if (stream != NULL) note_failure(stream, error);
  errno = error;
  return EOF;
}

int fprintf(FILE* stream, const char* format, ...) {
  const int error = plan_error(kind_fwrite, CALLER, fileno(stream));
  va_list more;
  va_start(more, format);
  const int result = error == 0 ? vfprintf(stream, format, more) : -1;
  va_end(more);
  if (error != 0) note_failure(stream, error);
  return result;
}

int printf(const char* format, ...) {
  const int error = plan_error(kind_fwrite, CALLER, fileno(stdout));
  va_list more;
  va_start(more, format);
  const int result = error == 0 ? vprintf(format, more) : -1;
  va_end(more);
  if (error != 0) note_failure(stdout, error);
  return result;
}

size_t fread(void* to, size_t size, size_t n, FILE* stream) {
  FIND(fread);
  const int error = plan_error(kind_fread, CALLER, fileno(stream));
  if (error == 0) return real(to, size, n, stream);
  note_failure(stream, error);
  return 0;
}

int fgetc(FILE* stream) {
  FIND(fgetc);
  const int error = plan_error(kind_fread, CALLER, fileno(stream));
  if (error == 0) return real(stream);
  note_failure(stream, error);
  return EOF;
}

ssize_t __getdelim(char** line, size_t* size, int end, FILE* stream) {
  FIND(__getdelim);
  const int error = plan_error(kind_fread, CALLER, fileno(stream));
  if (error == 0) return real(line, size, end, stream);
  note_failure(stream, error);
  return -1;
}

/* GCC gives fscanf this name. */
int __isoc99_fscanf(FILE* stream, const char* format, ...) {
  const int error = plan_error(kind_fread, CALLER, fileno(stream));
  va_list more;
  va_start(more, format);
  const int result = error == 0 ? vfscanf(stream, format, more) : EOF;
  va_end(more);
  if (error != 0) note_failure(stream, error);
  return result;
}

int fclose(FILE* stream) {
  FIND(fclose);
  const int error = plan_error(kind_fclose, CALLER, fileno(stream));
  const int result = real(stream);
  if (error == 0) return result;
  errno = error;
  return EOF;
}
