/* Taking a private key apart into its numbers, to store it or to show its public half. */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <string.h>

#include "internal.h"

/* The name OpenSSL gives a number, or NULL if keys of this kind have no such number. */
static const char *parameter_name(assayci_kind kind, assayc_number number) {
  if (kind == ASSAYCI_P256) {
    switch (number) {
      case ASSAYC_P256_X: return OSSL_PKEY_PARAM_EC_PUB_X;
      case ASSAYC_P256_Y: return OSSL_PKEY_PARAM_EC_PUB_Y;
      case ASSAYC_P256_D: return OSSL_PKEY_PARAM_PRIV_KEY;
      default: return NULL;
    }
  }
  if (kind == ASSAYCI_RSA) {
    switch (number) {
      case ASSAYC_RSA_N: return OSSL_PKEY_PARAM_RSA_N;
      case ASSAYC_RSA_E: return OSSL_PKEY_PARAM_RSA_E;
      case ASSAYC_RSA_D: return OSSL_PKEY_PARAM_RSA_D;
      case ASSAYC_RSA_P: return OSSL_PKEY_PARAM_RSA_FACTOR1;
      case ASSAYC_RSA_Q: return OSSL_PKEY_PARAM_RSA_FACTOR2;
      case ASSAYC_RSA_DP: return OSSL_PKEY_PARAM_RSA_EXPONENT1;
      case ASSAYC_RSA_DQ: return OSSL_PKEY_PARAM_RSA_EXPONENT2;
      case ASSAYC_RSA_QI: return OSSL_PKEY_PARAM_RSA_COEFFICIENT1;
      default: return NULL;
    }
  }
  return NULL;
}

static BIGNUM *new_number(const assayc_private_key *key, assayc_number number) {
  const char *name = parameter_name(key->kind, number);
  BIGNUM *value = NULL;
  if (name == NULL || EVP_PKEY_get_bn_param(key->as.openssl.pkey, name, &value) != 1) return NULL;
  return value;
}

size_t assayc_private_key_number_length(const assayc_private_key *key, assayc_number number) {
  if (assayci_library_get0() == NULL) return 0;
  if (key->kind == ASSAYCI_ED25519)
    return number == ASSAYC_ED25519_POINT || number == ASSAYC_ED25519_SEED ? ASSAYC_ED25519_LENGTH : 0;
  ERR_set_mark();
  BIGNUM *value = new_number(key, number);
  int length = value == NULL ? 0 : BN_num_bytes(value);
  BN_clear_free(value);
  ERR_pop_to_mark();
  if (length <= 0) return 0;
  return key->kind == ASSAYCI_P256 ? ASSAYC_P256_LENGTH : (size_t)length;
}

int assayc_private_key_number_copy(const assayc_private_key *key, assayc_number number, uint8_t *out,
                                   size_t out_length) {
  if (assayci_library_get0() == NULL || out_length == 0 || out_length > ASSAYC_RSA_MAXIMUM_LENGTH) return 0;
  if (key->kind == ASSAYCI_ED25519) {
    if (out_length != assayc_private_key_number_length(key, number)) return 0;
    memcpy(out, key->as.ed25519 + (number == ASSAYC_ED25519_SEED ? 0 : ASSAYC_ED25519_LENGTH), ASSAYC_ED25519_LENGTH);
    return 1;
  }
  ERR_set_mark();
  BIGNUM *value = new_number(key, number);
  bool done = value != NULL && BN_bn2binpad(value, out, (int)out_length) == (int)out_length;
  BN_clear_free(value);
  ERR_pop_to_mark();
  return done;
}
