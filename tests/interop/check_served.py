#!/usr/bin/env python3
"""Runs the signatures of a SavedModel as servers do: by the graph alone, in a session, without its objects.

  check_served.py --dir MODEL --inputs inputs.json --outputs outputs.json

It also saves the variables once more and restores them. Calls of functions are left out, so a model whose functions
write has to have no signature that shows it.
"""
import argparse
import sys
import tempfile

import check_export as check
import tensorflow as tf

v1 = tf.compat.v1


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--dir", "--inputs", "--outputs"):
        ap.add_argument(option, required=True)
    a = ap.parse_args()
    calls = list(zip(check.load_json(a.inputs)["calls"], check.load_json(a.outputs)["calls"]))
    calls = [(c, w) for c, w in calls if c["kind"] == "signature"]
    given = [{k: check.value(x).numpy() for k, x in c["kwargs"].items()} for c, _ in calls]
    results = []
    with v1.Session(graph=tf.Graph()) as session:
        meta = v1.saved_model.load(session, ["serve"], a.dir)
        saver = meta.saver_def
        for again in (False, True):
            if again:
                prefix = tempfile.mkdtemp() + "/variables"
                name = {saver.filename_tensor_name: prefix}
                session.run(saver.save_tensor_name, name)
                session.run(saver.restore_op_name, name)
            for (c, want), inputs in zip(calls, given):
                signature = meta.signature_def[c["name"]]
                feed = {signature.inputs[k].name: x for k, x in inputs.items()}
                got = session.run({k: t.name for k, t in signature.outputs.items()}, feed)
                results.append((c["name"], want["outputs"], got))
    for name, want, got in results:
        check.same(f"signature {name}", want, got, 1e-5, 1e-6)
    print(f"{len(calls)} signatures served" if not check.problems else f"{len(check.problems)} differences")
    sys.exit(1 if check.problems else 0)


if __name__ == "__main__":
    main()
