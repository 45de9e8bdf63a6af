#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks.h"

struct benchmark_key {
  EVP_MD *sha256;
  EVP_MD_CTX *digest;
  EVP_PKEY_CTX *context; /* NULL for Ed25519 */
  uint8_t ed25519[32];
};

static benchmark_key *new_key(const char *type, OSSL_PARAM_BLD *builder) {
  OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
  EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
  EVP_PKEY *pkey = NULL;
  benchmark_key *key = calloc(1, sizeof *key);
  if (key == NULL || EVP_PKEY_fromdata_init(maker) != 1 ||
      EVP_PKEY_fromdata(maker, &pkey, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    return NULL;
  key->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
  key->digest = EVP_MD_CTX_new();
  key->context = EVP_PKEY_CTX_new_from_pkey(NULL, pkey, NULL);
  if (EVP_PKEY_verify_init(key->context) != 1) return NULL;
  EVP_PKEY_CTX_free(maker);
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  return key;
}

benchmark_key *benchmark_key_p256(const uint8_t *x, const uint8_t *y) {
  static uint8_t point[65] = {0x04};
  memcpy(point + 1, x, 32);
  memcpy(point + 33, y, 32);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
  OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point);
  return new_key("EC", builder);
}

benchmark_key *benchmark_key_rsa(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent,
                                 size_t exponent_length) {
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, BN_bin2bn(modulus, (int)modulus_length, NULL));
  OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, BN_bin2bn(exponent, (int)exponent_length, NULL));
  benchmark_key *key = new_key("RSA", builder);
  if (key == NULL || EVP_PKEY_CTX_set_rsa_padding(key->context, RSA_PKCS1_PADDING) != 1 ||
      EVP_PKEY_CTX_set_signature_md(key->context, key->sha256) != 1)
    return NULL;
  return key;
}

benchmark_key *benchmark_key_ed25519(const uint8_t *point) {
  benchmark_key *key = calloc(1, sizeof *key);
  if (key == NULL || sodium_init() < 0) return NULL;
  memcpy(key->ed25519, point, sizeof key->ed25519);
  return key;
}

int benchmark_verify(benchmark_key *key, const uint8_t *signature, size_t signature_length, const uint8_t *message,
                     size_t message_length) {
  if (key->context == NULL)
    return crypto_sign_verify_detached(signature, message, message_length, key->ed25519) == 0;
  uint8_t digest[32];
  return EVP_DigestInit_ex2(key->digest, key->sha256, NULL) == 1 &&
         EVP_DigestUpdate(key->digest, message, message_length) == 1 &&
         EVP_DigestFinal_ex(key->digest, digest, NULL) == 1 &&
         EVP_PKEY_verify(key->context, signature, signature_length, digest, sizeof digest) == 1;
}

void benchmark_sha256(const uint8_t *message, size_t message_length, uint8_t *digest) {
  EVP_Digest(message, message_length, digest, NULL, EVP_sha256(), NULL);
}
