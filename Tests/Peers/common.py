"""What the scripts beside this one share: the tool, checks and their sum."""

import os
import subprocess
import sys

TOOL = os.path.abspath(sys.argv[1])

passed = failed = skipped = 0


def check(name, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}")


def skip(name, why, count):
    """Leaves out `count` checks, visibly."""
    global skipped
    skipped += count
    print(f"SKIPPED {name}, {count} checks: {why}")


def assay(*arguments):
    return subprocess.run(
        [TOOL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )


def output(name, *arguments):
    """What the tool prints, or None after a failed check."""
    run = assay(*arguments)
    check(name, run.returncode == 0, f"exit {run.returncode}: {run.stderr.strip()}")
    return run.stdout.strip() if run.returncode == 0 else None


def finish(what, expected=None):
    """Prints the sum and ends. A check that went missing is a failure; where peers are required, a skip is one too."""
    print(f"peers, {what}: {passed} passed, {failed} failed, {skipped} skipped")
    total = passed + failed + skipped
    if expected not in (None, total):
        sys.exit(f"peers, {what}: {total} checks, where {expected} are expected")
    if skipped and os.environ.get("PEERS") == "required":
        sys.exit(f"peers, {what}: PEERS=required allows no skip")
    sys.exit(1 if failed or not passed else 0)
