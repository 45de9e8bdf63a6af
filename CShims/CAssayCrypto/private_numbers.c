/* Taking a private key apart into its numbers, to store it or to show its public half. */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <string.h>

#include "internal.h"

/* The name OpenSSL gives a number, or NULL if keys of this kind have no such number. */
static const char *parameter_name(assayci_kind kind, assayc_number number) {
  if (kind == ASSAYCI_EC) {
    switch (number) {
      case ASSAYC_EC_X: return OSSL_PKEY_PARAM_EC_PUB_X;
      case ASSAYC_EC_Y: return OSSL_PKEY_PARAM_EC_PUB_Y;
      case ASSAYC_EC_D: return OSSL_PKEY_PARAM_PRIV_KEY;
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

/* How long the point and the seed of an Edwards key are; 0 for other numbers. */
static size_t edwards_length(assayci_kind kind, assayc_number number) {
  if (number != ASSAYC_EDWARDS_POINT && number != ASSAYC_EDWARDS_SEED) return 0;
  return kind == ASSAYCI_ED25519 ? ASSAYC_ED25519_LENGTH : ASSAYC_ED448_LENGTH;
}

static bool copy_edwards(const assayc_private_key *key, assayc_number number, uint8_t *out, size_t out_length) {
  if (out_length != edwards_length(key->kind, number)) return false;
  if (key->kind == ASSAYCI_ED25519) {
    memcpy(out, key->as.ed25519 + (number == ASSAYC_EDWARDS_SEED ? 0 : ASSAYC_ED25519_LENGTH), out_length);
    return true;
  }
  size_t length = out_length;
  const EVP_PKEY *pkey = key->as.openssl.pkey;
  return (number == ASSAYC_EDWARDS_SEED ? EVP_PKEY_get_raw_private_key(pkey, out, &length)
                                        : EVP_PKEY_get_raw_public_key(pkey, out, &length)) == 1 &&
         length == out_length;
}

static bool is_edwards(const assayc_private_key *key) {
  return key->kind == ASSAYCI_ED25519 || key->kind == ASSAYCI_ED448;
}

size_t assayc_private_key_number_length(const assayc_private_key *key, assayc_number number) {
  if (assayci_library_get0() == NULL) return 0;
  if (is_edwards(key)) return edwards_length(key->kind, number);
  ERR_set_mark();
  BIGNUM *value = new_number(key, number);
  int length = value == NULL ? 0 : BN_num_bytes(value);
  BN_clear_free(value);
  ERR_pop_to_mark();
  if (length <= 0) return 0;
  return key->kind == ASSAYCI_EC ? assayci_curve_get0(key->as.openssl.scheme.curve)->length : (size_t)length;
}

int assayc_private_key_number_copy(const assayc_private_key *key, assayc_number number, uint8_t *out,
                                   size_t out_length) {
  if (assayci_library_get0() == NULL || out_length == 0 || out_length > ASSAYC_RSA_MAXIMUM_LENGTH) return 0;
  ERR_set_mark();
  bool done;
  if (is_edwards(key)) {
    done = copy_edwards(key, number, out, out_length);
  } else {
    BIGNUM *value = new_number(key, number);
    done = value != NULL && BN_bn2binpad(value, out, (int)out_length) == (int)out_length;
    BN_clear_free(value);
  }
  ERR_pop_to_mark();
  return done;
}
