#ifndef CHECK_H
#define CHECK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_int failures;

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);       \
      failures++;                                                                   \
    }                                                                               \
  } while (0)

#endif
