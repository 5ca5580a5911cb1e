"""Times NumPy on the lines that `extype-bench --workloads everyday` timed, and prints the table of ratios.

    cargo run --release -q -p extype-bench --features everyday -- --threads 1 --workloads everyday > own.jsonl
    OPENBLAS_NUM_THREADS=1 python3 tests/bench/everyday.py own.jsonl
"""

import json
import statistics
import sys
import time

import numpy as np

rng = np.random.default_rng(1)
x, y = rng.uniform(-3, 3, (2, 1000, 1000))
v, w = rng.uniform(-3, 3, (2, 1_000_000))
r, few = rng.uniform(-3, 3, 1000), rng.uniform(-3, 3, 31)
s = rng.uniform(-3, 3, (200, 200))
m = s @ s.T + np.eye(200)
t = rng.uniform(-3, 3, (100, 100, 100))
i, j, k = (rng.integers(0, n, 1_000_000) for n in (100_000, 1000, 100))
b, n, c = x > 1, np.where(x > 2.5, np.nan, x), v + 1j * w
edges = np.linspace(-3, 3, 101)


def seconds(line, budget):
    """The median of samples of at least a millisecond, within the budget."""
    code = compile(line, line, "eval")
    scope = globals()
    eval(code, scope)
    start = time.perf_counter()
    eval(code, scope)
    count = max(1, int(0.001 / (time.perf_counter() - start + 1e-9)))
    samples, begun = [], time.perf_counter()
    while len(samples) < 5 or time.perf_counter() - begun < budget:
        start = time.perf_counter()
        for _ in range(count):
            eval(code, scope)
        samples.append((time.perf_counter() - start) / count)
    return statistics.median(samples)


def shown(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


rows = []
for text in open(sys.argv[1]):
    own = json.loads(text)
    other = seconds(own["workload"], 0.1)
    rows.append((own["median"] * 1e-9 / other, own["workload"], own["median"] * 1e-9, other))
print("| NumPy | extype | NumPy | ratio |\n| --- | --- | --- | --- |")
for ratio, line, own, other in sorted(rows):
    print(f"| `{line}` | {shown(own)} | {shown(other)} | {ratio:.2f} |")
