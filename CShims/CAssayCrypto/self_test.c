/* Known-answer tests, run once before anything else may be done: each algorithm gives the published answer, and refuses
   it when the message is another. */
#include <string.h>

#include "internal.h"
#include "self_test_data.h"
#include "self_test_signatures.h"

#define VIEW(array) assayci_bytes((array), sizeof(array))

static assayc_bytes text(const char *string) { return assayci_bytes((const uint8_t *)string, strlen(string)); }

static bool digests_work(const assayci_library *library) {
  const assayc_bytes expected[ASSAYC_DIGEST_COUNT] = {VIEW(abc_sha1), VIEW(abc_sha256), VIEW(abc_sha384),
                                                      VIEW(abc_sha512)};
  uint8_t out[ASSAYC_DIGEST_MAXIMUM_LENGTH];
  for (size_t index = 0; index < ASSAYC_DIGEST_COUNT; index++) {
    if (!assayci_digest(library, (assayc_digest)index, text("a"), text("bc"), out) ||
        memcmp(out, expected[index].bytes, expected[index].length) != 0)
      return false;
  }
  return true;
}

static bool hmac_works(const assayci_library *library) {
  const assayc_bytes expected[ASSAYC_DIGEST_COUNT] = {VIEW(hmac_sha1), VIEW(hmac_sha256), VIEW(hmac_sha384),
                                                      VIEW(hmac_sha512)};
  uint8_t out[ASSAYC_DIGEST_MAXIMUM_LENGTH];
  for (size_t index = 0; index < ASSAYC_DIGEST_COUNT; index++) {
    assayc_hmac *hmac = assayci_hmac_new(library, (assayc_digest)index, text("Jefe"));
    bool works = hmac != NULL;
    /* Twice: the second answer comes from a context that was used before. */
    for (int round = 0; works && round < 2; round++)
      works = assayci_hmac(hmac, library, text("what do ya want for nothing?"), out) &&
              memcmp(out, expected[index].bytes, expected[index].length) == 0;
    assayc_hmac_free(hmac);
    if (!works) return false;
  }
  return true;
}

/* The published signature is refused for another message, and then accepted. */
static bool verifies(const assayci_library *library, assayc_public_key *key, assayc_bytes signature,
                     assayc_bytes message) {
  return !assayci_public_key_verify(key, library, signature, text("another message")) &&
         assayci_public_key_verify(key, library, signature, message);
}

/* A signature made with the private key: `expected` itself where signing is deterministic, or one that verifies. */
static bool signs(const assayci_library *library, assayc_private_key *key, assayc_public_key *public_key,
                  const assayc_bytes *expected, assayc_bytes message) {
  uint8_t out[ASSAYC_RSA_MAXIMUM_LENGTH];
  size_t length = 0;
  if (assayc_private_key_signature_maximum_length(key) > sizeof out ||
      !assayci_private_key_sign(key, library, message, out, &length))
    return false;
  if (expected != NULL) return length == expected->length && memcmp(out, expected->bytes, length) == 0;
  return assayci_public_key_verify(public_key, library, assayci_bytes(out, length), message);
}

/* Takes over both keys. */
static bool pair_works(const assayci_library *library, assayc_public_key *public_key, assayc_private_key *private_key,
                       assayc_bytes signature, bool deterministic, assayc_bytes message) {
  bool works = public_key != NULL && private_key != NULL && verifies(library, public_key, signature, message) &&
               signs(library, private_key, public_key, deterministic ? &signature : NULL, message);
  assayc_public_key_free(public_key);
  assayc_private_key_free(private_key);
  return works;
}

static bool curves_work(const assayci_library *library) {
  const struct {
    assayc_curve curve;
    assayc_digest digest;
    const uint8_t *x, *y, *d;
    assayc_bytes signature;
    const char *message;
  } answers[] = {
      {ASSAYC_CURVE_P256, ASSAYC_SHA256, p256_x, p256_y, p256_d, VIEW(p256_signature), "sample"},
      {ASSAYC_CURVE_P384, ASSAYC_SHA384, p384_x, p384_y, p384_d, VIEW(p384_signature), "sample"},
      {ASSAYC_CURVE_P521, ASSAYC_SHA512, p521_x, p521_y, p521_d, VIEW(p521_signature), "sample"},
      {ASSAYC_CURVE_SECP256K1, ASSAYC_SHA256, secp256k1_x, secp256k1_y, secp256k1_d, VIEW(secp256k1_signature),
       "Satoshi Nakamoto"},
  };
  for (size_t index = 0; index < sizeof answers / sizeof answers[0]; index++) {
    assayc_public_key *public_key = NULL;
    assayc_private_key *private_key = NULL;
    assayci_scheme scheme;
    bool made = assayci_ec_scheme(answers[index].curve, answers[index].digest, &scheme) &&
                assayci_public_key_new_ec(library, &scheme, answers[index].x, answers[index].y, &public_key) ==
                    ASSAYC_OK &&
                assayci_private_key_new_ec(library, &scheme, answers[index].x, answers[index].y, answers[index].d,
                                           &private_key) == ASSAYC_OK;
    if (!pair_works(library, public_key, private_key, answers[index].signature, false, text(answers[index].message)) ||
        !made)
      return false;
  }
  return true;
}

/* One key that signs, which shows that RSA's private operation works: what differs from one scheme to the next is the
   padding, which verifying shows as well and in a fraction of the time. */
static bool rs256_works(const assayci_library *library) {
  const assayc_rsa_numbers numbers = {VIEW(rsa_n), VIEW(rsa_e),  VIEW(rsa_d),  VIEW(rsa_p),
                                      VIEW(rsa_q), VIEW(rsa_dp), VIEW(rsa_dq), VIEW(rsa_qi)};
  const assayc_rsa_scheme rs256 = {ASSAYC_PKCS1, ASSAYC_SHA256, 0};
  assayc_public_key *public_key = NULL;
  assayc_private_key *private_key = NULL;
  assayci_scheme scheme;
  bool made = assayci_rsa_scheme(rs256, &scheme) &&
              assayci_public_key_new_rsa(library, &scheme, numbers.n, numbers.e, &public_key) == ASSAYC_OK &&
              assayci_private_key_new_rsa(library, &scheme, &numbers, &private_key) == ASSAYC_OK;
  return pair_works(library, public_key, private_key, VIEW(rsa_signature), true, text(rsa_message)) && made;
}

static bool rsa_works(const assayci_library *library) {
  const struct {
    assayc_rsa_scheme scheme;
    assayc_bytes n, e, message, signature;
  } answers[] = {
      {{ASSAYC_PKCS1, ASSAYC_SHA384, 0}, VIEW(pkcs1_n), VIEW(pkcs1_e), VIEW(pkcs1_sha384_message),
       VIEW(pkcs1_sha384_signature)},
      {{ASSAYC_PKCS1, ASSAYC_SHA512, 0}, VIEW(pkcs1_n), VIEW(pkcs1_e), VIEW(pkcs1_sha512_message),
       VIEW(pkcs1_sha512_signature)},
      {{ASSAYC_PSS, ASSAYC_SHA256, 32}, VIEW(pss_sha256_n), VIEW(pss_sha256_e), VIEW(pss_sha256_message),
       VIEW(pss_sha256_signature)},
      {{ASSAYC_PSS, ASSAYC_SHA384, 48}, VIEW(pss_sha384_n), VIEW(pss_sha384_e), VIEW(pss_sha384_message),
       VIEW(pss_sha384_signature)},
      {{ASSAYC_PSS, ASSAYC_SHA512, 64}, VIEW(pss_sha512_n), VIEW(pss_sha512_e), VIEW(pss_sha512_message),
       VIEW(pss_sha512_signature)},
  };
  for (size_t index = 0; index < sizeof answers / sizeof answers[0]; index++) {
    assayc_public_key *key = NULL;
    assayci_scheme scheme;
    bool works = assayci_rsa_scheme(answers[index].scheme, &scheme) &&
                 assayci_public_key_new_rsa(library, &scheme, answers[index].n, answers[index].e, &key) == ASSAYC_OK &&
                 verifies(library, key, answers[index].signature, answers[index].message);
    assayc_public_key_free(key);
    if (!works) return false;
  }
  return true;
}

static bool ed25519_works(const assayci_library *library) {
  assayc_public_key *public_key = NULL;
  assayc_private_key *private_key = NULL;
  bool made = assayci_public_key_new_ed25519(ed25519_point, &public_key) == ASSAYC_OK &&
              assayci_private_key_new_ed25519(ed25519_point, ed25519_seed, &private_key) == ASSAYC_OK;
  return pair_works(library, public_key, private_key, VIEW(ed25519_signature), true, VIEW(ed25519_message)) && made;
}

static bool ed448_works(const assayci_library *library) {
  assayc_public_key *public_key = NULL;
  assayc_private_key *private_key = NULL;
  bool made = assayci_public_key_new_ed448(library, ed448_point, &public_key) == ASSAYC_OK &&
              assayci_private_key_new_ed448(library, ed448_point, ed448_seed, &private_key) == ASSAYC_OK;
  return pair_works(library, public_key, private_key, VIEW(ed448_signature), true, VIEW(ed448_message)) && made;
}

bool assayci_self_test(const assayci_library *library) {
  return digests_work(library) && hmac_works(library) && curves_work(library) && rs256_works(library) &&
         rsa_works(library) && ed25519_works(library) && ed448_works(library);
}
