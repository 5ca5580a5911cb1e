#!/usr/bin/env python3
"""Chooses the sample of recorded cases in this folder: see README.md.

  sample.py FULL TRAINING    FULL is the folder of the whole set, with cases/*.jsonl; TRAINING is
                             that of the suite `training`, with training.jsonl

The choice depends on nothing but the cases: of each suite and op (or function, or kind of
question) some, the shortest of every stratum in turn. A stratum is what is asked for (a refusal,
gradients, tags) and of which dtypes.
"""
import json
import sys
from collections import defaultdict
from pathlib import Path

A_GROUP = 9  # cases of one op
LONGEST = 3000  # bytes of a case
LIMIT = 2_000_000  # bytes of all
TRAINING_STEPS = 3  # of an optimizer of the suite `training`
TRAINING_LIMIT = 60_000  # bytes of that suite


def group(case):
    return case.get("op") or case.get("api") or case.get("kind")


def stratum(case):
    inputs = [v for v in case.get("inputs", []) if isinstance(v, dict)]
    dtypes = tuple(str(v.get("dtype", sorted(v)[:1])) for v in inputs)
    attrs = case.get("attrs") or {}
    types = tuple(str(v) for v in attrs.values() if isinstance(v, dict))
    return ("error" in case, "grads" in case, tuple(case.get("tags", [])), dtypes, types)


def chosen(cases):
    """The shortest case of every stratum, then the second of every stratum, and so on."""
    strata = defaultdict(list)
    for line, case in sorted(cases, key=lambda c: (len(c[0]), c[1]["id"])):
        strata[stratum(case)].append(line)
    # Strata with gradients first, then refusals: they say most.
    order = sorted(strata, key=lambda s: (not s[1], not s[0], len(strata[s][0]), str(s)))
    rounds = max(map(len, strata.values()))
    turns = [strata[s][i] for i in range(rounds) for s in order if i < len(strata[s])]
    return turns[:A_GROUP]


def training(path):
    """The case of each kind and name with most settings: losses with weights, the first steps of optimizers, no run."""
    best = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] == "run" or case["kind"] == "loss" and case["sample_weight"] is None:
            continue
        case["steps"] = case.get("steps", [])[:TRAINING_STEPS]
        line = json.dumps({k: v for k, v in case.items() if v != []})
        key = (case["kind"], case.get("name"))
        settings = len(case.get("config", []))
        if key not in best or settings > best[key][0]:
            best[key] = (settings, line)
    return [line for _, line in best.values()]


def main():
    here, total = Path(__file__).parent, 0
    text = "".join(line + "\n" for line in training(Path(sys.argv[2], "training.jsonl")))
    (here / "training.jsonl").write_text(text, encoding="utf-8")
    assert len(text.encode()) <= TRAINING_LIMIT, f"training.jsonl: {len(text.encode())} bytes"
    total += len(text.encode())
    print(f"training.jsonl: {len(text.encode())} bytes")
    for path in sorted(Path(sys.argv[1], "cases").glob("*.jsonl")):
        groups = defaultdict(list)
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if len(line) <= LONGEST:
                groups[group(case)].append((line, case))
        lines = [line for name in sorted(groups) for line in chosen(groups[name])]
        text = "".join(line + "\n" for line in lines)
        (here / path.name).write_text(text, encoding="utf-8")
        total += len(text.encode())
        print(f"{path.name}: {len(lines)} cases, {len(groups)} groups, {len(text.encode())} bytes")
    assert total <= LIMIT, f"{total} bytes are more than {LIMIT}"
    print(f"{total} bytes")


if __name__ == "__main__":
    main()
