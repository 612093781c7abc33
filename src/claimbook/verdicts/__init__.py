"""Verdicts: the plan of runs, the judge, the evidence that is kept, and how it is reported."""

from claimbook.verdicts.evidence import EnvironmentEvidence, Observed, load_evidence
from claimbook.verdicts.explanations import explanation
from claimbook.verdicts.judge import judge
from claimbook.verdicts.plan import Plan, Target, plan
from claimbook.verdicts.verdict import CheckEvidence, ClaimEvidence, ControlSeen, Environment, Verdict

__all__ = [
    "CheckEvidence",
    "ClaimEvidence",
    "ControlSeen",
    "Environment",
    "EnvironmentEvidence",
    "Observed",
    "Plan",
    "Target",
    "Verdict",
    "explanation",
    "judge",
    "load_evidence",
    "plan",
]
