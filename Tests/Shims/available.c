/* Drives the shims from C, under the sanitizers: every function, with ordinary and with edge-case arguments. */
#include <pthread.h>
#include <string.h>

#include "assayc_crypto.h"
#include "check.h"

static const uint8_t message[] = "message";

static void versions(void) {
  CHECK(assayc_is_available() == 1);
  CHECK(assayc_openssl_is_acceptable(1, 1, 1) == 0);
  CHECK(assayc_openssl_is_acceptable(2, 9, 9) == 0);
  CHECK(assayc_openssl_is_acceptable(3, 0, 0) == 1);
  CHECK(assayc_openssl_is_acceptable(3, 0, 3) == 1);
  CHECK(assayc_openssl_is_acceptable(3, 0, 4) == 0); /* CVE-2022-2274 */
  CHECK(assayc_openssl_is_acceptable(3, 0, 5) == 1);
  CHECK(assayc_openssl_is_acceptable(3, 4, 4) == 1);
  CHECK(assayc_openssl_is_acceptable(4, 0, 4) == 1);
}

static void digests(void) {
  uint8_t out[ASSAYC_DIGEST_MAXIMUM_LENGTH];
  for (int digest = -1; digest <= ASSAYC_DIGEST_COUNT; digest++) {
    size_t length = assayc_digest_length((assayc_digest)digest);
    bool known = digest >= 0 && digest < ASSAYC_DIGEST_COUNT;
    CHECK((length != 0) == known);
    CHECK(assayc_digest_copy((assayc_digest)digest, NULL, 0, NULL, 0, out, length) == known);
    CHECK(assayc_digest_copy((assayc_digest)digest, message, 7, NULL, 0, out, length + 1) == 0);
    assayc_hmac *hmac = assayc_hmac_new((assayc_digest)digest, message, 7);
    CHECK((hmac != NULL) == known);
    if (hmac != NULL) {
      CHECK(assayc_hmac_copy(hmac, NULL, 0, out, length) == 1);
      CHECK(assayc_hmac_copy(hmac, message, 7, out, length) == 1);
      CHECK(assayc_hmac_copy(hmac, message, 7, out, length - 1) == 0);
    }
    assayc_hmac_free(hmac);
  }
  CHECK(assayc_hmac_new(ASSAYC_SHA256, NULL, 0) == NULL);
  assayc_hmac_free(NULL);
}

static void memory(void) {
  uint8_t a[33] = {0}, b[33] = {0};
  CHECK(assayc_random_copy(NULL, 0) == 1);
  CHECK(assayc_random_copy(a, sizeof a) == 1);
  CHECK(assayc_equal(a, b, sizeof a) == 0);
  CHECK(assayc_equal(NULL, NULL, 0) == 1);
  assayc_wipe(NULL, 0);
  assayc_wipe(a, sizeof a);
  CHECK(assayc_equal(a, b, sizeof a) == 1);
}

/* The public half of a private key. */
static assayc_public_key *public_half(const assayc_private_key *key) {
  uint8_t numbers[2][ASSAYC_RSA_MAXIMUM_LENGTH];
  assayc_public_key *public_key = NULL;
  assayc_status status = ASSAYC_FAILED;
  size_t n = assayc_private_key_number_length(key, ASSAYC_RSA_N), e = assayc_private_key_number_length(key, ASSAYC_RSA_E);
  if (n != 0) {
    CHECK(assayc_private_key_number_copy(key, ASSAYC_RSA_N, numbers[0], n) == 1);
    CHECK(assayc_private_key_number_copy(key, ASSAYC_RSA_E, numbers[1], e) == 1);
    status = assayc_public_key_new_rsa(numbers[0], n, numbers[1], e, &public_key);
  } else if (assayc_private_key_number_length(key, ASSAYC_P256_X) != 0) {
    CHECK(assayc_private_key_number_copy(key, ASSAYC_P256_X, numbers[0], 32) == 1);
    CHECK(assayc_private_key_number_copy(key, ASSAYC_P256_Y, numbers[1], 32) == 1);
    status = assayc_public_key_new_p256(numbers[0], numbers[1], &public_key);
  } else {
    CHECK(assayc_private_key_number_copy(key, ASSAYC_ED25519_POINT, numbers[0], 32) == 1);
    status = assayc_public_key_new_ed25519(numbers[0], &public_key);
  }
  CHECK(status == ASSAYC_OK && public_key != NULL);
  return public_key;
}

static void numbers(const assayc_private_key *key, int first, int last) {
  uint8_t out[ASSAYC_RSA_MAXIMUM_LENGTH + 1];
  for (int number = -1; number <= ASSAYC_RSA_QI + 1; number++) {
    size_t length = assayc_private_key_number_length(key, (assayc_number)number);
    CHECK((length != 0) == (number >= first && number <= last));
    CHECK(assayc_private_key_number_copy(key, (assayc_number)number, out, 0) == 0);
    CHECK(assayc_private_key_number_copy(key, (assayc_number)number, out, sizeof out) == 0);
    if (length != 0) CHECK(assayc_private_key_number_copy(key, (assayc_number)number, out, length) == 1);
  }
}

typedef struct {
  assayc_private_key *private_key;
  assayc_public_key *public_key;
} pair;

static void *use(void *argument) {
  const pair *keys = argument;
  uint8_t signature[ASSAYC_RSA_MAXIMUM_LENGTH + 1];
  size_t length = 0;
  for (int round = 0; round < 8; round++) {
    CHECK(assayc_private_key_sign(keys->private_key, message, 7, signature, sizeof signature, &length) == 1);
    CHECK(length > 0 && length <= assayc_private_key_signature_maximum_length(keys->private_key));
    CHECK(assayc_public_key_verify(keys->public_key, signature, length, message, 7) == 1);
    CHECK(assayc_public_key_verify(keys->public_key, signature, length, message, 6) == 0);
    CHECK(assayc_public_key_verify(keys->public_key, signature, length, NULL, 0) == 0);
    CHECK(assayc_public_key_verify(keys->public_key, signature, length - 1, message, 7) == 0);
    CHECK(assayc_public_key_verify(keys->public_key, signature, length + 1, message, 7) == 0);
    CHECK(assayc_public_key_verify(keys->public_key, NULL, 0, message, 7) == 0);
  }
  return NULL;
}

/* More threads than a key keeps contexts for. */
static void key(assayc_private_key *private_key, int first, int last) {
  pair keys = {private_key, public_half(private_key)};
  pthread_t threads[24];
  uint8_t signature[ASSAYC_RSA_MAXIMUM_LENGTH];
  size_t length = 1, maximum = assayc_private_key_signature_maximum_length(private_key);
  for (int index = 0; index < 24; index++) CHECK(pthread_create(&threads[index], NULL, use, &keys) == 0);
  for (int index = 0; index < 24; index++) CHECK(pthread_join(threads[index], NULL) == 0);
  CHECK(assayc_private_key_sign(private_key, message, 7, signature, maximum - 1, &length) == 0 && length == 0);
  numbers(private_key, first, last);
  assayc_public_key_free(keys.public_key);
  assayc_private_key_free(private_key);
}

static void refused_keys(void) {
  uint8_t zeros[ASSAYC_RSA_MAXIMUM_LENGTH + 1] = {0};
  assayc_public_key *public_key = NULL;
  assayc_private_key *private_key = NULL;
  CHECK(assayc_public_key_new_p256(zeros, zeros, &public_key) == ASSAYC_NOT_ON_CURVE && public_key == NULL);
  CHECK(assayc_public_key_new_ed25519(zeros, &public_key) == ASSAYC_SMALL_ORDER && public_key == NULL);
  CHECK(assayc_public_key_new_rsa(zeros, sizeof zeros, zeros, 1, &public_key) == ASSAYC_FAILED && public_key == NULL);
  CHECK(assayc_public_key_new_rsa(zeros, 256, zeros, 9, &public_key) == ASSAYC_FAILED && public_key == NULL);
  CHECK(assayc_public_key_new_rsa(zeros, 0, zeros, 0, &public_key) == ASSAYC_FAILED && public_key == NULL);
  CHECK(assayc_private_key_new_p256(zeros, zeros, zeros, &private_key) == ASSAYC_NOT_ON_CURVE && private_key == NULL);
  CHECK(assayc_private_key_new_ed25519(zeros, zeros, &private_key) == ASSAYC_INCONSISTENT && private_key == NULL);
  assayc_bytes large = {zeros, sizeof zeros}, none = {NULL, 0};
  assayc_rsa_numbers wrong[2] = {{large, large, large, large, large, large, large, large},
                                 {none, none, none, none, none, none, none, none}};
  for (int index = 0; index < 2; index++)
    CHECK(assayc_private_key_new_rsa(&wrong[index], &private_key) == ASSAYC_INCONSISTENT && private_key == NULL);
  CHECK(assayc_private_key_generate_rsa(8193, &private_key) == ASSAYC_FAILED && private_key == NULL);
  CHECK(assayc_private_key_generate_rsa(0, &private_key) == ASSAYC_FAILED && private_key == NULL);
  assayc_public_key_free(NULL);
  assayc_private_key_free(NULL);
}

int main(void) {
  assayc_private_key *made = NULL;
  versions();
  digests();
  memory();
  refused_keys();
  CHECK(assayc_private_key_generate_p256(&made) == ASSAYC_OK);
  key(made, ASSAYC_P256_X, ASSAYC_P256_D);
  CHECK(assayc_private_key_generate_ed25519(&made) == ASSAYC_OK);
  key(made, ASSAYC_ED25519_POINT, ASSAYC_ED25519_SEED);
  CHECK(assayc_private_key_generate_rsa(2048, &made) == ASSAYC_OK);
  key(made, ASSAYC_RSA_N, ASSAYC_RSA_QI);
  return failures == 0 ? 0 : 1;
}
