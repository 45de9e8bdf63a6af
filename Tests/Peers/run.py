"""Exchanges tokens, keys and codes between Assay's tool and PyJWT, joserfc, pyotp and oathtool, both ways."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

import jwt
import pyotp
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey, OKPKey, RSAKey
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

TOOL = os.path.abspath(sys.argv[1])
ISSUER, AUDIENCE, NOW = "https://id.example", "api", 1_767_225_600
CLAIMS = {
    "iss": ISSUER, "sub": "zo\u00eb \U0001f511", "aud": AUDIENCE, "iat": NOW, "exp": NOW + 3600,
    "nested": {"list": [1, -2, 0.5, True, None]},
}
# PyJWT reads the clock itself; what it is asked here is whether the signature and the form are right.
ANY_TIME = {"verify_exp": False, "verify_iat": False, "verify_nbf": False}

# joserfc warns that the name EdDSA is to be replaced (RFC 9864); it is the name everyone still signs with.
warnings.simplefilter("ignore")

passed = failed = skipped = 0


def check(name, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}")


def skip(name, why):
    global skipped
    skipped += 1
    print(f"skipped {name}: {why}")


def assay(*arguments):
    return subprocess.run(
        [TOOL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )


def output(name, *arguments):
    """What the tool prints, or None after a failed check."""
    run = assay(*arguments)
    check(name, run.returncode == 0, f"exit {run.returncode}: {run.stderr.strip()}")
    return run.stdout.strip() if run.returncode == 0 else None


class Family:
    """One algorithm, and how the others spell its keys."""

    def __init__(self, alg, generate, pyjwt, joserfc, private_forms):
        self.alg, self.generate, self.pyjwt, self.joserfc = alg, generate, pyjwt, joserfc
        self.private_forms = private_forms

    def jwk(self, key):
        return json.loads(self.pyjwt.to_jwk(key))


PKCS8 = {"PKCS8": serialization.PrivateFormat.PKCS8}
SEC1 = {"SEC1": serialization.PrivateFormat.TraditionalOpenSSL}
PKCS1 = {"PKCS1": serialization.PrivateFormat.TraditionalOpenSSL}
FAMILIES = [
    Family("ES256", lambda: ec.generate_private_key(ec.SECP256R1()), ECAlgorithm, ECKey, PKCS8 | SEC1),
    Family("RS256", lambda: rsa.generate_private_key(65537, 2048), RSAAlgorithm, RSAKey, PKCS8 | PKCS1),
    Family("EdDSA", ed25519.Ed25519PrivateKey.generate, OKPAlgorithm, OKPKey, PKCS8),
]


def private_pem(key, form):
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


def public_pem(key):
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    ).decode()


def altered(token):
    """The token with one bit of its signature changed."""
    head, signature = token.rsplit(".", 1)
    raw = bytearray(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
    raw[len(raw) // 2] ^= 1
    return head + "." + base64.urlsafe_b64encode(bytes(raw)).rstrip(b"=").decode()


def others_verify(name, family, token, public_key, jwk):
    """PyJWT and joserfc read a token of ours, each with the public key in its own way."""
    try:
        claims = jwt.decode(
            token, public_key, algorithms=[family.alg], audience=AUDIENCE, issuer=ISSUER, options=ANY_TIME
        )
        check(f"{name}: PyJWT verifies it", claims == CLAIMS, claims)
    except jwt.PyJWTError as error:
        check(f"{name}: PyJWT verifies it", False, repr(error))
    try:
        decoded = joserfc_jwt.decode(token, family.joserfc.import_key(jwk), algorithms=[family.alg])
        check(f"{name}: joserfc verifies it", decoded.claims == CLAIMS, decoded.claims)
    except Exception as error:  # joserfc raises several unrelated types
        check(f"{name}: joserfc verifies it", False, repr(error))


def we_verify(name, token, key_file):
    arguments = ["jwt", "verify", "--key", key_file, "--issuer", ISSUER, "--audience", AUDIENCE, "--at", str(NOW + 10)]
    output(f"{name}: we verify it", *arguments, token)
    run = assay(*arguments, altered(token))
    check(f"{name}: we refuse it altered", run.returncode == 1, f"exit {run.returncode}: {run.stdout}{run.stderr}")


def ours_to_others(family, folder):
    """Keys we generate, tokens we sign."""
    for form in ("jwk", "pem"):
        name = f"{family.alg} key of ours as {form}"
        file = os.path.join(folder, f"ours-{family.alg}.{form}")
        made = output(f"{name}: generated", "key", "generate", "--alg", family.alg, "--format", form, "--out", file)
        if made is None:
            continue
        output(f"{name}: inspected", "key", "inspect", file)
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
        if form == "jwk":
            key = family.pyjwt.from_jwk(text)
        else:
            key = serialization.load_pem_private_key(text.encode(), None)
        token = output(f"{name}: signs", "jwt", "sign", "--key", file, "--claims", json.dumps(CLAIMS))
        if token is not None:
            others_verify(name, family, token, key.public_key(), family.jwk(key.public_key()))


def others_to_ours(family, folder):
    """Keys they generate, in each form; tokens both sign with them."""
    key = family.generate()
    jwk = family.jwk(key.public_key())
    public_files, private_files = {}, {}
    for label, text in {"JWK": json.dumps(jwk), "SPKI PEM": public_pem(key)}.items():
        public_files[label] = os.path.join(folder, f"theirs-{family.alg}-public-{len(public_files)}")
        with open(public_files[label], "w", encoding="utf-8") as stream:
            stream.write(text)
    private_texts = {f"{name} PEM": private_pem(key, form) for name, form in family.private_forms.items()}
    private_texts["JWK"] = json.dumps(family.jwk(key))
    for label, text in private_texts.items():
        private_files[label] = os.path.join(folder, f"theirs-{family.alg}-private-{len(private_files)}")
        with open(private_files[label], "w", encoding="utf-8") as stream:
            stream.write(text)

    tokens = {
        "PyJWT": jwt.encode(CLAIMS, key, algorithm=family.alg),
        "joserfc": joserfc_jwt.encode(
            {"alg": family.alg}, CLAIMS, family.joserfc.import_key(family.jwk(key)), algorithms=[family.alg]
        ),
    }
    for peer, token in tokens.items():
        for label, file in public_files.items():
            we_verify(f"{family.alg} token of {peer}, key as {label}", token, file)
    for label, file in private_files.items():
        name = f"{family.alg} key of theirs as {label}"
        token = output(f"{name}: signs", "jwt", "sign", "--key", file, "--claims", json.dumps(CLAIMS))
        if token is not None:
            others_verify(name, family, token, key.public_key(), jwk)


def codes():
    secret = base64.b32encode(bytes(range(1, 21))).decode()
    oathtool = shutil.which("oathtool")
    if oathtool is None:
        skip("codes of oathtool", "it is not installed")
    for at in (0, 59, NOW, NOW + 29, 2_000_000_000, 20_000_000_000):
        theirs = {"pyotp": pyotp.TOTP(secret).at(at)}
        if oathtool is not None:
            theirs["oathtool"] = subprocess.run(
                [oathtool, "--totp", "--base32", f"--now=@{at}", secret],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
            ).stdout.strip()
        ours = output(f"code at {at}", "otp", "code", "--secret", secret, "--at", str(at))
        for peer, code in theirs.items():
            check(f"code at {at}: {peer} makes the same", ours == code, f"{ours} {code}")
            output(f"code at {at}: we accept that of {peer}",
                   "otp", "verify", "--secret", secret, "--at", str(at), code)
        if ours is not None:
            check(f"code at {at}: pyotp accepts ours", pyotp.TOTP(secret).verify(ours, for_time=at))
            wrong = f"{(int(ours) + 1) % 1_000_000:06}"
            run = assay("otp", "verify", "--secret", secret, "--at", str(at), wrong)
            near = {pyotp.TOTP(secret).at(max(0, at + step)) for step in (-30, 0, 30)}
            check(f"code at {at}: we refuse another", wrong in near or run.returncode == 1, f"exit {run.returncode}")


URI_NAMES = [
    (None, "alice"), ("ACME Co", "john.doe@example.com"), ("This & that", "a+b@example.com"), ("100%", "100%25"),
    ("A+B", "#1 ?x=y"), ("\u55b5 \u3068 Nyaa", "zo\u00eb \U0001f511"), ("a/b", "c/d"),
]


def uri_facts(key):
    """What a pyotp key is, in the words of our tool."""
    facts = {
        "issuer": key.issuer, "account": key.name, "algorithm": key.digest().name.upper(), "digits": key.digits,
        "secret": key.secret.rstrip("="),
    }
    if isinstance(key, pyotp.TOTP):
        return facts | {"type": "totp", "period": key.interval}
    return facts | {"type": "hotp", "counter": key.initial_count}


def key_uris():
    digests = {"SHA1": hashlib.sha1, "SHA256": hashlib.sha256, "SHA512": hashlib.sha512}
    secret = base64.b32encode(bytes(range(1, 21))).decode()
    for issuer, account in URI_NAMES:
        for algorithm, digest in digests.items():
            for moving, amount in (("period", 30), ("period", 90), ("counter", 2**53 - 1)):
                for digits in (6, 8):
                    name = f"URI of {issuer}, {account}, {algorithm}, {digits} digits, {moving} {amount}"
                    options = ["--algorithm", algorithm, "--digits", str(digits), f"--{moving}", str(amount)]
                    if issuer is not None:
                        options.append(f"--issuer={issuer}")
                    ours = output(f"{name}: we write it", "otp", "uri", "make", "--secret", secret,
                                  f"--account={account}", *options)
                    common = {"digits": digits, "digest": digest, "name": account, "issuer": issuer}
                    if moving == "period":
                        key = pyotp.TOTP(secret, interval=amount, **common)
                        theirs = key.provisioning_uri()
                    else:
                        key = pyotp.HOTP(secret, initial_count=amount, **common)
                        theirs = key.provisioning_uri()
                    if ours is not None:
                        parsed = uri_facts(pyotp.parse_uri(ours))
                        check(f"{name}: pyotp reads ours", parsed == uri_facts(key), f"{ours} {parsed}")
                    read = output(f"{name}: we read that of pyotp", "otp", "uri", "read", "--uri", theirs, "--strict",
                                  "--show-secret", "--json")
                    if read is not None:
                        facts = json.loads(read)
                        facts = {member: facts.get(member) for member in uri_facts(key)}
                        check(f"{name}: as the same key", facts == uri_facts(key), f"{theirs} {facts}")


with tempfile.TemporaryDirectory() as scratch:
    for each in FAMILIES:
        ours_to_others(each, scratch)
        others_to_ours(each, scratch)
    codes()
    key_uris()

print(f"peers: {passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
