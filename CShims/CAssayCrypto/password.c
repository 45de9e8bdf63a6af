/* From a password to the plaintext of an encrypted key and back (RFC 8018). The formats are read in Swift, and so are the
   limits on the work that a file may ask for. */
#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "internal.h"

static EVP_CIPHER *new_cipher(const assayci_library *library, assayc_cipher cipher) {
  switch (cipher) {
    case ASSAYC_AES_128_CBC: return EVP_CIPHER_fetch(library->context, "AES-128-CBC", NULL);
    case ASSAYC_AES_192_CBC: return EVP_CIPHER_fetch(library->context, "AES-192-CBC", NULL);
    case ASSAYC_AES_256_CBC: return EVP_CIPHER_fetch(library->context, "AES-256-CBC", NULL);
    case ASSAYC_DES_EDE3_CBC: return EVP_CIPHER_fetch(library->context, "DES-EDE3-CBC", NULL);
  }
  return NULL;
}

/* A parameter lent to OpenSSL, which only reads it. A KDF has no password and no salt if it is given NULL. */
static OSSL_PARAM octets(const char *name, assayc_bytes bytes) {
  static uint8_t empty;
  union { const uint8_t *in; void *out; } pointer = {bytes.length == 0 ? &empty : bytes.bytes};
  return OSSL_PARAM_construct_octet_string(name, pointer.out, bytes.length);
}

static bool derive(const assayci_library *library, const char *name, const OSSL_PARAM *parameters, uint8_t *out,
                   size_t out_length) {
  EVP_KDF *kdf = EVP_KDF_fetch(library->context, name, NULL);
  EVP_KDF_CTX *context = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
  bool done = context != NULL && EVP_KDF_derive(context, out, out_length, parameters) == 1;
  EVP_KDF_CTX_free(context);
  EVP_KDF_free(kdf);
  return done;
}

int assayc_pbkdf2(assayc_digest digest, const uint8_t *password, size_t password_length, const uint8_t *salt,
                  size_t salt_length, uint32_t iterations, uint8_t *out, size_t out_length) {
  static const char *const names[ASSAYC_DIGEST_COUNT] = {"SHA1", "SHA2-256", "SHA2-384", "SHA2-512"};
  const assayci_library *library = assayci_library_get0();
  if (library == NULL || assayc_digest_length(digest) == 0 || iterations == 0) return 0;
  uint64_t count = iterations;
  int unchecked = 1; /* the file decides on the salt's length, not SP 800-132 */
  union { const char *in; char *out; } name = {names[digest]};
  OSSL_PARAM parameters[] = {
      octets(OSSL_KDF_PARAM_PASSWORD, assayci_bytes(password, password_length)),
      octets(OSSL_KDF_PARAM_SALT, assayci_bytes(salt, salt_length)),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_ITER, &count),
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, name.out, 0),
      OSSL_PARAM_construct_int(OSSL_KDF_PARAM_PKCS5, &unchecked),
      OSSL_PARAM_construct_end(),
  };
  ERR_set_mark();
  bool done = derive(library, "PBKDF2", parameters, out, out_length);
  ERR_pop_to_mark();
  return done;
}

int assayc_scrypt(const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length,
                  uint32_t cost, uint32_t block_size, uint32_t parallelisation, uint8_t *out, size_t out_length) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL) return 0;
  uint64_t n = cost, maximum = UINT64_MAX; /* the caller has its own limit */
  OSSL_PARAM parameters[] = {
      octets(OSSL_KDF_PARAM_PASSWORD, assayci_bytes(password, password_length)),
      octets(OSSL_KDF_PARAM_SALT, assayci_bytes(salt, salt_length)),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &n),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &block_size),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &parallelisation),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_MAXMEM, &maximum),
      OSSL_PARAM_construct_end(),
  };
  ERR_set_mark();
  bool done = derive(library, "SCRYPT", parameters, out, out_length);
  ERR_pop_to_mark();
  return done;
}

int assayc_traditional_key(assayc_cipher cipher, const uint8_t *password, size_t password_length, const uint8_t *salt,
                           uint8_t *out, size_t out_length) {
  const assayci_library *library = assayci_library_get0();
  if (library == NULL || password_length > INT_MAX) return 0;
  ERR_set_mark();
  static const uint8_t empty;
  uint8_t iv[EVP_MAX_IV_LENGTH];
  EVP_CIPHER *type = new_cipher(library, cipher);
  EVP_MD *md5 = EVP_MD_fetch(library->context, "MD5", NULL);
  bool done = type != NULL && md5 != NULL && (size_t)EVP_CIPHER_get_key_length(type) == out_length &&
              (size_t)EVP_BytesToKey(type, md5, salt, password_length == 0 ? &empty : password, (int)password_length, 1,
                                     out, iv) == out_length;
  OPENSSL_cleanse(iv, sizeof iv);
  EVP_MD_free(md5);
  EVP_CIPHER_free(type);
  ERR_pop_to_mark();
  return done;
}

/* Both directions; `out` has room for one block more than the input. */
static bool run(EVP_CIPHER_CTX *context, EVP_CIPHER *type, int encrypt, assayc_bytes key, const uint8_t *iv,
                assayc_bytes input, uint8_t *out, size_t *out_length) {
  int first = 0, last = 0;
  if (type == NULL || (size_t)EVP_CIPHER_get_key_length(type) != key.length || input.length > INT_MAX / 2) return false;
  if (EVP_CipherInit_ex2(context, type, key.bytes, iv, encrypt, NULL) != 1 ||
      EVP_CipherUpdate(context, out, &first, input.bytes, (int)input.length) != 1 ||
      EVP_CipherFinal_ex(context, out + first, &last) != 1)
    return false;
  *out_length = (size_t)first + (size_t)last;
  return true;
}

int assayc_cbc_copy(assayc_cipher cipher, int encrypt, const uint8_t *key, size_t key_length, const uint8_t *iv,
                    const uint8_t *input, size_t input_length, uint8_t *out, size_t *out_length) {
  const assayci_library *library = assayci_library_get0();
  *out_length = 0;
  if (library == NULL || input_length == 0) return 0;
  ERR_set_mark();
  EVP_CIPHER *type = new_cipher(library, cipher);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  bool done = context != NULL && run(context, type, encrypt != 0, assayci_bytes(key, key_length), iv,
                                     assayci_bytes(input, input_length), out, out_length);
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(type);
  ERR_pop_to_mark();
  return done;
}
