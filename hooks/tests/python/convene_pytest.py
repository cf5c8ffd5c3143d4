"""A pytest plugin that reports every test."""

import re

import convene_reports


class Reporter:
    def __init__(self, config):
        self.add = convene_reports.open_report("pytest")
        self.root = str(config.rootpath)

    def pytest_collectreport(self, report):
        if self.add and report.failed:
            self.add({"broken": self._file(report.nodeid), "failure": report.longreprtext})

    def pytest_runtest_logreport(self, report):
        if not self.add:
            return
        # A test passes in its own phase; it may fail or be skipped in the others too.
        if report.when != "call" and report.outcome == "passed":
            return
        path, _, rest = report.nodeid.partition("::")
        case = rest.find("[")
        names = (rest if case == -1 else rest[:case]).split("::")
        name = names.pop() + ("" if case == -1 else rest[case:])
        line = {"suite": names, "name": name, "fullName": report.nodeid, "file": self._file(path)}
        if report.outcome == "skipped":
            line["state"] = "todo" if hasattr(report, "wasxfail") else "skipped"
            reason = str(report.longrepr[-1]) if isinstance(report.longrepr, tuple) else ""
            # What pytest says if the author gave no reason.
            if reason != "Skipped: unconditional skip":
                line["reason"] = reason.replace("Skipped: ", "", 1)
        elif report.outcome == "failed":
            crash = getattr(report.longrepr, "reprcrash", None)
            text = report.longreprtext
            head = getattr(crash, "message", "") or _difference(text)
            line.update(state="failed", failure=(head + "\n" + text).strip())
        else:
            line["state"] = "passed"
        self.add(line)

    def pytest_sessionfinish(self):
        if self.add:
            self.add({"end": True})

    def _file(self, nodeid):
        return self.root + "/" + nodeid.partition("::")[0]


def _difference(text):
    """What a doctest expected and got, which pytest shows below the docstring."""
    found = re.search(r"^(?:Expected|Differences)\b.*?(?=\n\n?[^\n]*:\d+: DocTestFailure$)", text, re.M | re.S)
    return found.group() if found else ""


def pytest_configure(config):
    # The workers of pytest-xdist report to the process that started them.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(config), "convene-reporter")
