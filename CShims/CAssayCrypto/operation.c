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

/* Makes a context ready with everything about the scheme that is not the key's. */
static bool initialise(const assayci_key *key, const assayci_library *library, EVP_PKEY_CTX *context) {
  OSSL_PARAM parameters[5], *next = parameters;
  int salt_length = (int)key->scheme.salt_length;
  if (key->scheme.kind == ASSAYCI_RSA) { /* ECDSA signs whatever digest it is given */
    /* OSSL_PARAM is not const-correct: nothing is written to the strings. */
    char *digest = (char *)(uintptr_t)EVP_MD_get0_name(library->digests[key->scheme.digest]);
    bool pss = key->scheme.padding == ASSAYC_PSS;
    char *padding = (char *)(uintptr_t)(pss ? OSSL_PKEY_RSA_PAD_MODE_PSS : OSSL_PKEY_RSA_PAD_MODE_PKCSV15);
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, digest, 0);
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, padding, 0);
    if (pss) {
      *next++ = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, digest, 0);
      *next++ = OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, &salt_length);
    }
  }
  *next = OSSL_PARAM_construct_end();
  return (key->signs ? EVP_PKEY_sign_init_ex(context, parameters) : EVP_PKEY_verify_init_ex(context, parameters)) == 1;
}

static assayci_operation *new_operation(const assayci_key *key, const assayci_library *library) {
  assayci_operation *operation = calloc(1, sizeof *operation);
  if (operation == NULL) return NULL;
  operation->digest = EVP_MD_CTX_new();
  if (key->scheme.kind != ASSAYCI_ED448) operation->pkey = EVP_PKEY_CTX_new_from_pkey(library->context, key->pkey, NULL);
  if (operation->digest == NULL ||
      (key->scheme.kind != ASSAYCI_ED448 && (operation->pkey == NULL || !initialise(key, library, operation->pkey)))) {
    free_operation(operation);
    return NULL;
  }
  return operation;
}

bool assayci_key_initialise(assayci_key *key, const assayci_library *library, const assayci_scheme *scheme, bool signs,
                            EVP_PKEY *pkey) {
  int length = EVP_PKEY_get_size(pkey);
  if (length <= 0) return false;
  key->scheme = *scheme;
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

static bool hash(EVP_MD_CTX *context, const EVP_MD *digest, assayc_bytes message, uint8_t *out) {
  return EVP_DigestInit_ex2(context, digest, NULL) == 1 &&
         (message.length == 0 || EVP_DigestUpdate(context, message.bytes, message.length) == 1) &&
         EVP_DigestFinal_ex(context, out, NULL) == 1;
}

/* The digest of the message is what is signed. */
static int sign_digest(const assayci_key *key, const assayci_library *library, assayci_operation *operation,
                       const assayc_bytes *signature, assayc_bytes message, uint8_t *out, size_t *out_length) {
  uint8_t digest[ASSAYC_DIGEST_MAXIMUM_LENGTH];
  size_t length = assayc_digest_length(key->scheme.digest);
  if (!hash(operation->digest, library->digests[key->scheme.digest], message, digest)) return -1;
  return signature != NULL ? EVP_PKEY_verify(operation->pkey, signature->bytes, signature->length, digest, length)
                           : EVP_PKEY_sign(operation->pkey, out, out_length, digest, length);
}

/* The message itself is signed, twice hashed on the way (RFC 8032, 5.2.6): only these functions do that. A context must be
   initialised again for each (openssl #23075), which is little beside the rest. */
static int sign_message(const assayci_key *key, const assayci_library *library, assayci_operation *operation,
                        const assayc_bytes *signature, assayc_bytes message, uint8_t *out, size_t *out_length) {
  EVP_MD_CTX *context = operation->digest;
  if (signature == NULL)
    return EVP_DigestSignInit_ex(context, NULL, NULL, library->context, NULL, key->pkey, NULL) == 1
               ? EVP_DigestSign(context, out, out_length, message.bytes, message.length)
               : -1;
  return EVP_DigestVerifyInit_ex(context, NULL, NULL, library->context, NULL, key->pkey, NULL) == 1
             ? EVP_DigestVerify(context, signature->bytes, signature->length, message.bytes, message.length)
             : -1;
}

/* One operation with a context of its own. Without `signature` it signs into `out`. Returns OpenSSL's own result. */
static int perform(assayci_key *key, const assayci_library *library, const assayc_bytes *signature,
                   assayc_bytes message, uint8_t *out, size_t *out_length) {
  assayci_operation *operation = assayci_slots_take(&key->idle);
  if (operation == NULL) operation = new_operation(key, library);
  if (operation == NULL) return -1;
  int result = key->scheme.kind == ASSAYCI_ED448
                   ? sign_message(key, library, operation, signature, message, out, out_length)
                   : sign_digest(key, library, operation, signature, message, out, out_length);
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
  /* DER has no fixed length. */
  bool possible = key->scheme.kind == ASSAYCI_EC ? signature.length > 0 && signature.length <= key->signature_length
                                                 : signature.length == key->signature_length;
  return possible && perform_first_alone(key, library, &signature, message, NULL, NULL) == 1;
}

bool assayci_key_sign(assayci_key *key, const assayci_library *library, assayc_bytes message, uint8_t *out,
                      size_t *out_length) {
  *out_length = key->signature_length;
  return perform_first_alone(key, library, NULL, message, out, out_length) == 1;
}
