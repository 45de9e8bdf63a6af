#include "error_queue_probe.h"

#include <openssl/err.h>

void error_queue_fill(size_t count) {
  ERR_clear_error();
  for (size_t index = 0; index < count; index++)
    ERR_raise_data(ERR_LIB_USER, (int)index + 1, "the host's error %zu", index);
}

static uint64_t mix(uint64_t hash, const char *text) {
  for (; text != NULL && *text != '\0'; text++) hash = (hash ^ (uint8_t)*text) * 0x100000001b3U; /* FNV-1a */
  return hash;
}

size_t error_queue_drain(uint64_t *fingerprints, size_t capacity) {
  const char *file, *function, *data;
  int line, flags;
  unsigned long code;
  size_t count = 0;
  while ((code = ERR_get_error_all(&file, &line, &function, &data, &flags)) != 0) {
    uint64_t hash = mix(mix(mix(0xcbf29ce484222325U, file), function), data);
    hash = hash * 31 + (uint64_t)code * 7 + (uint64_t)line * 3 + (uint64_t)flags;
    if (count < capacity) fingerprints[count] = hash;
    count++;
  }
  return count;
}
