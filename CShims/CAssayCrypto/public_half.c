/* The public half of a private key, for key files that leave it out. */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <string.h>

#include "internal.h"

assayc_status assayc_ed25519_public_half(const uint8_t *seed, uint8_t *point) {
  uint8_t secret[crypto_sign_SECRETKEYBYTES];
  if (assayci_library_get0() == NULL) return ASSAYC_UNAVAILABLE;
  int result = crypto_sign_seed_keypair(point, secret, seed);
  sodium_memzero(secret, sizeof secret);
  return result == 0 ? ASSAYC_OK : ASSAYC_FAILED;
}

static assayc_status p256_public_half(const assayci_library *library, const uint8_t *d, uint8_t *x, uint8_t *y) {
  assayc_status status = ASSAYC_FAILED;
  uint8_t encoded[1 + 2 * ASSAYC_P256_LENGTH];
  EC_GROUP *group = EC_GROUP_new_by_curve_name_ex(library->context, NULL, NID_X9_62_prime256v1);
  EC_POINT *point = group == NULL ? NULL : EC_POINT_new(group);
  BN_CTX *context = BN_CTX_secure_new_ex(library->context);
  BIGNUM *scalar = BN_secure_new();
  if (point == NULL || context == NULL || scalar == NULL || BN_bin2bn(d, ASSAYC_P256_LENGTH, scalar) == NULL) {
    status = ASSAYC_FAILED;
  } else if (BN_is_zero(scalar) || BN_cmp(scalar, EC_GROUP_get0_order(group)) >= 0) {
    status = ASSAYC_INCONSISTENT;
  } else {
    /* With a generator's multiple alone, OpenSSL takes its constant-time path. */
    BN_set_flags(scalar, BN_FLG_CONSTTIME);
    if (EC_POINT_mul(group, point, scalar, NULL, NULL, context) == 1 &&
        EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded, context) ==
            sizeof encoded) {
      memcpy(x, encoded + 1, ASSAYC_P256_LENGTH);
      memcpy(y, encoded + 1 + ASSAYC_P256_LENGTH, ASSAYC_P256_LENGTH);
      status = ASSAYC_OK;
    }
  }
  BN_clear_free(scalar);
  BN_CTX_free(context);
  EC_POINT_free(point);
  EC_GROUP_free(group);
  return status;
}

assayc_status assayc_p256_public_half(const uint8_t *d, uint8_t *x, uint8_t *y) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  ERR_set_mark();
  assayc_status status = p256_public_half(library, d, x, y);
  ERR_pop_to_mark();
  return status;
}
