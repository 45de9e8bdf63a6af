/* Verifying and signing with OpenSSL, with contexts that are made once per key and used again.

   How a key is shared: the EVP_PKEY is complete when it is made and never changed by us; a context has one owner at a
   time. What OpenSSL itself fills in at first use (an RSA key's Montgomery numbers, the cache of a key's exported forms)
   it guards with locks of its own, but some versions were reported to race there (openssl #28936). So the first operation
   of each key runs alone, under the key's own mutex. A warm-up when the key is made would cost a whole verification, which
   keys that are used once cannot afford. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <stdlib.h>

#include "internal.h"

static void free_operation(assayci_operation *operation) {
  if (operation == NULL) return;
  EVP_PKEY_CTX_free(operation->pkey);
  EVP_MD_CTX_free(operation->digest);
  free(operation);
}

static assayci_operation *new_operation(const assayci_key *key, const assayci_library *library) {
  char digest[] = "SHA2-256", padding[] = OSSL_PKEY_RSA_PAD_MODE_PKCSV15;
  OSSL_PARAM rsa[] = {OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, digest, 0),
                      OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, padding, 0), OSSL_PARAM_END};
  const OSSL_PARAM *parameters = key->kind == ASSAYCI_RSA ? rsa : NULL; /* ECDSA signs whatever digest it is given */
  assayci_operation *operation = calloc(1, sizeof *operation);
  if (operation == NULL) return NULL;
  operation->pkey = EVP_PKEY_CTX_new_from_pkey(library->context, key->pkey, NULL);
  operation->digest = EVP_MD_CTX_new();
  if (operation->pkey == NULL || operation->digest == NULL ||
      (key->signs ? EVP_PKEY_sign_init_ex(operation->pkey, parameters)
                  : EVP_PKEY_verify_init_ex(operation->pkey, parameters)) != 1) {
    free_operation(operation);
    return NULL;
  }
  return operation;
}

bool assayci_key_initialise(assayci_key *key, const assayci_library *library, assayci_kind kind, bool signs,
                            EVP_PKEY *pkey) {
  int length = EVP_PKEY_get_size(pkey);
  if (length <= 0) return false;
  key->kind = kind;
  key->signs = signs;
  key->pkey = pkey;
  key->signature_length = (size_t)length;
  atomic_init(&key->used, false);
  assayci_slots_initialise(&key->idle);
  assayci_operation *operation = new_operation(key, library);
  if (operation == NULL) return false;
  if (pthread_mutex_init(&key->first_use, NULL) != 0) {
    free_operation(operation);
    return false;
  }
  if (!assayci_slots_put(&key->idle, operation)) free_operation(operation);
  return true;
}

void assayci_key_destroy(assayci_key *key) {
  assayci_operation *operation;
  while ((operation = assayci_slots_take(&key->idle)) != NULL) free_operation(operation);
  EVP_PKEY_free(key->pkey);
  pthread_mutex_destroy(&key->first_use);
}

static bool hash(assayci_operation *operation, const assayci_library *library, assayc_bytes message, uint8_t *out) {
  return EVP_DigestInit_ex2(operation->digest, library->digests[ASSAYC_SHA256], NULL) == 1 &&
         (message.length == 0 || EVP_DigestUpdate(operation->digest, message.bytes, message.length) == 1) &&
         EVP_DigestFinal_ex(operation->digest, out, NULL) == 1;
}

/* One operation with a context of its own. Without `signature` it signs into `out`. Returns OpenSSL's own result. */
static int perform(assayci_key *key, const assayci_library *library, const assayc_bytes *signature,
                   assayc_bytes message, uint8_t *out, size_t *out_length) {
  uint8_t digest[32];
  int result = -1;
  assayci_operation *operation = assayci_slots_take(&key->idle);
  if (operation == NULL) operation = new_operation(key, library);
  if (operation == NULL) return result;
  if (hash(operation, library, message, digest)) {
    result = signature != NULL
                 ? EVP_PKEY_verify(operation->pkey, signature->bytes, signature->length, digest, sizeof digest)
                 : EVP_PKEY_sign(operation->pkey, out, out_length, digest, sizeof digest);
  }
  /* After an error nothing is known about the context; 0 only says that the signature is wrong. */
  bool sound = result == 1 || (result == 0 && signature != NULL);
  if (!sound || !assayci_slots_put(&key->idle, operation)) free_operation(operation);
  return result;
}

static int perform_first_alone(assayci_key *key, const assayci_library *library, const assayc_bytes *signature,
                               assayc_bytes message, uint8_t *out, size_t *out_length) {
  if (atomic_load_explicit(&key->used, memory_order_acquire))
    return perform(key, library, signature, message, out, out_length);
  if (pthread_mutex_lock(&key->first_use) != 0) return -1;
  int result = perform(key, library, signature, message, out, out_length);
  atomic_store_explicit(&key->used, true, memory_order_release);
  if (pthread_mutex_unlock(&key->first_use) != 0) return -1;
  return result;
}

bool assayci_key_verify(assayci_key *key, const assayci_library *library, assayc_bytes signature,
                        assayc_bytes message) {
  bool possible = key->kind == ASSAYCI_RSA ? signature.length == key->signature_length
                                           : signature.length > 0 && signature.length <= key->signature_length;
  return possible && perform_first_alone(key, library, &signature, message, NULL, NULL) == 1;
}

bool assayci_key_sign(assayci_key *key, const assayci_library *library, assayc_bytes message, uint8_t *out,
                      size_t *out_length) {
  *out_length = key->signature_length;
  return perform_first_alone(key, library, NULL, message, out, out_length) == 1;
}
