/* What the shim's own files share. Nothing here is visible outside the library. */
#ifndef ASSAYC_INTERNAL_H
#define ASSAYC_INTERNAL_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "assayc_crypto.h"

#pragma GCC visibility push(hidden)

/* Everything that is fetched once. Never changed after set-up, so threads share it without a lock. */
typedef struct assayci_library {
  OSSL_LIB_CTX *context;
  OSSL_PROVIDER *provider;
  EVP_MD *digests[ASSAYC_DIGEST_COUNT];
  EVP_MAC *hmac;
  EVP_PKEY *curves[ASSAYC_CURVE_COUNT]; /* parameters and no key: what public keys on that curve are copied from */
} assayci_library;

/* The library, set up at the first call; NULL if it is not usable. */
const assayci_library *assayci_library_get0(void);

/* Runs every known-answer test. */
bool assayci_self_test(const assayci_library *library);

/* Idle objects of one kind, each taken by one owner at a time. Lock-free: a slot is emptied and filled by one exchange. */
#define ASSAYCI_SLOTS 16
typedef struct assayci_slots {
  _Atomic(void *) slot[ASSAYCI_SLOTS];
} assayci_slots;

void assayci_slots_initialise(assayci_slots *slots);
void *assayci_slots_take(assayci_slots *slots);             /* NULL if none is idle */
bool assayci_slots_put(assayci_slots *slots, void *object); /* false if there is no room: the caller still owns it */

/* The kinds of key. */
typedef enum assayci_kind { ASSAYCI_EC, ASSAYCI_RSA, ASSAYCI_ED25519, ASSAYCI_ED448 } assayci_kind;

/* The one way a key signs. */
typedef struct assayci_scheme {
  assayci_kind kind;
  assayc_digest digest;    /* EC and RSA */
  assayc_curve curve;      /* EC */
  assayc_padding padding;  /* RSA */
  size_t salt_length;      /* RSA with PSS */
} assayci_scheme;

/* The scheme, if it is one that signs: false for a curve, padding or digest that is none, and for SHA-1, with which RSA in
   PKCS1 only verifies. */
bool assayci_ec_scheme(assayc_curve curve, assayc_digest digest, assayci_scheme *scheme);
bool assayci_rsa_scheme(assayc_rsa_scheme rsa, assayci_scheme *scheme);
bool assayci_rsa_signing_scheme(assayc_rsa_scheme rsa, assayci_scheme *scheme);

/* What OpenSSL calls a curve, and the length of its coordinates. */
typedef struct assayci_curve {
  const char *group;
  int nid;
  size_t length;
} assayci_curve;

/* NULL for a value that is no curve. */
const assayci_curve *assayci_curve_get0(assayc_curve curve);

/* What one signature operation needs for itself: a key's context, ready to verify or to sign, and a digest's. */
typedef struct assayci_operation {
  EVP_PKEY_CTX *pkey;
  EVP_MD_CTX *digest;
} assayci_operation;

/* An OpenSSL key with the contexts that are ready to work with it. */
typedef struct assayci_key {
  assayci_scheme scheme;
  bool signs;
  EVP_PKEY *pkey; /* owned */
  size_t signature_length;
  assayci_slots idle;
  atomic_bool used;
  pthread_mutex_t first_use;
} assayci_key;

/* Takes over `pkey` on success only, and prepares one context. */
bool assayci_key_initialise(assayci_key *key, const assayci_library *library, const assayci_scheme *scheme, bool signs,
                            EVP_PKEY *pkey);
void assayci_key_destroy(assayci_key *key);
bool assayci_key_verify(assayci_key *key, const assayci_library *library, assayc_bytes signature, assayc_bytes message);
bool assayci_key_sign(assayci_key *key, const assayci_library *library, assayc_bytes message, uint8_t *out,
                      size_t *out_length);

struct assayc_public_key {
  assayci_kind kind;
  union {
    assayci_key openssl;
    uint8_t ed25519[ASSAYC_ED25519_LENGTH];
  } as;
};

struct assayc_private_key {
  assayci_kind kind;
  union {
    assayci_key openssl;
    uint8_t *ed25519; /* seed and point, in guarded memory */
  } as;
};

/* The functions of the header for use while the library is still being tested, and inside a mark on the error queue. */
bool assayci_digest(const assayci_library *library, assayc_digest digest, assayc_bytes first, assayc_bytes second,
                    uint8_t *out);
assayc_hmac *assayci_hmac_new(const assayci_library *library, assayc_digest digest, assayc_bytes key);
bool assayci_hmac(assayc_hmac *hmac, const assayci_library *library, assayc_bytes message, uint8_t *out);
assayc_status assayci_public_key_new_ec(const assayci_library *library, const assayci_scheme *scheme,
                                        const uint8_t *x, const uint8_t *y, assayc_public_key **key);
assayc_status assayci_public_key_new_rsa(const assayci_library *library, const assayci_scheme *scheme, assayc_bytes n,
                                         assayc_bytes e, assayc_public_key **key);
assayc_status assayci_public_key_new_ed25519(const uint8_t *point, assayc_public_key **key);
assayc_status assayci_public_key_new_ed448(const assayci_library *library, const uint8_t *point,
                                           assayc_public_key **key);
bool assayci_public_key_verify(assayc_public_key *key, const assayci_library *library, assayc_bytes signature,
                               assayc_bytes message);
assayc_status assayci_private_key_new_ec(const assayci_library *library, const assayci_scheme *scheme,
                                         const uint8_t *x, const uint8_t *y, const uint8_t *d,
                                         assayc_private_key **key);
assayc_status assayci_private_key_new_rsa(const assayci_library *library, const assayci_scheme *scheme,
                                          const assayc_rsa_numbers *numbers, assayc_private_key **key);
/* `point` and `seed` are NULL for a fresh key. */
assayc_status assayci_private_key_new_ed25519(const uint8_t *point, const uint8_t *seed, assayc_private_key **key);
assayc_status assayci_private_key_new_ed448(const assayci_library *library, const uint8_t *point, const uint8_t *seed,
                                            assayc_private_key **key);
bool assayci_private_key_sign(assayc_private_key *key, const assayci_library *library, assayc_bytes message,
                              uint8_t *out, size_t *out_length);

/* A key around an OpenSSL one. They take over `pkey`, also on failure; it may be NULL, which is a failure. */
assayc_status assayci_public_key_take(const assayci_library *library, const assayci_scheme *scheme, EVP_PKEY *pkey,
                                      assayc_public_key **key);
assayc_status assayci_private_key_take(const assayci_library *library, const assayci_scheme *scheme, EVP_PKEY *pkey,
                                       assayc_private_key **key);

/* Whether the eight numbers are those of one RSA key (RFC 8017, 3.2). It does not test that p and q are prime. */
bool assayci_rsa_numbers_agree(const assayci_library *library, const assayc_rsa_numbers *numbers);

/* Copies a big-endian number in the byte order of this machine, as OpenSSL's parameters want it. */
void assayci_native_number(uint8_t *out, assayc_bytes number);

static inline assayc_bytes assayci_bytes(const uint8_t *bytes, size_t length) {
  assayc_bytes view = {bytes, length};
  return view;
}

#pragma GCC visibility pop

#endif
