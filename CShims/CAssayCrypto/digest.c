#include "internal.h"

size_t assayc_digest_length(assayc_digest digest) {
  switch (digest) {
    case ASSAYC_SHA1: return 20;
    case ASSAYC_SHA256: return 32;
    case ASSAYC_SHA384: return 48;
    case ASSAYC_SHA512: return 64;
  }
  return 0;
}

bool assayci_digest(const assayci_library *library, assayc_digest digest, assayc_bytes first, assayc_bytes second,
                    uint8_t *out) {
  /* A context per call: it is wiped with what it has seen, which may have been a secret. */
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (context == NULL) return false;
  bool done = EVP_DigestInit_ex2(context, library->digests[digest], NULL) == 1 &&
              (first.length == 0 || EVP_DigestUpdate(context, first.bytes, first.length) == 1) &&
              (second.length == 0 || EVP_DigestUpdate(context, second.bytes, second.length) == 1) &&
              EVP_DigestFinal_ex(context, out, NULL) == 1;
  EVP_MD_CTX_free(context);
  return done;
}

int assayc_digest_copy(assayc_digest digest, const uint8_t *first, size_t first_length, const uint8_t *second,
                       size_t second_length, uint8_t *out, size_t out_length) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL || out_length == 0 || out_length != assayc_digest_length(digest)) return 0;
  ERR_set_mark();
  bool done = assayci_digest(library, digest, assayci_bytes(first, first_length), assayci_bytes(second, second_length),
                             out);
  ERR_pop_to_mark();
  return done;
}
