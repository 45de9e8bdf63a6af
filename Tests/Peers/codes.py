"""Exchanges codes and otpauth URIs between Assay's tool, pyotp and oathtool, both ways: codes.py PATH-TO-ASSAY"""

import base64
import hashlib
import json
import shutil
import subprocess

import pyotp

from common import assay, check, finish, output, skip

NOW = 1_767_225_600
TIMES = (0, 59, NOW, NOW + 29, 2_000_000_000, 20_000_000_000)
# What the times and the names of keys below amount to.
CHECKS = 546


def codes():
    secret = base64.b32encode(bytes(range(1, 21))).decode()
    oathtool = shutil.which("oathtool")
    if oathtool is None:
        skip("codes of oathtool", "it is not installed", 2 * len(TIMES))
    for at in TIMES:
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


codes()
key_uris()
finish("codes", CHECKS)
