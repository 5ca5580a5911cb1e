//! Work on other threads: functions side by side, and steps that run ahead.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::Dataset;
use super::rim::{Reader, Writer, run};
use super::stage::{Cardinality, Cursor, Element, Failure, Feed, Next, Node, Run, Stage};
use super::state::Saved;
use crate::spec::{AnySpec, Structure};
use crate::types::{Result, bail, err};

impl<S: Structure> Dataset<S> {
    /// The same elements, up to `n` of which are made ahead, on another thread.
    ///
    /// TensorFlow: `Dataset.prefetch`.
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
            n => Self::of(Node::new(Prefetched { input: self.node.clone(), n })),
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
    Builder::new()
        .name(format!("extype {name}"))
        .spawn(body)
        .map_err(|e| err!(ResourceExhausted, "a thread for `{name}` can't be started: {e}"))
}

/// Calls a function on several threads. Results come in the order of the elements.
pub(super) struct ParallelMap<S: Structure, R: Structure, F> {
    input: Feed,
    f: Arc<F>,
    threads: usize,
    team: Option<Team>,
    /// The elements whose results come next, in order.
    pending: VecDeque<(u64, Result<Element, Failure>)>,
    next_id: u64,
    of: std::marker::PhantomData<fn(S) -> R>,
}

/// The threads.
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
            // A panic in the user's function is a result, so that threads end in no other way.
            let _ = thread.join();
        }
    }
}

impl<S, R, F> ParallelMap<S, R, F>
where
    S: Structure,
    R: Structure,
    F: Fn(S) -> Result<R> + Send + Sync + 'static,
{
    pub(super) fn new(input: Feed, f: Arc<F>, threads: usize) -> Self {
        let (pending, of) = (VecDeque::new(), std::marker::PhantomData);
        Self { input, f, threads, team: None, pending, next_id: 0, of }
    }

    fn desk(&mut self) -> Result<Arc<Desk>> {
        if let Some(team) = &self.team {
            return Ok(team.desk.clone());
        }
        let desk = Arc::new(Desk::default());
        let mut team = Team { desk: desk.clone(), threads: Vec::new() };
        for _ in 0..self.threads {
            let (desk, f) = (desk.clone(), self.f.clone());
            team.threads.push(spawn("map_parallel", move || work::<S, R, F>(&desk, &f))?);
        }
        self.team = Some(team);
        Ok(desk)
    }

    fn hand_in(&mut self, element: Result<Element, Failure>) -> Result<()> {
        let id = self.next_id;
        self.next_id += 1;
        if let Ok(element) = &element {
            let desk = self.desk()?;
            lock(&desk.state).waiting.push_back((id, element.clone()));
            desk.work.notify_one();
        }
        self.pending.push_back((id, element));
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
        while self.pending.len() < 2 * self.threads {
            let Some(element) = self.input.next() else { break };
            if let Err(error) = self.hand_in(element) {
                return Some(Err(Failure::last(error)));
            }
        }
        let (id, element) = self.pending.pop_front()?;
        if let Err(failure) = element {
            return Some(Err(failure));
        }
        let desk = match self.desk() {
            Ok(desk) => desk,
            Err(error) => return Some(Err(Failure::last(error))),
        };
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
        let pending = self.pending.iter().map(|(_, element)| Saved::of_result(element)).collect();
        Ok([self.input.save()?, Saved::List(pending)].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, pending] = saved.list()?;
        for element in pending.items()? {
            self.hand_in(element.result()?)?;
        }
        self.input.restore(input)
    }
}

pub(super) fn checked_threads(threads: usize) -> Result<usize> {
    match threads {
        0 => bail!("a function is called on at least one thread"),
        n => Ok(n),
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

    fn runs_ahead(&self) -> bool {
        true
    }

    fn arguments(&self) -> String {
        self.n.to_string()
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.input]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        self.input.spec()
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let run = run.part();
        let ahead =
            Ahead { input: Some(self.input.start(&run)), ready: VecDeque::new(), ended: false };
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
    /// `None` while the thread makes an element, and after a panic of the library.
    input: Option<Feed>,
    ready: VecDeque<Result<Element, Failure>>,
    ended: bool,
}

struct PrefetchCursor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

fn make_ahead(shared: &Shared) {
    let mut ahead = lock(&shared.ahead);
    loop {
        if shared.run.is_stopped() || ahead.ended {
            // Whoever reads may be a thread that has not seen that all is over.
            ahead.ended = true;
            shared.changed.notify_all();
            return;
        }
        if ahead.ready.len() >= shared.n {
            ahead = wait(&shared.changed, ahead);
            continue;
        }
        let Some(mut input) = ahead.input.take() else { return };
        drop(ahead);
        let next = run(|| Ok(input.next())).unwrap_or_else(|failure| Some(Err(failure)));
        ahead = lock(&shared.ahead);
        ahead.ended = next.is_none() || matches!(&next, Some(Err(failure)) if failure.ends);
        ahead.ready.extend(next);
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
            if let Some(next) = ahead.ready.pop_front() {
                self.shared.changed.notify_all();
                return Some(next);
            }
            if ahead.ended {
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
        let input = ahead.input.as_mut().map_or(Ok(Saved::List(Vec::new())), Feed::save_whole)?;
        let ready = Saved::List(ahead.ready.iter().map(Saved::of_result).collect());
        Ok([input, ready, ahead.ended.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, ready, ended] = saved.list()?;
        let mut ahead = lock(&self.shared.ahead);
        ahead.ready = ready.items()?.iter().map(Saved::result).collect::<Result<_>>()?;
        ahead.ended = ended.flag()?;
        ahead.input.as_mut().map_or(Ok(()), |feed| feed.restore_whole(input))
    }
}

impl Drop for PrefetchCursor {
    fn drop(&mut self) {
        self.shared.run.stop();
        {
            // Whoever waits has seen the flag, or waits now.
            let _ahead = lock(&self.shared.ahead);
            self.shared.changed.notify_all();
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
