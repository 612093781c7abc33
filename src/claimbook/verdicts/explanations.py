"""What each code of `claimbook verify` means, for `claimbook explain`."""

from __future__ import annotations

from collections.abc import Mapping

_EXPLANATIONS: Mapping[str, str] = {
    "CB201": """\
A check is refuted: the experiment ran to its end on every rank, and what was seen is not what the
card expects.

Either the card is wrong about this release, or the expectation looks at the wrong observation.
See all that the run returned with `claimbook run EXPERIMENT --ranks N --given name=value`. Change
the sentence with the check: a number that was only copied into the expectation makes the check
useless.""",
    "CB202": """\
A check is unfalsifiable: it holds, and a control that should have missed the expectation meets it
as well.

  given: {by: layers}          expect: {const: 3}
  control: {by: layers}        the same run: whatever it shows, the control shows too

Choose parameters under which the sentence is not true, such as {by: root} for a sentence about
groups per layer.""",
    "CB203": """\
A check ended in an error: there is no observation to judge.

A rank raised, died, hung beyond its deadline, returned something else than JSON, or ranks
disagree; the reason names the rank. A control that crashes is an error too: it has shown nothing.
Where the library refuses by raising, the experiment catches that and returns the type of the
exception as an observation.""",
}


def explanation(code: str) -> str | None:
    """The explanation of a code; None where it is not one of this stage."""
    return _EXPLANATIONS.get(code)
