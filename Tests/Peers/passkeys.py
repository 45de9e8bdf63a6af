"""Exchanges passkey ceremonies between Assay's tool and the classes of python-fido2 and py_webauthn.

Theirs read the options we make; ours verifies what an authenticator answers that is put together from theirs, and so does
py_webauthn. passkeys.py PATH-TO-ASSAY
"""

import datetime
import hashlib
import json
import os
import tempfile

import webauthn
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from fido2 import cose
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialCreationOptions,
    PublicKeyCredentialRequestOptions,
    RegistrationResponse,
)
from webauthn.helpers import parse_authentication_options_json, parse_registration_options_json

from common import assay, check, finish
from verdicts_peers import cose_key

RP_ID, ORIGIN, NOW = "example.com", "https://example.com", 1_790_000_000


def accepts(function, *arguments, **named):
    """Whether a library accepts; each raises exceptions of its own."""
    try:
        return function(*arguments, **named) or True
    except Exception as error:  # many unrelated types
        return error


class Credential:
    """An authenticator's key, with the way it signs; `kind` is python-fido2's class for it."""

    def __init__(self, kind, private, sign):
        self.private, self.sign = private, sign
        self.cose = kind.from_cryptography_key(private.public_key())
        self.id = os.urandom(32)


def ecdsa():
    key = ec.generate_private_key(ec.SECP256R1())
    return Credential(cose.ES256, key, lambda message: key.sign(message, ec.ECDSA(hashes.SHA256())))


def eddsa():
    key = ed25519.Ed25519PrivateKey.generate()
    return Credential(cose.EdDSA, key, key.sign)


def pkcs1():
    key = rsa.generate_private_key(65537, 2048)
    return Credential(cose.RS256, key, lambda message: key.sign(message, padding.PKCS1v15(), hashes.SHA256()))


def certificate(key, aaguid):
    """An attestation certificate as WebAuthn L3, 8.2.1 wants it."""
    oid = x509.NameOID
    name = x509.Name([
        x509.NameAttribute(oid.COUNTRY_NAME, "SE"), x509.NameAttribute(oid.ORGANIZATION_NAME, "Peers"),
        x509.NameAttribute(oid.ORGANIZATIONAL_UNIT_NAME, "Authenticator Attestation"),
        x509.NameAttribute(oid.COMMON_NAME, "Test"),
    ])
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(start).not_valid_after(start + datetime.timedelta(days=3650))
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(
        x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.45724.1.1.4"), b"\x04\x10" + aaguid),
        critical=False)
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


AAGUID = bytes(range(16))
FLAGS = AuthenticatorData.FLAG
RP_ID_HASH = hashlib.sha256(RP_ID.encode()).digest()
READERS = {
    "registration": {
        "python-fido2": PublicKeyCredentialCreationOptions.from_dict, "py_webauthn": parse_registration_options_json,
    },
    "sign-in": {
        "python-fido2": PublicKeyCredentialRequestOptions.from_dict, "py_webauthn": parse_authentication_options_json,
    },
}


def statement(fmt, credential, auth_data, digest):
    """An attestation statement of each kind."""
    message = auth_data + digest
    if fmt == "none":
        return "none", {}
    if fmt == "packed, its own":
        return "packed", {"alg": credential.cose[3], "sig": credential.sign(message)}
    key = ec.generate_private_key(ec.SECP256R1())
    chain = [certificate(key, AAGUID)]
    if fmt == "fido-u2f":
        public = b"\x04" + credential.cose[-2] + credential.cose[-3]
        message = b"\0" + auth_data.rp_id_hash + digest + credential.id + public
        return fmt, {"sig": key.sign(message, ec.ECDSA(hashes.SHA256())), "x5c": chain}
    return "packed", {"alg": -7, "sig": key.sign(message, ec.ECDSA(hashes.SHA256())), "x5c": chain}


def written(folder, name, value):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(value, stream)
    return path


def flipped(raw):
    """The same bytes but for their last bit."""
    return raw[:-1] + bytes([raw[-1] ^ 1])


def begin(name, kind, *arguments):
    """Options of ours, which both libraries must be able to read."""
    run = assay("passkey", "begin", kind, *arguments)
    check(f"{name}: a {kind} begins", run.returncode == 0, run.stderr)
    options = json.loads(run.stdout)
    for peer, read in READERS[kind].items():
        made = accepts(read, options)
        check(f"{name}: {peer} reads our options for a {kind}", not isinstance(made, Exception), repr(made))
    return options


def refused(name, step, *arguments):
    run = assay(*arguments)
    check(f"{name}: we refuse it at {step}", run.returncode == 1 and step in run.stderr, run.stdout + run.stderr)


def expected(options):
    return {
        "expected_rp_id": RP_ID, "expected_origin": ORIGIN, "require_user_verification": True,
        "expected_challenge": websafe_decode(options["challenge"]),
    }


def ceremony(name, credential, fmt, folder):
    """Registers and signs in: options from us, answers from their classes, verdicts from us and from them."""
    at = ("--at", str(NOW), "--rp-id", RP_ID, "--state", os.path.join(folder, "state"), "--force")
    record = os.path.join(folder, "credential")
    options = begin(name, "registration", "--attestation", "direct", *at)
    client_data = CollectedClientData.create(CollectedClientData.TYPE.CREATE, options["challenge"], ORIGIN)
    attested = AttestedCredentialData.create(AAGUID, credential.id, credential.cose)
    auth_data = AuthenticatorData.create(RP_ID_HASH, FLAGS.UP | FLAGS.UV | FLAGS.AT, 1, attested)
    identifier, made = statement(fmt, credential, auth_data, client_data.hash)

    def registration(att_stmt):
        made = AttestationObject.create(identifier, auth_data, att_stmt)
        response = AuthenticatorAttestationResponse(client_data=client_data, attestation_object=made)
        return dict(RegistrationResponse(raw_id=credential.id, response=response))

    finish = ("passkey", "finish", "--out", record, *at)
    if made:
        altered = registration({**made, "sig": flipped(made["sig"])})
        refused(f"{name}, altered", "7.1 step 22", *finish, written(folder, "answer", altered))
    answer = registration(made)
    run = assay(*finish, written(folder, "answer", answer))
    check(f"{name}: we register it", run.returncode == 0, run.stderr)
    if fmt != "fido-u2f":  # py_webauthn wants an AAGUID of zeros there
        theirs = accepts(webauthn.verify_registration_response, credential=answer, **expected(options))
        check(f"{name}: py_webauthn registers it", not isinstance(theirs, Exception), repr(theirs))

    handle = websafe_decode(options["user"]["id"])
    for count, chosen in ((2, ("--credential", record)), (3, ())):
        options = begin(name, "sign-in", *chosen, *at)
        client_data = CollectedClientData.create(CollectedClientData.TYPE.GET, options["challenge"], ORIGIN)
        auth_data = AuthenticatorData.create(RP_ID_HASH, FLAGS.UP | FLAGS.UV, count)
        signature = credential.sign(auth_data + client_data.hash)

        def sign_in(signature):
            response = AuthenticatorAssertionResponse(
                client_data=client_data, authenticator_data=auth_data, signature=signature, user_handle=handle)
            return dict(AuthenticationResponse(raw_id=credential.id, response=response))

        finish = ("passkey", "finish", "--credential", record, "--out", record, *at)
        refused(f"{name}, altered", "7.2 step 21", *finish, written(folder, "answer", sign_in(flipped(signature))))
        answer = sign_in(signature)
        run = assay(*finish, written(folder, "answer", answer))
        check(f"{name}: we sign it in", run.returncode == 0, run.stderr)
        refused(f"{name}, again", "7.2 step 22", *finish, written(folder, "answer", answer))
        theirs = accepts(
            webauthn.verify_authentication_response, credential=answer, credential_current_sign_count=0,
            credential_public_key=cose_key(attested), **expected(options))
        check(f"{name}: py_webauthn signs it in", not isinstance(theirs, Exception), repr(theirs))


for maker in (ecdsa, eddsa, pkcs1):
    for kind in ("none", "packed, its own", "packed", "fido-u2f"):
        if kind == "fido-u2f" and maker is not ecdsa:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            ceremony(f"{maker.__name__} {kind}", maker(), kind, scratch)

finish("passkeys")
