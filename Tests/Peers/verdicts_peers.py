"""What py_webauthn and python-fido2 say of a ceremony: their own verifiers, given what the relying party put in.

Only the ceremony and its attestation statement are judged, not the path to a root. python-fido2 has no root then;
py_webauthn has roots built in, which it holds certificates against at this machine's time, so that step of its is taken
out. The other clock it reads is SafetyNet's: it is set to a second after the statement was made.
"""

import sys
import types
from dataclasses import dataclass

import webauthn
from fido2 import cbor
from fido2.attestation import Attestation
from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import AttestationObject, AttestedCredentialData
from OpenSSL import crypto
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import AttestationFormat

FORMATS = "webauthn.registration.formats."
for name, module in list(sys.modules.items()):
    if name.startswith(FORMATS) and hasattr(module, "validate_certificate_chain"):
        module.validate_certificate_chain = lambda **_: True
SAFETYNET_CLOCK = sys.modules["webauthn.helpers.verify_safetynet_timestamp"]


@dataclass
class Ceremony:
    """The inputs of a relying party, and the answer."""

    is_registration: bool
    answer: dict
    rp_id: str
    origin: str
    challenge: str
    requires_user_verification: bool = False
    is_conditional: bool = False
    algorithms: list | None = None
    public_key: bytes = b""  # a COSE_Key
    sign_count: int = 0
    time: float | None = None


def cose_key(credential):
    """The public key as it stands in attested credential data: behind the AAGUID, a length and the id."""
    return bytes(credential)[18 + len(credential.credential_id):]


def verdict(function, ceremony):
    """None where a library accepts, else why it does not; each raises exceptions of its own."""
    try:
        function(ceremony)
        return None
    except Exception as error:  # many unrelated types
        return f"{type(error).__name__}: {error}"


def stated_root(answer):
    """What py_webauthn takes for a root of android-key: it wants the last certificate to be among those given."""
    made = AttestationObject(websafe_decode(answer["response"]["attestationObject"]))
    last = crypto.load_certificate(crypto.FILETYPE_ASN1, made.att_stmt["x5c"][-1])
    return crypto.dump_certificate(crypto.FILETYPE_PEM, last)


def py_webauthn(ceremony):
    given = {
        "credential": ceremony.answer, "expected_challenge": websafe_decode(ceremony.challenge),
        "expected_rp_id": ceremony.rp_id, "expected_origin": ceremony.origin,
        "require_user_verification": ceremony.requires_user_verification,
    }
    if not ceremony.is_registration:
        webauthn.verify_authentication_response(
            credential_public_key=ceremony.public_key, credential_current_sign_count=ceremony.sign_count, **given)
        return
    try:
        roots = {AttestationFormat.ANDROID_KEY: [stated_root(ceremony.answer)]}
    except Exception:  # no such statement
        roots = None
    if ceremony.time is not None:
        SAFETYNET_CLOCK.time = types.SimpleNamespace(time=lambda: ceremony.time)
    webauthn.verify_registration_response(
        require_user_presence=not ceremony.is_conditional, pem_root_certs_bytes_by_fmt=roots,
        supported_pub_key_algs=ceremony.algorithms or list(COSEAlgorithmIdentifier), **given)


def verify_statement(made, digest):
    Attestation.for_type(made.fmt)().verify(made.att_stmt, made.auth_data, digest)


def python_fido2(ceremony):
    server = Fido2Server(
        {"id": ceremony.rp_id, "name": "x"}, attestation="direct", verify_origin=lambda it: it == ceremony.origin,
        verify_attestation=verify_statement)
    verification = "required" if ceremony.requires_user_verification else None
    state = {"challenge": ceremony.challenge, "user_verification": verification}
    if ceremony.is_registration:
        server.register_complete(state, ceremony.answer)
        return
    key = CoseKey.parse(cbor.decode(ceremony.public_key))
    known = AttestedCredentialData.create(bytes(16), websafe_decode(ceremony.answer["id"]), key)
    server.authenticate_complete(state, [known], ceremony.answer)


PEERS = {"py_webauthn": py_webauthn, "python-fido2": python_fido2}
