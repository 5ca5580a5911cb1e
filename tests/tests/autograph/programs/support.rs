//! What runs a program in four ways: on numbers; on tensors op by op, traced, and traced with unknown shapes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use extype::prelude::*;

use numbers::Int;

/// What the programs on numbers use.
pub(crate) mod numbers {
    pub(crate) use std::num::Wrapping;

    pub(crate) use extype::Result;

    /// As int64 tensors: it wraps.
    pub(crate) type Int = Wrapping<i64>;

    /// A number of Rust's as the programs compute with it.
    pub(crate) trait Number {
        type Is;
        fn is(self) -> Self::Is;
    }

    impl Number for i64 {
        type Is = Int;
        fn is(self) -> Int {
            Wrapping(self)
        }
    }

    impl Number for f64 {
        type Is = f64;
        fn is(self) -> f64 {
            self
        }
    }

    impl Number for bool {
        type Is = bool;
        fn is(self) -> bool {
            self
        }
    }

    pub(crate) fn num<T: Number>(x: T) -> T::Is {
        x.is()
    }

    pub(crate) fn scalar<T: Number>(x: T) -> T::Is {
        x.is()
    }

    pub(crate) fn keep<T: Copy>(x: &T) -> Result<T> {
        Ok(*x)
    }

    pub(crate) fn float(x: &Int) -> Result<f64> {
        Ok(x.0 as f64)
    }

    pub(crate) fn ints(from: i64, to: Int) -> impl Iterator<Item = Int> {
        (from..to.0).map(Wrapping)
    }
}

/// What the programs on tensors use.
pub(crate) mod tensors {
    pub(crate) use extype::prelude::*;

    pub(crate) fn keep(x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }

    pub(crate) fn float(x: &Tensor) -> Result<Tensor> {
        x.cast(f64)
    }
}

type OnNumbers = fn(Int, Int, f64, bool, &[Int], i64, bool) -> Result<(Int, f64, bool)>;
type Results = Result<(Tensor, Tensor, Tensor)>;
type OnTensors = fn(&Tensor, &Tensor, &Tensor, &Tensor, &Tensor, i64, bool) -> Results;

/// A program in its two forms.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) numbers: OnNumbers,
    /// The body itself.
    pub(crate) tensors: OnTensors,
    pub(crate) traced: OnTensors,
}

macro_rules! program {
    ($name:ident) => {
        Program {
            name: stringify!($name),
            numbers: $name::numbers::f,
            tensors: $name::tensors::body,
            traced: |a, b, x, c, v, k, flag| $name::tensors::f(a, b, x, c, v, k, flag),
        }
    };
}

pub(crate) use program;

/// Arguments of a program.
#[derive(Clone, Copy, Debug)]
struct Arguments {
    a: i64,
    b: i64,
    x: f64,
    c: bool,
    v: &'static [i64],
    k: i64,
    flag: bool,
}

const fn arguments(
    a: i64,
    b: i64,
    x: f64,
    c: bool,
    v: &'static [i64],
    k: i64,
    flag: bool,
) -> Arguments {
    Arguments { a, b, x, c, v, k, flag }
}

const ARGUMENTS: [Arguments; 12] = [
    arguments(3, 4, 0.5, true, &[1, 2, 3], 2, true),
    arguments(-3, 7, 2.25, false, &[5, 0, 2], 2, true),
    arguments(100, -1, -7.5, true, &[-2, 9, 4], 2, true),
    arguments(2, 9, 1.0, false, &[1, 0, 0], 0, false),
    arguments(0, 0, 0.0, false, &[], 0, false),
    arguments(14, 3, 12.0, true, &[7, 8, 9], 0, false),
    arguments(6, 1, -0.75, false, &[4], 1, false),
    arguments(9, 104, 3.25, true, &[2, 1, 100], 1, false),
    arguments(-8, -13, f64::NAN, false, &[3, 3, 3], 5, true),
    arguments(i64::MAX, i64::MIN, f64::INFINITY, true, &[i64::MAX, 1, 2], 5, true),
    arguments(1, 2, 1e300, true, &[0, 1, 2, 3, 4], 3, true),
    arguments(24, 4, 10.0, false, &[9, 6, 3], 3, true),
];

/// What came out: of numbers, or why nothing did.
type Outcome = std::result::Result<(i64, f64, bool), String>;

fn guarded(run: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn told(results: Results) -> Outcome {
    let read = || {
        let (int, float, truth) = results?;
        Ok((int.item::<i64>()?, float.item::<f64>()?, truth.item::<bool>()?))
    };
    read().map_err(|e: Error| e.to_string())
}

fn same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => {
            one.0 == other.0
                && one.2 == other.2
                && (one.1 == other.1 || one.1.is_nan() && other.1.is_nan())
        }
        _ => false,
    }
}

/// Runs a program on all arguments in all ways; says what differs from the numbers, a line each.
pub(crate) fn differences(program: &Program) -> Vec<String> {
    let mut found = Vec::new();
    for given in ARGUMENTS {
        let Arguments { a, b, x, c, v, k, flag } = given;
        let ints: Vec<Int> = v.iter().copied().map(std::num::Wrapping).collect();
        let want = guarded(|| {
            let result = (program.numbers)(num(a), num(b), x, c, &ints, k, flag);
            result.map(|(int, float, truth)| (int.0, float, truth)).map_err(|e| e.to_string())
        });
        let rows = Tensor::from_vec(v.to_vec());
        let [a, b, x, c] = [scalar(a), scalar(b), scalar(x), scalar(c)];
        let one = TensorSpec::of::<i64>([]);
        let vector = TensorSpec::of::<i64>(shape![?]);
        let ways: [(&str, &dyn Fn() -> Results); 3] = [
            ("op by op", &|| (program.tensors)(&a, &b, &x, &c, &rows, k, flag)),
            ("traced", &|| (program.traced)(&a, &b, &x, &c, &rows, k, flag)),
            ("traced with unknown shapes", &|| {
                let call = program.traced;
                let open =
                    function(move |a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor| {
                        call(a, b, x, c, v, k, flag)
                    });
                let (float, truth) = (TensorSpec::of::<f64>([]), TensorSpec::of::<bool>([]));
                let open = open.concrete(&one, &one, &float, &truth, &vector)?;
                let out =
                    open.call_flat(&[a.clone(), b.clone(), x.clone(), c.clone(), rows.clone()])?;
                Ok((out[0].clone(), out[1].clone(), out[2].clone()))
            }),
        ];
        for (way, run) in ways {
            let got = guarded(|| told(run()));
            if !same(&want, &got) {
                found.push(format!("{} {way} {given:?}: want {want:?}, got {got:?}", program.name));
            }
        }
    }
    found
}

use numbers::num;
