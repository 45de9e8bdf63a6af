"""Holds our verdict on every ceremony there is against those of py_webauthn and python-fido2.

verdicts.py PATH-TO-ASSAY VECTORS
Where they differ, verdicts.md must say why; what it says of a difference that is none is a failure too. The ceremonies
are those of Vectors, and, where EXTRA_VECTORS names a folder, the published ones in it.
"""

import json
import os
import sys
import tempfile

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_der_public_key
from fido2 import cbor, cose
from fido2.utils import websafe_decode
from fido2.webauthn import AttestationObject

from common import assay, check, finish
from verdicts_peers import PEERS, Ceremony, cose_key, verdict

# How many of each folder can be judged: not what the browser refused, and not one that states an origin with a path,
# for which no relying party can be set up.
CARRIED = {"chromium": 57, "swtpm": 3}
PUBLISHED = {"captured": 124, "derived": 135, "generated": 68, "w3c": 30}
TABLE = os.path.join(os.path.dirname(__file__), "verdicts.md")


def is_ceremony(file):
    return "credential" in file or "result" in file


def ceremonies(folder):
    """Every ceremony of a folder by its name, in the order of the names."""
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            file = json.load(stream)
        if is_ceremony(file):
            found[name.removesuffix(".json")] = file
    return found


def valid(name, file):
    """A ceremony that is said to be valid, and nothing of whom to trust."""
    made = {"trust": {"safetynet": {"timestampMs": timestamp(file)}}} if timestamp(file) else {}
    kept = {member: value for member, value in file.items() if member not in ("trust", "rootPem")}
    return {"id": name, "kind": "registration", **kept, "expected": "valid", **made}


def timestamp(file):
    """When a SafetyNet statement was made, in milliseconds."""
    return ((file.get("trust") or {}).get("safetynet") or {}).get("timestampMs")


def ours(files):
    """What our tool says: None where it accepts, else why it does not. Without an entry: there was nothing to judge.

    Each is said to be valid, so that the tool reports every refusal of its own, with the reason.
    """
    verdicts = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, file in files.items():
            # A capture's verdict goes by its name.
            said = {**file, "name": "any"} if "result" in file else valid(name, file)
            with open(os.path.join(scratch, f"{name}.json"), "w", encoding="utf-8") as stream:
                json.dump(said, stream)
        run = assay("vectors", "run", "--json", scratch)
    for report in json.loads(run.stdout)["files"]:
        name = os.path.basename(report["file"]).removesuffix(".json")
        check(f"{name}: our tool reads it", "error" not in report, report.get("error"))
        if report.get("passed"):
            verdicts[name] = None
        elif report.get("failed"):
            verdicts[name] = report["failed"][0]["actual"]
        elif report.get("skipped", [""])[0].startswith("algorithm: "):
            verdicts[name] = report["skipped"][0]
    return verdicts


class Store:
    """What a server keeps of captured ceremonies from one to the next: keys and counters by credential id."""

    def __init__(self):
        self.keys, self.counts = {}, {}

    def ceremony(self, file):
        is_registration = file["type"] == "create"
        options, answer = file["options"], file["result"]["json"]
        asked = options.get("authenticatorSelection", {}) if is_registration else options
        if "spki" in file and file["spki"]:
            self.keys[answer["id"]] = key_of_spki(websafe_decode(file["spki"]))
        return Ceremony(
            is_registration, answer, file["rpId"], file["origin"], file["challenge"],
            asked.get("userVerification") == "required",
            algorithms=[one["alg"] for one in options.get("pubKeyCredParams", [])] or [-7, -257],
            public_key=self.keys.get(answer["id"], b""), sign_count=self.counts.get(answer["id"], 0))

    def learn(self, ceremony, accepted):
        """Keeps a registration's key, whatever becomes of it, and the counter of what we accept."""
        identifier, response = ceremony.answer["id"], ceremony.answer["response"]
        if ceremony.is_registration:
            made = AttestationObject(websafe_decode(response["attestationObject"]))
            self.keys[identifier] = cose_key(made.auth_data.credential_data)
        if accepted:
            self.counts[identifier] = int.from_bytes(websafe_decode(response["authenticatorData"])[33:37], "big")


def key_of_spki(spki):
    key = load_der_public_key(spki)
    kind = cose.RS256 if isinstance(key, rsa.RSAPublicKey) else cose.ES256
    return cbor.encode(kind.from_cryptography_key(key))


def stated(file):
    """The ceremony in a file that states what a relying party put in."""
    made = timestamp(file)
    return Ceremony(
        file.get("kind", "registration") == "registration", file["credential"], file["rpId"], file["origin"],
        file["challenge"], file.get("requireUV", False), file.get("conditionalCreate", False), file.get("pubKeyAlgs"),
        websafe_decode(file.get("publicKeyCose") or ""), file.get("storedSignCount") or 0,
        None if made is None else made / 1000 + 1)


def compared(folder, expected):
    """Yields each ceremony's name, our verdict, each peer's name and its verdict."""
    files = ceremonies(folder)
    judged = ours(files)
    check(f"{folder}: ceremonies that were judged", len(judged) == expected, len(judged))
    store = Store()
    for name, said in judged.items():
        is_capture = "result" in files[name]
        ceremony = store.ceremony(files[name]) if is_capture else stated(files[name])
        for peer, verify in PEERS.items():
            yield name, said, peer, verdict(verify, ceremony)
        if is_capture:
            store.learn(ceremony, said is None)


def explained():
    """The table: by peer, what it does and the ceremony, the reason."""
    reasons = {}
    with open(TABLE, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("## "):
                peer, does = line[3:].split(" ", 1)
                does = does.split()[0]
            elif line.startswith("| `"):
                names, why = (cell.strip() for cell in line.strip().strip("|").split("|"))
                for name in names.split():
                    key = (peer, does, name.strip("`"))
                    check(f"{key} is explained once, with a reason", why and key not in reasons)
                    reasons[key] = why
    return reasons


def main():
    folders = {os.path.join(sys.argv[2], "webauthn", name): count for name, count in CARRIED.items()}
    if extra := os.environ.get("EXTRA_VECTORS"):
        folders |= {os.path.join(extra, "webauthn", name): count for name, count in PUBLISHED.items()}
    reasons = explained()
    differences = 0
    for folder, count in folders.items():
        place = os.path.basename(folder)
        left = {key for key in reasons if key[2].startswith(f"{place}/")}
        for name, said, peer, theirs in compared(folder, count):
            name = f"{place}/{name}"
            if (said is None) == (theirs is None):
                check(f"{name}: {peer} agrees", True)
                continue
            does = "accepts" if theirs is None else "refuses"
            differences += 1
            left.discard((peer, does, name))
            check(f"{name}: {peer} {does} it, and the table says why", (peer, does, name) in reasons, theirs or said)
        for key in sorted(left):
            check(f"{key}: the table explains it, and there is no such difference", False)
    return differences


print(f"peers, verdicts: {main()} differences from ours, for which verdicts.md has the reasons")
finish("verdicts")
