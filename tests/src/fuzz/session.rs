//! A run: cases given to workers, findings gathered and made small.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use super::edit::{self, Edit};
use super::report::{Finding, Kind, Summary};
use super::subject::Subject;
use super::worker::MARK;

/// What a run does.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program that serves cases when it is called with `--worker BYTES`.
    pub worker: PathBuf,
    /// What the cases are of; the program must serve it.
    pub subject: Subject,
    /// The first seed; an op's cases have this one and those after it.
    pub seed: u64,
    /// Cases of each op.
    pub cases: u64,
    /// Only this op.
    pub op: Option<String>,
    /// No case begins after this time.
    pub time: Duration,
    /// A case must end in this time of a CPU.
    pub case_time: Duration,
    /// Address space of a worker, in bytes.
    pub memory: u64,
    /// Workers.
    pub jobs: usize,
    /// Tries to make a finding smaller.
    pub tries: usize,
    /// No such try begins after this time.
    pub shrink_time: Duration,
}

impl Options {
    /// All cases of a subject with this program.
    pub fn new(worker: impl Into<PathBuf>, subject: Subject) -> Self {
        Options {
            worker: worker.into(),
            subject,
            seed: 0,
            cases: u64::MAX,
            op: None,
            time: Duration::from_secs(600),
            // A case of gradients is dozens of traces.
            case_time: Duration::from_secs(match subject {
                Subject::Calls => 5,
                Subject::Gradients => 40,
            }),
            // So that 2^31 bytes are too many: a result of `i32::MAX` elements must be refused, not
            // filled.
            memory: 1 << 30,
            jobs: 2,
            tries: 80,
            shrink_time: Duration::from_secs(120),
        }
    }
}

/// What a worker said of a case.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The call.
    pub call: String,
    /// True if the op took it.
    pub taken: bool,
    /// Why not.
    pub refusal: Option<String>,
    /// What the check of the gradients told.
    pub gradients: Vec<String>,
    /// What is wrong.
    pub findings: Vec<(Kind, String)>,
    smaller: Vec<Edit>,
}

/// A run.
pub struct Session {
    options: Options,
}

impl Session {
    /// A run to be.
    pub fn new(options: Options) -> Self {
        Session { options }
    }

    /// Runs the cases; `progress` is told how many are done and found, and the first findings of their kind.
    ///
    /// # Errors
    /// If no worker can be started.
    pub fn run(&self, progress: &(dyn Fn(usize, usize, &[Finding]) + Sync)) -> Result<Summary> {
        let wanted = |name: &&str| self.options.op.as_ref().is_none_or(|o| o == name);
        let ops: Vec<&str> = self.options.subject.names().into_iter().filter(wanted).collect();
        anyhow::ensure!(!ops.is_empty(), "no op is named {:?}", self.options.op);
        // One that stands there several times has as many seeds in a round.
        let mut seeds: HashMap<&str, u64> = HashMap::new();
        let places: Vec<u64> = ops
            .iter()
            .map(|op| {
                let n = seeds.entry(op).or_default();
                *n += 1;
                *n - 1
            })
            .collect();
        let total =
            usize::try_from(self.options.cases).unwrap_or(usize::MAX).saturating_mul(ops.len());
        let (next, began) = (AtomicUsize::new(0), Instant::now());
        let gathered = Mutex::new(Gathered::default());
        let work = || -> Result<()> {
            let mut worker = Worker::new(&self.options)?;
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= total || began.elapsed() > self.options.time {
                    return Ok(());
                }
                let (op, round) = (ops[i % ops.len()], (i / ops.len()) as u64);
                let further = round * seeds[op] + places[i % ops.len()];
                let seed = self.options.seed.wrapping_add(further);
                let answer = worker.run(op, seed, &[])?;
                let mut gathered = gathered.lock().unwrap_or_else(PoisonError::into_inner);
                let new = gathered.add(op, seed, answer);
                progress(gathered.summary.cases(), gathered.findings.len(), &new);
            }
        };
        thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|t| t.join().unwrap_or_else(|_| anyhow::bail!("a thread ended")))
        })?;
        let mut gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let done = gathered.summary.cases();
        let endless = self.options.cases == u64::MAX;
        gathered.summary.left_out = if endless { 0 } else { total - done };
        let mut findings: Vec<Finding> = gathered.findings.into_values().collect();
        self.shrink(&mut findings)?;
        findings.sort_by(|a, b| (&a.op, a.kind, a.seed).cmp(&(&b.op, b.kind, b.seed)));
        Ok(Summary { findings, ..gathered.summary })
    }

    /// Runs one case.
    ///
    /// # Errors
    /// If no worker can be started.
    pub fn one(&self, op: &str, seed: u64, edits: &[Edit]) -> Result<Answer> {
        Worker::new(&self.options)?.run(op, seed, edits)
    }

    /// Makes the calls of findings smaller while what is wrong stays.
    fn shrink(&self, findings: &mut [Finding]) -> Result<()> {
        let (next, began) = (AtomicUsize::new(0), Instant::now());
        let small = Mutex::new(Vec::new());
        let shared: &[Finding] = findings;
        let work = || -> Result<()> {
            let mut worker = Worker::new(&self.options)?;
            while let Some((i, finding)) = {
                let i = next.fetch_add(1, Ordering::Relaxed);
                shared.get(i).map(|f| (i, f))
            } {
                if began.elapsed() > self.options.shrink_time {
                    break;
                }
                let smaller = self.smaller(&mut worker, finding, began)?;
                small.lock().unwrap_or_else(PoisonError::into_inner).push((i, smaller));
            }
            Ok(())
        };
        thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|t| t.join().unwrap_or_else(|_| anyhow::bail!("a thread ended")))
        })?;
        for (i, finding) in small.into_inner().unwrap_or_else(PoisonError::into_inner) {
            findings[i] = finding;
        }
        Ok(())
    }

    fn smaller(&self, worker: &mut Worker, finding: &Finding, began: Instant) -> Result<Finding> {
        let mut best = finding.clone();
        let limit = self.options.case_time;
        // What hangs costs the whole limit at every try.
        let mut tries = if best.kind == Kind::Hangs { 2 } else { self.options.tries };
        let mut answer = worker.once(&best.op, best.seed, &best.edits, limit)?;
        'smaller: while tries > 0 {
            for edit in answer.smaller.clone() {
                if tries == 0 || began.elapsed() > self.options.shrink_time {
                    break 'smaller;
                }
                tries -= 1;
                let edits = [&best.edits[..], &[edit]].concat();
                let tried = worker.once(&best.op, best.seed, &edits, limit)?;
                let same = tried.findings.iter().find(|(kind, text)| {
                    let like = Finding { text: text.clone(), ..best.clone() };
                    *kind == best.kind && like.signature() == best.signature()
                });
                if let Some((_, text)) = same
                    && tried.call != answer.call
                {
                    (best.edits, best.text, best.call) = (edits, text.clone(), tried.call.clone());
                    answer = tried;
                    continue 'smaller;
                }
            }
            break;
        }
        Ok(best)
    }
}

#[derive(Default)]
struct Gathered {
    summary: Summary,
    findings: BTreeMap<String, Finding>,
}

impl Gathered {
    /// Takes an answer in, and gives the findings that are the first of their kind.
    fn add(&mut self, op: &str, seed: u64, answer: Answer) -> Vec<Finding> {
        let tally = self.summary.ops.entry(op.to_owned()).or_default();
        tally.cases += 1;
        tally.taken += usize::from(answer.taken);
        for told in answer.gradients {
            *tally.gradients.entry(told).or_default() += 1;
        }
        tally.refusal = answer.refusal.or(tally.refusal.take());
        let mut first = Vec::new();
        for (kind, text) in answer.findings {
            let call = answer.call.clone();
            let new =
                Finding { op: op.to_owned(), seed, edits: Vec::new(), kind, text, call, count: 0 };
            // Workers race; the smallest seed is the one kept.
            let kept = self.findings.entry(new.signature()).or_insert_with(|| new.clone());
            let count = kept.count + 1;
            if seed < kept.seed {
                *kept = new;
            }
            kept.count = count;
            if count == 1 {
                first.push(kept.clone());
            }
        }
        first
    }
}

/// A worker process, started anew whenever a case has ended it.
struct Worker<'a> {
    options: &'a Options,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Value>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl<'a> Worker<'a> {
    fn new(options: &'a Options) -> Result<Self> {
        Ok(Worker { options, running: Some(Running::start(options)?) })
    }

    fn run(&mut self, op: &str, seed: u64, edits: &[Edit]) -> Result<Answer> {
        let answer = self.once(op, seed, edits, self.options.case_time)?;
        // Those that did not end have another chance, alone in a fresh process.
        if answer.findings.iter().any(|(kind, _)| *kind == Kind::Hangs) {
            return self.once(op, seed, edits, self.options.case_time * 2);
        }
        Ok(answer)
    }

    fn once(&mut self, op: &str, seed: u64, edits: &[Edit], limit: Duration) -> Result<Answer> {
        let running = match &mut self.running {
            Some(running) => running,
            none => none.insert(Running::start(self.options)?),
        };
        // A worker that is gone is seen when nothing comes back.
        let _ = writeln!(running.input, "{op} {seed} {}", edit::to_text(edits));
        let (mut answer, mut stage) = (Answer::default(), String::from("start"));
        let (began, worked) = (Instant::now(), running.worked());
        // A busy machine makes cases slow: what counts is the work, if the case does not only wait.
        let spent = |running: &Running| match (running.worked(), worked) {
            (Some(now), Some(before)) => now.saturating_sub(before).max(began.elapsed() / 20),
            _ => began.elapsed(),
        };
        loop {
            let left = limit.saturating_sub(spent(running));
            match running.lines.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) if spent(running) < limit => {}
                Ok(line) => {
                    if let Some(wrong) = line["wrong"].as_str() {
                        anyhow::bail!("{wrong}");
                    }
                    let Some(name) = line["stage"].as_str() else {
                        answer.read(&line);
                        return Ok(answer);
                    };
                    name.clone_into(&mut stage);
                    if let Some(call) = line["call"].as_str() {
                        call.clone_into(&mut answer.call);
                        let smaller = line["smaller"].as_str().unwrap_or_default();
                        answer.smaller = edit::from_text(smaller).map_err(anyhow::Error::msg)?;
                    }
                }
                Err(ended) => {
                    let finding = match ended {
                        RecvTimeoutError::Timeout => {
                            (Kind::Hangs, format!("{stage}: not done after {} s", limit.as_secs()))
                        }
                        RecvTimeoutError::Disconnected => {
                            (Kind::Aborts, format!("{stage}: {}", running.last_words()))
                        }
                    };
                    answer.findings.push(finding);
                    self.running = None;
                    return Ok(answer);
                }
            }
        }
    }
}

impl Running {
    fn start(options: &Options) -> Result<Self> {
        let mut child = Command::new(&options.worker)
            .args(["--worker", &options.memory.to_string()])
            .env("RAYON_NUM_THREADS", "2")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", options.worker.display()))?;
        let input = child.stdin.take().context("no input")?;
        let output = child.stdout.take().context("no output")?;
        let mut error = child.stderr.take().context("no output of errors")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let told = line.strip_prefix(MARK.as_bytes());
                let told = told.and_then(|l| serde_json::from_slice(l).ok());
                if told.is_some_and(|told| sender.send(told).is_err()) {
                    return;
                }
            }
        });
        let errors = Arc::new(Mutex::new(Vec::new()));
        let kept = errors.clone();
        thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(n @ 1..) = error.read(&mut part) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&part[..n]);
                let more = kept.len().saturating_sub(4096);
                kept.drain(..more);
            }
        });
        Ok(Running { child, input, lines, errors })
    }

    /// The time for which the process had a CPU, where the system tells it.
    fn worked(&self) -> Option<Duration> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // Behind the name, which may hold anything, in hundredths of a second.
        let numbers = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
        let ticks: Option<u64> = numbers.map(|n| n.parse::<u64>().ok()).sum();
        Some(Duration::from_millis(10 * ticks?))
    }

    /// How the process ended, and what it said before.
    fn last_words(&mut self) -> String {
        let status = self.child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
        // The other thread reads what is left.
        thread::sleep(Duration::from_millis(20));
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&errors);
        let last: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        format!("{status}: {}", last[last.len().saturating_sub(2)..].join("; "))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Gone already, or killed: both is well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    fn read(&mut self, line: &Value) {
        self.taken = line["taken"].as_bool().unwrap_or(false);
        self.refusal = line["refusal"].as_str().map(str::to_owned);
        let told = line["gradients"].as_array().into_iter().flatten();
        self.gradients = told.filter_map(Value::as_str).map(str::to_owned).collect();
        for finding in line["findings"].as_array().into_iter().flatten() {
            let kind = finding[0].as_str().and_then(Kind::from_name);
            let text = finding[1].as_str().unwrap_or_default();
            self.findings.extend(kind.map(|kind| (kind, text.to_owned())));
        }
    }
}
