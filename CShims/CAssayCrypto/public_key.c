/* Public keys from numbers. OpenSSL's decoders, which take ten times as long, are never used. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

void assayci_native_number(uint8_t *out, assayc_bytes number) {
  for (size_t index = 0; index < number.length; index++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    out[index] = number.bytes[index];
#else
    out[index] = number.bytes[number.length - 1 - index];
#endif
  }
}

assayc_status assayci_public_key_take(const assayci_library *library, const assayci_scheme *scheme, EVP_PKEY *pkey,
                                      assayc_public_key **key) {
  assayc_public_key *made = malloc(sizeof *made);
  if (pkey == NULL || made == NULL || !assayci_key_initialise(&made->as.openssl, library, scheme, false, pkey)) {
    EVP_PKEY_free(pkey);
    free(made);
    return ASSAYC_FAILED;
  }
  made->kind = scheme->kind;
  *key = made;
  return ASSAYC_OK;
}

assayc_status assayci_public_key_new_ec(const assayci_library *library, const assayci_scheme *scheme,
                                        const uint8_t *x, const uint8_t *y, assayc_public_key **key) {
  /* SEC 1, 2.3.3: the uncompressed form, which cannot be the point at infinity. */
  uint8_t point[1 + 2 * ASSAYC_CURVE_MAXIMUM_LENGTH] = {0x04};
  size_t length = assayci_curve_get0(scheme->curve)->length;
  memcpy(point + 1, x, length);
  memcpy(point + 1 + length, y, length);
  EVP_PKEY *pkey = EVP_PKEY_new();
  if (pkey == NULL || EVP_PKEY_copy_parameters(pkey, library->curves[scheme->curve]) != 1) {
    EVP_PKEY_free(pkey);
    return ASSAYC_FAILED;
  }
  /* This refuses coordinates of p and more, and points that are not on the curve; each curve's cofactor is 1. */
  if (EVP_PKEY_set1_encoded_public_key(pkey, point, 1 + 2 * length) != 1) {
    EVP_PKEY_free(pkey);
    return ASSAYC_NOT_ON_CURVE;
  }
  return assayci_public_key_take(library, scheme, pkey, key);
}

assayc_status assayci_public_key_new_rsa(const assayci_library *library, const assayci_scheme *scheme, assayc_bytes n,
                                         assayc_bytes e, assayc_public_key **key) {
  uint8_t modulus[ASSAYC_RSA_MAXIMUM_LENGTH], exponent[ASSAYC_RSA_EXPONENT_MAXIMUM_LENGTH];
  if (n.length == 0 || n.length > sizeof modulus || e.length == 0 || e.length > sizeof exponent) return ASSAYC_FAILED;
  assayci_native_number(modulus, n);
  assayci_native_number(exponent, e);
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, modulus, n.length),
                             OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, exponent, e.length), OSSL_PARAM_END};
  EVP_PKEY *pkey = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library->context, "RSA", NULL);
  bool made = context != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
              EVP_PKEY_fromdata(context, &pkey, EVP_PKEY_PUBLIC_KEY, parameters) == 1;
  EVP_PKEY_CTX_free(context);
  if (!made) {
    EVP_PKEY_free(pkey);
    return ASSAYC_FAILED;
  }
  return assayci_public_key_take(library, scheme, pkey, key);
}

assayc_status assayc_public_key_new_ec(assayc_curve curve, assayc_digest digest, const uint8_t *x, const uint8_t *y,
                                       assayc_public_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  assayci_scheme scheme;
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (!assayci_ec_scheme(curve, digest, &scheme)) return ASSAYC_FAILED;
  ERR_set_mark();
  assayc_status status = assayci_public_key_new_ec(library, &scheme, x, y, key);
  ERR_pop_to_mark();
  return status;
}

assayc_status assayc_public_key_new_rsa(assayc_rsa_scheme rsa, const uint8_t *modulus, size_t modulus_length,
                                        const uint8_t *exponent, size_t exponent_length, assayc_public_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  assayci_scheme scheme;
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (!assayci_rsa_scheme(rsa, &scheme)) return ASSAYC_FAILED;
  ERR_set_mark();
  assayc_status status = assayci_public_key_new_rsa(library, &scheme, assayci_bytes(modulus, modulus_length),
                                                    assayci_bytes(exponent, exponent_length), key);
  ERR_pop_to_mark();
  return status;
}

assayc_status assayc_public_key_new_edwards(assayc_edwards curve, const uint8_t *point, assayc_public_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (curve == ASSAYC_ED25519) return assayci_public_key_new_ed25519(point, key);
  if (curve != ASSAYC_ED448) return ASSAYC_FAILED;
  ERR_set_mark();
  assayc_status status = assayci_public_key_new_ed448(library, point, key);
  ERR_pop_to_mark();
  return status;
}

void assayc_public_key_free(assayc_public_key *key) {
  if (key == NULL) return;
  if (key->kind != ASSAYCI_ED25519) {
    ERR_set_mark();
    assayci_key_destroy(&key->as.openssl);
    ERR_pop_to_mark();
  }
  free(key);
}

bool assayci_public_key_verify(assayc_public_key *key, const assayci_library *library, assayc_bytes signature,
                               assayc_bytes message) {
  if (key->kind != ASSAYCI_ED25519) return assayci_key_verify(&key->as.openssl, library, signature, message);
  return signature.length == crypto_sign_BYTES &&
         crypto_sign_verify_detached(signature.bytes, message.bytes, message.length, key->as.ed25519) == 0;
}

int assayc_public_key_verify(assayc_public_key *key, const uint8_t *signature, size_t signature_length,
                             const uint8_t *message, size_t message_length) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return 0;
  ERR_set_mark();
  bool valid = assayci_public_key_verify(key, library, assayci_bytes(signature, signature_length),
                                         assayci_bytes(message, message_length));
  ERR_pop_to_mark();
  return valid;
}
