/* Certificate paths (RFC 5280, 6.1), judged by OpenSSL's verifier with what the caller gives and nothing else: no store
   of the system's, no clock, no file, no network.

   Where this differs from the verifier's defaults:
   - The anchors are the trusted certificates themselves, whether self-signed or not. The other certificates never are.
   - No purpose is asked for: extended key usage is the caller's to check.
   - Security level 1: keys of less than 80 bits' strength (RSA below some 1000) are refused anywhere in the path, and so
     are signatures with MD5 and SHA-1 below the anchor: no deployed attestation that we know of needs one. Whoever has
     such a chain can make the certificate that is signed that way an anchor.
   - Certificate policies are processed only where a certificate constrains them: most say nothing by theirs, some hold
     malformed ones, and a tree of policies costs time.
   - A key identifier that cannot be read is taken for absent, and so is an authority's that is not that of the next
     certificate. They help to find an issuer, which the order says already, and decide nothing (RFC 5280, 4.2.1.1 and
     4.2.1.2); certificates of the FIDO conformance tests hold such ones. Every other extension the verifier knows can
     forbid something (names, usages, constraints, where lists are), so one that cannot be read sinks its certificate.
     Those it does not know sink it if they are critical.
   - Of several certificates with an issuer's name, the verifier takes the first. Where that leads nowhere, it runs a second
     time and takes the one whose key made the signature. */
#include <limits.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "certificate_lists.h"
#include "internal.h"

struct assayc_anchors {
  STACK_OF(X509) *certificates; /* never changed once made, so threads share it */
};

/* MAXIMUM_TRIES: signatures that are looked at to find issuers among namesakes. */
enum { SECURITY_LEVEL = 1, MAXIMUM_TRIES = 256 };

static void forget(X509 *certificate, int identifier) {
  /* The signature is checked over the bytes that were read, which this does not change. */
  X509_EXTENSION_free(X509_delete_ext(certificate, X509_get_ext_by_NID(certificate, identifier, -1)));
}

/* Forgets a key identifier of no use. One that is there twice stays, as a fault. `issuer` is NULL if it is not known. */
static void forget_identifiers(X509 *certificate, X509 *issuer) {
  int status = -1;
  ASN1_OCTET_STRING *own = X509_get_ext_d2i(certificate, NID_subject_key_identifier, &status, NULL);
  if (own == NULL && status >= 0) forget(certificate, NID_subject_key_identifier);
  ASN1_OCTET_STRING_free(own);
  AUTHORITY_KEYID *authority = X509_get_ext_d2i(certificate, NID_authority_key_identifier, &status, NULL);
  bool is_wrong = authority != NULL && issuer != NULL && X509_check_akid(issuer, authority) != X509_V_OK;
  if (is_wrong || (authority == NULL && status >= 0)) forget(certificate, NID_authority_key_identifier);
  AUTHORITY_KEYID_free(authority);
}

static X509 *parse_certificate(const assayci_library *library, assayc_bytes der, X509 *issuer) {
  if (der.length == 0 || der.length > LONG_MAX) return NULL;
  X509 *certificate = X509_new_ex(library->context, NULL);
  if (certificate == NULL) return NULL;
  /* d2i_X509 would also look at the extensions, before the two are forgotten. On failure `certificate` is freed. */
  ASN1_VALUE *value = (ASN1_VALUE *)certificate;
  const unsigned char *next = der.bytes;
  if (ASN1_item_d2i(&value, &next, (long)der.length, ASN1_ITEM_rptr(X509)) == NULL) return NULL;
  if (next == der.bytes + der.length) {
    forget_identifiers(certificate, issuer);
    if ((X509_get_extension_flags(certificate) & EXFLAG_INVALID) == 0) return certificate;
  }
  X509_free(certificate);
  return NULL;
}

/* Each step has a mark on the error queue of its own, so that what the steps leave there does not add up: the queue holds
   15 errors, some of which are the host's. */
static X509 *read_certificate(const assayci_library *library, assayc_bytes der, X509 *issuer) {
  ERR_set_mark();
  X509 *certificate = parse_certificate(library, der, issuer);
  ERR_pop_to_mark();
  return certificate;
}

/* Puts a certificate into a stack, which then owns it; at -1 means at the end. */
static bool insert(STACK_OF(X509) *stack, X509 *certificate, int at) {
  if (certificate != NULL && sk_X509_insert(stack, certificate, at) > 0) return true;
  X509_free(certificate);
  return false;
}

static void free_certificates(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

/* Lets a key compute what it keeps from its first use on, alone (see operation.c): only RSA's do that. */
static void warm_up(const assayci_library *library, X509 *certificate) {
  static const uint8_t zeros[ASSAYC_RSA_MAXIMUM_LENGTH];
  EVP_PKEY *key = X509_get0_pubkey(certificate);
  if (key == NULL || EVP_PKEY_is_a(key, "RSA") != 1) return;
  ERR_set_mark();
  int length = EVP_PKEY_get_size(key);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library->context, key, NULL);
  if (context != NULL && length > 0 && (size_t)length <= sizeof zeros && EVP_PKEY_verify_init(context) == 1)
    (void)EVP_PKEY_verify(context, zeros, (size_t)length, zeros, 32);
  EVP_PKEY_CTX_free(context);
  ERR_pop_to_mark();
}

static assayc_path_verdict new_anchors(const assayci_library *library, const assayc_bytes *certificates, size_t count,
                                       size_t *refused, assayc_anchors **anchors) {
  assayc_anchors *made = calloc(1, sizeof *made);
  if (made == NULL || count > INT_MAX || (made->certificates = sk_X509_new_null()) == NULL) {
    free(made);
    return ASSAYC_PATH_FAILED;
  }
  for (size_t index = 0; index < count; index++) {
    X509 *certificate = read_certificate(library, certificates[index], NULL);
    if (!insert(made->certificates, certificate, -1)) {
      *refused = index;
      assayc_anchors_free(made);
      return ASSAYC_PATH_MALFORMED;
    }
    warm_up(library, certificate);
  }
  *anchors = made;
  return ASSAYC_PATH_VALID;
}

assayc_path_verdict assayc_anchors_new(const assayc_bytes *certificates, size_t count, size_t *refused,
                                       assayc_anchors **anchors) {
  const assayci_library *library = assayci_library_get0();
  *anchors = NULL;
  *refused = 0;
  if (library == NULL) return ASSAYC_PATH_UNAVAILABLE;
  ERR_set_mark();
  assayc_path_verdict verdict = new_anchors(library, certificates, count, refused, anchors);
  ERR_pop_to_mark();
  return verdict;
}

void assayc_anchors_free(assayc_anchors *anchors) {
  if (anchors == NULL) return;
  free_certificates(anchors->certificates);
  free(anchors);
}

static assayc_path_verdict verdict_of(int error) {
  switch (error) {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
    case X509_V_ERR_SUBJECT_ISSUER_MISMATCH:
    case X509_V_ERR_AKID_SKID_MISMATCH:
    case X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH: return ASSAYC_PATH_UNKNOWN_ISSUER;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return ASSAYC_PATH_SELF_SIGNED;
    case X509_V_ERR_CERT_HAS_EXPIRED: return ASSAYC_PATH_EXPIRED;
    case X509_V_ERR_CERT_NOT_YET_VALID: return ASSAYC_PATH_NOT_YET_VALID;
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    case X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE:
    case X509_V_ERR_UNSUPPORTED_SIGNATURE_ALGORITHM:
    case X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH:
    case X509_V_ERR_SIGNATURE_ALGORITHM_INCONSISTENCY: return ASSAYC_PATH_SIGNATURE;
    case X509_V_ERR_INVALID_CA:
    case X509_V_ERR_KEYUSAGE_NO_CERTSIGN: return ASSAYC_PATH_NOT_A_CA;
    case X509_V_ERR_PATH_LENGTH_EXCEEDED:
    case X509_V_ERR_CERT_CHAIN_TOO_LONG: return ASSAYC_PATH_LENGTH;
    case X509_V_ERR_PERMITTED_VIOLATION:
    case X509_V_ERR_EXCLUDED_VIOLATION:
    case X509_V_ERR_SUBTREE_MINMAX:
    case X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE:
    case X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX:
    case X509_V_ERR_UNSUPPORTED_NAME_SYNTAX: return ASSAYC_PATH_NAME_CONSTRAINT;
    case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: return ASSAYC_PATH_CRITICAL_EXTENSION;
    case X509_V_ERR_NO_EXPLICIT_POLICY:
    case X509_V_ERR_INVALID_POLICY_EXTENSION: return ASSAYC_PATH_POLICY;
    case X509_V_ERR_EE_KEY_TOO_SMALL:
    case X509_V_ERR_CA_KEY_TOO_SMALL:
    case X509_V_ERR_CA_MD_TOO_WEAK:
    case X509_V_ERR_EC_KEY_EXPLICIT_PARAMS: return ASSAYC_PATH_WEAK_KEY;
    case X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY:
    case X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD:
    case X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD:
    case X509_V_ERR_INVALID_EXTENSION: return ASSAYC_PATH_MALFORMED;
    case X509_V_ERR_CERT_REVOKED: return ASSAYC_PATH_REVOKED;
    case X509_V_ERR_CRL_NOT_YET_VALID:
    case X509_V_ERR_CRL_HAS_EXPIRED: return ASSAYC_PATH_LIST_EXPIRED;
    case X509_V_ERR_UNABLE_TO_GET_CRL:
    case X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER:
    case X509_V_ERR_CRL_SIGNATURE_FAILURE:
    case X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE:
    case X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD:
    case X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD:
    case X509_V_ERR_KEYUSAGE_NO_CRL_SIGN:
    case X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION:
    case X509_V_ERR_DIFFERENT_CRL_SCOPE:
    case X509_V_ERR_CRL_PATH_VALIDATION_ERROR: return ASSAYC_PATH_LIST_MISSING;
    default: return ASSAYC_PATH_FAILED;
  }
}

/* The parts of one question, parsed. */
typedef struct inquiry {
  const assayci_library *library;
  const assayc_anchors *anchors;
  const assayc_path_question *question;
  STACK_OF(X509) *certificates;
  bool leaf_is_anchor;
  X509_STORE *by_signature; /* makes the verifier look for issuers by their signatures; NULL the first time */
  int tries;                /* that may still be made at that */
  STACK_OF(X509) *path;     /* the one found, lent */
} inquiry;

/* Whether `issuer` has issued `certificate`, by its signature too. */
static int has_signed(X509_STORE_CTX *context, X509 *certificate, X509 *issuer) {
  inquiry *asked = X509_STORE_CTX_get_app_data(context);
  EVP_PKEY *key = X509_get0_pubkey(issuer);
  if (X509_check_issued(issuer, certificate) != X509_V_OK || key == NULL || asked->tries <= 0) return 0;
  asked->tries--;
  return X509_verify(certificate, key) == 1;
}

/* What may be passed over when lists are looked at: that there is no good one, where none is asked for. */
static int pass_over(int good, X509_STORE_CTX *context) {
  if (good == 1) return 1;
  const inquiry *asked = X509_STORE_CTX_get_app_data(context);
  assayc_path_verdict verdict = verdict_of(X509_STORE_CTX_get_error(context));
  if (verdict != ASSAYC_PATH_LIST_MISSING && verdict != ASSAYC_PATH_LIST_EXPIRED) return 0;
  bool at_anchor = X509_STORE_CTX_get_error_depth(context) == sk_X509_num(asked->path) - 1;
  if (asked->question->revocation == ASSAYC_REVOCATION_HARD && !at_anchor) return 0;
  X509_STORE_CTX_set_error(context, X509_V_OK);
  return 1;
}

static bool constrains_policies(const STACK_OF(X509) *certificates) {
  for (int index = 0; index < sk_X509_num(certificates); index++)
    if (X509_get_ext_by_NID(sk_X509_value(certificates, index), NID_policy_constraints, -1) >= 0) return true;
  return false;
}

static bool run(inquiry *asked, X509_STORE_CTX *context, STACK_OF(X509_CRL) *lists) {
  X509 *leaf = sk_X509_value(asked->certificates, 0);
  /* A leaf that is an anchor needs no other certificate, and none may spoil it. */
  STACK_OF(X509) *untrusted = asked->leaf_is_anchor ? NULL : asked->certificates;
  if (X509_STORE_CTX_init(context, asked->by_signature, leaf, untrusted) != 1) return false;
  if (X509_STORE_CTX_set_app_data(context, asked) != 1) return false;
  X509_STORE_CTX_set0_trusted_stack(context, asked->anchors->certificates);
  unsigned long flags = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST;
  if (constrains_policies(asked->certificates)) flags |= X509_V_FLAG_POLICY_CHECK;
  if (lists != NULL) {
    flags |= X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL;
    X509_STORE_CTX_set0_crls(context, lists);
    X509_STORE_CTX_set_verify_cb(context, pass_over);
  }
  X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
  if (X509_VERIFY_PARAM_set_flags(parameters, flags) != 1) return false;
  X509_VERIFY_PARAM_set_time(parameters, (time_t)asked->question->time);
  X509_VERIFY_PARAM_set_depth(parameters, sk_X509_num(asked->certificates));
  X509_VERIFY_PARAM_set_auth_level(parameters, SECURITY_LEVEL);
  return X509_verify_cert(context) == 1;
}

/* Runs the verifier. Without lists it does not look for revocation. */
static bool verify(inquiry *asked, X509_STORE_CTX *context, STACK_OF(X509_CRL) *lists) {
  ERR_set_mark();
  bool valid = run(asked, context, lists);
  ERR_pop_to_mark();
  return valid;
}

static void refuse(const X509_STORE_CTX *context, assayc_path_answer *answer) {
  answer->verdict = verdict_of(X509_STORE_CTX_get_error(context));
  answer->depth = X509_STORE_CTX_get_error_depth(context);
}

/* Finds the path. A refusal is the first run's, which says more. */
static bool find_path(inquiry *asked, X509_STORE_CTX *context, assayc_path_answer *answer) {
  if (verify(asked, context, NULL)) return true;
  refuse(context, answer);
  asked->by_signature = X509_STORE_new();
  if (asked->by_signature == NULL) return false;
  X509_STORE_set_check_issued(asked->by_signature, has_signed);
  X509_STORE_CTX_cleanup(context);
  return verify(asked, context, NULL);
}

/* Looks at the lists, for the path that was found without them. */
static bool check_lists(inquiry *asked, X509_STORE_CTX *context, assayc_path_answer *answer) {
  bool must_clear = asked->question->revocation == ASSAYC_REVOCATION_HARD;
  STACK_OF(X509_CRL) *lists = assayci_lists_within(asked->question->lists, asked->path, must_clear);
  if (lists == NULL) return false;
  bool valid = verify(asked, context, lists);
  if (!valid) refuse(context, answer);
  sk_X509_CRL_pop_free(lists, X509_CRL_free);
  return valid;
}

/* Finds out which anchor the path ends at. */
static bool find_anchor(const inquiry *asked, assayc_path_answer *answer) {
  int count = sk_X509_num(asked->path);
  if (count < 1) return false;
  const X509 *last = sk_X509_value(asked->path, count - 1);
  for (int index = 0; index < sk_X509_num(asked->anchors->certificates); index++) {
    if (sk_X509_value(asked->anchors->certificates, index) != last) continue;
    answer->anchor = (size_t)index;
    answer->used = (size_t)count - 1;
    return true;
  }
  return false;
}

static bool is_anchor(const assayc_anchors *anchors, const X509 *certificate) {
  for (int index = 0; index < sk_X509_num(anchors->certificates); index++)
    if (X509_cmp(sk_X509_value(anchors->certificates, index), certificate) == 0) return true;
  return false;
}

/* The first certificate whose issuer is not the next one, by name; -1 if there is none. */
static int out_of_order(const STACK_OF(X509) *certificates) {
  for (int index = 0; index + 1 < sk_X509_num(certificates); index++) {
    X509 *certificate = sk_X509_value(certificates, index), *next = sk_X509_value(certificates, index + 1);
    if (X509_NAME_cmp(X509_get_issuer_name(certificate), X509_get_subject_name(next)) != 0) return index;
  }
  return -1;
}

/* Whether the path has the certificates in the order they were given. */
static bool is_in_order(const inquiry *asked) {
  for (int index = 0; index + 1 < sk_X509_num(asked->path); index++)
    if (sk_X509_value(asked->path, index) != sk_X509_value(asked->certificates, index)) return false;
  return true;
}

static void check(inquiry *asked, X509_STORE_CTX *context, X509_STORE_CTX *with_lists, assayc_path_answer *answer) {
  const assayc_path_question *question = asked->question;
  for (size_t index = question->certificate_count; index > 0; index--) {
    X509 *issuer = sk_X509_value(asked->certificates, 0); /* NULL while there is none */
    if (insert(asked->certificates, read_certificate(asked->library, question->certificates[index - 1], issuer), 0))
      continue;
    answer->verdict = ASSAYC_PATH_MALFORMED;
    answer->depth = (int)(index - 1);
    return;
  }
  answer->depth = out_of_order(asked->certificates);
  if (answer->depth >= 0) {
    answer->verdict = ASSAYC_PATH_WRONG_ORDER;
    return;
  }
  asked->leaf_is_anchor = is_anchor(asked->anchors, sk_X509_value(asked->certificates, 0));
  if (!find_path(asked, context, answer)) return;
  answer->verdict = ASSAYC_PATH_FAILED;
  asked->path = X509_STORE_CTX_get0_chain(context);
  if (!find_anchor(asked, answer)) return;
  if (!is_in_order(asked)) {
    answer->verdict = ASSAYC_PATH_WRONG_ORDER;
    return;
  }
  if (question->revocation != ASSAYC_REVOCATION_NOT_CHECKED && !check_lists(asked, with_lists, answer)) return;
  answer->verdict = ASSAYC_PATH_VALID;
}

void assayc_path_check(const assayc_anchors *anchors, const assayc_path_question *question, assayc_path_answer *answer) {
  const assayci_library *library = assayci_library_get0();
  *answer = (assayc_path_answer){.verdict = library == NULL ? ASSAYC_PATH_UNAVAILABLE : ASSAYC_PATH_FAILED, .depth = -1};
  if (library == NULL || question->certificate_count < 1 || question->certificate_count > INT_MAX) return;
  ERR_set_mark();
  inquiry asked = {library, anchors, question, sk_X509_new_null(), false, NULL, MAXIMUM_TRIES, NULL};
  X509_STORE_CTX *context = X509_STORE_CTX_new_ex(library->context, NULL);
  X509_STORE_CTX *with_lists = X509_STORE_CTX_new_ex(library->context, NULL);
  if (asked.certificates != NULL && context != NULL && with_lists != NULL) check(&asked, context, with_lists, answer);
  X509_STORE_CTX_free(with_lists);
  X509_STORE_CTX_free(context);
  X509_STORE_free(asked.by_signature);
  free_certificates(asked.certificates);
  ERR_pop_to_mark();
}
