"""Exchanges keys and tokens between Assay's tool and PyJWT, joserfc and Authlib, both ways: tokens.py PATH-TO-ASSAY

Each key is made by us or by them, in every form they have for it. With each, ours signs and every peer verifies, every
peer signs and ours verifies; and each token is refused, as one with a bad signature, after a change.
"""

import base64
import datetime
import json
import os
import sys
import tempfile
import warnings

import joserfc.errors
import jwt
from authlib.deprecate import AuthlibDeprecationWarning
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from joserfc import jwk as joserfc_jwk
from joserfc import jwt as joserfc_jwt
from joserfc.jws import JWSRegistry
from jwt.algorithms import get_default_algorithms

from common import assay, check, finish, output

# joserfc and Authlib warn of names and modules that are to be replaced; what people run is still those.
warnings.simplefilter("ignore")
warnings.simplefilter("ignore", AuthlibDeprecationWarning)  # Authlib has a filter of its own for these
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.jose import errors as authlib_errors

# Which peer has which algorithm. A "no" is tested as well: a peer that learns an algorithm makes this table wrong.
TABLE = """
alg     key        PyJWT  joserfc  Authlib
HS256   secret     yes    yes      yes
HS384   secret     yes    yes      yes
HS512   secret     yes    yes      yes
RS256   RSA        yes    yes      yes
RS384   RSA        yes    yes      yes
RS512   RSA        yes    yes      yes
PS256   RSA        yes    yes      yes
PS384   RSA        yes    yes      yes
PS512   RSA        yes    yes      yes
ES256   P-256      yes    yes      yes
ES384   P-384      yes    yes      yes
ES512   P-521      yes    yes      yes
ES256K  secp256k1  yes    yes      yes
EdDSA   Ed25519    yes    yes      yes
EdDSA   Ed448      yes    yes      yes
Ed25519 Ed25519    no     yes      no
Ed448   Ed448      no     yes      no
"""
# What `TABLE` and the forms of the keys amount to. It changes only with them.
CHECKS = 2205

ISSUER, AUDIENCE, NOW = "https://id.example", "api", 1_767_225_600
CLAIMS = {
    "iss": ISSUER, "sub": "zo\u00eb \U0001f511", "aud": AUDIENCE, "iat": NOW, "exp": NOW + 3600,
    "nested": {"list": [1, -2, 0.5, True, None]},
}


class PyJWT:
    bad_signature = jwt.InvalidSignatureError
    unsupported = (NotImplementedError, jwt.InvalidAlgorithmError, jwt.PyJWKError)
    # It reads the clock itself; what it is asked here is whether the signature and the form are right.
    any_time = {"verify_exp": False, "verify_iat": False, "verify_nbf": False}

    @staticmethod
    def key(alg, text):
        """A JWK has to be read for it; a PEM it reads itself."""
        return jwt.PyJWK.from_json(text, algorithm=alg).key if text.startswith("{") else text

    def sign(self, alg, text):
        return jwt.encode(CLAIMS, self.key(alg, text), algorithm=alg)

    def verify(self, alg, text, token):
        return jwt.decode(
            token, self.key(alg, text), algorithms=[alg], audience=AUDIENCE, issuer=ISSUER, options=self.any_time)

    def jwk(self, pair, private):
        kind = "HS256" if pair.kty == "oct" else {"RSA": "RS256", "EC": "ES256", "OKP": "EdDSA"}[pair.kty]
        return get_default_algorithms()[kind].to_jwk(pair.key if private else pair.public)


class Joserfc:
    bad_signature = joserfc.errors.BadSignatureError
    unsupported = joserfc.errors.UnsupportedAlgorithmError

    @staticmethod
    def key(text):
        if text.startswith("{"):
            return joserfc_jwk.import_key(json.loads(text))
        return joserfc_jwk.import_key(text, kind_of(text))

    def sign(self, alg, text):
        return joserfc_jwt.encode({"alg": alg}, CLAIMS, self.key(text), algorithms=[alg])

    def verify(self, alg, text, token):
        registry = JWSRegistry(algorithms=[alg])
        registry.max_header_length = 1 << 14  # certificates do not fit into the 512 bytes that it reads unless told
        return joserfc_jwt.decode(token, self.key(text), registry=registry).claims

    def jwk(self, pair, private):
        return json.dumps(joserfc_jwk.import_key(pair.raw(private), pair.kty).as_dict(private=private))


class Authlib:
    bad_signature = authlib_errors.BadSignatureError
    unsupported = authlib_errors.UnsupportedAlgorithmError

    @staticmethod
    def key(text):
        if text.startswith("{"):
            return JsonWebKey.import_key(json.loads(text))
        return JsonWebKey.import_key(text, {"kty": kind_of(text)})

    def sign(self, alg, text):
        return JsonWebToken([alg]).encode({"alg": alg}, CLAIMS, self.key(text)).decode()

    def verify(self, alg, text, token):
        return dict(JsonWebToken([alg]).decode(token, self.key(text)))

    def jwk(self, pair, private):
        return json.dumps(JsonWebKey.import_key(pair.raw(private), {"kty": pair.kty}).as_dict(is_private=private))


PEERS = {"PyJWT": PyJWT(), "joserfc": Joserfc(), "Authlib": Authlib()}


def kind_of(pem):
    """The kty of a PEM, which joserfc and Authlib have to be told."""
    data = pem.encode()
    if "PRIVATE" in pem:
        key = serialization.load_pem_private_key(data, None)
    else:
        key = serialization.load_pem_public_key(data)
    if isinstance(key, (rsa.RSAPrivateKey, rsa.RSAPublicKey)):
        return "RSA"
    return "EC" if isinstance(key, (ec.EllipticCurvePrivateKey, ec.EllipticCurvePublicKey)) else "OKP"


class Secret:
    """A shared secret of theirs, as long as the digest."""

    kty, pem_forms = "oct", {}

    def __init__(self, alg):
        self.key = self.public = os.urandom(int(alg[2:]) // 8)

    def raw(self, private):
        return self.key


class Pair:
    """A key pair of theirs."""

    GENERATE = {
        "RSA": lambda: rsa.generate_private_key(65537, 2048),
        "P-256": lambda: ec.generate_private_key(ec.SECP256R1()),
        "P-384": lambda: ec.generate_private_key(ec.SECP384R1()),
        "P-521": lambda: ec.generate_private_key(ec.SECP521R1()),
        "secp256k1": lambda: ec.generate_private_key(ec.SECP256K1()),
        "Ed25519": ed25519.Ed25519PrivateKey.generate,
        "Ed448": ed448.Ed448PrivateKey.generate,
    }

    def __init__(self, kind, key=None):
        self.key = key or self.GENERATE[kind]()
        self.public = self.key.public_key()
        private, public = serialization.PrivateFormat, serialization.PublicFormat
        self.pem_forms = {"PKCS8": (private.PKCS8, public.SubjectPublicKeyInfo)}
        if kind == "RSA":
            self.kty = "RSA"
            self.pem_forms["PKCS1"] = (private.TraditionalOpenSSL, public.PKCS1)
        elif kind.startswith("Ed"):
            self.kty = "OKP"
        else:
            self.kty = "EC"
            self.pem_forms["SEC1"] = (private.TraditionalOpenSSL, public.SubjectPublicKeyInfo)

    def private_pem(self, form):
        return self.key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()

    def public_pem(self, form):
        return self.public.public_bytes(serialization.Encoding.PEM, form).decode()

    def raw(self, private):
        if private:
            return self.private_pem(serialization.PrivateFormat.PKCS8)
        return self.public_pem(serialization.PublicFormat.SubjectPublicKeyInfo)


def written(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def our_keys(alg, kind, folder):
    """Keys that we make: a name, and the files of the private and the public key."""
    private = os.path.join(folder, "ours-private")
    made = "Ed448" if kind == "Ed448" else alg  # EdDSA makes an Ed25519 key
    jwk = output(f"{alg} {kind}: we make a key", "key", "generate", "--alg", made, "--out", private)
    if kind == "secret":
        return {"our JWK": (private, private)}
    public = written(folder, "ours-public", jwk or "")
    pem, public_pem = f"{private}.pem", f"{public}.pem"
    output(f"{alg} {kind}: its PEM", "key", "convert", "--to", "pem", "--private", "--out", pem, private)
    output(f"{alg} {kind}: its public PEM", "key", "convert", "--to", "pem", "--out", public_pem, public)
    if made != alg:
        renamed = ("key", "convert", "--to", "jwk", "--alg", alg, "--force", "--out")
        output(f"{alg} {kind}: its JWK", *renamed, private, "--private", pem)
        output(f"{alg} {kind}: its public JWK", *renamed, public, public_pem)
    return {"our JWK": (private, public), "our PEM": (pem, public_pem)}


def their_keys(alg, kind, folder):
    """Keys that they make, as each of them writes them."""
    pair = Secret(alg) if kind == "secret" else Pair(kind)
    texts = {f"JWK of {name}": (peer.jwk(pair, True), peer.jwk(pair, False)) for name, peer in PEERS.items()}
    if pair.kty == "EC":
        del texts["JWK of Authlib"]  # see `short_members`
    for name, (private, public) in pair.pem_forms.items():
        texts[f"{name} PEM of theirs"] = (pair.private_pem(private), pair.public_pem(public))
    files = {}
    for name, (private, public) in texts.items():
        if kind == "secret":
            public = private
        files[name] = tuple(
            written(folder, f"theirs-{len(files)}-{half}", text)
            for half, text in (("private", private), ("public", public)))
    return files


def altered(token):
    """The token with one bit of its signature changed, and with another subject."""
    def encode(raw):
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    header, payload, signature = token.split(".")
    raw = bytearray(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
    raw[len(raw) // 2] ^= 1
    other = json.dumps(CLAIMS | {"sub": "mallory"}, separators=(",", ":")).encode()
    return {
        "with another signature": f"{header}.{payload}.{encode(raw)}",
        "with another subject": f"{header}.{encode(other)}.{signature}",
    }


def raised(function, *arguments):
    """What a library raises, each exceptions of its own, or what it returns."""
    try:
        return function(*arguments)
    except Exception as error:  # many unrelated types
        return error


def we_verify(alg, file, token):
    return assay(
        "jwt", "verify", "--alg", alg, "--key", file, "--issuer", ISSUER, "--audience", AUDIENCE, "--at", str(NOW + 10),
        token)


def lacks(name, peer, alg, private, public, ours):
    """The peer has no such algorithm: it says so, and nothing else goes wrong."""
    for what, result in (
        ("sign", raised(peer.sign, alg, private)), ("verify", raised(peer.verify, alg, public, ours)),
    ):
        check(f"{name}: the table says that it cannot {what}", isinstance(result, peer.unsupported), repr(result))


def crosses(name, peer, alg, private, public_file, ours):
    """One token of ours to the peer and one of the peer's to us, and changed copies of both."""
    public = read(public_file)
    verdict = raised(peer.verify, alg, public, ours)
    check(f"{name} verifies ours", verdict == CLAIMS, repr(verdict))
    for change, copy in altered(ours).items():
        verdict = raised(peer.verify, alg, public, copy)
        check(f"{name} refuses ours {change}", isinstance(verdict, peer.bad_signature), repr(verdict))

    theirs = raised(peer.sign, alg, private)
    check(f"{name} signs", isinstance(theirs, str), repr(theirs))
    if not isinstance(theirs, str):
        return
    run = we_verify(alg, public_file, theirs)
    check(f"{name}: we verify its token", run.returncode == 0, f"exit {run.returncode}: {run.stderr}")
    for change, copy in altered(theirs).items():
        run = we_verify(alg, public_file, copy)
        refused = run.returncode == 1 and "step 6, signature" in run.stderr
        check(f"{name}: we refuse its token {change}", refused, f"exit {run.returncode}: {run.stdout}{run.stderr}")


def exchange(alg, kind, has, folder):
    for source, (private_file, public_file) in (our_keys(alg, kind, folder) | their_keys(alg, kind, folder)).items():
        name = f"{alg} {kind}, {source}"
        ours = output(
            f"{name}: we sign", "jwt", "sign", "--alg", alg, "--key", private_file, "--claims", json.dumps(CLAIMS))
        if ours is None:
            continue
        private = read(private_file)
        for peer, yes in has.items():
            if yes:
                crosses(f"{name}: {peer}", PEERS[peer], alg, private, public_file, ours)
            else:
                lacks(f"{name}: {peer}", PEERS[peer], alg, private, read(public_file), ours)


def short_members(folder):
    """Authlib leaves out leading zeros of x, y and d, which RFC 7518, 6.2.1.2 and 6.2.2.1 forbid: it is refused."""
    pair = Pair("P-521", ec.derive_private_key(1, ec.SECP521R1()))  # the x of its generator begins with a zero
    file = written(folder, "short", PEERS["Authlib"].jwk(pair, private=False))
    run = assay("key", "inspect", file)
    check("a JWK of Authlib without leading zeros: we refuse it",
          run.returncode == 1 and "x has the wrong length: 65 bytes" in run.stderr, run.stdout + run.stderr)
    for peer in ("PyJWT", "joserfc"):
        file = written(folder, peer, PEERS[peer].jwk(pair, private=True))
        output(f"a JWK of {peer} with leading zeros: we read it", "key", "inspect", file)


def certificate(name, key, issuer=None, issuer_key=None):
    """A certificate for `key`, by itself unless someone issues it."""
    def named(text):
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    begin = datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc) - datetime.timedelta(days=1)
    builder = x509.CertificateBuilder(
        issuer_name=issuer.subject if issuer else named(name), subject_name=named(name), public_key=key.public_key(),
        serial_number=x509.random_serial_number(), not_valid_before=begin,
        not_valid_after=begin + datetime.timedelta(days=30))
    builder = builder.add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    return builder.sign(issuer_key or key, hashes.SHA256())


def signers(folder):
    """Tokens whose signer is known by a certificate in the header: theirs to us, ours to them."""
    pem, der = serialization.Encoding.PEM, serialization.Encoding.DER
    pairs = {name: Pair(kind) for name, kind in (("root", "P-384"), ("other", "P-256"), ("ES256", "P-256"), ("RS256", "RSA"))}
    root = certificate("root.example", pairs["root"].key)
    written(folder, "root", root.public_bytes(pem).decode())
    written(folder, "other", certificate("root.example", pairs["other"].key).public_bytes(pem).decode())

    def verify(token, roots="root", signer="dns:signer.example"):
        return assay(
            "jwt", "verify", "--roots", os.path.join(folder, roots), "--signer", signer, "--issuer", ISSUER, "--audience",
            AUDIENCE, "--at", str(NOW + 10), token)

    for alg in ("ES256", "RS256"):
        private = pairs[alg].raw(True)
        leaf = certificate("signer.example", pairs[alg].key, root, pairs["root"].key)
        headers = {
            "alg": alg, "x5c": [base64.b64encode(leaf.public_bytes(der)).decode()],
            "x5t#S256": base64.urlsafe_b64encode(leaf.fingerprint(hashes.SHA256())).rstrip(b"=").decode(),
        }
        theirs = {
            "PyJWT": raised(lambda: jwt.encode(CLAIMS, private, algorithm=alg, headers=headers)),
            "joserfc": raised(lambda: joserfc_jwt.encode(headers, CLAIMS, Joserfc.key(private), algorithms=[alg])),
            "Authlib": raised(lambda: JsonWebToken([alg]).encode(headers, CLAIMS, Authlib.key(private)).decode()),
        }
        for peer, token in theirs.items():
            name = f"{alg} x5c: {peer}"
            run = verify(str(token))
            check(f"{name}: we verify its token", run.returncode == 0, f"{token!r}: {run.stderr}")
            for why, run in {
                "root": verify(str(token), roots="other"), "name": verify(str(token), signer="dns:other.example"),
            }.items():
                check(f"{name}: we refuse it under another {why}",
                      run.returncode == 1 and "step 5, key" in run.stderr, run.stdout + run.stderr)

        key_file = written(folder, f"{alg}.key", private)
        chain = written(folder, f"{alg}.pem", leaf.public_bytes(pem).decode())
        ours = output(
            f"{alg} x5c: we sign", "jwt", "sign", "--alg", alg, "--key", key_file, "--x5c", chain, "--claims",
            json.dumps(CLAIMS)) or ""
        brought = raised(
            lambda: x509.load_der_x509_certificate(base64.b64decode(jwt.get_unverified_header(ours)["x5c"][0])))
        check(f"{alg} x5c: ours brings the certificate", brought == leaf, repr(brought))
        for name, peer in PEERS.items():
            verdict = raised(peer.verify, alg, pairs[alg].raw(False), ours)
            check(f"{alg} x5c: {name} verifies ours", verdict == CLAIMS, repr(verdict))


def product():
    """The algorithms that the tool has, in its own words."""
    said = assay("key", "generate", "--out", "-").stderr
    return set(said.partition("one of ")[2].partition(" (")[0].split(", "))


heading, *rows = (line.split() for line in TABLE.strip().splitlines())
check("the table names every algorithm of the product", product() == {row[0] for row in rows}, product())
check("the table names every peer", heading[2:] == list(PEERS), heading)
cells = [cell for row in rows for cell in row[2:]]
check("every cell is yes or no", len(cells) == len(rows) * len(PEERS) and set(cells) <= {"yes", "no"}, cells)
for alg, kind, *cells in rows:
    with tempfile.TemporaryDirectory() as scratch:
        exchange(alg, kind, {peer: cell == "yes" for peer, cell in zip(PEERS, cells)}, scratch)
with tempfile.TemporaryDirectory() as scratch:
    short_members(scratch)
with tempfile.TemporaryDirectory() as scratch:
    signers(scratch)

print(TABLE.strip())
finish("tokens", CHECKS)
