/* What key files leave out of a public key: all of it beside a private one, or half of its point. */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <string.h>

#include "internal.h"

assayc_status assayc_ed25519_public_half(const uint8_t *seed, uint8_t *point) {
  uint8_t secret[crypto_sign_SECRETKEYBYTES];
  if (assayci_library_get0() == NULL) return ASSAYC_UNAVAILABLE;
  int result = crypto_sign_seed_keypair(point, secret, seed);
  sodium_memzero(secret, sizeof secret);
  return result == 0 ? ASSAYC_OK : ASSAYC_FAILED;
}

assayc_status assayc_ed448_public_half(const uint8_t *seed, uint8_t *point) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  ERR_set_mark();
  size_t length = ASSAYC_ED448_LENGTH;
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(library->context, "ED448", NULL, seed, ASSAYC_ED448_LENGTH);
  bool done = key != NULL && EVP_PKEY_get_raw_public_key(key, point, &length) == 1 && length == ASSAYC_ED448_LENGTH;
  EVP_PKEY_free(key);
  ERR_pop_to_mark();
  return done ? ASSAYC_OK : ASSAYC_FAILED;
}

/* A curve that a public half is computed on, and what that takes. */
typedef struct curve_work {
  EC_GROUP *group;
  EC_POINT *point;
  BN_CTX *context;
  BIGNUM *number;
  size_t length; /* of a coordinate, in bytes */
} curve_work;

static bool begin(curve_work *work, const assayci_library *library, assayc_curve curve) {
  memset(work, 0, sizeof *work);
  const assayci_curve *named = assayci_curve_get0(curve);
  if (named == NULL) return false;
  work->length = named->length;
  work->group = EC_GROUP_new_by_curve_name_ex(library->context, NULL, named->nid);
  work->point = work->group == NULL ? NULL : EC_POINT_new(work->group);
  work->context = BN_CTX_secure_new_ex(library->context);
  work->number = BN_secure_new();
  return work->point != NULL && work->context != NULL && work->number != NULL;
}

static void end(curve_work *work) {
  BN_clear_free(work->number);
  BN_CTX_free(work->context);
  EC_POINT_free(work->point);
  EC_GROUP_free(work->group);
}

/* Writes the coordinates of the point. */
static assayc_status coordinates(const curve_work *work, uint8_t *x, uint8_t *y) {
  uint8_t encoded[1 + 2 * ASSAYC_CURVE_MAXIMUM_LENGTH];
  size_t length = work->length;
  if (EC_POINT_point2oct(work->group, work->point, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded,
                         work->context) != 1 + 2 * length)
    return ASSAYC_FAILED;
  if (x != NULL) memcpy(x, encoded + 1, length);
  memcpy(y, encoded + 1 + length, length);
  return ASSAYC_OK;
}

static assayc_status public_half(curve_work *work, const uint8_t *d, uint8_t *x, uint8_t *y) {
  if (BN_bin2bn(d, (int)work->length, work->number) == NULL) return ASSAYC_FAILED;
  if (BN_is_zero(work->number) || BN_cmp(work->number, EC_GROUP_get0_order(work->group)) >= 0)
    return ASSAYC_INCONSISTENT;
  /* With a generator's multiple alone, OpenSSL takes its constant-time path. */
  BN_set_flags(work->number, BN_FLG_CONSTTIME);
  if (EC_POINT_mul(work->group, work->point, work->number, NULL, NULL, work->context) != 1) return ASSAYC_FAILED;
  return coordinates(work, x, y);
}

assayc_status assayc_curve_public_half(assayc_curve curve, const uint8_t *d, uint8_t *x, uint8_t *y) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  ERR_set_mark();
  curve_work work;
  assayc_status status = begin(&work, library, curve) ? public_half(&work, d, x, y) : ASSAYC_FAILED;
  end(&work);
  ERR_pop_to_mark();
  return status;
}

static assayc_status decompress(curve_work *work, const uint8_t *x, int y_is_odd, uint8_t *y) {
  if (BN_bin2bn(x, (int)work->length, work->number) == NULL) return ASSAYC_FAILED;
  if (EC_POINT_set_compressed_coordinates(work->group, work->point, work->number, y_is_odd != 0, work->context) != 1)
    return ASSAYC_NOT_ON_CURVE;
  return coordinates(work, NULL, y);
}

assayc_status assayc_curve_decompress(assayc_curve curve, const uint8_t *x, int y_is_odd, uint8_t *y) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  ERR_set_mark();
  curve_work work;
  assayc_status status = begin(&work, library, curve) ? decompress(&work, x, y_is_odd, y) : ASSAYC_FAILED;
  end(&work);
  ERR_pop_to_mark();
  return status;
}
