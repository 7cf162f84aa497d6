"""An evaluation as the JUnit XML that build servers read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from steadyrank.measure import CaseResult, Evaluation

# XML 1.0 has no way to write the others, escaped or not; lone surrogates are no characters.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(evaluation: Evaluation, name: str) -> str:
    """The document, for the suite ``name``: a test for each case with a mode, and each threshold.

    Cases without a mode are no tests, since thresholds judge them together. Where there is no
    verdict, a test more has an error that says why: no reader can take the suite for passed.
    """
    suite = ElementTree.Element("testsuite", name=_text(name))
    for case in evaluation.cases:
        if case.passed is not None:
            _case(suite, name, case)
    for threshold in evaluation.thresholds:
        test = _test(suite, name, f"threshold {threshold.name}")
        if not threshold.reached:
            _fault(test, "failure", str(threshold), str(threshold))
    if evaluation.outcome == "no-verdict":
        unknown = "".join(f"\nunknown id: {id}" for id in evaluation.unknown)
        _fault(_test(suite, name, "verdict"), "error", "no verdict", evaluation.why + unknown)
    for kind, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        suite.set(kind, str(len(suite.findall(f".//{tag}"))))
    suite.set("skipped", "0")
    root = ElementTree.Element("testsuites", {key: suite.get(key, "") for key in _COUNTS})
    root.append(suite)
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


_COUNTS = ("tests", "failures", "errors")


def _case(suite: ElementTree.Element, name: str, case: CaseResult) -> None:
    test = _test(suite, name, f"{case.number}. {case.question}")
    if case.line is not None:
        test.set("file", _text(name))
        test.set("line", str(case.line))
    if not case.passed:
        _fault(test, "failure", case.why, "\n".join(case.report()))


def _test(suite: ElementTree.Element, name: str, title: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=_text(name), name=_text(title))


def _fault(test: ElementTree.Element, kind: str, message: str, text: str) -> None:
    ElementTree.SubElement(test, kind, message=_text(message), type=kind).text = _text(text)


def _text(text: str) -> str:
    return _NOT_IN_XML.sub("", text)
