//! What a machine can do, which the steps of a profile are compared with.

use std::time::{Duration, Instant};

use super::profile::ProfiledStep;
use crate::array::Array;
use crate::ir::{Attrs, KernelContext, OpDef, Spare};
use crate::ops::{MatMul, NamedOp as _, Neg};
use crate::types::{DType, Result};

/// The most that a machine can do in a second.
///
/// ```
/// use extype::function::Bounds;
/// use extype::prelude::*;
/// let f = function(|x: &Tensor| x.exp()).concrete(&TensorSpec::of::<f32>([1000]))?;
/// let profile = f.profile(&[ops::zeros([1000], f32)?])?;
/// // From the data sheet of the machine, or measured once.
/// let bounds = Bounds { bytes_per_second: 40e9, flops_per_second: 2e12 };
/// let share = profile.steps[0].share(&bounds);
/// assert_eq!(share, 8000.0 / 40e9 / profile.steps[0].time.as_secs_f64());
/// println!("{}", profile.with_bounds(Bounds::measured()?));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The bytes that are read from memory and written to it.
    pub bytes_per_second: f64,
    /// The arithmetic, as [`ProfiledStep::flops`] counts it.
    pub flops_per_second: f64,
}

impl Bounds {
    /// What this machine can do now, with the threads of this library: the rate of the best of several negations of
    /// 32 MiB, which are as fast as a copy, and of several products of matrices of float32. It takes about a fifth of a
    /// second, so keep the result.
    ///
    /// # Errors
    /// `ResourceExhausted` without 70 MB of memory.
    pub fn measured() -> Result<Bounds> {
        const LONG: usize = 1 << 23;
        const SIDE: usize = 512;
        // Memory that was never written is not read from memory.
        let written =
            |dims: &[usize]| run(Neg::DEF, &[&Array::zeros(DType::F32, dims)?], &Spare::default());
        let (long, square) = (written(&[LONG])?, written(&[SIDE, SIDE])?);
        let moved = best(Neg::DEF, &[&long])?;
        let multiplied = best(MatMul::DEF, &[&square, &square])?;
        let rate = |n: usize, time: Duration| n as f64 / time.as_secs_f64().max(1e-9);
        Ok(Bounds {
            bytes_per_second: rate(2 * size_of::<f32>() * LONG, moved),
            flops_per_second: rate(2 * SIDE * SIDE * SIDE, multiplied),
        })
    }
}

/// The result of an op without attributes, or of a product.
fn run(op: &OpDef, inputs: &[&Array], spare: &Spare) -> Result<Array> {
    let (a, b) = (MatMul::TRANSPOSE_A, MatMul::TRANSPOSE_B);
    let attrs = Attrs::new().with(a, &false).with(b, &false);
    op.kernel.run_one(&KernelContext::new(inputs, &attrs).with_spare(spare))
}

/// The least time of an op, of the runs in 60 ms.
fn best(op: &OpDef, inputs: &[&Array]) -> Result<Duration> {
    let (spare, start) = (Spare::default(), Instant::now());
    let mut best = Duration::MAX;
    while best == Duration::MAX || start.elapsed() < Duration::from_millis(60) {
        let began = Instant::now();
        let result = run(op, inputs, &spare)?;
        best = best.min(began.elapsed());
        // The next one writes to the same memory.
        spare.keep(result);
    }
    Ok(best)
}

impl ProfiledStep {
    /// How near the step comes to what the machine can do: the least time for its bytes or its arithmetic, whichever
    /// is longer, as a share of the time that it took.
    ///
    /// It is above 1 if the operands were in the caches, since [`Bounds`] count memory. Arithmetic that is unknown does
    /// not count.
    pub fn share(&self, bounds: &Bounds) -> f64 {
        let moved = self.bytes as f64 / bounds.bytes_per_second;
        let computed = self.flops.unwrap_or(0) as f64 / bounds.flops_per_second;
        moved.max(computed) / self.time.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Profile;
    use super::*;

    fn step(bytes: usize, flops: Option<u64>, millis: u64) -> ProfiledStep {
        let time = Duration::from_millis(millis);
        let (what, start) = (String::from("Op"), Duration::ZERO);
        ProfiledStep { what, start, time, bytes, flops, location: None }
    }

    #[test]
    fn a_share_is_of_the_bound_that_takes_longer() {
        let bounds = Bounds { bytes_per_second: 1e9, flops_per_second: 1e12 };
        // 100 ms for the bytes; 200 ms, 50 ms or an unknown time for the arithmetic.
        let shares = [Some(200_000_000_000), Some(50_000_000_000), None]
            .map(|flops| step(100_000_000, flops, 400).share(&bounds));
        assert_eq!(shares, [0.5, 0.25, 0.25]);
    }

    #[test]
    fn the_table_and_the_file_tell_shares_if_there_are_bounds() {
        let steps = vec![step(100_000_000, None, 400)];
        let profile = Profile { steps, ..Profile::default() };
        assert!(!profile.to_string().contains("of bound"), "{profile}");
        assert!(!profile.trace_events().contains("of bound"));
        let bounds = Bounds { bytes_per_second: 1e9, flops_per_second: 1e12 };
        let profile = profile.with_bounds(bounds);
        let text = profile.to_string();
        let column = |name: &str| {
            let line = text.lines().find(|line| line.ends_with(name))?;
            line.strip_suffix(name).map(|line| line.chars().count())
        };
        assert!(column("step").is_some() && column("step") == column("Op  "), "{text}");
        assert!(text.contains(" of bound  step\n") && text.contains(" 25%  Op"), "{text}");
        let events = profile.trace_events();
        assert!(events.contains(r#""flops":null,"of bound":0.250,"#), "{events}");
    }

    #[test]
    fn this_machine_moves_and_computes_something() {
        let Bounds { bytes_per_second, flops_per_second } = Bounds::measured().unwrap();
        assert!((1e6..1e15).contains(&bytes_per_second), "{bytes_per_second}");
        assert!((1e6..1e18).contains(&flops_per_second), "{flops_per_second}");
    }
}
