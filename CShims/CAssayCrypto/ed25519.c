/* Ed25519 keys: libsodium's, which verifies twice as fast as OpenSSL here and refuses small-order keys. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Whether y, the encoding without its sign bit, is below p = 2^255 - 19 (RFC 8032, 5.1.3 step 1). */
static bool y_is_canonical(const uint8_t y[ASSAYC_ED25519_LENGTH]) {
  if (y[31] != 0x7f) return true;
  for (size_t index = 30; index > 0; index--)
    if (y[index] != 0xff) return true;
  return y[0] < 0xed;
}

/* The y of the eight points of small order: 1 (order 1), p - 1 (order 2), 0 (order 4), and two of order 8. */
static bool y_has_small_order(const uint8_t y[ASSAYC_ED25519_LENGTH]) {
  static const uint8_t table[5][ASSAYC_ED25519_LENGTH] = {
      {0x01},
      {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
      {0x00},
      {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
       0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
      {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
       0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}};
  for (size_t index = 0; index < 5; index++)
    if (memcmp(y, table[index], ASSAYC_ED25519_LENGTH) == 0) return true;
  return false;
}

static assayc_status check_point(const uint8_t *point) {
  static const uint8_t identity[ASSAYC_ED25519_LENGTH] = {0x01};
  uint8_t y[ASSAYC_ED25519_LENGTH], sum[ASSAYC_ED25519_LENGTH];
  memcpy(y, point, sizeof y);
  y[31] &= 0x7f;
  if (!y_is_canonical(y)) return ASSAYC_NOT_ON_CURVE;
  if (y_has_small_order(y)) return ASSAYC_SMALL_ORDER;
  /* Adding nothing decodes the point and does not ask, as crypto_core_ed25519_is_valid_point would, that it has no
     small-order part: RFC 8032 does not ask either, and it takes as long as verifying a signature. */
  if (crypto_core_ed25519_add(sum, point, identity) != 0) return ASSAYC_NOT_ON_CURVE;
  return ASSAYC_OK;
}

assayc_status assayci_public_key_new_ed25519(const uint8_t *point, assayc_public_key **key) {
  assayc_status status = check_point(point);
  if (status != ASSAYC_OK) return status;
  assayc_public_key *made = malloc(sizeof *made);
  if (made == NULL) return ASSAYC_FAILED;
  made->kind = ASSAYCI_ED25519;
  memcpy(made->as.ed25519, point, ASSAYC_ED25519_LENGTH);
  *key = made;
  return ASSAYC_OK;
}

assayc_status assayci_private_key_new_ed25519(const uint8_t *point, const uint8_t *seed, assayc_private_key **key) {
  uint8_t derived[crypto_sign_PUBLICKEYBYTES];
  assayc_private_key *made = malloc(sizeof *made);
  uint8_t *secret = sodium_malloc(crypto_sign_SECRETKEYBYTES);
  assayc_status status = ASSAYC_OK;
  if (made == NULL || secret == NULL)
    status = ASSAYC_FAILED;
  else if ((seed != NULL ? crypto_sign_seed_keypair(derived, secret, seed) : crypto_sign_keypair(derived, secret)) != 0)
    status = ASSAYC_FAILED;
  else if (point != NULL && sodium_memcmp(derived, point, sizeof derived) != 0)
    status = ASSAYC_INCONSISTENT;
  else if (sodium_mprotect_readonly(secret) != 0)
    status = ASSAYC_FAILED;
  if (status != ASSAYC_OK) {
    sodium_free(secret); /* wipes it */
    free(made);
    return status;
  }
  made->kind = ASSAYCI_ED25519;
  made->as.ed25519 = secret;
  *key = made;
  return ASSAYC_OK;
}
