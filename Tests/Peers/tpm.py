"""Lets a software TPM certify keys, and verifies its statements with Assay's tool, as they are and altered.

tpm.py PATH-TO-ASSAY, through tpm.sh, which sees to swtpm and tpm2-pytss.
"""

import base64
import copy
import datetime
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from tpm2_pytss import (
    ESAPI,
    ESYS_TR,
    TPM2_ALG,
    TPM2_SU,
    TPM2B_PUBLIC,
    TPM2B_SENSITIVE_CREATE,
    TPMA_OBJECT,
    TPMT_SIG_SCHEME,
)

from common import assay, check, finish

RP_ID, ORIGIN = "example.com", "https://example.com"
AAGUID = bytes.fromhex("08987058cadc4b81b6e130de50dcbe96")
KEY = (
    TPMA_OBJECT.FIXEDTPM | TPMA_OBJECT.FIXEDPARENT | TPMA_OBJECT.SENSITIVEDATAORIGIN | TPMA_OBJECT.USERWITHAUTH
    | TPMA_OBJECT.SIGN_ENCRYPT)
RSA, ECC = "rsa2048:rsassa-{}:null", "ecc256:ecdsa-{}:null"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def free_ports():
    """Two ports in a row, which is where the library looks."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


class TPM:
    """A TPM, with a key of its own under which others are made."""

    def __init__(self, folder):
        port = free_ports()
        self.process = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={folder}", "--flags", "not-need-init",
             "--server", f"type=tcp,port={port},bindaddr=127.0.0.1",
             "--ctrl", f"type=tcp,port={port + 1},bindaddr=127.0.0.1"])
        self.esys = None
        deadline = time.monotonic() + 10
        while self.esys is None:
            try:
                socket.create_connection(("127.0.0.1", port + 1), 1).close()
                self.esys = ESAPI(f"swtpm:host=127.0.0.1,port={port}")
            except Exception:  # the library has types of its own
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        self.esys.startup(TPM2_SU.CLEAR)
        template = TPM2B_PUBLIC.parse(
            "ecc256:aes128cfb", objectAttributes=TPMA_OBJECT.DEFAULT_TPM2_TOOLS_CREATEPRIMARY_ATTRS)
        self.primary = self.esys.create_primary(TPM2B_SENSITIVE_CREATE(), template, ESYS_TR.OWNER)[0]

    def close(self):
        if self.esys is not None:
            self.esys.close()
        self.process.terminate()
        self.process.wait(10)

    def make(self, kind, attributes):
        template = TPM2B_PUBLIC.parse(kind, objectAttributes=attributes)
        private, public = self.esys.create(self.primary, TPM2B_SENSITIVE_CREATE(), template)[:2]
        return self.esys.load(self.primary, private, public), public

    def certify(self, key, by, extra_data):
        return self.esys.certify(key, by, extra_data, TPMT_SIG_SCHEME(scheme=TPM2_ALG.NULL))


class Authority:
    """Certifies attestation keys."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "AIK CA")])

    def certificate(self, public):
        """WebAuthn L3, 8.3.1."""
        now = datetime.datetime(2026, 1, 1)
        tpm = x509.Name([
            x509.NameAttribute(x509.ObjectIdentifier("2.23.133.2.1"), "id:49424D00"),
            x509.NameAttribute(x509.ObjectIdentifier("2.23.133.2.2"), "swtpm"),
            x509.NameAttribute(x509.ObjectIdentifier("2.23.133.2.3"), "id:20170619")])
        builder = (
            x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(self.name).public_key(public)
            .serial_number(x509.random_serial_number()).not_valid_before(now)
            .not_valid_after(now + datetime.timedelta(3650))
            .add_extension(x509.BasicConstraints(False, None), True)
            .add_extension(x509.ExtendedKeyUsage([x509.ObjectIdentifier("2.23.133.8.3")]), False)
            .add_extension(x509.SubjectAlternativeName([x509.DirectoryName(tpm)]), True))
        return builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def loaded(public):
    return serialization.load_pem_public_key(public.to_pem())


def cose_key(public):
    key = loaded(public)
    numbers = key.public_numbers()
    if isinstance(key, rsa.RSAPublicKey):
        modulus = numbers.n.to_bytes((numbers.n.bit_length() + 7) // 8, "big")
        return {1: 3, 3: -257, -1: modulus, -2: numbers.e.to_bytes(3, "big")}
    return {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}


def signature(public, signed):
    """As alg writes it (WebAuthn L3, 6.5.6)."""
    if isinstance(loaded(public), rsa.RSAPublicKey):
        return bytes(signed.signature.rsassa.sig)
    ecdsa = signed.signature.ecdsa
    return encode_dss_signature(
        int.from_bytes(bytes(ecdsa.signatureR), "big"), int.from_bytes(bytes(ecdsa.signatureS), "big"))


def register(tpm, authority, key_kind, by_kind, digest):
    """The client data and the attestation object of a registration, the latter still open."""
    by, by_public = tpm.make(by_kind.format(digest), KEY | TPMA_OBJECT.RESTRICTED)
    key, public = tpm.make(key_kind.format("sha256"), KEY)
    client_data = json.dumps({
        "type": "webauthn.create", "challenge": base64url(os.urandom(32)), "origin": ORIGIN, "crossOrigin": False,
    }).encode()
    credential = os.urandom(32)
    auth_data = (
        hashlib.sha256(RP_ID.encode()).digest() + b"\x45" + bytes(4) + AAGUID + len(credential).to_bytes(2, "big")
        + credential + cbor2.dumps(cose_key(public), canonical=True))
    to_be_signed = auth_data + hashlib.sha256(client_data).digest()
    info, signed = tpm.certify(key, by, hashlib.new(digest, to_be_signed).digest())
    alg = {"rsa": -257, "ecc": -7}[by_kind[:3]] if digest == "sha256" else -65535
    statement = {
        "ver": "2.0", "alg": alg, "x5c": [authority.certificate(loaded(by_public))],
        "sig": signature(by_public, signed), "certInfo": bytes(info.attestationData),
        "pubArea": public.publicArea.marshal()}
    for handle in (by, key):
        tpm.esys.flush_context(handle)
    return client_data, credential, {"fmt": "tpm", "attStmt": statement, "authData": auth_data}


def flipped(data, index):
    changed = bytearray(data)
    changed[index] ^= 1
    return bytes(changed)


def alterations(made):
    """The field at which each altered copy must be refused."""
    for member, index, field in (
            ("certInfo", -1, "sig"), ("sig", -1, "sig"), ("pubArea", 7, "certInfo.attested.name"),
            ("pubArea", -1, "pubArea.unique")):
        copied = copy.deepcopy(made)
        copied["attStmt"][member] = flipped(copied["attStmt"][member], index)
        yield f"{member} altered at {index}", copied, field
    copied = copy.deepcopy(made)
    copied["authData"] = flipped(copied["authData"], 36)
    yield "the counter altered", copied, "certInfo.extraData"


def ceremony(name, client_data, credential, made):
    given = json.loads(client_data)
    return {
        "name": name, "type": "create", "origin": ORIGIN, "topOrigin": None, "rpId": RP_ID,
        "challenge": given["challenge"],
        "options": {"pubKeyCredParams": [{"type": "public-key", "alg": -7}, {"type": "public-key", "alg": -257}]},
        "result": {"ok": True, "json": {
            "id": base64url(credential), "rawId": base64url(credential), "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": base64url(client_data), "attestationObject": base64url(cbor2.dumps(made))}}}}


def verify(folder, name, *parts):
    path = os.path.join(folder, "ceremony.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(ceremony(name, *parts), file)
    return assay("passkey", "verify", path)


def exchange(tpm, authority, folder):
    for key, by in ((RSA, RSA), (ECC, ECC), (ECC, RSA), (RSA, ECC)):
        name = f"{key[:3]} key certified by {by[:3]}"
        client_data, credential, made = register(tpm, authority, key, by, "sha256")
        run = verify(folder, name, client_data, credential, made)
        check(f"{name}: we register it", run.returncode == 0 and "tpm" in run.stdout, run.stdout + run.stderr)
        for change, altered, field in alterations(made):
            run = verify(folder, name, client_data, credential, altered)
            refused = run.returncode == 1 and f"step 22, {field}: " in run.stderr
            check(f"{name}: we refuse it, {change}", refused, run.stdout + run.stderr)
    client_data, credential, made = register(tpm, authority, ECC, RSA, "sha1")
    run = verify(folder, "SHA-1", client_data, credential, made)
    refused = run.returncode == 1 and "step 22, alg: " in run.stderr
    check("SHA-1: we refuse it unless it is allowed", refused, run.stdout + run.stderr)


with tempfile.TemporaryDirectory() as folder:
    tpm = TPM(folder)
    try:
        exchange(tpm, Authority(), folder)
    finally:
        tpm.close()
finish("TPM", 25)
