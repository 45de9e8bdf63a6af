/* Randomness, comparison and wiping: libsodium's. */
#include "internal.h"

int assayc_random_copy(uint8_t *out, size_t out_length) {
  if (assayci_library_get0() == NULL) return 0;
  if (out_length > 0) randombytes_buf(out, out_length);
  return 1;
}

int assayc_equal(const uint8_t *a, const uint8_t *b, size_t length) {
  if (assayci_library_get0() == NULL) return 0;
  return length == 0 || sodium_memcmp(a, b, length) == 0;
}

void assayc_wipe(uint8_t *bytes, size_t length) {
  if (length > 0) sodium_memzero(bytes, length);
}
