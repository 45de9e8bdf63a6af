/* Takes the place of the self test and says that it failed: then every function must refuse. */
#include <string.h>

#include "../../CShims/CAssayCrypto/internal.h"
#include "check.h"

bool assayci_self_test(const assayci_library *library) {
  (void)library;
  return false;
}

int main(void) {
  /* The numbers of RFC 6979, A.2.5: a good key. */
  static const uint8_t x[32] = {0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb,
                                0x74, 0xc6, 0x35, 0x6d, 0x68, 0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61,
                                0xfa, 0x6c, 0xe6, 0x69, 0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6};
  static const uint8_t y[32] = {0x79, 0x03, 0xfe, 0x10, 0x08, 0xb8, 0xbc, 0x99, 0xa4, 0x1a, 0xe9,
                                0xe9, 0x56, 0x28, 0xbc, 0x64, 0xf2, 0xf1, 0xb2, 0x0c, 0x2d, 0x7e,
                                0x9f, 0x51, 0x77, 0xa3, 0xc2, 0x94, 0xd4, 0x46, 0x22, 0x99};
  static const uint8_t point[ASSAYC_ED448_LENGTH] = {3};
  const assayc_rsa_scheme scheme = {ASSAYC_PSS, ASSAYC_SHA256, 32};
  uint8_t bytes[64] = {1};
  size_t length = 1;
  assayc_public_key *public_key = NULL;
  assayc_private_key *private_key = NULL;
  const assayc_rsa_numbers rsa = {{x, 32}, {x, 32}, {x, 32}, {x, 32}, {x, 32}, {x, 32}, {x, 32}, {x, 32}};

  CHECK(assayc_is_available() == 0);
  CHECK(assayc_digest_copy(ASSAYC_SHA256, x, 32, NULL, 0, bytes, 32) == 0);
  CHECK(assayc_hmac_new(ASSAYC_SHA256, x, 32) == NULL);
  CHECK(assayc_random_copy(bytes, sizeof bytes) == 0);
  CHECK(assayc_random_copy(NULL, 0) == 0);
  CHECK(assayc_equal(x, x, 32) == 0);
  CHECK(assayc_equal(NULL, NULL, 0) == 0);
#define REFUSED(call, key) CHECK((call) == ASSAYC_UNAVAILABLE && (key) == NULL)
  REFUSED(assayc_public_key_new_ec(ASSAYC_CURVE_P256, ASSAYC_SHA256, x, y, &public_key), public_key);
  REFUSED(assayc_public_key_new_rsa(scheme, x, 32, x, 1, &public_key), public_key);
  REFUSED(assayc_private_key_new_ec(ASSAYC_CURVE_P256, ASSAYC_SHA256, x, y, x, &private_key), private_key);
  REFUSED(assayc_private_key_new_rsa(scheme, &rsa, &private_key), private_key);
  REFUSED(assayc_private_key_generate_ec(ASSAYC_CURVE_P256, ASSAYC_SHA256, &private_key), private_key);
  REFUSED(assayc_private_key_generate_rsa(scheme, 2048, &private_key), private_key);
  for (int curve = ASSAYC_ED25519; curve <= ASSAYC_ED448; curve++) {
    REFUSED(assayc_public_key_new_edwards((assayc_edwards)curve, point, &public_key), public_key);
    REFUSED(assayc_private_key_new_edwards((assayc_edwards)curve, point, point, &private_key), private_key);
    REFUSED(assayc_private_key_generate_edwards((assayc_edwards)curve, &private_key), private_key);
  }
  CHECK(assayc_pbkdf2(ASSAYC_SHA256, x, 32, x, 32, 1, bytes, 32) == 0);
  CHECK(assayc_scrypt(x, 32, x, 32, 16, 1, 1, bytes, 32) == 0);
  CHECK(assayc_traditional_key(ASSAYC_AES_128_CBC, x, 32, x, bytes, 16) == 0);
  CHECK(assayc_cbc_copy(ASSAYC_AES_128_CBC, 1, x, 16, x, x, 32, bytes, &length) == 0 && length == 0);

  const assayc_bytes certificate = {x, 32};
  const assayc_path_question question = {&certificate, 1, 0, ASSAYC_REVOCATION_NOT_CHECKED, NULL};
  assayc_path_answer answer = {ASSAYC_PATH_VALID, 0, 0, 0};
  assayc_anchors *anchors = NULL;
  size_t refused = 1;
  CHECK(assayc_anchors_new(&certificate, 1, &refused, &anchors) == ASSAYC_PATH_UNAVAILABLE && anchors == NULL);
  assayc_lists *lists = NULL;
  CHECK(assayc_lists_new(&certificate, 1, &lists) == ASSAYC_PATH_UNAVAILABLE && lists == NULL);
  assayc_path_check((const assayc_anchors *)(const void *)&question, &question, &answer);
  CHECK(answer.verdict == ASSAYC_PATH_UNAVAILABLE && answer.depth == -1);

  /* Handles that cannot exist outside this test, given to the functions that take one. */
  struct assayc_public_key stray = {.kind = ASSAYCI_ED25519};
  uint8_t secret[64] = {0};
  struct assayc_private_key stray_private = {.kind = ASSAYCI_ED25519, .as.ed25519 = secret};
  memcpy(stray.as.ed25519, x, sizeof stray.as.ed25519);
  CHECK(assayc_public_key_verify(&stray, bytes, 64, x, 32) == 0);
  CHECK(assayc_private_key_sign(&stray_private, x, 32, bytes, sizeof bytes, &length) == 0 && length == 0);
  CHECK(assayc_private_key_number_length(&stray_private, ASSAYC_EDWARDS_SEED) == 0);
  CHECK(assayc_private_key_number_copy(&stray_private, ASSAYC_EDWARDS_SEED, bytes, 32) == 0);
  assayc_wipe(bytes, sizeof bytes);
  CHECK(bytes[0] == 0);
  return failures == 0 ? 0 : 1;
}
