"""A verification as JUnit XML, which CI systems show: a suite per claim, a case per check."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from claimbook.verdicts.report import Report, compact
from claimbook.verdicts.verdict import CheckEvidence, Verdict


def as_junit(report: Report) -> str:
    """The whole document. What was not run here is skipped, an error is an error, the rest a failure."""
    root = ElementTree.Element("testsuites", name="claimbook", time=f"{report.seconds:.3f}")
    for claim in report.claims:
        suite = ElementTree.SubElement(root, "testsuite", name=claim.claim, tests=str(len(claim.checks)))
        for check in claim.checks.values():
            case = ElementTree.SubElement(
                suite, "testcase", name=check.id, classname=claim.claim, time=f"{check.seconds:.3f}"
            )
            _judge(case, check)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _judge(case: ElementTree.Element, check: CheckEvidence) -> None:
    if check.verdict is Verdict.VERIFIED:
        return
    tags = {Verdict.NOT_RUN: "skipped", Verdict.ERROR: "error"}
    element = ElementTree.SubElement(case, tags.get(check.verdict, "failure"), message=_xml(check.reason))
    seen = f"expected {compact(check.expect)}, seen {compact(check.observed)}"
    element.text = _xml(check.detail or seen)


def _xml(text: str) -> str:
    """The text without the characters that XML has no way to write."""
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)
