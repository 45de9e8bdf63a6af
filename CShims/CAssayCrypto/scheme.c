/* Which ways to sign there are. */
#include <openssl/obj_mac.h>

#include "internal.h"

const assayci_curve *assayci_curve_get0(assayc_curve curve) {
  static const assayci_curve curves[ASSAYC_CURVE_COUNT] = {
      [ASSAYC_CURVE_P256] = {"P-256", NID_X9_62_prime256v1, 32},
      [ASSAYC_CURVE_P384] = {"P-384", NID_secp384r1, 48},
      [ASSAYC_CURVE_P521] = {"P-521", NID_secp521r1, 66},
      [ASSAYC_CURVE_SECP256K1] = {"secp256k1", NID_secp256k1, 32},
  };
  return (size_t)curve < ASSAYC_CURVE_COUNT ? &curves[curve] : NULL;
}

/* Collisions of SHA-1 can be made: nothing is signed with it. */
static bool digest_signs(assayc_digest digest) { return assayc_digest_length(digest) != 0 && digest != ASSAYC_SHA1; }

/* What old TPMs signed with it (RFC 8812, 2: RS1), a caller may have to verify. */
static bool digest_verifies(assayc_rsa_scheme rsa) {
  return digest_signs(rsa.digest) || (rsa.padding == ASSAYC_PKCS1 && rsa.digest == ASSAYC_SHA1);
}

bool assayci_ec_scheme(assayc_curve curve, assayc_digest digest, assayci_scheme *scheme) {
  const assayci_scheme made = {.kind = ASSAYCI_EC, .digest = digest, .curve = curve};
  *scheme = made;
  return assayci_curve_get0(curve) != NULL && digest_signs(digest);
}

bool assayci_rsa_scheme(assayc_rsa_scheme rsa, assayci_scheme *scheme) {
  const assayci_scheme made = {
      .kind = ASSAYCI_RSA, .digest = rsa.digest, .padding = rsa.padding, .salt_length = rsa.salt_length};
  *scheme = made;
  bool salt_fits = rsa.padding == ASSAYC_PSS ? rsa.salt_length <= ASSAYC_RSA_MAXIMUM_LENGTH : rsa.salt_length == 0;
  return (rsa.padding == ASSAYC_PKCS1 || rsa.padding == ASSAYC_PSS) && digest_verifies(rsa) && salt_fits;
}

bool assayci_rsa_signing_scheme(assayc_rsa_scheme rsa, assayci_scheme *scheme) {
  return assayci_rsa_scheme(rsa, scheme) && digest_signs(rsa.digest);
}
