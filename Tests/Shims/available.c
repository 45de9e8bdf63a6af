/* Drives the shims from C, under the sanitizers: every function, with ordinary and with edge-case arguments. */
#include <pthread.h>
#include <string.h>

#include "assayc_crypto.h"
#include "certificates.h"
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

/* What a key was made for; the members that do not count for its kind are zero. */
typedef struct {
  assayc_curve curve;
  assayc_digest digest;
  assayc_rsa_scheme rsa;
  assayc_edwards edwards;
} purpose;

/* The public half of a private key. */
static assayc_public_key *public_half(const assayc_private_key *key, const purpose *made) {
  uint8_t numbers[2][ASSAYC_RSA_MAXIMUM_LENGTH];
  assayc_public_key *public_key = NULL;
  assayc_status status = ASSAYC_FAILED;
  size_t n = assayc_private_key_number_length(key, ASSAYC_RSA_N), e = assayc_private_key_number_length(key, ASSAYC_RSA_E),
         x = assayc_private_key_number_length(key, ASSAYC_EC_X),
         point = assayc_private_key_number_length(key, ASSAYC_EDWARDS_POINT);
  if (n != 0) {
    CHECK(assayc_private_key_number_copy(key, ASSAYC_RSA_N, numbers[0], n) == 1);
    CHECK(assayc_private_key_number_copy(key, ASSAYC_RSA_E, numbers[1], e) == 1);
    status = assayc_public_key_new_rsa(made->rsa, numbers[0], n, numbers[1], e, &public_key);
  } else if (x != 0) {
    CHECK(assayc_private_key_number_copy(key, ASSAYC_EC_X, numbers[0], x) == 1);
    CHECK(assayc_private_key_number_copy(key, ASSAYC_EC_Y, numbers[1], x) == 1);
    status = assayc_public_key_new_ec(made->curve, made->digest, numbers[0], numbers[1], &public_key);
  } else {
    CHECK(assayc_private_key_number_copy(key, ASSAYC_EDWARDS_POINT, numbers[0], point) == 1);
    status = assayc_public_key_new_edwards(made->edwards, numbers[0], &public_key);
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
static void key(assayc_private_key *private_key, purpose made, int first, int last) {
  pair keys = {private_key, public_half(private_key, &made)};
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

#define REFUSED(call, status, key) CHECK((call) == (status) && (key) == NULL)

static void refused_keys(void) {
  uint8_t zeros[ASSAYC_RSA_MAXIMUM_LENGTH + 1] = {0};
  const assayc_rsa_scheme scheme = {ASSAYC_PKCS1, ASSAYC_SHA256, 0};
  assayc_public_key *public_key = NULL;
  assayc_private_key *private_key = NULL;
  for (int number = 0; number < ASSAYC_CURVE_COUNT; number++) {
    assayc_curve curve = (assayc_curve)number;
    REFUSED(assayc_public_key_new_ec(curve, ASSAYC_SHA256, zeros, zeros, &public_key), ASSAYC_NOT_ON_CURVE, public_key);
    REFUSED(assayc_private_key_new_ec(curve, ASSAYC_SHA256, zeros, zeros, zeros, &private_key), ASSAYC_NOT_ON_CURVE,
            private_key);
  }
  for (int number = ASSAYC_ED25519; number <= ASSAYC_ED448; number++) {
    assayc_edwards curve = (assayc_edwards)number;
    REFUSED(assayc_public_key_new_edwards(curve, zeros, &public_key), ASSAYC_SMALL_ORDER, public_key);
    REFUSED(assayc_private_key_new_edwards(curve, zeros, zeros, &private_key), ASSAYC_INCONSISTENT, private_key);
  }
  REFUSED(assayc_public_key_new_rsa(scheme, zeros, sizeof zeros, zeros, 1, &public_key), ASSAYC_FAILED, public_key);
  REFUSED(assayc_public_key_new_rsa(scheme, zeros, 256, zeros, 9, &public_key), ASSAYC_FAILED, public_key);
  REFUSED(assayc_public_key_new_rsa(scheme, zeros, 0, zeros, 0, &public_key), ASSAYC_FAILED, public_key);
  assayc_bytes large = {zeros, sizeof zeros}, none = {NULL, 0};
  assayc_rsa_numbers wrong[2] = {{large, large, large, large, large, large, large, large},
                                 {none, none, none, none, none, none, none, none}};
  for (int index = 0; index < 2; index++)
    REFUSED(assayc_private_key_new_rsa(scheme, &wrong[index], &private_key), ASSAYC_INCONSISTENT, private_key);
  REFUSED(assayc_private_key_generate_rsa(scheme, 8193, &private_key), ASSAYC_FAILED, private_key);
  REFUSED(assayc_private_key_generate_rsa(scheme, 0, &private_key), ASSAYC_FAILED, private_key);
  assayc_public_key_free(NULL);
  assayc_private_key_free(NULL);
}

/* Values that name no curve, padding or digest, and ways to sign that are not wanted. */
static void refused_schemes(void) {
  static const uint8_t bytes[256] = {1};
  const assayc_rsa_numbers none = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
  assayc_public_key *public_key = NULL;
  assayc_private_key *private_key = NULL;
  const struct {
    int curve, digest;
  } curves[] = {{-1, ASSAYC_SHA256}, {ASSAYC_CURVE_COUNT, ASSAYC_SHA256}, {0, -1}, {0, ASSAYC_DIGEST_COUNT}, {0, ASSAYC_SHA1}};
  for (size_t index = 0; index < sizeof curves / sizeof curves[0]; index++) {
    assayc_curve curve = (assayc_curve)curves[index].curve;
    assayc_digest digest = (assayc_digest)curves[index].digest;
    REFUSED(assayc_public_key_new_ec(curve, digest, bytes, bytes, &public_key), ASSAYC_FAILED, public_key);
    REFUSED(assayc_private_key_new_ec(curve, digest, bytes, bytes, bytes, &private_key), ASSAYC_FAILED, private_key);
    REFUSED(assayc_private_key_generate_ec(curve, digest, &private_key), ASSAYC_FAILED, private_key);
  }
  const assayc_rsa_scheme schemes[] = {{ASSAYC_PKCS1, ASSAYC_SHA1, 0},      {(assayc_padding)-1, ASSAYC_SHA256, 0},
                                       {(assayc_padding)2, ASSAYC_SHA256, 0}, {ASSAYC_PSS, ASSAYC_SHA1, 20},
                                       {ASSAYC_PSS, (assayc_digest)-1, 32},   {ASSAYC_PKCS1, ASSAYC_SHA256, 32},
                                       {ASSAYC_PSS, ASSAYC_SHA256, SIZE_MAX}};
  /* The first is one that verifies and does not sign. */
  uint8_t modulus[256] = {0x80}, exponent[1] = {3};
  modulus[255] = 1;
  CHECK(assayc_public_key_new_rsa(schemes[0], modulus, sizeof modulus, exponent, 1, &public_key) == ASSAYC_OK);
  assayc_public_key_free(public_key);
  for (size_t index = 0; index < sizeof schemes / sizeof schemes[0]; index++) {
    if (index > 0) {
      REFUSED(assayc_public_key_new_rsa(schemes[index], bytes, 256, bytes, 1, &public_key), ASSAYC_FAILED, public_key);
    }
    REFUSED(assayc_private_key_new_rsa(schemes[index], &none, &private_key), ASSAYC_FAILED, private_key);
    REFUSED(assayc_private_key_generate_rsa(schemes[index], 2048, &private_key), ASSAYC_FAILED, private_key);
  }
  for (int curve = -1; curve <= 2; curve += 3) {
    REFUSED(assayc_public_key_new_edwards((assayc_edwards)curve, bytes, &public_key), ASSAYC_FAILED, public_key);
    REFUSED(assayc_private_key_new_edwards((assayc_edwards)curve, bytes, bytes, &private_key), ASSAYC_FAILED, private_key);
    REFUSED(assayc_private_key_generate_edwards((assayc_edwards)curve, &private_key), ASSAYC_FAILED, private_key);
  }
}

/* RFC 6070, 2: the first case. */
static void password_pbkdf2(void) {
  static const uint8_t expected[20] = {0x0c, 0x60, 0xc8, 0x0f, 0x96, 0x1f, 0x0e, 0x71, 0xf3, 0xa9,
                                       0xb5, 0x24, 0xaf, 0x60, 0x12, 0x06, 0x2f, 0xe0, 0x37, 0xa6};
  const uint8_t *password = (const uint8_t *)"password", *salt = (const uint8_t *)"salt";
  uint8_t out[64];
  CHECK(assayc_pbkdf2(ASSAYC_SHA1, password, 8, salt, 4, 1, out, 20) == 1 && memcmp(out, expected, 20) == 0);
  for (int digest = -1; digest <= ASSAYC_DIGEST_COUNT; digest++) {
    bool known = digest >= 0 && digest < ASSAYC_DIGEST_COUNT;
    CHECK(assayc_pbkdf2((assayc_digest)digest, password, 8, salt, 4, 2, out, sizeof out) == known);
  }
  CHECK(assayc_pbkdf2(ASSAYC_SHA256, NULL, 0, NULL, 0, 1, out, 1) == 1);
  CHECK(assayc_pbkdf2(ASSAYC_SHA256, password, 8, salt, 4, 0, out, 20) == 0);
}

/* RFC 7914, 12: the first case. */
static void password_scrypt(void) {
  static const uint8_t expected[8] = {0x77, 0xd6, 0x57, 0x62, 0x38, 0x65, 0x7b, 0x20};
  uint8_t out[64];
  CHECK(assayc_scrypt(NULL, 0, NULL, 0, 16, 1, 1, out, sizeof out) == 1 && memcmp(out, expected, 8) == 0);
  CHECK(assayc_scrypt(message, 7, message, 7, 2, 1, 2, out, 1) == 1);
  CHECK(assayc_scrypt(message, 7, message, 7, 0, 1, 1, out, sizeof out) == 0);
  CHECK(assayc_scrypt(message, 7, message, 7, 15, 1, 1, out, sizeof out) == 0); /* no power of two */
  CHECK(assayc_scrypt(message, 7, message, 7, 16, 0, 1, out, sizeof out) == 0);
  CHECK(assayc_scrypt(message, 7, message, 7, 16, 1, 0, out, sizeof out) == 0);
}

/* Every cipher both ways: each length around a block, damaged input, and keys of other lengths. */
static void password_ciphers(void) {
  static const size_t key_lengths[] = {16, 24, 32, 24}, blocks[] = {16, 16, 16, 8};
  uint8_t input[40] = {1, 2, 3}, sealed[40 + 16], opened[40 + 32], out[33], iv[16] = {7};
  for (int number = ASSAYC_AES_128_CBC; number <= ASSAYC_DES_EDE3_CBC; number++) {
    assayc_cipher cipher = (assayc_cipher)number;
    size_t key_length = key_lengths[number], block = blocks[number], length = 1, back = 1;
    CHECK(assayc_traditional_key(cipher, message, 7, iv, out, key_length) == 1);
    CHECK(assayc_traditional_key(cipher, NULL, 0, iv, out, key_length) == 1);
    CHECK(assayc_traditional_key(cipher, message, 7, iv, out, key_length - 1) == 0);
    for (size_t count = 1; count <= sizeof input; count++) {
      CHECK(assayc_cbc_copy(cipher, 1, out, key_length, iv, input, count, sealed, &length) == 1);
      CHECK(length == (count / block + 1) * block);
      CHECK(assayc_cbc_copy(cipher, 0, out, key_length, iv, sealed, length, opened, &back) == 1);
      CHECK(back == count && memcmp(opened, input, count) == 0);
      CHECK(assayc_cbc_copy(cipher, 0, out, key_length, iv, sealed, length - 1, opened, &back) == 0 && back == 0);
    }
    sealed[length - 1] ^= 1;
    (void)assayc_cbc_copy(cipher, 0, out, key_length, iv, sealed, length, opened, &back);
    CHECK(assayc_cbc_copy(cipher, 0, out, key_length, iv, sealed, 0, opened, &back) == 0 && back == 0);
    CHECK(assayc_cbc_copy(cipher, 0, out, key_length + 1, iv, sealed, length, opened, &back) == 0 && back == 0);
  }
  size_t length = 1;
  for (int number = -1; number <= ASSAYC_DES_EDE3_CBC + 1; number += ASSAYC_DES_EDE3_CBC + 2) {
    CHECK(assayc_traditional_key((assayc_cipher)number, message, 7, iv, out, 16) == 0);
    CHECK(assayc_cbc_copy((assayc_cipher)number, 1, out, 16, iv, input, 1, sealed, &length) == 0 && length == 0);
  }
}

static assayc_path_verdict verdict(const assayc_anchors *anchors, assayc_path_question question) {
  assayc_path_answer answer = {ASSAYC_PATH_FAILED, 0, 0, 0};
  assayc_path_check(anchors, &question, &answer);
  if (answer.verdict == ASSAYC_PATH_VALID) CHECK(answer.used <= question.certificate_count && answer.anchor < 2);
  return answer.verdict;
}

static assayc_path_verdict with_list(const assayc_anchors *anchors, assayc_path_question question, assayc_bytes list) {
  assayc_lists *lists = NULL;
  CHECK(assayc_lists_new(&list, 1, &lists) == ASSAYC_PATH_VALID);
  question.lists = lists;
  assayc_path_verdict found = verdict(anchors, question);
  assayc_lists_free(lists);
  return found;
}

/* Good paths, then every truncation and every flipped bit of a certificate and of a list. */
static void certificate_paths(void) {
  const int64_t time = 1767225600; /* 2026-01-01 */
  const assayc_bytes root = {root_der, sizeof root_der}, leaf = {leaf_der, sizeof leaf_der};
  const assayc_bytes list = {list_der, sizeof list_der}, none = {NULL, 0};
  const assayc_bytes both[] = {leaf, root}, wrong[] = {root, leaf};
  assayc_anchors *anchors = NULL, *empty = NULL, *refused_anchors = NULL;
  size_t refused = 9;
  CHECK(assayc_anchors_new(both, 2, &refused, &anchors) == ASSAYC_PATH_VALID && anchors != NULL);
  CHECK(assayc_anchors_new(NULL, 0, &refused, &empty) == ASSAYC_PATH_VALID && empty != NULL && refused == 0);
  const assayc_bytes unreadable[] = {root, none};
  CHECK(assayc_anchors_new(unreadable, 2, &refused, &refused_anchors) == ASSAYC_PATH_MALFORMED && refused == 1);
  CHECK(refused_anchors == NULL);
  CHECK(verdict(anchors, (assayc_path_question){both, 1, time, ASSAYC_REVOCATION_NOT_CHECKED, NULL}) ==
        ASSAYC_PATH_VALID);
  CHECK(verdict(anchors, (assayc_path_question){NULL, 0, time, ASSAYC_REVOCATION_NOT_CHECKED, NULL}) ==
        ASSAYC_PATH_FAILED);
  CHECK(verdict(empty, (assayc_path_question){both, 2, time, ASSAYC_REVOCATION_NOT_CHECKED, NULL}) ==
        ASSAYC_PATH_SELF_SIGNED);
  CHECK(verdict(empty, (assayc_path_question){wrong, 2, time, ASSAYC_REVOCATION_NOT_CHECKED, NULL}) ==
        ASSAYC_PATH_WRONG_ORDER);
  assayc_anchors_free(anchors);
  CHECK(assayc_anchors_new(&root, 1, &refused, &anchors) == ASSAYC_PATH_VALID);
  assayc_path_question question = {&leaf, 1, time, ASSAYC_REVOCATION_SOFT, NULL};
  CHECK(verdict(anchors, question) == ASSAYC_PATH_VALID);
  question.revocation = ASSAYC_REVOCATION_HARD;
  CHECK(verdict(anchors, question) == ASSAYC_PATH_LIST_MISSING);
  CHECK(with_list(anchors, question, list) == ASSAYC_PATH_REVOKED);
  assayc_lists *lists = NULL;
  const assayc_bytes several[] = {none, list, leaf, list};
  CHECK(assayc_lists_new(several, 4, &lists) == ASSAYC_PATH_VALID && lists != NULL);
  question.lists = lists;
  for (int round = 0; round < 2; round++) CHECK(verdict(anchors, question) == ASSAYC_PATH_REVOKED);
  assayc_lists_free(lists);
  CHECK(assayc_lists_new(NULL, 0, &lists) == ASSAYC_PATH_VALID && lists != NULL);
  question.lists = lists;
  CHECK(verdict(anchors, question) == ASSAYC_PATH_LIST_MISSING);
  assayc_lists_free(lists);
  assayc_lists_free(NULL);

  uint8_t changed[512];
  assayc_bytes view = {changed, 0};
  question.certificates = &view;
  question.revocation = ASSAYC_REVOCATION_NOT_CHECKED;
  memcpy(changed, leaf_der, sizeof leaf_der);
  for (view.length = 0; view.length < sizeof leaf_der; view.length++)
    CHECK(verdict(anchors, question) == ASSAYC_PATH_MALFORMED);
  for (size_t bit = 0; bit < 8 * sizeof leaf_der; bit++) {
    changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    CHECK(verdict(anchors, question) != ASSAYC_PATH_VALID);
    changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  question = (assayc_path_question){&leaf, 1, time, ASSAYC_REVOCATION_HARD, NULL};
  memcpy(changed, list_der, sizeof list_der);
  for (view.length = 0; view.length < sizeof list_der; view.length++)
    CHECK(with_list(anchors, question, view) == ASSAYC_PATH_LIST_MISSING);
  for (size_t bit = 0; bit < 8 * sizeof list_der; bit++) {
    changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    CHECK(with_list(anchors, question, view) != ASSAYC_PATH_VALID);
    changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  assayc_anchors_free(anchors);
  assayc_anchors_free(empty);
  assayc_anchors_free(NULL);
}

int main(void) {
  assayc_private_key *made = NULL;
  certificate_paths();
  versions();
  digests();
  memory();
  password_pbkdf2();
  password_scrypt();
  password_ciphers();
  refused_keys();
  refused_schemes();
  for (int curve = 0; curve < ASSAYC_CURVE_COUNT; curve++) {
    purpose ec = {.curve = (assayc_curve)curve, .digest = (assayc_digest)(1 + curve % 3)};
    CHECK(assayc_private_key_generate_ec(ec.curve, ec.digest, &made) == ASSAYC_OK);
    key(made, ec, ASSAYC_EC_X, ASSAYC_EC_D);
  }
  for (int curve = ASSAYC_ED25519; curve <= ASSAYC_ED448; curve++) {
    purpose edwards = {.edwards = (assayc_edwards)curve};
    CHECK(assayc_private_key_generate_edwards(edwards.edwards, &made) == ASSAYC_OK);
    key(made, edwards, ASSAYC_EDWARDS_POINT, ASSAYC_EDWARDS_SEED);
  }
  const assayc_rsa_scheme schemes[] = {{ASSAYC_PKCS1, ASSAYC_SHA256, 0}, {ASSAYC_PSS, ASSAYC_SHA512, 64},
                                       {ASSAYC_PSS, ASSAYC_SHA384, 0}};
  for (size_t index = 0; index < sizeof schemes / sizeof schemes[0]; index++) {
    purpose rsa = {.rsa = schemes[index]};
    CHECK(assayc_private_key_generate_rsa(rsa.rsa, 2048, &made) == ASSAYC_OK);
    key(made, rsa, ASSAYC_RSA_N, ASSAYC_RSA_QI);
  }
  return failures == 0 ? 0 : 1;
}
