"""Writes the answers of numpy.ma that the tests of this folder compare with.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 && venv/bin/python generate.py

One JSON object a line: an op, its operands, its arguments, and numpy.ma's result. Masks are
written as the crate has them, true where an entry is valid; null stands for a plain array.
"""

import itertools
import json
import pathlib
import warnings

import numpy as np
import numpy.ma as ma

warnings.simplefilter("ignore")
rng = np.random.default_rng(20)


def number(x):
    x = x.item()
    return x if isinstance(x, (bool, int)) or np.isfinite(x) else str(x)


def tensor(a):
    data = ma.getdata(a)
    masked = isinstance(a, ma.MaskedArray)
    return {
        "dtype": data.dtype.name,
        "shape": list(data.shape),
        "values": [number(x) for x in data.ravel()],
        "mask": [not m for m in ma.getmaskarray(a).ravel().tolist()] if masked else None,
    }


def result(a):
    """Values at missing entries mean nothing, so they are written as zeros."""
    out = tensor(a)
    if out["mask"] is not None:
        out["values"] = [v if m else type(v)(0) for v, m in zip(out["values"], out["mask"])]
    return out


def write(name, cases):
    path = pathlib.Path(__file__).with_name(name + ".jsonl")
    with path.open("w") as f:
        for op, operands, args, answer in cases:
            operands = [tensor(x) for x in operands]
            case = {"op": op, "operands": operands, "args": args, "result": result(answer)}
            f.write(json.dumps(case, separators=(",", ":")) + "\n")


def dense(shape, dtype="float64", low=-3.0, high=3.0, digits=3):
    if dtype == "bool":
        return np.asarray(rng.random(shape) < 0.5)
    if dtype.startswith("int"):
        return np.asarray(rng.integers(int(low), int(high) + 1, shape), dtype)
    return np.asarray(np.round(rng.uniform(low, high, shape), digits), dtype)


def masked(shape, dtype="float64", low=-3.0, high=3.0, digits=3, missing=0.35):
    values = dense(shape, dtype, low, high, digits)
    mask = rng.random(shape) < missing
    if len(shape) > 1 and shape[0] > 1:
        mask[-1] = True  # a slice without a valid entry
    return ma.array(values, mask=mask)


def unary():
    total = {
        "neg": ma.negative, "abs": ma.absolute, "exp": ma.exp, "sin": ma.sin, "cos": ma.cos,
        "atan": ma.arctan, "sinh": ma.sinh, "cosh": ma.cosh, "tanh": ma.tanh, "asinh": ma.arcsinh,
        "floor": ma.floor, "ceil": ma.ceil, "round": ma.round_,
    }
    partial = {
        "log": ma.log, "sqrt": ma.sqrt, "asin": ma.arcsin, "acos": ma.arccos,
        "acosh": ma.arccosh, "atanh": ma.arctanh,
    }
    for (op, f), shape in itertools.product(total.items(), [(7,), (3, 4), (2, 0)]):
        x = masked(shape)
        yield op, [x], {}, f(x)
    for (op, f), shape in itertools.product(partial.items(), [(9,), (3, 4)]):
        x = masked(shape, low=-2, high=2)
        x.flat[0] = 0.0
        yield op, [x], {"finite": True}, f(x)
    x = masked((6,), "bool")
    yield "logical_not", [x], {}, ma.logical_not(x)
    x = masked((3, 4), "int32")
    yield "neg", [x], {}, ma.negative(x)


PAIRS = [((5,), (5,)), ((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((3, 4), ()), ((), (2, 3))]


def binary():
    total = {
        "add": ma.add, "sub": ma.subtract, "mul": ma.multiply, "maximum": ma.maximum,
        "minimum": ma.minimum, "atan2": ma.arctan2, "equal": ma.equal, "not_equal": ma.not_equal,
        "less": ma.less, "less_equal": ma.less_equal, "greater": ma.greater,
        "greater_equal": ma.greater_equal,
    }
    kinds = [(masked, masked), (masked, dense), (dense, masked)]
    for (op, f), (a, b), (left, right) in itertools.product(total.items(), PAIRS, kinds):
        x, y = left(a, digits=0), right(b, digits=0)
        yield op, [x, y], {}, ma.asarray(f(x, y))
    for (a, b), (left, right) in itertools.product(PAIRS, kinds):
        x, y = left(a), right(b, digits=0)
        yield "div", [x, y], {"finite": True}, ma.asarray(ma.divide(x, y))
        yield "pow", [x, y], {"finite": True}, ma.asarray(ma.power(x, y))
        x, y = left(a, "int64", -9, 9), right(b, "int64")
        if isinstance(y, ma.MaskedArray):  # a plain divisor of zero is an error
            yield "floor_div", [x, y], {"nonzero": True}, ma.asarray(ma.floor_divide(x, y))
            yield "rem", [x, y], {"nonzero": True}, ma.asarray(ma.remainder(x, y))
        x, y = left(a, "bool"), right(b, "bool")
        yield "logical_and", [x, y], {}, ma.asarray(ma.logical_and(x, y))
        yield "logical_or", [x, y], {}, ma.asarray(ma.logical_or(x, y))


def reductions():
    shapes = [((6,), [None, 0]), ((3, 4), [None, 0, 1, -1]), ((2, 3, 4), [None, 1, (0, 2), (-1, 0)])]
    ops = {
        "reduce_sum": ma.sum, "reduce_prod": ma.prod, "reduce_min": ma.min, "reduce_max": ma.max,
        "reduce_mean": ma.mean, "variance": ma.var, "standard_deviation": ma.std,
        "reduce_any": ma.any, "reduce_all": ma.all, "count": ma.count,
        "arg_max": ma.argmax, "arg_min": ma.argmin,
    }
    for (op, f), (shape, axes) in itertools.product(ops.items(), shapes):
        for axis, keep in itertools.product(axes, [False, True]):
            args = {"axes": axis, "keep_dims": keep}
            options = {"axis": axis, "keepdims": keep}
            dtypes = {"reduce_any": ["bool"], "reduce_all": ["bool"]}.get(op, ["float64"])
            if op in ("reduce_sum", "reduce_prod", "reduce_min", "reduce_max"):
                dtypes = ["float64", "int64"]
            if op == "count" and keep or op.startswith("arg") and (keep or not isinstance(axis, int)):
                continue
            if op == "count" or op.startswith("arg"):
                del options["keepdims"]
            for dtype, missing in itertools.product(dtypes, [0.35, 1.0]):
                x = masked(shape, dtype, missing=missing)
                answer = f(x, **options)
                if op in ("variance", "standard_deviation"):
                    for ddof in (0, 1):
                        yield op, [x], args | {"ddof": ddof}, ma.asarray(f(x, ddof=ddof, **options))
                elif op == "count":
                    yield op, [x], args, np.asarray(answer, "int64")
                elif op.startswith("arg"):
                    # numpy.ma gives the index 0 for a slice without a valid entry.
                    yield op, [x], args, ma.array(answer, mask=ma.count(x, axis=axis) == 0)
                else:
                    answer = ma.asarray(answer)
                    yield op, [x], args, answer if answer is not ma.masked else ma.masked_all((), dtype)


def moving():
    x = masked((3, 4))
    yield "reshape", [x], {"list": [2, 6]}, x.reshape(2, 6)
    yield "transpose", [x], {"list": [1, 0]}, x.T
    yield "expand_dims", [x], {"axis": 1}, ma.expand_dims(x, 1)
    one = masked((1, 3, 1))
    yield "squeeze", [one], {"list": [0, 2]}, ma.squeeze(one)
    row = masked((4,))
    yield "broadcast_to", [row], {"list": [2, 4]}, ma.stack([row, row])
    yield "slice", [x], {"begin": [1, 0], "list": [2, 3]}, x[1:3, 0:3]
    yield "gather", [x, np.array([2, 0, 2])], {"axis": 1}, ma.take(x, [2, 0, 2], axis=1)
    yield "tile", [x], {"list": [2, 1]}, ma.concatenate([x, x], 0)
    yield "reverse", [x], {"list": [1]}, x[:, ::-1]
    yield "roll", [x], {"axis": 1, "list": [1]}, ma.array(np.roll(x.data, 1, 1), mask=np.roll(x.mask, 1, 1))
    yield "cumsum", [x], {"axis": 1}, ma.cumsum(x, 1)
    yield "cumprod", [x], {"axis": 0}, ma.cumprod(x, 0)
    yield "compressed", [x], {}, x.compressed()
    for axis in (0, 1, -1):
        y, z = masked((3, 4)), masked((3, 4))
        yield "concat", [x, y, z], {"axis": axis}, ma.concatenate([x, y, z], axis)
        yield "stack", [x, y, z], {"axis": axis}, ma.stack([x, y, z], axis)


def products():
    for strict, missing in itertools.product([False, True], [0.1, 0.5, 1.0]):
        for a, b in [((3, 4), (4, 2)), ((1, 5), (5, 1))]:
            x, y = masked(a, missing=missing), masked(b, missing=missing)
            yield "matmul", [x, y], {"strict": strict}, ma.dot(x, y, strict=strict)
    x, y = masked((3, 4)), dense((4, 2))
    yield "matmul", [x, y], {"strict": False}, ma.dot(x, y)
    yield "matmul", [y.T, x.T], {"strict": False}, ma.dot(y.T, x.T)


def selection():
    kinds = [masked, dense]
    for c, t, e in itertools.product(kinds, kinds, kinds):
        if (c, t, e) == (dense, dense, dense):
            continue
        for shapes in [((3, 4), (3, 4), (3, 4)), ((3, 1), (4,), (3, 4))]:
            x = [k(s, d) for k, s, d in zip((c, t, e), shapes, ("bool", "float64", "float64"))]
            yield "select", x, {}, ma.where(*x)


def functions():
    """NumPy's functions that are made of several ops, with some, all or no entries missing."""

    def valid(*args, **options):
        return ma.array(dense(*args, **options), mask=False)

    def missing(*args, **options):
        return masked(*args, **options, missing=1.0)

    # Seven, since no loop below has a multiple of that many turns.
    kinds = itertools.cycle([masked, valid, masked, missing, masked, valid, missing])
    places = [((6,), None), ((6,), 0), ((3, 4), None), ((3, 4), 0), ((3, 4), 1)]
    dtypes = ["float64", "int64"]

    def some(*args, **options):
        return next(kinds)(*args, **options)

    def whole(answer, dtype):
        return ma.masked_all((), dtype) if answer is ma.masked else ma.asarray(answer)

    keeps = itertools.cycle([False, True, True])
    spreads = {"var": ma.var, "std": ma.std}
    for (op, f), dtype, ddof, (shape, axis) in itertools.product(spreads.items(), dtypes, (0, 1, 2), places):
        x, keep = some(shape, dtype), next(keeps)
        args = {"axes": axis, "keep_dims": keep, "ddof": ddof}
        answer = whole(f(x, axis=axis, ddof=ddof, keepdims=keep), "float64")
        # For a scalar numpy.ma divides by a negative number what it masks in an array.
        assert answer.ndim > 0 or x.count() == 0 or x.count() >= ddof
        yield op, [x], args, answer
    reduced = {
        "ptp": (ma.ptp, None), "average": (ma.average, "float64"),
        "count_nonzero": (lambda x, axis: (x != 0).sum(axis), "int64"),
    }
    for (op, (f, to)), dtype, (shape, axis) in itertools.product(reduced.items(), dtypes, places):
        x = some(shape, dtype, digits=0 if op == "count_nonzero" else 3)
        yield op, [x], {"axes": axis}, whole(f(x, axis=axis), to or dtype)
    for shape, axis in places:
        x, keep = some(shape), next(keeps)
        args = {"axes": axis, "keep_dims": keep}
        yield "moments_mean", [x], args, whole(ma.mean(x, axis=axis, keepdims=keep), "float64")
        yield "moments_var", [x], args, whole(ma.var(x, axis=axis, keepdims=keep), "float64")
    for op, f in {"argmax": ma.argmax, "argmin": ma.argmin}.items():
        for dtype, (shape, axis) in itertools.product(dtypes, places):
            x = some(shape, dtype)
            # numpy.ma gives the index 0 for a slice without a valid entry.
            yield op, [x], {"axis": axis}, ma.array(f(x, axis=axis), mask=ma.count(x, axis=axis) == 0)
    for op, f in {"cumsum": ma.cumsum, "cumprod": ma.cumprod}.items():
        for dtype, (shape, axis) in itertools.product(dtypes, places):
            x = some(shape, dtype)
            yield op, [x], {"axis": axis}, f(x, axis=axis)

    def close(x, y):
        near = np.isclose(x.data, y.data)
        return "isclose", [x, y], {}, ma.array(near, mask=ma.getmaskarray(x) | ma.getmaskarray(y))

    for dtype, shape, left in itertools.product(dtypes, [(8,), (3, 4)], [masked, valid]):
        x, y = left(shape, dtype), masked(shape, dtype)
        if dtype == "float64":  # some equal, some near, some not
            y = ma.array(x.data * (1 + rng.choice([0, 1e-9, 1e-3], shape)), mask=y.mask)
        yield close(x, y)
    inf, nan = np.inf, np.nan
    x = ma.array([inf, inf, -inf, nan, 1.0, inf, nan], mask=[0, 0, 0, 0, 0, 1, 1])
    yield close(x, ma.array([inf, -inf, 1.0, nan, inf, inf, nan], mask=False))

    moved = {
        "ravel": (ma.ravel, [(6,), (3, 4)]), "t": (ma.transpose, [(6,), (2, 5)]),
        "fliplr": (np.fliplr, [(2, 5)]), "flipud": (np.flipud, [(6,), (3, 4)]),
        "rot90": (np.rot90, [(2, 5)]), "ediff1d": (ma.ediff1d, [(6,), (3, 4)]),
        "atleast_1d": (ma.atleast_1d, [(), (6,), (3, 4)]), "atleast_2d": (ma.atleast_2d, [(), (6,), (3, 4)]),
    }
    for op, (f, shapes) in moved.items():
        for shape in shapes:
            for x in (masked(shape), some(shape, "int64")):
                yield op, [x], {}, f(x)
    for a, b in [(0, 1), (1, 0), (-1, 0), (1, 1)]:
        x = some((3, 4))
        yield "swapaxes", [x], {"list": [a, b]}, ma.swapaxes(x, a, b)
    for shape, axes in [*places, ((3, 4), (0, 1))]:
        x = some(shape)
        yield "flip", [x], {"axes": axes}, np.flip(x, axes)
    lines = [((6,), 0), ((3, 4), 0), ((3, 4), 1)]
    for dtype, (shape, axis), n in itertools.product(dtypes, lines, (1, 2)):
        x = some(shape, dtype)
        yield "diff", [x], {"axis": axis, "times": n}, ma.diff(x, n=n, axis=axis)
    for shape, axis in places:
        x, indices = some(shape), np.array([[2, 0], [-1, 2]] if axis == 0 else [2, 0, -1, 2])
        yield "take", [x, indices], {"axis": axis}, ma.take(x, indices, axis=axis)
        x = some(shape)
        condition = np.arange(x.size if axis is None else x.shape[axis]) % 3 != 1
        yield "compress", [x, condition], {"axis": axis}, ma.compress(condition, x, axis=axis)
    for dtype, (a, b) in itertools.product(dtypes, [((3,), (4,)), ((5,), (2,)), ((2, 3), (4,))]):
        x, y = some(a, dtype), some(b, dtype)
        yield "outer", [x, y], {}, ma.outer(x, y)


for group in (unary, binary, reductions, moving, products, selection, functions):
    write(group.__name__, group())
