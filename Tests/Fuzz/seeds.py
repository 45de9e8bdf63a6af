"""Writes the seeds of each fuzz target, taken from the vectors: seeds.py VECTORS OUT"""

import base64
import binascii
import glob
import itertools
import json
import os
import re
import sys
import urllib.parse

vectors, out = sys.argv[1:]


def load(pattern):
    for path in sorted(glob.glob(os.path.join(vectors, pattern))):
        with open(path, encoding="utf-8") as file:
            yield json.load(file)


def unbase64url(text):
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""


def json_texts():
    for file in load("jose/jwt-*.json"):
        for case in file["cases"]:
            for segment in case.get("token", "").split(".")[:2]:
                yield unbase64url(segment)
    for file in load("webauthn/chromium/*.json"):
        answer = file["result"].get("json", {}).get("response", {})
        yield unbase64url(answer.get("clientDataJSON", ""))
        yield json.dumps(file["options"]).encode()


def cbor_items():
    for file in load("cbor/*.json"):
        for case in file["cases"]:
            yield bytes.fromhex(case["bytes"])
    for file in load("webauthn/chromium/*.json"):
        answer = file["result"].get("json", {}).get("response", {})
        yield unbase64url(answer.get("attestationObject", ""))


def base64url_texts():
    for file in load("codec/base64url.json"):
        for case in file["cases"]:
            yield case["text"].encode()


def profile_claims():
    """Which type, then the claims, with the names that the target expects."""
    for number, file in enumerate(load("profiles/*.json")):
        for case in file["cases"]:
            segments = case["token"].split(".")
            if len(segments) != 3:
                continue
            try:
                claims = json.loads(unbase64url(segments[1]))
            except (ValueError, RecursionError):
                continue
            if not isinstance(claims, dict):
                continue
            maker = claims.get("iss")
            for name in ("sub", "client_id"):
                if maker is not None and claims.get(name) == maker:
                    claims[name] = "i"
            if "iss" in claims:
                claims["iss"] = "i"
            if "aud" in claims:
                claims["aud"] = "a"
            for choice in {0, 1, 2 + number % 5}:
                yield bytes([choice]) + json.dumps(claims).encode()


def otpauth_uris():
    for file in load("otp/otpauth.json"):
        for case in file["cases"]:
            yield case.get("uri", "").encode()
    for file in load("otp/secret.json"):
        for case in file["cases"]:
            yield case["text"].encode()


def migrations():
    """Links, and the messages in them."""
    for file in load("otp/migration.json"):
        for case in file["cases"]:
            yield case["uri"].encode()
            data = urllib.parse.unquote(case["uri"].partition("data=")[2])
            try:
                yield base64.b64decode(data + "=" * (-len(data) % 4))
            except ValueError:
                continue


def ocra_suites():
    for file in load("rfc/rfc6287.json"):
        for case in file["cases"]:
            yield case["suite"].encode()
            yield f"{case['suite']}\n{case['questions'][0]}".encode()


def answers():
    for file in load("webauthn/chromium/*.json"):
        answer = file["result"].get("json")
        if answer:
            yield answer


def attestation_objects():
    for answer in answers():
        item = unbase64url(answer["response"].get("attestationObject", ""))
        yield item
        # The same statement twice in a compound one, and as another format.
        start, end = item.find(b"gattStmt"), item.find(b"hauthData")
        if item.startswith(b"\xa3cfmt") and 0 < start < end:
            part = b"\xa2" + item[1:end]
            yield b"\xa3cfmthcompoundgattStmt\x82" + part + part + item[end:]
            yield b"\xa3cfmteapple" + item[start:]
            yield b"\xa3cfmtoapple-appattest" + item[start:]
    for file in load("webauthn/swtpm/*.json"):
        yield unbase64url(file["credential"]["response"]["attestationObject"])


def tpm_structures():
    """What follows the names of the two and the head of a byte string, after the letter that tells them apart."""
    for item in attestation_objects():
        for letter, name in ((b"c", b"hcertInfo"), (b"p", b"gpubArea")):
            start = item.find(name)
            if start >= 0:
                start += len(name)
                wide = item[start] == 0x59
                head, length = (3, item[start + 1:start + 3]) if wide else (2, item[start + 1:start + 2])
                yield letter + item[start + head:start + head + int.from_bytes(length, "big")]


def android_statements():
    """The packed statements as `android-key`, whose members are the same, and their certificate in a SafetyNet response."""
    for item in attestation_objects():
        start, end, x5c = item.find(b"gattStmt"), item.find(b"hauthData"), item.find(b"cx5c\x81\x59")
        if 0 < start < x5c < end:
            yield b"\xa3cfmtkandroid-key" + item[start:]
            certificate = base64.b64encode(item[x5c + 8:end]).decode()
            parts = [{"alg": "ES256", "x5c": [certificate]},
                     {"nonce": "", "timestampMs": 1000, "ctsProfileMatch": True}]
            response = b"".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") + b"." for part in parts)
            response += b"A" * 86
            yield (b"\xa3cfmtqandroid-safetynetgattStmt\xa2cvera1hresponse\x59" + len(response).to_bytes(2, "big") + response
                   + item[end:])


def der(tag, contents):
    length = len(contents)
    return tag + (bytes([length]) if length < 0x80 else b"\x82" + length.to_bytes(2, "big")) + contents


def android_key_descriptions():
    sign, generated = b"\xa1\x05\x31\x03\x02\x01\x02", b"\xbf\x85\x3e\x03\x02\x01\x00"
    root = der(b"\x30", der(b"\x04", bytes(32)) + b"\x01\x01\xff\x0a\x01\x00" + der(b"\x04", bytes(32)))
    facts = der(b"\xbf\x85\x40", root) + b"\xbf\x85\x41\x05\x02\x03\x02\x22\xe0\xbf\x85\x4e\x06\x02\x04\x01\x35\x28\x29"
    for version in [b"\x02\x01\x01", b"\x02\x01\x04", b"\x02\x02\x01\x90"]:
        for level in [b"\x0a\x01\x00", b"\x0a\x01\x02"]:
            for software, tee in [(b"", sign + generated + facts), (sign + generated, b"\xbf\x84\x58\x02\x05\x00")]:
                head = version + level + version + level + der(b"\x04", bytes(32)) + der(b"\x04", b"")
                yield der(b"\x30", head + der(b"\x30", software) + der(b"\x30", tee))


def authenticator_data():
    for answer in answers():
        yield unbase64url(answer["response"].get("authenticatorData", ""))


def client_data():
    for answer in answers():
        yield unbase64url(answer["response"]["clientDataJSON"])
        yield json.dumps(answer).encode()


def certificates():
    """What follows the name x5c and the heads of an array and a byte string, up to the length that certificate says."""
    for item in attestation_objects():
        start = item.find(b"cx5c\x81\x59")
        if start >= 0:
            length = int.from_bytes(item[start + 6:start + 8], "big")
            yield item[start + 8:start + 8 + length]


def key_files():
    for file in load("keys/files.json"):
        for case in file["cases"]:
            if "fileBase64" in case:
                yield base64.b64decode(case["fileBase64"])
            elif "file" in case:
                yield case["file"].encode()


def key_ders():
    for file in key_files():
        if file[:1] == b"0":
            yield file
        for body in re.findall(rb"-----BEGIN [A-Z ]*-----(.*?)-----END", file, re.DOTALL):
            try:
                yield base64.b64decode(re.sub(rb"\s|\\n", b"", body))
            except binascii.Error:
                pass


def jwk_texts():
    for file in load("keys/jwk.json"):
        for case in file["cases"]:
            yield case["jwk"].encode()


def jwk_sets():
    """Each JWK as a set of its own, and neighbours together."""
    texts = list(jwk_texts())
    for first, second in zip(texts, texts[1:]):
        yield b'{"keys":[' + first + b"]}"
        yield b'{"keys":[' + first + b"," + second + b"]}"


def tokens():
    """The tokens, and what the target signs itself: an accepted token and one that asks for an extension."""
    for file in load("jose/jw*.json"):
        for case in file["cases"]:
            yield case.get("token", "").encode()
    claims = b'{"iss":"https://id.example","aud":["api"],"exp":1767229200,"iat":1767225600}'
    for header in (b'{"alg":"HS256","typ":"JWT"}', b'{"alg":"HS256","crit":["b64"],"b64":false}'):
        yield b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in (header, claims, b""))


def cose_keys():
    for file in load("cose/*.json"):
        for case in file["cases"]:
            yield bytes.fromhex(case["bytes"])


def metadata_payloads():
    fido2 = {
        "aaguid": "ee882879-721c-4913-9775-3dfcce97072a", "timeOfLastStatusChange": "2020-05-12",
        "metadataStatement": {
            "description": "Model", "upv": [{"major": 1, "minor": 0}], "attestationTypes": ["basic_full"],
            "userVerificationDetails": [[{"userVerificationMethod": "none"}]], "keyProtection": ["hardware"],
            "attestationRootCertificates": ["MAA="], "icon": "data:,x"},
        "statusReports": [{"status": "FIDO_CERTIFIED_L1", "effectiveDate": "2020-05-12"}],
    }
    uaf = {"aaid": "1234#5678", "statusReports": [{"status": "REVOKED"}]}
    u2f = {"attestationCertificateKeyIdentifiers": ["bf7bcaa0d0c6187a8c6abbdd16a15640e7c7bde2"], "statusReports": []}
    for entries in ([], [fido2], [uaf, u2f, fido2], [u2f, u2f, 1]):
        yield json.dumps({"legalHeader": "L", "no": 7, "nextUpdate": "2026-02-01", "entries": entries}).encode()


def ceremonies():
    """As CeremonyMutation reads them: sign-in, certificate or registration; the kind of attestation; what is changed."""
    kinds, layers, edits = range(9), range(10), range(3)
    for kind in kinds:
        for layer in layers:
            for deviation in (0, 1, 5, 20, 50):
                yield bytes([2, 0, kind, 0, 0, layer, 0, deviation])
        for algorithm in (0, 1, 4, 10):
            for place in range(7):
                for edit in edits:
                    yield bytes([3, 0, kind, 1, 0, algorithm, place, edit, 0, 40, 1])
    for layer in layers:
        for deviation in (0, 1, 5, 20):
            yield bytes([0, 0, 0, layer, 0, deviation])
    for algorithm in range(16):
        for place in range(3):
            yield bytes([0, 1, 0, algorithm, place, 0, 0, 40, 1])
    for edit in edits:
        for place in (4, 40, 200):
            yield bytes([1, edit, 0, place, 1])


for target, seeds in {
    "FuzzJSON": json_texts(),
    "FuzzCBOR": cbor_items(),
    "FuzzBase64URL": base64url_texts(),
    "FuzzOTPAuth": otpauth_uris(),
    "FuzzAuthenticatorData": authenticator_data(),
    "FuzzClientData": client_data(),
    "FuzzAndroidKeyDescription": android_key_descriptions(),
    "FuzzAttestationObject": itertools.chain(attestation_objects(), android_statements()),
    "FuzzCertificate": certificates(),
    "FuzzCeremony": ceremonies(),
    "FuzzCOSEKey": cose_keys(),
    "FuzzJWK": jwk_texts(),
    "FuzzJWKSet": jwk_sets(),
    "FuzzJWS": tokens(),
    "FuzzKeyDER": key_ders(),
    "FuzzPEM": key_files(),
    "FuzzProfiles": profile_claims(),
    "FuzzTPM": tpm_structures(),
    "FuzzMetadata": metadata_payloads(),
    "FuzzMigration": migrations(),
    "FuzzOCRASuite": ocra_suites(),
}.items():
    folder = os.path.join(out, target)
    os.makedirs(folder, exist_ok=True)
    unique = sorted({seed for seed in seeds if 0 < len(seed) <= 4096})
    if not unique:
        sys.exit(f"seeds: no vectors for {target} under {vectors}")
    for number, seed in enumerate(unique):
        with open(os.path.join(folder, f"{number:04}"), "wb") as file:
            file.write(seed)
    print(f"seeds: {len(unique)} for {target}")
