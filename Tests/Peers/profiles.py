"""Exchanges tokens of each profile between Assay's tool and PyJWT, joserfc and Authlib: profiles.py PATH-TO-ASSAY

Ours issues and each peer verifies, by its own rules for the profile where it has some; each peer signs and ours verifies.
In both directions a change of one thing is refused. Hashes and thumbprints are computed here a second time.
"""

import base64
import hashlib
import json
import os
import tempfile
import time
import types
import warnings

import joserfc.errors
import jwt
from authlib.deprecate import AuthlibDeprecationWarning
from joserfc import jwk as joserfc_jwk
from joserfc import jwt as joserfc_jwt

from common import assay, check, finish, output

warnings.simplefilter("ignore")
warnings.simplefilter("ignore", AuthlibDeprecationWarning)  # Authlib has a filter of its own for these
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oauth2 import rfc7523, rfc9068, rfc9101
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oidc.core import claims as oidc

# Each, and whether Authlib's servers take it: those that are written for a profile leave the choice to joserfc, which has a
# short list. A "no" is tested as well.
ALGORITHMS = {"ES256": True, "RS256": True, "PS384": False, "EdDSA": False}
ISSUER, CLIENT, API = "https://as.example", "client-1", "https://api.example"
APP = "7b1f3c52-6a3e-4d8e-9a52-1d6a40c2f7aa"
ACCESS, CODE, STATE = "an-access-token", "a-code", "a-state"
URI = "https://api.example/things?page=2"
CHECKS = 637


def encode(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def parts(token):
    """Header and claims of a token."""
    return [json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))) for text in token.split(".")[:2]]


def half_hash(alg, text):
    """at_hash and its kin, as OpenID Connect Core 3.1.3.6 says it; EdDSA has the digest of Ed25519."""
    digest = hashlib.sha512 if alg == "EdDSA" else getattr(hashlib, f"sha{alg[2:]}")
    raw = digest(text.encode()).digest()
    return encode(raw[:len(raw) // 2])


def thumbprint(key):
    """RFC 7638: the required members in the order of their names."""
    names = {"EC": ("crv", "kty", "x", "y"), "RSA": ("e", "kty", "n"), "OKP": ("crv", "kty", "x")}[key["kty"]]
    text = json.dumps({name: key[name] for name in names}, separators=(",", ":"), sort_keys=True)
    return encode(hashlib.sha256(text.encode()).digest())


def raised(function, *arguments, **named):
    """What a library raises, each exceptions of its own; or what it returns."""
    try:
        return function(*arguments, **named)
    except Exception as error:  # many unrelated types
        return error


def accepted(name, result):
    check(name, not isinstance(result, Exception), repr(result))


def refused(name, result):
    check(name, isinstance(result, Exception), f"accepted: {result!r}")


class Key:
    """A key pair that our tool made, as each library reads it."""

    def __init__(self, alg, folder):
        self.alg, self.file, self.public_file = alg, os.path.join(folder, "private"), os.path.join(folder, "public")
        text = output(f"{alg}: we make a key", "key", "generate", "--alg", alg, "--out", self.file)
        with open(self.public_file, "w", encoding="utf-8") as stream:
            stream.write(text)
        with open(self.file, encoding="utf-8") as stream:
            self.jwk = json.load(stream)
        self.public = json.loads(text)


# Each peer signs and verifies; what it has for one profile alone stands below.


class PyJWT:
    @staticmethod
    def sign(key, header, claims):
        return jwt.encode(claims, jwt.PyJWK(key.jwk, key.alg).key, key.alg, headers=header)

    @staticmethod
    def verify(key, token, issuer, audience):
        wanted = {"require": ["exp", "iat", "iss"]}
        if audience is None:
            wanted["verify_aud"] = False
        return jwt.decode(
            token, jwt.PyJWK(key.public, key.alg).key, [key.alg], issuer=issuer, audience=audience, options=wanted)


class Joserfc:
    @staticmethod
    def sign(key, header, claims):
        return joserfc_jwt.encode({"alg": key.alg} | header, claims, joserfc_jwk.import_key(key.jwk), [key.alg])

    @staticmethod
    def verify(key, token, issuer, audience):
        found = joserfc_jwt.decode(token, joserfc_jwk.import_key(key.public), [key.alg])
        wanted = {"iss": {"essential": True, "value": issuer}, "exp": {"essential": True}}
        if audience is not None:
            wanted["aud"] = {"essential": True, "value": audience}
        joserfc_jwt.JWTClaimsRegistry(**wanted).validate(found.claims)
        return found.claims


class Authlib:
    @staticmethod
    def sign(key, header, claims):
        private = JsonWebKey.import_key(key.jwk)
        return JsonWebToken([key.alg]).encode({"alg": key.alg} | header, claims, private).decode()

    @staticmethod
    def verify(key, token, issuer, audience):
        wanted = {"iss": {"essential": True, "value": issuer}, "exp": {"essential": True}}
        if audience is not None:
            wanted["aud"] = {"essential": True, "value": audience}
        found = JsonWebToken([key.alg]).decode(token, JsonWebKey.import_key(key.public), claims_options=wanted)
        found.validate()
        return dict(found)


PEERS = {"PyJWT": PyJWT, "joserfc": Joserfc, "Authlib": Authlib}


class Profile:
    """One kind of token: how ours issues and verifies it, what a peer writes, and one change that must be refused."""

    def __init__(self, name, issuer, audience, issue, verify, header, claims, wrong):
        self.name, self.issuer, self.audience = name, issuer, audience
        self.issue, self.verify, self.header, self.claims, self.wrong = issue, verify, header, claims, wrong


def profiles(alg, now):
    life = {"iat": now, "exp": now + 60}
    once = life | {"jti": "an-id"}
    request = {"response_type": "code", "scope": "openid", "redirect_uri": "https://client.example/cb", "state": STATE}
    backchannel = {"scope": "openid", "login_hint": "alice", "binding_message": "W4SCT"}
    to_server = ("--client-id", CLIENT, "--issuer", ISSUER)
    for_client = ("--issuer", ISSUER, "--client-id", CLIENT)
    from_client = once | {"iss": CLIENT, "aud": ISSUER}
    hashes = {"at_hash": half_hash(alg, ACCESS), "c_hash": half_hash(alg, CODE), "s_hash": half_hash(alg, STATE)}
    with_it = ("--nonce", "n-1", "--access-token", ACCESS, "--code", CODE, "--state", STATE)
    event = {"http://schemas.openid.net/event/backchannel-logout": {}}
    yield Profile(
        "id-token", ISSUER, CLIENT, (*for_client, "--subject", "alice", *with_it),
        (*for_client, *with_it, "--front-channel"), {},
        life | hashes | {"iss": ISSUER, "sub": "alice", "aud": CLIENT, "nonce": "n-1"}, {"nonce": "n-2"})
    yield Profile(
        "access-token", ISSUER, API,
        ("--issuer", ISSUER, "--audience", API, "--subject", "alice", "--client-id", CLIENT, "--scope", "read,write"),
        ("--issuer", ISSUER, "--audience", API, "--client-id", CLIENT, "--scope", "read"), {"typ": "at+jwt"},
        once | {"iss": ISSUER, "sub": "alice", "aud": API, "client_id": CLIENT, "scope": "read write"},
        {"scope": "write"})
    yield Profile(
        "client-assertion", CLIENT, ISSUER, ("--client-id", CLIENT, "--audience", ISSUER), to_server, {},
        from_client | {"sub": CLIENT}, {"sub": "client-2"})
    yield Profile(
        "request-object", CLIENT, ISSUER, (*to_server, "--parameters", json.dumps(request)), to_server,
        {"typ": "oauth-authz-req+jwt"}, from_client | request | {"client_id": CLIENT}, {"client_id": "client-2"})
    yield Profile(
        "authentication-request", CLIENT, ISSUER, (*to_server, "--parameters", json.dumps(backchannel)), to_server, {},
        from_client | backchannel | {"nbf": now}, {"login_hint": ""})
    yield Profile(
        "logout-token", ISSUER, CLIENT, (*for_client, "--subject", "alice", "--session", "s-1"), for_client,
        {"typ": "logout+jwt"}, once | {"iss": ISSUER, "aud": CLIENT, "sub": "alice", "events": event},
        {"nonce": "n-1"})
    if alg == "ES256":
        yield Profile(
            "identity-token", APP, None,
            ("--app-id", APP, "--external-id", "alice", "--email", "alice@example.com", "--sms", "+15555550100"),
            ("--app-id", APP, "--external-id", "alice"), {}, life | {
                "iss": APP, "identity": {"external_id": "alice"},
                "subscriptions": [{"type": "Email", "token": "alice@example.com"}],
            }, {"identity": {"external_id": "mallory"}})


def we_verify(key, profile, token):
    named = () if profile.name == "identity-token" else ("--alg", key.alg)
    return assay("token", "verify", profile.name, "--key", key.public_file, *named, *profile.verify, token)


def we_refuse(name, run, says):
    check(name, run.returncode == 1 and says in run.stderr, f"exit {run.returncode}: {run.stdout}{run.stderr}")


def exchange(key, profile):
    """Every peer, by what it has for any token. Returns one of ours, or None."""
    name = f"{key.alg} {profile.name}"
    named = () if profile.name == "identity-token" else ("--alg", key.alg)
    ours = output(f"{name}: we issue", "token", "issue", profile.name, "--key", key.file, *named, *profile.issue)
    if ours is None:
        return None
    run = we_verify(key, profile, ours)
    check(f"{name}: we verify ours", run.returncode == 0, run.stderr)
    for peer, library in PEERS.items():
        accepted(f"{name}: {peer} verifies ours", raised(library.verify, key, ours, profile.issuer, profile.audience))
        refused(f"{name}: {peer} refuses another issuer",
                raised(library.verify, key, ours, profile.issuer + "/", profile.audience))
        theirs = raised(library.sign, key, profile.header, profile.claims)
        run = we_verify(key, profile, theirs) if isinstance(theirs, str) else None
        check(f"{name}: we verify what {peer} signs", run is not None and run.returncode == 0, run and run.stderr)
        wrong = library.sign(key, profile.header, profile.claims | profile.wrong)
        we_refuse(f"{name}: we refuse what {peer} signs wrong", we_verify(key, profile, wrong), "at step 7, claims")
        other = library.sign(key, {"typ": "other+jwt"}, profile.claims)
        we_refuse(f"{name}: we refuse another typ of {peer}", we_verify(key, profile, other), "at step 3, header")
    return ours


def id_token(key, ours, now):
    """Authlib's claims of OpenID Connect, for each response type."""
    wanted = {"iss": {"essential": True, "value": ISSUER}, "aud": {"essential": True, "value": CLIENT}}
    given = {"nonce": "n-1", "client_id": CLIENT, "access_token": ACCESS, "code": CODE}

    def verify(kind, changed):
        header, claims = parts(ours)
        found = kind(claims, header, {name: dict(option) for name, option in wanted.items()}, given | changed)
        found.validate(now=now, leeway=5)
        return found

    for kind in (oidc.CodeIDToken, oidc.ImplicitIDToken, oidc.HybridIDToken):
        name = f"{key.alg} id-token: {kind.__name__} of Authlib"
        accepted(name, raised(verify, kind, {}))
        refused(f"{name} refuses another nonce", raised(verify, kind, {"nonce": "n-2"}))
        refused(f"{name} refuses another access token", raised(verify, kind, {"access_token": "other"}))
    refused(f"{key.alg} id-token: another code", raised(verify, oidc.HybridIDToken, {"code": "other"}))
    said = parts(ours)[1]
    for claim, text in (("at_hash", ACCESS), ("c_hash", CODE), ("s_hash", STATE)):
        check(f"{key.alg} id-token: {claim}", said[claim] == half_hash(key.alg, text), said)


def access_token(key, ours):
    """Authlib's validator of RFC 9068."""
    class Validator(rfc9068.JWTBearerTokenValidator):
        def get_jwks(self):
            return joserfc_jwk.KeySet.import_key_set({"keys": [key.public]})

    def verify(token, issuer=ISSUER, api=API, scopes=("read",)):
        validator = Validator(issuer=issuer, resource_server=api)
        found = validator.authenticate_token(token)
        if found is None:
            raise ValueError("no token")
        validator.validate_token(found, list(scopes), None)
        return found

    name = f"{key.alg} access-token: the validator of Authlib"
    if not ALGORITHMS[key.alg]:
        refused(f"{name}: the table says that it cannot", raised(verify, ours))
        return
    accepted(name, raised(verify, ours))
    refused(f"{name} refuses another issuer", raised(verify, ours, issuer=ISSUER + "/"))
    refused(f"{name} refuses another resource", raised(verify, ours, api=API + "/"))
    refused(f"{name} refuses a scope that is not there", raised(verify, ours, scopes=("admin",)))


def client_assertion(key, ours):
    """Authlib's server side of RFC 7523, and its client side."""
    seen = set()

    class Assertion(rfc7523.JWTBearerClientAssertion):
        def get_audiences(self):
            return [ISSUER]

        def validate_jti(self, claims, jti):
            return jti not in seen and not seen.add(jti)

        def resolve_client_public_key(self, client):
            return joserfc_jwk.import_key(key.public)

    client = types.SimpleNamespace(check_endpoint_auth_method=lambda method, endpoint: True)

    def verify(token):
        form = {"client_assertion_type": rfc7523.JWTBearerClientAssertion.CLIENT_ASSERTION_TYPE, "client_assertion": token}
        return Assertion()(lambda name: client if name == CLIENT else None, types.SimpleNamespace(form=form))

    name = f"{key.alg} client-assertion: Authlib"
    verify_args = ("token", "verify", "client-assertion", "--key", key.public_file, "--alg", key.alg, "--client-id", CLIENT)
    if ALGORITHMS[key.alg]:
        accepted(f"{name} takes ours", raised(verify, ours))
        refused(f"{name} takes it once", raised(verify, ours))
    else:
        refused(f"{name}: the table says that it cannot", raised(verify, ours))
    private = joserfc_jwk.import_key(key.jwk)
    theirs = rfc7523.private_key_jwt_sign(private, CLIENT, ISSUER + "/token", alg=key.alg, expires_in=60)
    run = assay(*verify_args, "--audience", ISSUER, "--audience", ISSUER + "/token", theirs)
    check(f"{name} makes one for the endpoint: we take it", run.returncode == 0, run.stderr)
    we_refuse(f"{name} makes one for the endpoint: by FAPI we refuse it",
              assay(*verify_args, "--issuer", ISSUER, theirs), "aud")
    long = rfc7523.private_key_jwt_sign(private, CLIENT, ISSUER, alg=key.alg)
    we_refuse(f"{name} makes one for an hour: we refuse it", assay(*verify_args, "--issuer", ISSUER, long), "300 seconds")


def request_object(key, ours):
    """Authlib's server side of RFC 9101."""
    class Extension(rfc9101.JWTAuthenticationRequest):
        def resolve_client_public_key(self, client):
            return joserfc_jwk.import_key(key.public)

        def get_client_require_signed_request_object(self, client):
            return True

        def get_server_metadata(self):
            return {"request_object_signing_alg_values_supported": [key.alg]}

    server = types.SimpleNamespace(query_client=lambda name: object())

    def verify(token, client=CLIENT):
        request = types.SimpleNamespace(payload=BasicOAuth2Payload({"client_id": client, "request": token}))
        Extension().parse_authorization_request(server, request)
        return request.payload

    name = f"{key.alg} request-object: Authlib"
    result = raised(verify, ours)
    accepted(f"{name} takes ours", result)
    check(f"{name} reads ours", getattr(result, "state", None) == STATE and result.response_type == "code", result)
    refused(f"{name} refuses another client", raised(verify, ours, "client-2"))


def dpop(key):
    """Proofs: no peer has them, so that the libraries' parts are put together as a server and a client would do it."""
    name, print_of_key = f"{key.alg} dpop", thumbprint(key.public)
    request = ("--method", "POST", "--uri", URI)
    with_it = ("--access-token", ACCESS, "--nonce", "n-1")
    ours = output(f"{name}: we make a proof", "token", "issue", "dpop", "--key", key.file, "--alg", key.alg, *request, *with_it)
    check(f"{name}: thumbprint of joserfc", joserfc_jwk.import_key(key.public).thumbprint() == print_of_key)
    check(f"{name}: thumbprint of Authlib", JsonWebKey.import_key(key.public).thumbprint() == print_of_key)
    ath = encode(hashlib.sha256(ACCESS.encode()).digest())
    if ours is not None:
        header, claims = parts(ours)
        check(f"{name}: our header", header["typ"] == "dpop+jwt" and set(header) == {"alg", "typ", "jwk"}, header)
        check(f"{name}: no private member", thumbprint(header["jwk"]) == print_of_key and "d" not in header["jwk"], header)
        check(f"{name}: our claims", claims["htm"] == "POST" and claims["htu"] == URI.partition("?")[0]
              and claims["ath"] == ath and claims["nonce"] == "n-1" and abs(time.time() - claims["iat"]) < 60, claims)
        for peer, decode in (
            ("PyJWT", lambda: jwt.decode(ours, jwt.PyJWK(header["jwk"], key.alg).key, [key.alg])),
            ("joserfc", lambda: joserfc_jwt.decode(ours, joserfc_jwk.import_key(header["jwk"]), [key.alg])),
            ("Authlib", lambda: JsonWebToken([key.alg]).decode(ours, JsonWebKey.import_key(header["jwk"]))),
        ):
            result = raised(decode)
            if peer == "joserfc" and header["jwk"]["kty"] == "RSA":  # no header of it is that long
                check(f"{name}: {peer} has a limit", isinstance(result, joserfc.errors.ExceededSizeError), repr(result))
            else:
                accepted(f"{name}: {peer} verifies ours by its own key", result)
    verify = ("token", "verify", "dpop", *request, *with_it, "--thumbprint", print_of_key)
    for peer, library in PEERS.items():
        header = {"typ": "dpop+jwt", "jwk": key.public}
        claims = {"htm": "POST", "htu": "HTTPS://API.example:443/./things", "iat": int(time.time()), "jti": f"{peer}-1",
                  "ath": ath, "nonce": "n-1"}
        theirs = raised(library.sign, key, header, claims)
        run = assay(*verify, theirs) if isinstance(theirs, str) else None
        check(f"{name}: we verify a proof of {peer}", run is not None and run.returncode == 0, run.stderr if run else theirs)
        for claim, value in (("htm", "GET"), ("htu", "https://api.example/others"), ("ath", ath[::-1]), ("nonce", "n-2"), ("jti", "")):
            wrong = raised(library.sign, key, header, claims | {claim: value})
            if isinstance(wrong, str):
                we_refuse(f"{name}: we refuse another {claim} of {peer}", assay(*verify, wrong), f"claims: {claim}")
            else:
                check(f"{name}: {peer} makes a proof", False, wrong)
    private = raised(PyJWT.sign, key, {"typ": "dpop+jwt", "jwk": key.jwk}, {
        "htm": "POST", "htu": URI, "iat": int(time.time()), "jti": "1", "ath": ath, "nonce": "n-1"})
    we_refuse(f"{name}: we refuse a private key in a header", assay(*verify, private), "key")


for algorithm in ALGORITHMS:
    with tempfile.TemporaryDirectory() as scratch:
        pair = Key(algorithm, scratch)
        moment = int(time.time())
        made = {profile.name: exchange(pair, profile) for profile in profiles(algorithm, moment)}
        check(f"{algorithm}: every profile was made", all(made.values()), made)
        id_token(pair, made["id-token"], moment)
        access_token(pair, made["access-token"])
        client_assertion(pair, made["client-assertion"])
        request_object(pair, made["request-object"])
        dpop(pair)

finish("profiles", CHECKS)
