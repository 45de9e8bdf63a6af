/* What Swift sees of OpenSSL and libsodium: opaque handles, pointer and length, and results that cannot be mistaken.

   Rules that hold for every function here:
   - `new` and `generate` hand over ownership, `copy` writes into the caller's memory, `get0` lends, `free` takes back.
   - A pointer may be NULL where its length is 0. No other pointer may be, unless it says ASSAYC_NULLABLE.
   - An `int` result is 1 for yes or done, and 0 for everything else: no library's negative result gets through.
   - The library is set up and tested at the first call of any function. If that fails, every function refuses.
   - OpenSSL's error queue of the calling thread is left as it was found. (The queue holds 15 entries: where the host
     left it nearly full, a failing call of ours can push out its oldest ones.)
   - Every function may be called from any thread, also with the same handle, except `free`, which must be the last. */
#ifndef ASSAYC_CRYPTO_H
#define ASSAYC_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#define ASSAYC_NULLABLE _Nullable
#define ASSAYC_NONNULL _Nonnull
#else
#define ASSAYC_NULLABLE
#define ASSAYC_NONNULL
#endif
#define ASSAYC_RESULT __attribute__((warn_unused_result))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The library ---- */

/* 1 if the libraries are usable: new enough, set up, and every known-answer test passed. */
int assayc_is_available(void) ASSAYC_RESULT;

/* 1 if this version of OpenSSL may be used: 3.0 or newer, but not 3.0.4, whose RSA writes past its memory on processors
   with AVX-512 IFMA (CVE-2022-2274). */
int assayc_openssl_is_acceptable(unsigned major, unsigned minor, unsigned patch) ASSAYC_RESULT;

/* The versions of the libraries in use, as they name themselves. Lent for the life of the process. */
const char *ASSAYC_NONNULL assayc_openssl_version_get0(void) ASSAYC_RESULT;
const char *ASSAYC_NONNULL assayc_sodium_version_get0(void) ASSAYC_RESULT;

/* ---- Digests and message authentication ---- */

typedef enum assayc_digest {
  ASSAYC_SHA1 = 0,
  ASSAYC_SHA256 = 1,
  ASSAYC_SHA384 = 2,
  ASSAYC_SHA512 = 3
} assayc_digest;

#define ASSAYC_DIGEST_COUNT 4
#define ASSAYC_DIGEST_MAXIMUM_LENGTH 64

/* The length of a digest in bytes; 0 for a value that is none of the above. */
size_t assayc_digest_length(assayc_digest digest) ASSAYC_RESULT;

/* Writes the digest of `first` followed by `second` (FIPS 180-4). `out_length` must be the digest's length. */
int assayc_digest_copy(assayc_digest digest, const uint8_t *ASSAYC_NULLABLE first, size_t first_length,
                       const uint8_t *ASSAYC_NULLABLE second, size_t second_length, uint8_t *ASSAYC_NONNULL out,
                       size_t out_length) ASSAYC_RESULT;

typedef struct assayc_hmac assayc_hmac;

/* Prepares HMAC (RFC 2104) with a key of at least one byte, which is copied, and wiped by `free`. NULL on failure. */
assayc_hmac *ASSAYC_NULLABLE assayc_hmac_new(assayc_digest digest, const uint8_t *ASSAYC_NULLABLE key,
                                             size_t key_length) ASSAYC_RESULT;
void assayc_hmac_free(assayc_hmac *ASSAYC_NULLABLE hmac);

/* Writes the authentication code of `message`. `out_length` must be the digest's length. */
int assayc_hmac_copy(assayc_hmac *ASSAYC_NONNULL hmac, const uint8_t *ASSAYC_NULLABLE message, size_t message_length,
                     uint8_t *ASSAYC_NONNULL out, size_t out_length) ASSAYC_RESULT;

/* ---- Randomness, comparison, wiping ---- */

/* Fills `out` with unpredictable bytes from the system. */
int assayc_random_copy(uint8_t *ASSAYC_NULLABLE out, size_t out_length) ASSAYC_RESULT;

/* 1 if both hold the same `length` bytes. The time taken depends on `length` only. */
int assayc_equal(const uint8_t *ASSAYC_NULLABLE a, const uint8_t *ASSAYC_NULLABLE b, size_t length) ASSAYC_RESULT;

/* Overwrites memory with zeros in a way the compiler may not remove. Works also when the library is unavailable. */
void assayc_wipe(uint8_t *ASSAYC_NULLABLE bytes, size_t length);

/* ---- Keys ---- */

/* Why a key was not made. */
typedef enum assayc_status {
  ASSAYC_OK = 1,
  ASSAYC_UNAVAILABLE = 2,  /* the library is not usable */
  ASSAYC_FAILED = 3,       /* out of memory, or refused without a reason */
  ASSAYC_NOT_ON_CURVE = 4, /* not the encoding of a point of the curve */
  ASSAYC_SMALL_ORDER = 5,  /* a point of small order */
  ASSAYC_INCONSISTENT = 6  /* numbers that do not belong together */
} assayc_status;

/* Curves of coordinates (SEC 2), which have 32, 48, 66 and 32 bytes each, as scalars have. */
typedef enum assayc_curve {
  ASSAYC_CURVE_P256 = 0,
  ASSAYC_CURVE_P384 = 1,
  ASSAYC_CURVE_P521 = 2,
  ASSAYC_CURVE_SECP256K1 = 3
} assayc_curve;

/* Curves of one encoded point (RFC 8032), which has 32 and 57 bytes, as seeds have. Signatures are twice as long. */
typedef enum assayc_edwards { ASSAYC_ED25519 = 0, ASSAYC_ED448 = 1 } assayc_edwards;

#define ASSAYC_CURVE_COUNT 4
#define ASSAYC_CURVE_MAXIMUM_LENGTH 66
#define ASSAYC_ECDSA_DER_MAXIMUM_LENGTH 139 /* an ECDSA-Sig-Value on P-521 */
#define ASSAYC_ED25519_LENGTH 32
#define ASSAYC_ED448_LENGTH 57
#define ASSAYC_RSA_MAXIMUM_LENGTH 1024 /* a modulus of 8192 bits, and the most bytes of any signature */
#define ASSAYC_RSA_EXPONENT_MAXIMUM_LENGTH 8

/* How an RSA key signs (RFC 8017, 8.1 and 8.2): PSS has MGF1 over the same digest, and a salt of exactly so many bytes. */
typedef enum assayc_padding { ASSAYC_PKCS1 = 0, ASSAYC_PSS = 1 } assayc_padding;
typedef struct assayc_rsa_scheme {
  assayc_padding padding;
  assayc_digest digest;
  size_t salt_length; /* 0 for PKCS1 */
} assayc_rsa_scheme;

/* A public key and the one way it signs: ECDSA on a curve with a digest, RSA in one scheme, or EdDSA. SHA-1 is refused as
   the digest of any, but for PKCS1, and there only to verify. */
typedef struct assayc_public_key assayc_public_key;

/* From big-endian coordinates of the curve's length: NOT_ON_CURVE unless they are a point of the curve. */
assayc_status assayc_public_key_new_ec(assayc_curve curve, assayc_digest digest, const uint8_t *ASSAYC_NONNULL x,
                                       const uint8_t *ASSAYC_NONNULL y,
                                       assayc_public_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;

/* RSA from big-endian numbers without leading zeros. Which sizes are good enough is the caller's decision. */
assayc_status assayc_public_key_new_rsa(assayc_rsa_scheme scheme, const uint8_t *ASSAYC_NONNULL modulus,
                                        size_t modulus_length, const uint8_t *ASSAYC_NONNULL exponent,
                                        size_t exponent_length,
                                        assayc_public_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;

/* From the bytes of RFC 8032, 5.1.5 and 5.2.5: NOT_ON_CURVE also for a y of p or more, SMALL_ORDER for the points (eight,
   four) under which one signature fits every message. A point with a small-order part and a large one is a key like
   another: RFC 8032 allows it, and to refuse it would cost more than verifying. */
assayc_status assayc_public_key_new_edwards(assayc_edwards curve, const uint8_t *ASSAYC_NONNULL point,
                                            assayc_public_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;

void assayc_public_key_free(assayc_public_key *ASSAYC_NULLABLE key);

/* 1 if `signature` is the key's signature of `message`. ECDSA signatures are in the DER form, whose numbers the caller has
   checked; those of RSA must have exactly the modulus's length. */
int assayc_public_key_verify(assayc_public_key *ASSAYC_NONNULL key, const uint8_t *ASSAYC_NULLABLE signature,
                             size_t signature_length, const uint8_t *ASSAYC_NULLABLE message,
                             size_t message_length) ASSAYC_RESULT;

/* A private key, for the same ways to sign. An Ed25519 secret lies in guarded memory; the others are OpenSSL's, which
   wipes them when they are freed. */
typedef struct assayc_private_key assayc_private_key;

/* A number of a private key: those of EC keys have the curve's length, an Edwards point and seed theirs. */
typedef enum assayc_number {
  ASSAYC_EC_X = 0,
  ASSAYC_EC_Y = 1,
  ASSAYC_EC_D = 2,
  ASSAYC_EDWARDS_POINT = 3,
  ASSAYC_EDWARDS_SEED = 4,
  ASSAYC_RSA_N = 5,
  ASSAYC_RSA_E = 6,
  ASSAYC_RSA_D = 7,
  ASSAYC_RSA_P = 8,
  ASSAYC_RSA_Q = 9,
  ASSAYC_RSA_DP = 10,
  ASSAYC_RSA_DQ = 11,
  ASSAYC_RSA_QI = 12
} assayc_number;

/* A big-endian number lent to a call. */
typedef struct assayc_bytes {
  const uint8_t *ASSAYC_NULLABLE bytes;
  size_t length;
} assayc_bytes;

/* The numbers of an RSA private key (RFC 8017, 3.2), big-endian, none longer than the modulus. */
typedef struct assayc_rsa_numbers {
  assayc_bytes n, e, d, p, q, dp, dq, qi;
} assayc_rsa_numbers;

/* Keys from numbers. INCONSISTENT unless the private half makes the public one (curves), or all eight numbers agree and a
   signature made with them verifies (RSA). */
assayc_status assayc_private_key_new_ec(assayc_curve curve, assayc_digest digest, const uint8_t *ASSAYC_NONNULL x,
                                        const uint8_t *ASSAYC_NONNULL y, const uint8_t *ASSAYC_NONNULL d,
                                        assayc_private_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;
assayc_status assayc_private_key_new_rsa(assayc_rsa_scheme scheme, const assayc_rsa_numbers *ASSAYC_NONNULL numbers,
                                         assayc_private_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;
assayc_status assayc_private_key_new_edwards(assayc_edwards curve, const uint8_t *ASSAYC_NONNULL point,
                                             const uint8_t *ASSAYC_NONNULL seed,
                                             assayc_private_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;

/* The public half of a private one. INCONSISTENT for a scalar outside 1 ... n - 1. */
assayc_status assayc_curve_public_half(assayc_curve curve, const uint8_t *ASSAYC_NONNULL d, uint8_t *ASSAYC_NONNULL x,
                                       uint8_t *ASSAYC_NONNULL y) ASSAYC_RESULT;
assayc_status assayc_ed25519_public_half(const uint8_t *ASSAYC_NONNULL seed, uint8_t *ASSAYC_NONNULL point)
    ASSAYC_RESULT;
assayc_status assayc_ed448_public_half(const uint8_t *ASSAYC_NONNULL seed, uint8_t *ASSAYC_NONNULL point)
    ASSAYC_RESULT;

/* The other coordinate of a compressed point (SEC 1, 2.3.4): NOT_ON_CURVE if there is none. */
assayc_status assayc_curve_decompress(assayc_curve curve, const uint8_t *ASSAYC_NONNULL x, int y_is_odd,
                                      uint8_t *ASSAYC_NONNULL y) ASSAYC_RESULT;

/* Fresh keys. The RSA exponent is 65537. */
assayc_status assayc_private_key_generate_ec(assayc_curve curve, assayc_digest digest,
                                             assayc_private_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;
assayc_status assayc_private_key_generate_rsa(assayc_rsa_scheme scheme, size_t modulus_bits,
                                              assayc_private_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key) ASSAYC_RESULT;
assayc_status assayc_private_key_generate_edwards(assayc_edwards curve,
                                                  assayc_private_key *ASSAYC_NULLABLE *ASSAYC_NONNULL key)
    ASSAYC_RESULT;

void assayc_private_key_free(assayc_private_key *ASSAYC_NULLABLE key);

/* The most bytes a signature of this key can have. */
size_t assayc_private_key_signature_maximum_length(const assayc_private_key *ASSAYC_NONNULL key) ASSAYC_RESULT;

/* Writes a signature of `message` and its length; in DER for ECDSA. `out_capacity` must be at least the maximum length. */
int assayc_private_key_sign(assayc_private_key *ASSAYC_NONNULL key, const uint8_t *ASSAYC_NULLABLE message,
                            size_t message_length, uint8_t *ASSAYC_NONNULL out, size_t out_capacity,
                            size_t *ASSAYC_NONNULL out_length) ASSAYC_RESULT;

/* How many bytes a number of this key has; 0 if this kind of key has no such number. */
size_t assayc_private_key_number_length(const assayc_private_key *ASSAYC_NONNULL key, assayc_number number)
    ASSAYC_RESULT;

/* Writes a number of this key, big-endian. `out_length` must be what the function above says. */
int assayc_private_key_number_copy(const assayc_private_key *ASSAYC_NONNULL key, assayc_number number,
                                   uint8_t *ASSAYC_NONNULL out, size_t out_length) ASSAYC_RESULT;

/* ---- Passwords ---- */

/* Ciphers in CBC mode, with keys of 16, 24, 32 and 24 bytes and blocks of 16, 16, 16 and 8. */
typedef enum assayc_cipher {
  ASSAYC_AES_128_CBC = 0,
  ASSAYC_AES_192_CBC = 1,
  ASSAYC_AES_256_CBC = 2,
  ASSAYC_DES_EDE3_CBC = 3
} assayc_cipher;

#define ASSAYC_BLOCK_MAXIMUM_LENGTH 16

/* Keys from a password: PBKDF2 with HMAC (RFC 8018, 5.2), scrypt (RFC 7914), and what OpenSSL's traditional PEM uses: MD5,
   once, with a salt of 8 bytes. The work they are asked for is the caller's decision. */
int assayc_pbkdf2(assayc_digest digest, const uint8_t *ASSAYC_NULLABLE password, size_t password_length,
                  const uint8_t *ASSAYC_NULLABLE salt, size_t salt_length, uint32_t iterations,
                  uint8_t *ASSAYC_NONNULL out, size_t out_length) ASSAYC_RESULT;
int assayc_scrypt(const uint8_t *ASSAYC_NULLABLE password, size_t password_length, const uint8_t *ASSAYC_NULLABLE salt,
                  size_t salt_length, uint32_t cost, uint32_t block_size, uint32_t parallelisation,
                  uint8_t *ASSAYC_NONNULL out, size_t out_length) ASSAYC_RESULT;
int assayc_traditional_key(assayc_cipher cipher, const uint8_t *ASSAYC_NULLABLE password, size_t password_length,
                           const uint8_t *ASSAYC_NONNULL salt, uint8_t *ASSAYC_NONNULL out,
                           size_t out_length) ASSAYC_RESULT;

/* Encrypts or decrypts with the padding of RFC 8018, 6.1.1. `key_length` must be the cipher's, `iv` has a block's length,
   and `out` has room for the input and one block. Wrong padding is no. */
int assayc_cbc_copy(assayc_cipher cipher, int encrypt, const uint8_t *ASSAYC_NONNULL key, size_t key_length,
                    const uint8_t *ASSAYC_NONNULL iv, const uint8_t *ASSAYC_NULLABLE input, size_t input_length,
                    uint8_t *ASSAYC_NONNULL out, size_t *ASSAYC_NONNULL out_length) ASSAYC_RESULT;

/* ---- Certificate paths ---- */

/* Certificates that are trusted, parsed. */
typedef struct assayc_anchors assayc_anchors;

/* Certificate revocation lists, parsed. */
typedef struct assayc_lists assayc_lists;

/* What became of a certificate path (RFC 5280, 6.1). */
typedef enum assayc_path_verdict {
  ASSAYC_PATH_VALID = 1,
  ASSAYC_PATH_UNAVAILABLE = 2, /* the library is not usable */
  ASSAYC_PATH_FAILED = 3,      /* out of memory, or refused for a reason that is none of these */
  ASSAYC_PATH_MALFORMED = 4,
  ASSAYC_PATH_WRONG_ORDER = 5,
  ASSAYC_PATH_UNKNOWN_ISSUER = 6,
  ASSAYC_PATH_SELF_SIGNED = 7,
  ASSAYC_PATH_EXPIRED = 8,
  ASSAYC_PATH_NOT_YET_VALID = 9,
  ASSAYC_PATH_SIGNATURE = 10,
  ASSAYC_PATH_NOT_A_CA = 11,
  ASSAYC_PATH_LENGTH = 12,
  ASSAYC_PATH_NAME_CONSTRAINT = 13,
  ASSAYC_PATH_CRITICAL_EXTENSION = 14,
  ASSAYC_PATH_POLICY = 15,
  ASSAYC_PATH_WEAK_KEY = 16,
  ASSAYC_PATH_REVOKED = 17,
  ASSAYC_PATH_LIST_MISSING = 18,
  ASSAYC_PATH_LIST_EXPIRED = 19
} assayc_path_verdict;

typedef enum assayc_revocation {
  ASSAYC_REVOCATION_NOT_CHECKED = 0,
  ASSAYC_REVOCATION_SOFT = 1, /* a certificate that is on a list is refused */
  ASSAYC_REVOCATION_HARD = 2  /* and so is one below the anchor for which there is no current list */
} assayc_revocation;

typedef struct assayc_path_question {
  const assayc_bytes *ASSAYC_NULLABLE certificates; /* DER, the leaf first */
  size_t certificate_count;                         /* none is FAILED */
  int64_t time;                                     /* in seconds since 1970-01-01T00:00:00Z */
  assayc_revocation revocation;
  const assayc_lists *ASSAYC_NULLABLE lists;
} assayc_path_question;

typedef struct assayc_path_answer {
  assayc_path_verdict verdict;
  int depth;     /* of the certificate that is refused, the leaf being 0; -1 if none is */
  size_t used;   /* if VALID: how many of the certificates the path has, from the leaf on, without the anchor */
  size_t anchor; /* if VALID: the anchor's index among those given */
} assayc_path_answer;

/* Parses anchors from DER. MALFORMED: `refused` is the index of the first that cannot be read. */
assayc_path_verdict assayc_anchors_new(const assayc_bytes *ASSAYC_NULLABLE certificates, size_t count,
                                       size_t *ASSAYC_NONNULL refused,
                                       assayc_anchors *ASSAYC_NULLABLE *ASSAYC_NONNULL anchors) ASSAYC_RESULT;
void assayc_anchors_free(assayc_anchors *ASSAYC_NULLABLE anchors);

/* Parses lists from DER, without those that cannot be read. */
assayc_path_verdict assayc_lists_new(const assayc_bytes *ASSAYC_NULLABLE lists, size_t count,
                                     assayc_lists *ASSAYC_NULLABLE *ASSAYC_NONNULL made) ASSAYC_RESULT;
void assayc_lists_free(assayc_lists *ASSAYC_NULLABLE lists);

/* Whether the certificates lead to an anchor. */
void assayc_path_check(const assayc_anchors *ASSAYC_NONNULL anchors,
                       const assayc_path_question *ASSAYC_NONNULL question,
                       assayc_path_answer *ASSAYC_NONNULL answer);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
