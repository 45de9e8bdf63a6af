"""Lets a real browser answer the options we make, and finishes its ceremonies as they are and altered.

chromium.py PATH-TO-ASSAY COMMAND..., through chromium.sh, which sees to the browser that COMMAND starts. py_webauthn
and python-fido2 judge the same answers, and must agree.
"""

import base64
import json
import os
import sys
import tempfile

import cbor2
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject

from chromium_browser import Browser
from common import assay, check, finish
from verdicts_peers import PEERS, Ceremony, cose_key, verdict

INTERNAL = {
    "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}
USB = {**INTERNAL, "transport": "usb"}
U2F = {"protocol": "u2f", "transport": "usb", "automaticPresenceSimulation": True}
FORGETFUL = {**USB, "hasResidentKey": False, "hasUserVerification": False, "isUserVerified": False}
# Authenticators that keep no credentials refuse what we ask for.
MAY_FORGET = {"authenticatorSelection": {"residentKey": "discouraged", "userVerification": "discouraged"}}
DIRECT = ("--attestation", "direct")
SALT, BLOB = websafe_encode(b"a salt"), websafe_encode(b"a large blob")


def only(alg):
    """Asks for one of the algorithms that the state allows."""
    return {"pubKeyCredParams": [{"type": "public-key", "alg": alg}]}


# Name, authenticator, what we are asked, what the page changes before it asks the browser, format.
CASES = [
    ("none", INTERNAL, (), {}, "none"),
    ("EdDSA, direct", INTERNAL, DIRECT, only(-8), "packed"),
    ("ES256, direct", INTERNAL, DIRECT, only(-7), "packed"),
    ("RS256, direct", INTERNAL, DIRECT, only(-257), "packed"),
    ("a security key, direct", USB, DIRECT, {}, "packed"),
    ("a synchronised passkey", {**INTERNAL, "defaultBackupEligibility": True, "defaultBackupState": True}, (), {},
     "none"),
    ("no verification", FORGETFUL, (*DIRECT, "--user-verification", "discouraged"), MAY_FORGET, "packed"),
    ("U2F, direct", U2F, (*DIRECT, "--user-verification", "discouraged"),
     MAY_FORGET, "fido-u2f"),
    ("extensions", {**INTERNAL, "ctap2Version": "ctap2_2", "hasPrf": True, "hasLargeBlob": True}, DIRECT,
     {"extensions": {"credProps": True, "largeBlob": {"support": "required"}, "prf": {}}}, "packed"),
]
# What sign-ins ask of extensions where registrations do: with a credential named, then with none.
SIGN_IN_EXTENSIONS = [
    {"prf": {"eval": {"first": SALT}}, "largeBlob": {"write": BLOB}},
    {"prf": {"eval": {"first": SALT}}, "largeBlob": {"read": True}},
]


def with_client_data(answer, **changes):
    client_data = json.loads(websafe_decode(answer["response"]["clientDataJSON"]))
    encoded = json.dumps({**client_data, **changes}, separators=(",", ":")).encode()
    return {**answer, "response": {**answer["response"], "clientDataJSON": websafe_encode(encoded)}}


def with_signature(answer):
    """The same answer but for the last bit of its signature; None where nothing is signed."""
    response = answer["response"]
    if "signature" in response:
        return {**answer, "response": {**response, "signature": flipped(response["signature"])}}
    made = cbor2.loads(websafe_decode(response["attestationObject"]))
    if "sig" not in made["attStmt"]:
        return None
    signature = made["attStmt"]["sig"]
    made["attStmt"]["sig"] = signature[:-1] + bytes([signature[-1] ^ 1])
    return {**answer, "response": {**response, "attestationObject": websafe_encode(cbor2.dumps(made))}}


def flipped(text):
    raw = websafe_decode(text)
    return websafe_encode(raw[:-1] + bytes([raw[-1] ^ 1]))


class Exchange:
    """One relying party and one authenticator."""

    def __init__(self, name, browser, folder, asked):
        self.name, self.browser, self.folder = name, browser, folder
        self.record = os.path.join(folder, "credential")
        # What was asked of a registration is asked of sign-ins.
        self.verification = asked[-2:] if "--user-verification" in asked else ()
        self.requires = not self.verification
        self.key, self.count = b"", 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def begin(self, kind, state, *arguments):
        run = assay(
            "passkey", "begin", kind, "--rp-id", "localhost", "--origin", self.browser.origin, "--force", "--state",
            self.path(state), *arguments)
        check(f"{self.name}: a {kind} begins", run.returncode == 0, run.stderr)
        return json.loads(run.stdout)

    def finish(self, answer, state, out, *arguments):
        with open(self.path("answer"), "w", encoding="utf-8") as stream:
            json.dump(answer, stream)
        return assay(
            "passkey", "finish", "--json", "--rp-id", "localhost", "--state", self.path(state), "--out", out, "--force",
            *arguments, self.path("answer"))

    def refused(self, what, reason, answer, state, *arguments):
        """The tool refuses it for that reason, and stores nothing."""
        out = self.path("refused")
        run = self.finish(answer, state, out, *arguments)
        right = run.returncode == 1 and reason in run.stdout + run.stderr and not os.path.exists(out)
        check(f"{self.name}: we refuse it, {what}", right, f"{run.returncode}: {run.stdout}{run.stderr}")

    def peers(self, what, accept, answer, options):
        ceremony = Ceremony(
            "attestationObject" in answer["response"], answer, "localhost", self.browser.origin, options["challenge"],
            self.requires, public_key=self.key, sign_count=self.count)
        for peer, verify in PEERS.items():
            said = verdict(verify, ceremony)
            check(f"{self.name}: {peer} agrees, {what}", (said is None) == accept, said)

    def altered(self, steps, answer, options, state, *arguments):
        """Copies with one thing changed are refused where that is checked, by all."""
        challenge, origin, signature = steps
        changes = {
            "another challenge": (challenge, with_client_data(answer, challenge=websafe_encode(os.urandom(32)))),
            "another origin": (origin, with_client_data(answer, origin="http://localhost:1")),
            "another signature": (signature, with_signature(answer)),
        }
        for what, (step, copy) in changes.items():
            if copy is not None:
                self.refused(what, step, copy, state, *arguments)
                self.peers(what, False, copy, options)

    def register(self, asked, changes, fmt):
        self.begin("registration", "another registration", *asked)
        self.begin("sign-in", "sign-in", *self.verification)
        options = self.begin("registration", "registration", *asked)
        answer = self.browser.ask("register", {**options, **changes})
        check(f"{self.name}: the browser registers", "response" in answer, answer)
        made = AttestationObject(websafe_decode(answer["response"]["attestationObject"]))
        check(f"{self.name}: in the format {fmt}", made.fmt == fmt, made.fmt)
        self.altered(("7.1 step 8", "7.1 step 9", "7.1 step 22"), answer, options, "registration")
        self.refused("with another registration's state", "7.1 step 8", answer, "another registration")
        self.refused("with a sign-in's state", "a record of another kind", answer, "sign-in")
        run = self.finish(answer, "registration", self.record)
        check(f"{self.name}: we register it", run.returncode == 0, run.stderr)
        self.peers("as it is", True, answer, options)
        self.key = cose_key(made.auth_data.credential_data)
        self.count = made.auth_data.counter
        return answer

    def sign_in(self, changes, *chosen):
        self.begin("sign-in", "another sign-in", *chosen, *self.verification)
        options = self.begin("sign-in", "sign-in", *chosen, *self.verification)
        answer = self.browser.ask("signIn", {**options, **changes})
        check(f"{self.name}: the browser signs in", "response" in answer, answer)
        given = ("--credential", self.record)
        self.altered(("7.2 step 11", "7.2 step 12", "7.2 step 21"), answer, options, "sign-in", *given)
        self.refused("with another sign-in's state", "7.2 step 11", answer, "another sign-in", *given)
        self.refused("with a registration's state", "a record of another kind", answer, "registration", *given)
        run = self.finish(answer, "sign-in", self.record, *given)
        check(f"{self.name}: we sign it in", run.returncode == 0, run.stderr)
        self.peers("as it is", True, answer, options)
        self.count = int.from_bytes(websafe_decode(answer["response"]["authenticatorData"])[33:37], "big")
        return answer

    def misbehave(self, authenticator, identifier):
        """What an authenticator does that errs, or has been copied."""
        for bit, step in (("isBogusSignature", "7.2 step 21"), ("isBadUV", "7.2 step 17"), ("isBadUP", "7.2 step 16")):
            self.browser.call("WebAuthn.setResponseOverrideBits", authenticatorId=authenticator, **{bit: True})
            self.misbehaved(bit, step)
            self.browser.call("WebAuthn.setResponseOverrideBits", authenticatorId=authenticator, **{bit: False})
        self.browser.call(
            "WebAuthn.setCredentialProperties", authenticatorId=authenticator, signCount=1,
            credentialId=base64.b64encode(websafe_decode(identifier)).decode())
        self.misbehaved("a copy from before", "7.2 step 22")

    def misbehaved(self, what, step):
        answer = self.browser.ask("signIn", self.begin("sign-in", "sign-in"))
        check(f"{self.name}: the browser signs in, {what}", "response" in answer, answer)
        self.refused(what, step, answer, "sign-in", "--credential", self.record)


def exchange(browser, name, options, asked, changes, fmt, folder):
    authenticator = browser.authenticator(**options)
    party = Exchange(name, browser, folder, asked)
    registered = party.register(asked, changes, fmt)
    extensions = "extensions" in changes
    answers = []
    for index, chosen in enumerate([("--credential", party.record), ()]):
        if not chosen and changes is MAY_FORGET:
            continue  # it keeps none that could be found
        answers.append(party.sign_in({"extensions": SIGN_IN_EXTENSIONS[index]} if extensions else {}, *chosen))
    if extensions:
        outputs = registered["clientExtensionResults"]
        said = outputs.get("credProps", {}).get("rk"), outputs.get("prf", {}).get("enabled")
        check("extensions: the browser registers with them", said == (True, True), outputs)
        written, read = (answer["clientExtensionResults"] for answer in answers)
        right = written["largeBlob"] == {"written": True} and read["largeBlob"] == {"blob": BLOB}
        check("extensions: the blob is written and read", right, (written, read))
        check("extensions: the secret is the same again", written["prf"] == read["prf"] != {}, (written, read))
    if name == "none":
        party.misbehave(authenticator, registered["id"])
    browser.call("WebAuthn.removeVirtualAuthenticator", authenticatorId=authenticator)


browser = Browser(sys.argv[2:])
try:
    print(f"peers, Chromium: {browser.open()}")
    for case in CASES:
        with tempfile.TemporaryDirectory() as scratch:
            exchange(browser, *case, scratch)
finally:
    browser.close()
finish("Chromium", 452)
