"""Exchanges codes and otpauth URIs between Assay's tool, pyotp and oathtool, and OCRA responses with python-oath, both
ways, and reads our QR codes with zbar: codes.py PATH-TO-ASSAY"""

import base64
import hashlib
import hmac
import itertools
import json
import re
import shutil
import subprocess
import tempfile

import oath
import pyotp
from pyotp.contrib.steam import Steam

from common import assay, check, finish, output, skip

NOW = 1_767_225_600
TIMES = (0, 59, NOW, NOW + 29, 2_000_000_000, 20_000_000_000)
# What the times and the names of keys below amount to.
CHECKS = 1316


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


def steam_codes():
    secret = base64.b32encode(bytes(range(1, 21))).decode()
    for at in TIMES:
        theirs = Steam(secret).at(at)
        ours = output(f"Steam code at {at}", "otp", "code", "--steam", "--secret", secret, "--at", str(at))
        check(f"Steam code at {at}: pyotp makes the same", ours == theirs, f"{ours} {theirs}")
        output(f"Steam code at {at}: we accept that of pyotp",
               "otp", "verify", "--steam", "--secret", secret, "--at", str(at), theirs)


OCRA_QUESTIONS = {
    "QN08": ("00000000", "12345678", "7"),
    "QN64": ("9" * 64,),
    "QA08": ("abcdEFGH", "Z"),
    "QA64": ("a1" * 32,),
    "QH08": ("00fF", "deadBEEF"),
    "QH64": ("0123456789abcdef" * 4,),
}
OCRA_PIN = "1234"
OCRA_COUNTER = 2**40 + 5


def ocra_responses():
    """Suites of every input, and both directions of a mutual exchange: the digits, and where python-oath makes none (`0`),
    the MAC of the message that it builds."""
    key = bytes(range(1, 33))
    secret = base64.b32encode(key).decode().rstrip("=")
    session = bytes(range(64, 128))
    with tempfile.NamedTemporaryFile() as pin_file, tempfile.NamedTemporaryFile() as session_file:
        pin_file.write(OCRA_PIN.encode())
        session_file.write(session)
        pin_file.flush()
        session_file.flush()
        given = {"C": ["--counter", str(OCRA_COUNTER)], "P": ["--pin-file", pin_file.name],
                 "S": ["--session-file", session_file.name], "T": ["--at", str(NOW)]}
        forms = [f"{algorithm}-{digits}" for algorithm in ("SHA1", "SHA256", "SHA512") for digits in (0, 4, 6, 8, 10)]
        inputs = [(counter, more) for counter in ("", "C-")
                  for more in ("", "-PSHA1", "-PSHA256", "-S064", "-T1M", "-PSHA512-S064-T48H")]
        functions = itertools.cycle(forms)
        for question, (counter, more) in itertools.product(OCRA_QUESTIONS, inputs):
            function = next(functions)
            suite = f"OCRA-1:HOTP-{function}:{counter}{question}{more}"
            options = [option for letter in (counter + more).replace("SHA", "") if letter in given
                       for option in given[letter]]
            theirs = oath.str2ocrasuite(suite)
            for text in OCRA_QUESTIONS[question]:
                for second in (None, text[::-1]):
                    asked = {"Q": text} if second is None else {"Qsc": text + second}
                    values = {**asked, "C": OCRA_COUNTER, "P": OCRA_PIN, "S": session,
                              "T_precomputed": theirs.data_input.T and NOW // theirs.data_input.T}
                    if function.endswith("-0"):
                        message = suite.encode() + b"\0" + theirs.data_input(**values)
                        wanted = hmac.new(key, message, function[:-2].lower()).hexdigest()
                    else:
                        wanted = theirs(key, **values)
                    name = f"{suite} {text} {second}"
                    verb = ["--suite", suite, "--secret", secret, "--question", text, *options]
                    if second is not None:
                        verb += ["--second-question", second]
                    ours = output(f"{name}: we respond", "otp", "ocra", "respond", *verb)
                    check(f"{name}: python-oath responds the same", ours == wanted, f"{ours} {wanted}")
                    output(f"{name}: we accept that of python-oath", "otp", "ocra", "verify", *verb, wanted)


def pixels(form, drawn):
    """Rows of a drawing, true where it is dark."""
    if form == "text":
        rows = []
        for line in drawn.splitlines():
            rows.append([character in "\u2584 " for character in line])
            rows.append([character in "\u2580 " for character in line])
        width = max(map(len, rows))
        # Where there is no character, a terminal is dark.
        return [row + [True] * (width - len(row)) for row in rows]
    width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', drawn).groups())
    rows = [[False] * width for _ in range(height)]
    for x, y, count in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", drawn):
        for column in range(int(count)):
            rows[int(y)][int(x) + column] = True
    return rows


def scanned(rows, scale=4):
    """What zbar reads in an image, in any order."""
    with tempfile.NamedTemporaryFile(suffix=".pgm") as image:
        image.write(f"P5 {len(rows[0]) * scale} {len(rows) * scale} 255\n".encode())
        for row in rows:
            image.write(b"".join((b"\0" if dark else b"\xff") * scale for dark in row) * scale)
        image.flush()
        run = subprocess.run(["zbarimg", "--raw", "--quiet", image.name], stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, check=False)
    return sorted(run.stdout.splitlines())


def qr_codes():
    if shutil.which("zbarimg") is None:
        skip("QR codes", "zbarimg is not installed", 4 * len(URI_NAMES) + 4)
        return
    secret = base64.b32encode(bytes(range(1, 21))).decode()
    verbs = {}
    for issuer, account in URI_NAMES:
        name = f"QR code for {issuer}, {account}"
        options = [] if issuer is None else [f"--issuer={issuer}"]
        verbs[name] = ["otp", "uri", "make", "--secret", secret, f"--account={account}", *options]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as keys:
        for number in range(12):
            keys.write(pyotp.TOTP(secret, name=f"user{number}", issuer="ACME").provisioning_uri() + "\n")
        keys.flush()
        verbs["QR codes of an export"] = ["otp", "export", keys.name]
        for name, verb in verbs.items():
            for form in ("svg", "text"):
                drawn = output(f"{name}, {form}: we draw it", *verb, "--qr", form, "--json")
                if drawn is not None:
                    facts = json.loads(drawn)
                    read = scanned(pixels(form, facts["qr"]))
                    wanted = sorted(facts["uris"] if "uris" in facts else [facts["uri"]])
                    check(f"{name}, {form}: zbar reads it", read == wanted, f"{len(read)} codes")


codes()
steam_codes()
ocra_responses()
key_uris()
qr_codes()
finish("codes", CHECKS)
