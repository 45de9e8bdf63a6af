#include "cfuzz.h"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/* The package manager links an executable's `main` under the name of its module. */
#define ENTRY(module)                                                     \
  int module##_main(int argc, char **argv);                               \
  int module##_main(int argc, char **argv) {                              \
    return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput);     \
  }

ENTRY(FuzzAndroidKeyDescription)
ENTRY(FuzzAttestationObject)
ENTRY(FuzzAuthenticatorData)
ENTRY(FuzzBase64URL)
ENTRY(FuzzCBOR)
ENTRY(FuzzCeremony)
ENTRY(FuzzCertificate)
ENTRY(FuzzClientData)
ENTRY(FuzzCOSEKey)
ENTRY(FuzzJSON)
ENTRY(FuzzOTPAuth)
ENTRY(FuzzJWK)
ENTRY(FuzzJWKSet)
ENTRY(FuzzJWS)
ENTRY(FuzzKeyDER)
ENTRY(FuzzMetadata)
ENTRY(FuzzMigration)
ENTRY(FuzzOCRASuite)
ENTRY(FuzzPEM)
ENTRY(FuzzProfiles)
ENTRY(FuzzTPM)
