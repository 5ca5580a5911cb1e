//! Work on other threads: functions side by side, and steps that run ahead.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, current};

use super::Dataset;
use super::cache::Makes;
use super::rim::{Reader, Writer, run};
use super::seeds::{Begun, Passes};
use super::stage::{Cursor, Element, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::Structure;
use crate::types::{Result, bail, err};

impl<S: Structure> Dataset<S> {
    /// The same elements, up to `n` of which are made ahead, on another thread.
    ///
    /// TensorFlow: `Dataset.prefetch`.
    ///
    /// # Errors
    /// `InvalidArgument` for more than 2²⁰ elements, which are kept in memory: nothing else stops the thread.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..10).map(|x| x.square()).prefetch(2);
    /// assert_eq!(data.collect_all()?[9].item::<i64>()?, 81);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn prefetch(&self, n: usize) -> Self {
        match n {
            0 => self.clone(),
            n => self.step(checked_ahead(n), |input, n| Prefetched { input, n }),
        }
    }
}

/// A lock that panics elsewhere do not close: no user's code runs while it is held.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    let makes = Makes::of_thread();
    let body = move || makes.within(body);
    Builder::new()
        .name(format!("extype {name}"))
        .spawn(body)
        .map_err(|e| err!(ResourceExhausted, "a thread for `{name}` can't be started: {e}"))
}

/// Waits for the end of a thread. A worker that drops the last reader does not wait for itself.
fn join(thread: JoinHandle<()>) {
    if thread.thread().id() != current().id() {
        // A panic in the user's function is a result, so that threads end in no other way.
        let _ = thread.join();
    }
}

/// Starts the input of a step that works ahead. The passes that begin at once count as read.
fn started_ahead(input: &Arc<Node>, run: &Run) -> (Feed, Arc<Begun>) {
    let (run, begun) = run.ahead(input);
    let input = input.start(&run);
    begun.read_all();
    (input, begun)
}

/// Calls a function on several threads. Results come in the order of the elements.
pub(super) struct ParallelMap<S: Structure, R: Structure, F> {
    input: Feed,
    begun: Arc<Begun>,
    f: Arc<F>,
    threads: usize,
    team: Team,
    /// The elements whose results come next, in order.
    pending: VecDeque<Pending>,
    next_id: u64,
    of: std::marker::PhantomData<fn(S) -> R>,
}

struct Pending {
    id: u64,
    element: Result<Element, Failure>,
    passes: Passes,
}

/// The threads.
#[derive(Default)]
struct Team {
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Desk {
    state: Mutex<Jobs>,
    work: Condvar,
    ready: Condvar,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<(u64, Element)>,
    done: HashMap<u64, Result<Element, Failure>>,
    closed: bool,
}

impl Drop for Team {
    fn drop(&mut self) {
        let mut jobs = lock(&self.desk.state);
        jobs.closed = true;
        jobs.waiting.clear();
        drop(jobs);
        self.desk.work.notify_all();
        for thread in self.threads.drain(..) {
            join(thread);
        }
    }
}

impl<S, R, F> ParallelMap<S, R, F>
where
    S: Structure,
    R: Structure,
    F: Fn(S) -> Result<R> + Send + Sync + 'static,
{
    pub(super) fn new(input: &Arc<Node>, run: &Run, f: Arc<F>, threads: usize) -> Self {
        let (input, begun) = started_ahead(input, run);
        let (team, pending, of) = (Team::default(), VecDeque::new(), std::marker::PhantomData);
        Self { input, begun, f, threads, team, pending, next_id: 0, of }
    }

    fn hand_in(&mut self, element: Result<Element, Failure>, passes: Passes) -> Result<()> {
        let id = self.next_id;
        self.next_id += 1;
        if let Ok(element) = &element {
            // As many threads as there is work for.
            let Team { desk, threads } = &mut self.team;
            if threads.len() < self.threads {
                let (desk, f) = (desk.clone(), self.f.clone());
                match spawn("map_parallel", move || work::<S, R, F>(&desk, &f)) {
                    Ok(thread) => threads.push(thread),
                    Err(error) if threads.is_empty() => return Err(error),
                    // Fewer do it too.
                    Err(_) => {}
                }
            }
            lock(&desk.state).waiting.push_back((id, element.clone()));
            desk.work.notify_one();
        }
        self.pending.push_back(Pending { id, element, passes });
        Ok(())
    }
}

fn work<S: Structure, R: Structure, F: Fn(S) -> Result<R>>(desk: &Desk, f: &F) {
    let (mut reader, mut writer) = (Reader::<S>::default(), Writer::<R>::default());
    let mut jobs = lock(&desk.state);
    while !jobs.closed {
        let Some((id, element)) = jobs.waiting.pop_front() else {
            jobs = wait(&desk.work, jobs);
            continue;
        };
        drop(jobs);
        let result = run(|| Ok(writer.write(f(reader.read(element)?)?)));
        jobs = lock(&desk.state);
        jobs.done.insert(id, result);
        desk.ready.notify_one();
    }
}

impl<S, R, F> Cursor for ParallelMap<S, R, F>
where
    S: Structure,
    R: Structure,
    F: Fn(S) -> Result<R> + Send + Sync + 'static,
{
    fn next(&mut self) -> Next {
        while self.pending.len() < 2 * self.threads && !self.input.is_done() {
            let element = self.input.next();
            let passes = self.begun.made();
            let Some(element) = element else { break };
            if let Err(error) = self.hand_in(element, passes) {
                return Some(Err(Failure::last(error)));
            }
        }
        let Some(Pending { id, element, passes }) = self.pending.pop_front() else {
            self.begun.read_all();
            return None;
        };
        self.begun.read(passes);
        if let Err(failure) = element {
            return Some(Err(failure));
        }
        let desk = &self.team.desk;
        let mut jobs = lock(&desk.state);
        loop {
            if let Some(result) = jobs.done.remove(&id) {
                return Some(result);
            }
            jobs = wait(&desk.ready, jobs);
        }
    }

    /// Elements whose results have not come out are saved, and their results made again.
    fn save(&mut self) -> Result<Saved> {
        let pending = |p: &Pending| [Saved::of_result(&p.element), p.passes.save()].into();
        let pending = Saved::List(self.pending.iter().map(pending).collect());
        Ok([self.input.save()?, self.begun.save(), pending].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, begun, pending] = saved.list()?;
        for pending in pending.items()? {
            let [element, passes] = pending.list()?;
            let passes = self.begun.restored(passes)?;
            self.hand_in(element.result()?, passes)?;
        }
        self.input.restore(input)?;
        self.begun.restore(begun)
    }
}

pub(super) fn checked_threads(threads: usize) -> Result<usize> {
    match threads {
        1..=1024 => Ok(threads),
        n => bail!("a function is called on 1 to 1024 threads, not on {n}"),
    }
}

fn checked_ahead(n: usize) -> Result<usize> {
    match n <= 1 << 20 {
        true => Ok(n),
        false => bail!(
            "up to 1048576 elements are made ahead, not {n}; a few hide the time that they take"
        ),
    }
}

struct Prefetched {
    input: Arc<Node>,
    n: usize,
}

impl Stage for Prefetched {
    fn name(&self) -> &'static str {
        "prefetch"
    }

    fn arguments(&self) -> String {
        self.n.to_string()
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let run = run.part();
        let (input, begun) = started_ahead(&self.input, &run);
        let ahead = Ahead { input: Some(input), begun, ready: VecDeque::new(), ended: false };
        let shared =
            Arc::new(Shared { ahead: Mutex::new(ahead), changed: Condvar::new(), n: self.n, run });
        Box::new(PrefetchCursor { shared, thread: None })
    }
}

struct Shared {
    ahead: Mutex<Ahead>,
    changed: Condvar,
    n: usize,
    run: Run,
}

struct Ahead {
    /// `None` while the thread makes an element.
    input: Option<Feed>,
    begun: Arc<Begun>,
    ready: VecDeque<(Result<Element, Failure>, Passes)>,
    /// True if no more are made.
    ended: bool,
}

struct PrefetchCursor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

fn make_ahead(shared: &Shared) {
    let mut ahead = lock(&shared.ahead);
    while !ahead.ended {
        if ahead.ready.len() >= shared.n {
            ahead = wait(&shared.changed, ahead);
            continue;
        }
        let Some(mut input) = ahead.input.take() else { return };
        drop(ahead);
        let next = run(|| Ok(input.next())).unwrap_or_else(|failure| Some(Err(failure)));
        ahead = lock(&shared.ahead);
        ahead.ended |= next.is_none() || matches!(&next, Some(Err(failure)) if failure.ends);
        let passes = ahead.begun.made();
        ahead.ready.extend(next.map(|next| (next, passes)));
        ahead.input = Some(input);
        shared.changed.notify_all();
    }
}

impl Cursor for PrefetchCursor {
    fn next(&mut self) -> Next {
        if self.thread.is_none() {
            let shared = self.shared.clone();
            match spawn("prefetch", move || make_ahead(&shared)) {
                Ok(thread) => self.thread = Some(thread),
                Err(error) => return Some(Err(Failure::last(error))),
            }
        }
        let mut ahead = lock(&self.shared.ahead);
        loop {
            if let Some((next, passes)) = ahead.ready.pop_front() {
                ahead.begun.read(passes);
                self.shared.changed.notify_all();
                return Some(next);
            }
            if ahead.ended {
                ahead.begun.read_all();
                return None;
            }
            ahead = wait(&self.shared.changed, ahead);
        }
    }

    /// Waits for the element that the thread is about to finish.
    fn save(&mut self) -> Result<Saved> {
        let mut ahead = lock(&self.shared.ahead);
        while ahead.input.is_none() {
            ahead = wait(&self.shared.changed, ahead);
        }
        let input = ahead.input.as_mut().map_or(Ok(Saved::List(Vec::new())), Feed::save)?;
        let ready = |(next, passes): &(_, Passes)| [Saved::of_result(next), passes.save()].into();
        let ready = Saved::List(ahead.ready.iter().map(ready).collect());
        Ok([input, ahead.begun.save(), ready, ahead.ended.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, begun, ready, ended] = saved.list()?;
        let mut ahead = lock(&self.shared.ahead);
        for ready in ready.items()? {
            let [next, passes] = ready.list()?;
            let passes = ahead.begun.restored(passes)?;
            ahead.ready.push_back((next.result()?, passes));
        }
        ahead.ended = ended.flag()?;
        ahead.input.as_mut().map_or(Ok(()), |feed| feed.restore(input))?;
        ahead.begun.restore(begun)
    }
}

impl Drop for PrefetchCursor {
    fn drop(&mut self) {
        self.shared.run.stop();
        lock(&self.shared.ahead).ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            join(thread);
        }
    }
}
