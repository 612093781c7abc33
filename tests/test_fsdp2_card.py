"""What the FSDP2 card has to show, whatever becomes of its wording."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from claimbook.cards import load_book
from claimbook.settings import load_settings
from claimbook.verdicts import Verdict, load_evidence

ROOT = Path(__file__).parent.parent
CARD: dict[str, Any] = yaml.safe_load((ROOT / "concepts" / "fsdp2.yml").read_text("utf-8"))
CLAIMS = ("sharded-states", "reshard-after-forward", "parameter-groups", "two-dimensional-mesh")
GROUPS: dict[str, Any] = {**CARD["claims"], **CARD["myths"]}
"""Claims and myths: what has checks of its own."""

DDP, ROOT_ONLY, PER_LAYER = {"by": "ddp"}, {"by": "root"}, {"by": "layers"}
TRUE, FALSE = {"value": True}, {"value": False}

FACTS: tuple[tuple[str, dict[str, dict[str, Any]]], ...] = (
    # parameters, gradients and optimizer states are split; under DDP they are whole
    ("sharded-states", {"parameter-parts": DDP, "gradient-parts": DDP, "moment-parts": DDP}),
    ("sharded-states", {"parameter-share": DDP, "gradient-share": DDP, "moment-shares": DDP}),
    # one all-gather per group in forward, one reduce-scatter per group in backward
    ("sharded-states", {"gather-per-group": ROOT_ONLY, "gather-bytes": ROOT_ONLY}),
    ("sharded-states", {"scatter-per-group": ROOT_ONLY, "gradient-mean": {"sync": False}}),
    # a two-dimensional mesh has further exchanges
    ("sharded-states", {"all-reduce-on-two-axes": {"by": "layers", "mesh": [4]}}),
    # True frees and gathers again, False keeps and does not
    ("reshard-after-forward", {"true-frees": FALSE, "true-leaves-parts": FALSE, "true-gathers-again": FALSE}),
    ("reshard-after-forward", {"false-keeps": TRUE, "false-gathers-once": TRUE}),
    # None is True below the root and False on it
    ("reshard-after-forward", {"none-on-root": TRUE, "none-below-root": FALSE}),
    # integers; no promise on the peak
    ("reshard-after-forward", {"two-gathers-in-pairs": {"value": 3}, "one-group-same-peak": PER_LAYER}),
    # one call, one group; inner to outer; the root takes the rest
    ("parameter-groups", {"group-members": {"order": "root first"}, "root-takes-the-rest": ROOT_ONLY}),
    # a group per layer lowers the peak and lets the next gather be issued early
    ("parameter-groups", {"peak-in-forward": ROOT_ONLY, "peak-in-backward": ROOT_ONLY}),
    ("parameter-groups", {"next-gather-comes-first": ROOT_ONLY}),
    # the root alone: one group, one gather, states still split
    ("parameter-groups", {"root-only-members": PER_LAYER, "root-only-gathers-once": PER_LAYER}),
    ("parameter-groups", {"root-only-parameter-share": DDP}),
    # 2 x 4: two shard groups of four, the first axis replicates
    ("two-dimensional-mesh", {"shard-groups": {"mesh": [4, 2]}, "same-parts": {"mesh": [4, 2]}}),
    ("two-dimensional-mesh", {"placements": {"mesh": [8]}, "rows-are-cut": {"mesh": [4, 2]}}),
    # the number in Shard is an axis of the tensor
    ("two-dimensional-mesh", {"rows-are-cut": {"mesh": [2, 4], "tensor_axis": 1}}),
    # parts need not be equal
    ("two-dimensional-mesh", {"uneven-rows": {"mesh": [4], "rows": 8}}),
)
"""Claim -> its checks, each with a control under which the fact must not be seen."""


def controls(check: dict[str, Any]) -> list[dict[str, Any]]:
    """The controls of a check, as a list."""
    given = check["control"]
    return given if isinstance(given, list) else [given]


def sentences(node: Any) -> Iterator[dict[str, Any]]:
    """Every text of the card that stands in both languages."""
    if isinstance(node, dict):
        if isinstance(node.get("ru"), str):
            yield node
        for value in node.values():
            yield from sentences(value)
    elif isinstance(node, list):
        for value in node:
            yield from sentences(value)


@pytest.mark.parametrize(("claim", "checks"), FACTS, ids=lambda value: str(value)[:40])
def test_a_fact_is_seen_and_its_control_is_run(claim: str, checks: dict[str, dict[str, Any]]) -> None:
    for name, control in checks.items():
        check = CARD["claims"][claim]["checks"][name]
        assert "needs" not in check, f"{name} has to run on any machine"
        assert control in controls(check)


def test_the_claims_of_the_card_are_the_four_of_its_subject() -> None:
    assert tuple(CARD["claims"]) == CLAIMS


def test_most_checks_run_without_a_gpu() -> None:
    checks = [check for group in GROUPS.values() for check in group["checks"].values()]
    assert len([check for check in checks if "needs" not in check]) >= 70
    assert [check["needs"] for check in checks if "needs" in check] == [{"gpus": 2}]


def test_the_evidence_kept_is_of_this_card_and_verified() -> None:
    settings = load_settings(ROOT)
    kept = {where.environment.folder: where for where in load_evidence(settings, load_book(settings)[0])}
    claims = kept["2.9.1-cpu-gloo"].claims
    verdicts = {name: claim.verdict for name, claim in claims.items() if name.startswith("fsdp2#")}
    assert verdicts == {f"fsdp2#{name}": Verdict.VERIFIED for name in GROUPS}


def test_the_exercise_asks_about_the_mesh_of_the_figure() -> None:
    asked = {exercise["observe"]: exercise for exercise in CARD["exercises"].values()}
    assert {"shard_groups", "local_shape", "parameter_bytes"} <= set(asked)
    assert asked["shard_groups"]["given"] == {"mesh": [2, 4]}


@pytest.mark.parametrize("name", GROUPS)
def test_no_check_is_idle(name: str) -> None:
    named = {reference for text in sentences(GROUPS[name]) for reference in text.get("by", ())}
    assert set(GROUPS[name]["checks"]) <= named


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_has_limits_and_most_of_them_are_seen(name: str) -> None:
    limits = CARD["claims"][name]["limits"]
    assert len([limit for limit in limits if "by" in limit]) > len(limits) / 2


def test_both_languages_give_the_same_figures() -> None:
    for text in sentences(CARD):
        ru, en = (re.findall(r"\d+|\{[\w-]+\}|`[^`]+`", text[language]) for language in ("ru", "en"))
        assert sorted(ru) == sorted(en), text["ru"]


SAID_OTHERWISE = {
    r"\bранг": "участник",
    r"шард": "часть, разделение",
    r"\bмеш": "сетка устройств",
    r"оптимайзер": "оптимизатор",
    r"коллектив": "обмен",
}
"""Words that the Russian text does not use -> what it says instead."""


@pytest.mark.parametrize("word", SAID_OTHERWISE)
def test_russian_terms_are_the_ones_agreed_on(word: str) -> None:
    assert not [text["ru"] for text in sentences(CARD) if re.search(word, text["ru"], re.IGNORECASE)]
