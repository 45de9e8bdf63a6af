/* Ed448 keys: OpenSSL's, which takes any 57 bytes for a public key. What it leaves out is checked here. */
#include <openssl/bn.h>
#include <string.h>

#include "internal.h"

static const assayci_scheme scheme = {.kind = ASSAYCI_ED448};

/* p = 2^448 - 2^224 - 1 (RFC 8032, 5.2). */
static bool set_prime(BIGNUM *p, BIGNUM *scratch) {
  BN_zero(p);
  BN_zero(scratch);
  return BN_set_bit(p, 448) == 1 && BN_set_bit(scratch, 224) == 1 && BN_sub(p, p, scratch) == 1 &&
         BN_sub_word(p, 1) == 1;
}

/* Points are (x, y) with x^2 = (1 - y^2) / (1 + 39081 y^2), and an encoding is y and the sign of x (RFC 8032, 5.2.2 and
   5.2.3): it is one if y is below p and the quotient, or just as well the product, is a square. The points of small order
   are those with y or x zero: (0, 1), (0, -1), (1, 0), (-1, 0). */
static assayc_status check(const uint8_t *point, BN_CTX *context) {
  BIGNUM *p = BN_CTX_get(context), *y = BN_CTX_get(context), *square = BN_CTX_get(context),
         *above = BN_CTX_get(context), *below = BN_CTX_get(context);
  if (below == NULL || !set_prime(p, square) || BN_lebin2bn(point, ASSAYC_ED448_LENGTH - 1, y) == NULL)
    return ASSAYC_FAILED;
  if ((point[ASSAYC_ED448_LENGTH - 1] & 0x7f) != 0 || BN_cmp(y, p) >= 0) return ASSAYC_NOT_ON_CURVE;
  if (BN_mod_sqr(square, y, p, context) != 1) return ASSAYC_FAILED;
  if (BN_is_zero(square) || BN_is_one(square)) return ASSAYC_SMALL_ORDER;
  if (BN_one(above) != 1 || BN_mod_sub(above, above, square, p, context) != 1 || BN_copy(below, square) == NULL ||
      BN_mul_word(below, 39081) != 1 || BN_add_word(below, 1) != 1 || BN_mod_mul(above, above, below, p, context) != 1)
    return ASSAYC_FAILED;
  int symbol = BN_kronecker(above, p, context);
  if (symbol < -1) return ASSAYC_FAILED;
  return symbol == 1 ? ASSAYC_OK : ASSAYC_NOT_ON_CURVE;
}

static assayc_status check_point(const assayci_library *library, const uint8_t *point) {
  BN_CTX *context = BN_CTX_new_ex(library->context);
  if (context == NULL) return ASSAYC_FAILED;
  BN_CTX_start(context);
  assayc_status status = check(point, context);
  BN_CTX_end(context);
  BN_CTX_free(context);
  return status;
}

assayc_status assayci_public_key_new_ed448(const assayci_library *library, const uint8_t *point,
                                           assayc_public_key **key) {
  assayc_status status = check_point(library, point);
  if (status != ASSAYC_OK) return status;
  EVP_PKEY *pkey = EVP_PKEY_new_raw_public_key_ex(library->context, "ED448", NULL, point, ASSAYC_ED448_LENGTH);
  return assayci_public_key_take(library, &scheme, pkey, key);
}

assayc_status assayci_private_key_new_ed448(const assayci_library *library, const uint8_t *point, const uint8_t *seed,
                                            assayc_private_key **key) {
  uint8_t derived[ASSAYC_ED448_LENGTH];
  size_t length = sizeof derived;
  EVP_PKEY *pkey = seed == NULL ? EVP_PKEY_Q_keygen(library->context, NULL, "ED448")
                                : EVP_PKEY_new_raw_private_key_ex(library->context, "ED448", NULL, seed, length);
  if (pkey != NULL && point != NULL &&
      (EVP_PKEY_get_raw_public_key(pkey, derived, &length) != 1 || memcmp(derived, point, sizeof derived) != 0)) {
    EVP_PKEY_free(pkey);
    return ASSAYC_INCONSISTENT;
  }
  return assayci_private_key_take(library, &scheme, pkey, key);
}
