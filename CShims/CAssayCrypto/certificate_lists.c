/* Certificate revocation lists (RFC 5280, 5), parsed once for any number of paths and threads. */
#include "certificate_lists.h"

#include <limits.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "internal.h"

struct assayc_lists {
  STACK_OF(X509_CRL) *all; /* never changed once made, so threads share it */
};

static X509_CRL *parse(const assayci_library *library, assayc_bytes der) {
  if (der.length == 0 || der.length > LONG_MAX) return NULL;
  X509_CRL *list = X509_CRL_new_ex(library->context, NULL);
  if (list == NULL) return NULL;
  ASN1_VALUE *value = (ASN1_VALUE *)list;
  const unsigned char *next = der.bytes;
  if (ASN1_item_d2i(&value, &next, (long)der.length, ASN1_ITEM_rptr(X509_CRL)) == NULL) return NULL;
  if (next == der.bytes + der.length) return list;
  X509_CRL_free(list);
  return NULL;
}

/* Lets a list sort its entries alone, which it does when it is first searched. */
static void warm_up(X509_CRL *list) {
  ASN1_INTEGER *any = ASN1_INTEGER_new();
  X509_REVOKED *found = NULL;
  if (any != NULL) (void)X509_CRL_get0_by_serial(list, &found, any);
  ASN1_INTEGER_free(any);
}

/* Whether the list was added, or cannot be read; false if memory runs out. */
static bool add(const assayci_library *library, assayc_lists *lists, assayc_bytes der) {
  ERR_set_mark();
  X509_CRL *list = parse(library, der);
  if (list != NULL) warm_up(list);
  ERR_pop_to_mark();
  if (list == NULL || sk_X509_CRL_push(lists->all, list) > 0) return true;
  X509_CRL_free(list);
  return false;
}

assayc_path_verdict assayc_lists_new(const assayc_bytes *lists, size_t count, assayc_lists **made) {
  const assayci_library *library = assayci_library_get0();
  *made = NULL;
  if (library == NULL) return ASSAYC_PATH_UNAVAILABLE;
  ERR_set_mark();
  assayc_lists *owner = calloc(1, sizeof *owner);
  bool good = owner != NULL && (owner->all = sk_X509_CRL_new_null()) != NULL;
  for (size_t index = 0; good && index < count; index++) good = add(library, owner, lists[index]);
  ERR_pop_to_mark();
  if (good) {
    *made = owner;
    return ASSAYC_PATH_VALID;
  }
  assayc_lists_free(owner);
  return ASSAYC_PATH_FAILED;
}

void assayc_lists_free(assayc_lists *lists) {
  if (lists == NULL) return;
  sk_X509_CRL_pop_free(lists->all, X509_CRL_free);
  free(lists);
}

/* Whether a list is signed by a certificate of the path. A list that is not says nothing about it. */
static bool is_signed_within(X509_CRL *list, const STACK_OF(X509) *path) {
  bool is_signed = false;
  ERR_set_mark();
  for (int index = 0; !is_signed && index < sk_X509_num(path); index++) {
    X509 *issuer = sk_X509_value(path, index);
    EVP_PKEY *key = X509_get0_pubkey(issuer);
    is_signed = X509_NAME_cmp(X509_CRL_get_issuer(list), X509_get_subject_name(issuer)) == 0 && key != NULL &&
                X509_CRL_verify(list, key) == 1;
  }
  ERR_pop_to_mark();
  return is_signed;
}

/* Whether a list can show that a certificate is not revoked: it says until when it is current, as it must (RFC 5280,
   5.1.2.5), and nothing that limits it is unreadable. The verifier takes such a list for a whole one that is always current. */
static bool can_clear(const X509_CRL *list) {
  if (X509_CRL_get0_nextUpdate(list) == NULL || X509_CRL_get_ext_by_NID(list, NID_delta_crl, -1) >= 0) return false;
  int status = -1;
  ERR_set_mark();
  ISSUING_DIST_POINT *scope = X509_CRL_get_ext_d2i(list, NID_issuing_distribution_point, &status, NULL);
  ERR_pop_to_mark();
  bool is_readable = scope != NULL || status == -1;
  ISSUING_DIST_POINT_free(scope);
  return is_readable;
}

STACK_OF(X509_CRL) *assayci_lists_within(const assayc_lists *lists, const STACK_OF(X509) *path, bool must_clear) {
  STACK_OF(X509_CRL) *within = sk_X509_CRL_new_null();
  int count = lists == NULL ? 0 : sk_X509_CRL_num(lists->all);
  for (int index = 0; within != NULL && index < count; index++) {
    X509_CRL *list = sk_X509_CRL_value(lists->all, index);
    if (!is_signed_within(list, path) || (must_clear && !can_clear(list))) continue;
    if (X509_CRL_up_ref(list) == 1) {
      if (sk_X509_CRL_push(within, list) > 0) continue;
      X509_CRL_free(list);
    }
    sk_X509_CRL_pop_free(within, X509_CRL_free);
    within = NULL;
  }
  return within;
}
