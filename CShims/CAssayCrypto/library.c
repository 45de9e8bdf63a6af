/* Setting the libraries up, once: a library context of our own with the default provider and no configuration file, so
   that neither the host's settings change our verdicts nor ours its. */
#include "internal.h"

#if OPENSSL_VERSION_MAJOR < 3
#error "OpenSSL 3.0 or newer is needed"
#endif

static assayci_library shared;
static bool usable = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

int assayc_openssl_is_acceptable(unsigned major, unsigned minor, unsigned patch) {
  if (major < 3) return 0;
  return major == 3 && minor == 0 && patch == 4 ? 0 : 1;
}

static EVP_PKEY *new_parameters(OSSL_LIB_CTX *context, const char *group) {
  EVP_PKEY *parameters = NULL;
  EVP_PKEY_CTX *generator = EVP_PKEY_CTX_new_from_name(context, "EC", NULL);
  if (generator == NULL || EVP_PKEY_paramgen_init(generator) != 1 ||
      EVP_PKEY_CTX_set_group_name(generator, group) != 1 || EVP_PKEY_paramgen(generator, &parameters) != 1)
    parameters = NULL;
  EVP_PKEY_CTX_free(generator);
  return parameters;
}

/* What is made before a failure is left alone: the process cannot use the library any more, and it happens once. */
static bool set_up(assayci_library *library) {
  static const char *const names[ASSAYC_DIGEST_COUNT] = {"SHA1", "SHA2-256", "SHA2-384", "SHA2-512"};
  if (assayc_openssl_is_acceptable(OPENSSL_version_major(), OPENSSL_version_minor(), OPENSSL_version_patch()) != 1)
    return false;
  if (sodium_init() < 0) return false; /* 1 says that the host has done it already */
  library->context = OSSL_LIB_CTX_new();
  if (library->context == NULL) return false;
  library->provider = OSSL_PROVIDER_load(library->context, "default");
  if (library->provider == NULL) return false;
  for (size_t index = 0; index < ASSAYC_DIGEST_COUNT; index++) {
    library->digests[index] = EVP_MD_fetch(library->context, names[index], NULL);
    if (library->digests[index] == NULL) return false;
    if ((size_t)EVP_MD_get_size(library->digests[index]) != assayc_digest_length((assayc_digest)index)) return false;
  }
  library->hmac = EVP_MAC_fetch(library->context, "HMAC", NULL);
  if (library->hmac == NULL) return false;
  for (size_t index = 0; index < ASSAYC_CURVE_COUNT; index++) {
    library->curves[index] = new_parameters(library->context, assayci_curve_get0((assayc_curve)index)->group);
    if (library->curves[index] == NULL) return false;
  }
  return true;
}

static void set_up_once(void) {
  ERR_set_mark();
  usable = set_up(&shared) && assayci_self_test(&shared);
  ERR_pop_to_mark();
}

const assayci_library *assayci_library_get0(void) {
  if (pthread_once(&once, set_up_once) != 0) return NULL;
  return usable ? &shared : NULL;
}

int assayc_is_available(void) { return assayci_library_get0() != NULL; }

const char *assayc_openssl_version_get0(void) { return OpenSSL_version(OPENSSL_VERSION); }

const char *assayc_sodium_version_get0(void) { return sodium_version_string(); }
