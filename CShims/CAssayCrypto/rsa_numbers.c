/* Whether the numbers of an RSA private key are those of one key.

   OpenSSL's own check (EVP_PKEY_check) also tests p and q for primality, which takes seconds for a key of 8192 bits. A
   composite factor that passes here fails the trial signature that every import ends with. */
#include <openssl/bn.h>

#include "internal.h"

/* A number in the context's memory, which is wiped when the context is freed. */
static BIGNUM *number(BN_CTX *context, assayc_bytes bytes) {
  BIGNUM *value = BN_CTX_get(context);
  if (value == NULL || bytes.length > ASSAYC_RSA_MAXIMUM_LENGTH) return NULL;
  if (BN_bin2bn(bytes.bytes, (int)bytes.length, value) == NULL) return NULL;
  BN_set_flags(value, BN_FLG_CONSTTIME);
  return value;
}

/* Whether d * e = 1 modulo `factor` - 1, and `reduced` is d modulo `factor` - 1. */
static bool exponents_agree(const BIGNUM *d, const BIGNUM *e, const BIGNUM *factor, const BIGNUM *reduced,
                            BN_CTX *context) {
  BIGNUM *order = BN_CTX_get(context), *value = BN_CTX_get(context);
  if (value == NULL || BN_copy(order, factor) == NULL || BN_sub_word(order, 1) != 1) return false;
  BN_set_flags(order, BN_FLG_CONSTTIME);
  return BN_mod(value, d, order, context) == 1 && BN_cmp(value, reduced) == 0 &&
         BN_mod_mul(value, d, e, order, context) == 1 && BN_is_one(value);
}

static bool agree(const assayc_rsa_numbers *numbers, BN_CTX *context) {
  const BIGNUM *n = number(context, numbers->n), *e = number(context, numbers->e), *d = number(context, numbers->d),
               *p = number(context, numbers->p), *q = number(context, numbers->q), *dp = number(context, numbers->dp),
               *dq = number(context, numbers->dq), *qi = number(context, numbers->qi);
  BIGNUM *value = BN_CTX_get(context);
  if (n == NULL || e == NULL || d == NULL || p == NULL || q == NULL || dp == NULL || dq == NULL || qi == NULL ||
      value == NULL)
    return false;
  if (!BN_is_odd(p) || !BN_is_odd(q) || BN_is_one(p) || BN_is_one(q)) return false;
  return BN_mul(value, p, q, context) == 1 && BN_cmp(value, n) == 0 && BN_cmp(d, n) < 0 &&
         exponents_agree(d, e, p, dp, context) && exponents_agree(d, e, q, dq, context) && BN_cmp(qi, p) < 0 &&
         BN_mod_mul(value, qi, q, p, context) == 1 && BN_is_one(value);
}

bool assayci_rsa_numbers_agree(const assayci_library *library, const assayc_rsa_numbers *numbers) {
  BN_CTX *context = BN_CTX_new_ex(library->context);
  if (context == NULL) return false;
  BN_CTX_start(context);
  bool result = agree(numbers, context);
  BN_CTX_end(context);
  BN_CTX_free(context);
  return result;
}
