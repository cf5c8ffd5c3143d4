"""Writes one line of JSON per test. Lines that were written survive a runner that is killed."""

import json
import os
import time
import traceback

_reports = os.environ.get("CONVENE_REPORTS")


def open_report(runner):
    """Registers a runner in this process. Returns a function that adds a line to its report, or None."""
    if not _reports or os.environ.get("CONVENE_RUNNER"):
        return None
    os.environ["CONVENE_RUNNER"] = str(os.getpid())
    file = os.path.join(_reports, "report-%d-%d" % (os.getpid(), time.time_ns()))
    about = {
        "runner": runner,
        "format": "lines",
        "file": file,
        "folder": os.getcwd(),
        "part": os.environ.get("CONVENE_PART", ""),
        "at": int(time.time() * 1000),
    }
    _append(os.path.join(_reports, "runners.jsonl"), about)
    return lambda line: _append(file, line)


def _append(file, line):
    with open(file, "a", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")


def error_text(error):
    """The text of a sys.exc_info() triple."""
    return "".join(traceback.format_exception(*error))
