/* Private keys: from numbers, freshly made, and their numbers again. */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

assayc_status assayci_private_key_take(const assayci_library *library, const assayci_scheme *scheme, EVP_PKEY *pkey,
                                       assayc_private_key **key) {
  assayc_private_key *made = malloc(sizeof *made);
  if (pkey == NULL || made == NULL || !assayci_key_initialise(&made->as.openssl, library, scheme, true, pkey)) {
    EVP_PKEY_free(pkey);
    free(made);
    return ASSAYC_FAILED;
  }
  made->kind = scheme->kind;
  *key = made;
  return ASSAYC_OK;
}

static EVP_PKEY *from_parameters(const assayci_library *library, const char *type, OSSL_PARAM *parameters) {
  EVP_PKEY *pkey = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library->context, type, NULL);
  if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &pkey, EVP_PKEY_KEYPAIR, parameters) != 1) {
    EVP_PKEY_free(pkey);
    pkey = NULL;
  }
  EVP_PKEY_CTX_free(context);
  return pkey;
}

assayc_status assayci_private_key_new_ec(const assayci_library *library, const assayci_scheme *scheme,
                                         const uint8_t *x, const uint8_t *y, const uint8_t *d,
                                         assayc_private_key **key) {
  /* Refuses a public half that is no point of the curve, with its own reason. */
  assayc_public_key *public_key = NULL;
  assayc_status status = assayci_public_key_new_ec(library, scheme, x, y, &public_key);
  if (status != ASSAYC_OK) return status;
  assayc_public_key_free(public_key);

  uint8_t point[1 + 2 * ASSAYC_CURVE_MAXIMUM_LENGTH] = {0x04}, scalar[ASSAYC_CURVE_MAXIMUM_LENGTH];
  const assayci_curve *curve = assayci_curve_get0(scheme->curve);
  size_t length = curve->length;
  char *group = (char *)(uintptr_t)curve->group; /* OSSL_PARAM is not const-correct */
  memcpy(point + 1, x, length);
  memcpy(point + 1 + length, y, length);
  assayci_native_number(scalar, assayci_bytes(d, length));
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
                             OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, 1 + 2 * length),
                             OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, scalar, length), OSSL_PARAM_END};
  EVP_PKEY *pkey = from_parameters(library, "EC", parameters);
  sodium_memzero(scalar, sizeof scalar);
  /* The scalar in 1 ... n - 1, the point of order n, and the point that scalar's. */
  EVP_PKEY_CTX *check = pkey == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(library->context, pkey, NULL);
  bool consistent = check != NULL && EVP_PKEY_check(check) == 1;
  EVP_PKEY_CTX_free(check);
  if (!consistent) {
    EVP_PKEY_free(pkey);
    return ASSAYC_INCONSISTENT;
  }
  return assayci_private_key_take(library, scheme, pkey, key);
}

/* Whether a signature made with the private half is one of the public half. */
static bool trial_signature(const assayci_library *library, assayc_private_key *key, const assayc_rsa_numbers *numbers) {
  uint8_t signature[ASSAYC_RSA_MAXIMUM_LENGTH];
  static const uint8_t text[] = "trial";
  assayc_bytes message = {text, sizeof text};
  size_t length = 0;
  assayc_public_key *public_key = NULL;
  if (key->as.openssl.signature_length > sizeof signature ||
      !assayci_key_sign(&key->as.openssl, library, message, signature, &length) ||
      assayci_public_key_new_rsa(library, &key->as.openssl.scheme, numbers->n, numbers->e, &public_key) != ASSAYC_OK)
    return false;
  bool valid = assayci_public_key_verify(public_key, library, assayci_bytes(signature, length), message);
  assayc_public_key_free(public_key);
  return valid;
}

assayc_status assayci_private_key_new_rsa(const assayci_library *library, const assayci_scheme *scheme,
                                          const assayc_rsa_numbers *numbers, assayc_private_key **key) {
  static const char *const names[8] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                       OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                       OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                       OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  const assayc_bytes values[8] = {numbers->n, numbers->e,  numbers->d,  numbers->p,
                                  numbers->q, numbers->dp, numbers->dq, numbers->qi};
  OSSL_PARAM parameters[9];
  uint8_t(*natives)[ASSAYC_RSA_MAXIMUM_LENGTH] = malloc(sizeof(uint8_t[8][ASSAYC_RSA_MAXIMUM_LENGTH]));
  if (natives == NULL) return ASSAYC_FAILED;
  EVP_PKEY *pkey = NULL;
  bool consistent = assayci_rsa_numbers_agree(library, numbers);
  if (consistent) {
    for (size_t index = 0; index < 8; index++) {
      assayci_native_number(natives[index], values[index]);
      parameters[index] = OSSL_PARAM_construct_BN(names[index], natives[index], values[index].length);
    }
    parameters[8] = OSSL_PARAM_construct_end();
    pkey = from_parameters(library, "RSA", parameters);
  }
  sodium_memzero(natives, sizeof(uint8_t[8][ASSAYC_RSA_MAXIMUM_LENGTH]));
  free(natives);
  if (!consistent) return ASSAYC_INCONSISTENT;
  assayc_status status = assayci_private_key_take(library, scheme, pkey, key);
  if (status == ASSAYC_OK && !trial_signature(library, *key, numbers)) {
    assayc_private_key_free(*key);
    *key = NULL;
    return ASSAYC_INCONSISTENT;
  }
  return status;
}

assayc_status assayc_private_key_new_ec(assayc_curve curve, assayc_digest digest, const uint8_t *x, const uint8_t *y,
                                        const uint8_t *d, assayc_private_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  assayci_scheme scheme;
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (!assayci_ec_scheme(curve, digest, &scheme)) return ASSAYC_FAILED;
  ERR_set_mark();
  assayc_status status = assayci_private_key_new_ec(library, &scheme, x, y, d, key);
  ERR_pop_to_mark();
  return status;
}

assayc_status assayc_private_key_new_rsa(assayc_rsa_scheme rsa, const assayc_rsa_numbers *numbers,
                                         assayc_private_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  assayci_scheme scheme;
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (!assayci_rsa_signing_scheme(rsa, &scheme)) return ASSAYC_FAILED;
  ERR_set_mark();
  assayc_status status = assayci_private_key_new_rsa(library, &scheme, numbers, key);
  ERR_pop_to_mark();
  return status;
}

static assayc_status new_edwards(assayc_edwards curve, const uint8_t *point, const uint8_t *seed,
                                 assayc_private_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (curve == ASSAYC_ED25519) return assayci_private_key_new_ed25519(point, seed, key);
  if (curve != ASSAYC_ED448) return ASSAYC_FAILED;
  ERR_set_mark();
  assayc_status status = assayci_private_key_new_ed448(library, point, seed, key);
  ERR_pop_to_mark();
  return status;
}

assayc_status assayc_private_key_new_edwards(assayc_edwards curve, const uint8_t *point, const uint8_t *seed,
                                             assayc_private_key **key) {
  return new_edwards(curve, point, seed, key);
}

assayc_status assayc_private_key_generate_edwards(assayc_edwards curve, assayc_private_key **key) {
  return new_edwards(curve, NULL, NULL, key);
}

assayc_status assayc_private_key_generate_ec(assayc_curve curve, assayc_digest digest, assayc_private_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  assayci_scheme scheme;
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (!assayci_ec_scheme(curve, digest, &scheme)) return ASSAYC_FAILED;
  ERR_set_mark();
  EVP_PKEY *pkey = EVP_PKEY_Q_keygen(library->context, NULL, "EC", assayci_curve_get0(curve)->group);
  assayc_status status = assayci_private_key_take(library, &scheme, pkey, key);
  ERR_pop_to_mark();
  return status;
}

assayc_status assayc_private_key_generate_rsa(assayc_rsa_scheme rsa, size_t modulus_bits, assayc_private_key **key) {
  *key = NULL;
  const assayci_library *library = assayci_library_get0();
  assayci_scheme scheme;
  if (library == NULL) return ASSAYC_UNAVAILABLE;
  if (modulus_bits > ASSAYC_RSA_MAXIMUM_LENGTH * 8 || !assayci_rsa_signing_scheme(rsa, &scheme)) return ASSAYC_FAILED;
  ERR_set_mark();
  EVP_PKEY *pkey = EVP_PKEY_Q_keygen(library->context, NULL, "RSA", modulus_bits);
  assayc_status status = assayci_private_key_take(library, &scheme, pkey, key);
  ERR_pop_to_mark();
  return status;
}

void assayc_private_key_free(assayc_private_key *key) {
  if (key == NULL) return;
  if (key->kind == ASSAYCI_ED25519) {
    sodium_free(key->as.ed25519); /* wipes it */
  } else {
    ERR_set_mark();
    assayci_key_destroy(&key->as.openssl);
    ERR_pop_to_mark();
  }
  free(key);
}

size_t assayc_private_key_signature_maximum_length(const assayc_private_key *key) {
  return key->kind == ASSAYCI_ED25519 ? crypto_sign_BYTES : key->as.openssl.signature_length;
}

bool assayci_private_key_sign(assayc_private_key *key, const assayci_library *library, assayc_bytes message,
                              uint8_t *out, size_t *out_length) {
  if (key->kind != ASSAYCI_ED25519) return assayci_key_sign(&key->as.openssl, library, message, out, out_length);
  *out_length = crypto_sign_BYTES;
  return crypto_sign_detached(out, NULL, message.bytes, message.length, key->as.ed25519) == 0;
}

int assayc_private_key_sign(assayc_private_key *key, const uint8_t *message, size_t message_length, uint8_t *out,
                            size_t out_capacity, size_t *out_length) {
  *out_length = 0;
  const assayci_library *library = assayci_library_get0();
  if (library == NULL || out_capacity < assayc_private_key_signature_maximum_length(key)) return 0;
  ERR_set_mark();
  bool done = assayci_private_key_sign(key, library, assayci_bytes(message, message_length), out, out_length);
  ERR_pop_to_mark();
  if (!done) *out_length = 0;
  return done;
}
