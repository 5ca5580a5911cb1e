//! The timer and the output of all peers.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use extype::Tensor;

/// What was asked for on the command line.
pub(crate) struct Runner {
    threads: usize,
    budget: f64,
    selected: Option<Vec<String>>,
    check: bool,
    /// How often to run a workload in place of timing it.
    runs: Option<usize>,
}

impl Runner {
    /// Reads `[--threads T] [--workloads LIST] [--budget S] [--check] [--runs N]`.
    ///
    /// # Errors
    /// For anything else.
    pub(crate) fn from_args(mut args: impl Iterator<Item = String>) -> Result<Runner> {
        let mut runner =
            Runner { threads: 1, budget: 1.0, selected: None, check: false, runs: None };
        while let Some(flag) = args.next() {
            if flag == "--check" {
                runner.check = true;
                continue;
            }
            let value = args.next().with_context(|| format!("{flag} wants a value"))?;
            match flag.as_str() {
                "--threads" => runner.threads = value.parse().context("--threads")?,
                "--budget" => runner.budget = value.parse().context("--budget")?,
                "--runs" => runner.runs = Some(value.parse().context("--runs")?),
                "--workloads" if value == "all" => runner.selected = None,
                "--workloads" => {
                    runner.selected = Some(value.split(',').map(str::to_owned).collect());
                }
                other => bail!("no option is named `{other}`"),
            }
        }
        Ok(runner)
    }

    /// The number of threads asked for.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// True if the workload was asked for, by its own name or its group's.
    pub(crate) fn wants(&self, group: &str, name: &str) -> bool {
        self.selected.as_ref().is_none_or(|s| s.iter().any(|x| x == group || x == name))
    }

    /// True if the group was asked for by its name, as groups outside of `all` are.
    pub(crate) fn wants_group(&self, group: &str) -> bool {
        self.selected.as_ref().is_some_and(|s| s.iter().any(|x| x == group))
    }

    /// True if workloads are timed, and not checked or only run.
    fn times(&self) -> bool {
        !self.check && self.runs.is_none()
    }

    /// Times a call that returns the tensors whose first one is checked.
    ///
    /// # Errors
    /// What the call fails with.
    pub(crate) fn time(
        &self,
        (group, name): (&str, &str),
        mut call: impl FnMut() -> extype::Result<Tensor>,
    ) -> Result<()> {
        if !self.wants(group, name) {
            return Ok(());
        }
        if self.check {
            return check(name, &call()?);
        }
        if let Some(runs) = self.runs {
            for _ in 0..runs {
                drop(black_box(call()?));
            }
            return Ok(());
        }
        let mut failed = None;
        let samples = measure(self.budget, || match call() {
            Ok(result) => drop(black_box(result)),
            Err(e) => failed = Some(e),
        });
        match failed {
            Some(e) => Err(e.into()),
            None => {
                self.print(name, samples, "");
                Ok(())
            }
        }
    }

    /// Times a call, and notes how long it takes as a multiple of another one's time. Samples of
    /// the two alternate, so that what else the machine does hits both.
    ///
    /// # Errors
    /// What a call fails with.
    pub(crate) fn compare<T>(
        &self,
        (group, name): (&str, &str),
        mut call: impl FnMut() -> extype::Result<T>,
        (what, mut other): (&str, impl FnMut() -> extype::Result<T>),
    ) -> Result<()> {
        if !self.times() || !self.wants(group, name) {
            return Ok(());
        }
        let mut failed = None;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            let budget = self.budget / 10.0;
            let mut keep = |error| failed = failed.take().or(error);
            own.extend(measure(budget, || keep(call().map(black_box).err())));
            others.extend(measure(budget, || keep(other().map(black_box).err())));
        }
        if let Some(e) = failed {
            return Err(e.into());
        }
        let ratio = median(&mut own) / median(&mut others);
        self.print(name, own, &format!("{ratio:.3} times {what}"));
        Ok(())
    }

    /// Times single shots; each makes its own fresh function, untimed.
    ///
    /// # Errors
    /// What a shot fails with.
    pub(crate) fn shots<T>(
        &self,
        (group, name): (&str, &str),
        fresh: impl Fn() -> T,
        shot: impl Fn(&T) -> extype::Result<()>,
    ) -> Result<()> {
        if !self.times() || !self.wants(group, name) {
            return Ok(());
        }
        let mut samples = Vec::new();
        for _ in 0..5 {
            let function = fresh();
            let start = Instant::now();
            shot(&function)?;
            samples.push(start.elapsed().as_secs_f64() * 1e9);
        }
        self.print(name, samples, "");
        Ok(())
    }

    fn print(&self, name: &str, mut samples: Vec<f64>, note: &str) {
        let median = median(&mut samples);
        println!(
            "{{\"workload\": \"{name}\", \"peer\": \"extype\", \"ns_per_iter\": {median:.1}, \
             \"min\": {:.1}, \"median\": {median:.1}, \"max\": {:.1}, \"threads\": {}, \
             \"note\": \"{note}\"}}",
            samples[0],
            samples[samples.len() - 1],
            self.threads
        );
    }
}

/// The middle of the samples, which it sorts.
pub(crate) fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    let n = samples.len();
    (samples[(n - 1) / 2] + samples[n / 2]) / 2.0
}

fn check(name: &str, result: &Tensor) -> Result<()> {
    let sum: f64 = result.as_slice::<f32>()?.iter().map(|x| f64::from(*x)).sum();
    let size = result.value()?.len();
    println!("{name:22} {:16} size={size} sum={sum:.6}", "extype");
    Ok(())
}

/// Samples of nanoseconds a call, taken as all peers take them.
fn measure(budget: f64, mut call: impl FnMut()) -> Vec<f64> {
    warm_up(budget, &mut call);
    let once = timed(1, &mut call).max(1e-8);
    let few = ((0.001 / once) as usize).clamp(1, 10_000);
    let once = (timed(few, &mut call) / few as f64).max(1e-9);
    let inner = ((0.005 / once) as usize).max(1);
    let mut samples = Vec::new();
    let start = Instant::now();
    // A call over a second gets three samples.
    let least = if once > 1.0 { 3 } else { 5 };
    while samples.len() < 25
        && (samples.len() < least || start.elapsed().as_secs_f64() < budget)
        && (once <= 1.0 || samples.len() < 3)
    {
        samples.push(timed(inner, &mut call) / inner as f64 * 1e9);
    }
    samples
}

fn warm_up(budget: f64, call: &mut impl FnMut()) {
    let start = Instant::now();
    let first = timed(1, call);
    let mut n = 1;
    while start.elapsed().as_secs_f64() < (budget / 4.0).min(0.25) || n < 3 {
        call();
        n += 1;
        if n >= 3 && first > budget {
            break;
        }
    }
}

/// Seconds that `n` calls take.
fn timed(n: usize, call: &mut impl FnMut()) -> f64 {
    let start = clock();
    for _ in 0..n {
        call();
    }
    clock() - start
}

/// Seconds since some moment.
#[cfg(not(feature = "everyday"))]
fn clock() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Seconds that this process computed. What else the machine does hardly shows there.
#[cfg(feature = "everyday")]
fn clock() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}
