/* Revocation lists, for certificate_path.c. */
#ifndef ASSAYC_CERTIFICATE_LISTS_H
#define ASSAYC_CERTIFICATE_LISTS_H

#include <openssl/x509.h>
#include <stdbool.h>

#include "assayc_crypto.h"

#pragma GCC visibility push(hidden)

/* Those of the lists that count for a path, to be freed with them; NULL if memory runs out. `lists` may be NULL.
   `must_clear`: whether a certificate is refused unless a list shows that it is not revoked. */
STACK_OF(X509_CRL) *assayci_lists_within(const assayc_lists *lists, const STACK_OF(X509) *path, bool must_clear);

#pragma GCC visibility pop

#endif
