"""Loaded by every Python process of a test command: makes unittest report its tests when it is imported."""

import importlib.util
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


class _Watch:
    """Extends unittest's result class when the module is imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "unittest.result":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            try:
                _extend(module.TestResult)
            except Exception:
                pass

        spec.loader.exec_module = exec_module
        return spec


def _extend(result):
    import convene_reports

    state = {}

    def report():
        if "add" not in state:
            # pytest runs TestCases by a result of its own and reports them itself.
            state["add"] = None if "_pytest" in sys.modules else convene_reports.open_report("unittest")
        return state["add"]

    def about(test):
        case = type(test)
        module = sys.modules.get(case.__module__)
        method = getattr(test, "_testMethodName", str(test))
        line = {"suite": [case.__module__ + "." + case.__qualname__], "name": method}
        line["fullName"] = line["suite"][0] + "." + method
        file = getattr(module, "__file__", None)
        if file:
            line["file"] = os.path.abspath(file)
        return line

    def add(test, **outcome):
        write = report()
        if write is None:
            return
        failed_import = type(test).__name__ == "_FailedTest"
        if failed_import:
            write({"broken": getattr(test, "_testMethodName", ""), "failure": outcome.get("failure", ""), "module": True})
        else:
            write(dict(about(test), **outcome))

    def extend(name, work):
        own = getattr(result, name)

        def extended(self, test, *given):
            try:
                work(self, test, *given)
            except Exception:
                pass
            return own(self, test, *given)

        setattr(result, name, extended)

    text = convene_reports.error_text
    failed_parts = {}

    def part(self, test, subtest, error):
        if error is not None and id(test) not in failed_parts:
            failed_parts[id(test)] = True
            is_assertion = issubclass(error[0], test.failureException)
            add(test, state="failed", failure=text(error), asserted=is_assertion)

    extend("addSuccess", lambda self, test: add(test, state="passed"))
    extend("addFailure", lambda self, test, error: add(test, state="failed", failure=text(error), asserted=True))
    extend("addError", lambda self, test, error: add(test, state="failed", failure=text(error), asserted=False))
    extend("addSkip", lambda self, test, reason: add(test, state="skipped", reason=str(reason)))
    extend("addExpectedFailure", lambda self, test, error: add(test, state="todo"))
    extend("addUnexpectedSuccess", lambda self, test: add(test, state="failed", failure="unexpected success"))
    extend("addSubTest", part)
    stop = result.stopTestRun

    def stopTestRun(self):
        write = state.get("add")
        if write:
            write({"end": True})
        return stop(self)

    result.stopTestRun = stopTestRun


def _run_the_other():
    """The environment may have a sitecustomize of its own, which ours hides."""
    for folder in sys.path:
        file = os.path.join(folder or ".", "sitecustomize.py")
        if os.path.abspath(folder or ".") != _here and os.path.isfile(file):
            with open(file, encoding="utf-8") as source:
                exec(compile(source.read(), file, "exec"), {"__name__": "sitecustomize", "__file__": file})
            return


if os.environ.get("CONVENE_REPORTS"):
    sys.meta_path.insert(0, _Watch())
_run_the_other()
