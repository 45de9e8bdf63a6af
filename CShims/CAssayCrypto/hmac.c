/* HMAC with contexts that are keyed once and used again. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* The key is kept so that a second context can be made while the first is in use. */
struct assayc_hmac {
  assayc_digest digest;
  assayci_slots idle;
  size_t key_length;
  uint8_t key[];
};

static EVP_MAC_CTX *new_context(const assayc_hmac *hmac, const assayci_library *library) {
  char *name = (char *)(uintptr_t)EVP_MD_get0_name(library->digests[hmac->digest]); /* OSSL_PARAM is not const-correct */
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0), OSSL_PARAM_END};
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(library->hmac);
  if (context != NULL && EVP_MAC_init(context, hmac->key, hmac->key_length, parameters) != 1) {
    EVP_MAC_CTX_free(context);
    context = NULL;
  }
  return context;
}

static void free_hmac(assayc_hmac *hmac) {
  EVP_MAC_CTX *context;
  while ((context = assayci_slots_take(&hmac->idle)) != NULL) EVP_MAC_CTX_free(context);
  sodium_memzero(hmac->key, hmac->key_length);
  free(hmac);
}

assayc_hmac *assayci_hmac_new(const assayci_library *library, assayc_digest digest, assayc_bytes key) {
  if (key.length == 0 || key.length > SIZE_MAX - sizeof(assayc_hmac)) return NULL;
  assayc_hmac *hmac = malloc(sizeof *hmac + key.length);
  if (hmac == NULL) return NULL;
  hmac->digest = digest;
  hmac->key_length = key.length;
  assayci_slots_initialise(&hmac->idle);
  memcpy(hmac->key, key.bytes, key.length);
  EVP_MAC_CTX *context = new_context(hmac, library);
  if (context == NULL || !assayci_slots_put(&hmac->idle, context)) {
    EVP_MAC_CTX_free(context);
    free_hmac(hmac);
    return NULL;
  }
  return hmac;
}

bool assayci_hmac(assayc_hmac *hmac, const assayci_library *library, assayc_bytes message, uint8_t *out) {
  size_t expected = assayc_digest_length(hmac->digest), length = 0;
  EVP_MAC_CTX *context = assayci_slots_take(&hmac->idle);
  if (context == NULL) context = new_context(hmac, library);
  /* NULL stands for the key the context has. */
  bool done = context != NULL && EVP_MAC_init(context, NULL, 0, NULL) == 1 &&
              (message.length == 0 || EVP_MAC_update(context, message.bytes, message.length) == 1) &&
              EVP_MAC_final(context, out, &length, expected) == 1 && length == expected;
  if (!done || !assayci_slots_put(&hmac->idle, context)) EVP_MAC_CTX_free(context);
  return done;
}

assayc_hmac *assayc_hmac_new(assayc_digest digest, const uint8_t *key, size_t key_length) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL || assayc_digest_length(digest) == 0) return NULL;
  ERR_set_mark();
  assayc_hmac *hmac = assayci_hmac_new(library, digest, assayci_bytes(key, key_length));
  ERR_pop_to_mark();
  return hmac;
}

void assayc_hmac_free(assayc_hmac *hmac) {
  if (hmac == NULL) return;
  ERR_set_mark();
  free_hmac(hmac);
  ERR_pop_to_mark();
}

int assayc_hmac_copy(assayc_hmac *hmac, const uint8_t *message, size_t message_length, uint8_t *out,
                     size_t out_length) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL || out_length != assayc_digest_length(hmac->digest)) return 0;
  ERR_set_mark();
  bool done = assayci_hmac(hmac, library, assayci_bytes(message, message_length), out);
  ERR_pop_to_mark();
  return done;
}
