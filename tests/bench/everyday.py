"""Times NumPy on the lines that `extype-bench --workloads everyday` timed, and prints the table of ratios.

    taskset -c 1 cargo run --release -q -p extype-bench --features everyday -- --threads 1 --workloads everyday > own.jsonl
    env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE OPENBLAS_NUM_THREADS=1 taskset -c 1 python3 tests/bench/everyday.py own.jsonl
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
starts = np.arange(0, 1_000_000, 1000)


def seconds(line, budget):
    """Samples of at least a millisecond of the CPU, within the budget: the median, and the least."""
    code = compile(line, line, "eval")
    scope = globals()
    eval(code, scope)
    start = time.process_time()
    eval(code, scope)
    count = max(1, int(0.001 / (time.process_time() - start + 1e-9)))
    samples, begun = [], time.process_time()
    while len(samples) < 5 or time.process_time() - begun < budget:
        start = time.process_time()
        for _ in range(count):
            eval(code, scope)
        samples.append((time.process_time() - start) / count)
    return statistics.median(samples), min(samples)


def shown(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


rows = []
for text in open(sys.argv[1]):
    own = json.loads(text)
    other, least = seconds(own["workload"], 0.1)
    mid, own_least = own["median"] * 1e-9, own["min"] * 1e-9
    rows.append((other / mid, own["workload"], mid, other, least / own_least))
print("| NumPy | extype | NumPy | ratio |\n| --- | --- | --- | --- |")
for ratio, line, own, other, fastest in sorted(rows):
    print(f"| `{line}` | {shown(own)} | {shown(other)} | {ratio:.2f} ({fastest:.2f}) |")
