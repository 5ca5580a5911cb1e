//! Traces and the calls that they serve, in a snapshot that is read without locks.
//!
//! A call is found by its fingerprint and compared exactly. An earlier call that is served by a trace
//! for more general types is an *answer*. It is valid until a trace is added; then the best trace
//! is looked up again.
//!
//! A table has a limit. A trace that would exceed it takes the place of the least recently used one. Time is
//! the number of traces that were added, so a hit writes shared memory only once between two traces. Of traces
//! that were used since the last one was added, the oldest goes.

use std::collections::{BTreeMap, VecDeque};

use archery::ArcK;
use rpds::{HashTrieMap, RedBlackTreeMap};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::sync::{Arc, AtomicBool, AtomicU64, Mutex, MutexGuard, Ordering, PoisonError, Snapshot};

/// The most answers that are kept; roughly the least recently used go first. (Few under shuttle.)
const MAX_ANSWERS: usize = if cfg!(shuttle) { 2 } else { 1024 };
/// The most recently used answers that are skipped to find one to drop.
const MAX_CHANCES: usize = 8;
/// With fewer traces than this, dead ones are not looked for.
const FEW: usize = if cfg!(shuttle) { 4 } else { 64 };
/// The number of children of a map node. A change copies up to this many entries at each level.
const DEGREE: u8 = 16;

/// The key of a trace, or the key that a call requests.
pub(crate) trait Key: PartialEq {
    /// A number that equal keys share.
    fn digest(&self) -> u64;

    /// True if a trace for this key can serve the request.
    fn serves(&self, request: &Self) -> bool;

    /// True if it serves equal requests only.
    fn is_closed(&self) -> bool;

    /// True if no call can request it any more.
    fn is_dead(&self) -> bool;
}

/// A trace in the table.
pub(crate) struct KeyedTrace<K, T> {
    pub(crate) key: K,
    pub(crate) trace: Arc<T>,
    /// The place in the order of insertion.
    number: u64,
    /// The [`View::next`] at its last use.
    used_at: AtomicU64,
}

impl<K, T> KeyedTrace<K, T> {
    #[inline]
    fn use_at(&self, now: u64) {
        if self.used_at.load(Ordering::Relaxed) < now {
            self.used_at.store(now, Ordering::Relaxed);
        }
    }
}

/// A call that was made, and the trace that serves it.
pub(crate) struct KnownCall<K, S, T> {
    pub(crate) key: K,
    /// What the function keeps with it.
    pub(crate) kept: S,
    pub(crate) traced: Arc<KeyedTrace<K, T>>,
    fingerprint: u64,
    /// True if the trace is for more general types.
    answer: bool,
    /// The number of the first trace that was not considered.
    asked: AtomicU64,
    /// Set by hits, cleared when answers are dropped.
    used: AtomicBool,
}

type Bucket<X> = SmallVec<[Arc<X>; 1]>;
/// Shares by the `Arc` of the standard library, which ThreadSanitizer understands.
type Buckets<X> = HashTrieMap<u64, Bucket<X>, ArcK, FxBuildHasher>;

/// A snapshot of the table.
pub(crate) struct View<K, S, T> {
    calls: Buckets<KnownCall<K, S, T>>,
    traces: Buckets<KeyedTrace<K, T>>,
    /// The traces that may serve other requests than their own key, in the order of insertion.
    open: RedBlackTreeMap<u64, Arc<KeyedTrace<K, T>>, ArcK>,
    /// The number of the next trace.
    next: u64,
}

impl<K, S, T> Clone for View<K, S, T> {
    fn clone(&self) -> Self {
        Self {
            calls: self.calls.clone(),
            traces: self.traces.clone(),
            open: self.open.clone(),
            next: self.next,
        }
    }
}

/// The traces of one function.
pub(crate) struct TracesByKey<K, S, T> {
    view: Snapshot<View<K, S, T>>,
    writing: Mutex<Writing<K, S, T>>,
    /// The most traces.
    limit: usize,
}

struct Writing<K, S, T> {
    /// All traces by number, in the order of insertion.
    traces: BTreeMap<u64, Arc<KeyedTrace<K, T>>>,
    /// Answers, oldest first; some may be gone from the view.
    answers: VecDeque<Arc<KnownCall<K, S, T>>>,
    /// The number of traces at which dead ones are looked for.
    sweep_at: usize,
    /// How many traces were dropped because of the limit.
    evicted: u64,
}

impl<K: Key, S, T> View<K, S, T> {
    fn new(next: u64) -> Self {
        Self {
            calls: Buckets::new_with_hasher_and_degree_and_ptr_kind(FxBuildHasher, DEGREE),
            traces: Buckets::new_with_hasher_and_degree_and_ptr_kind(FxBuildHasher, DEGREE),
            open: RedBlackTreeMap::new_with_ptr_kind(),
            next,
        }
    }

    /// The number of the next trace, which changes when a trace is added.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// The call of this fingerprint for which `matches` holds. Writes shared memory only on the first
    /// use after a trace was added.
    #[inline]
    pub(crate) fn find(
        &self,
        fingerprint: u64,
        matches: impl Fn(&KnownCall<K, S, T>) -> bool,
    ) -> Option<&Arc<KnownCall<K, S, T>>> {
        let current =
            |c: &KnownCall<K, S, T>| !c.answer || c.asked.load(Ordering::Relaxed) == self.next;
        let bucket = self.calls.get(&fingerprint)?;
        let call = bucket.iter().find(|c| current(c) && matches(c))?;
        if call.answer && !call.used.load(Ordering::Relaxed) {
            call.used.store(true, Ordering::Relaxed);
        }
        call.traced.use_at(self.next);
        Some(call)
    }

    /// The most specific trace that can serve a request; of incomparable ones the earliest.
    pub(crate) fn best(
        &self,
        request: &K,
        usable: impl Fn(&T) -> bool,
    ) -> Option<&Arc<KeyedTrace<K, T>>> {
        if let Some(own) = self.exact(request, &usable) {
            return Some(own);
        }
        let mut best: Option<&Arc<KeyedTrace<K, T>>> = None;
        for traced in self.open.values() {
            let better = best.is_none_or(|best| best.key.serves(&traced.key));
            if better && traced.key.serves(request) && usable(&traced.trace) {
                best = Some(traced);
            }
        }
        best
    }

    /// The earliest trace for exactly this key.
    pub(crate) fn exact(
        &self,
        key: &K,
        usable: impl Fn(&T) -> bool,
    ) -> Option<&Arc<KeyedTrace<K, T>>> {
        let mut bucket = self.traces.get(&key.digest())?.iter();
        bucket.find(|t| t.key == *key && usable(&t.trace))
    }

    fn add(&mut self, traced: &Arc<KeyedTrace<K, T>>) {
        if !traced.key.is_closed() {
            self.open.insert_mut(traced.number, traced.clone());
        }
        change(&mut self.traces, traced.key.digest(), |bucket| bucket.push(traced.clone()));
    }

    fn remove(&mut self, traced: &Arc<KeyedTrace<K, T>>) {
        self.open.remove_mut(&traced.number);
        change(&mut self.traces, traced.key.digest(), |bucket| {
            bucket.retain(|t| !Arc::ptr_eq(t, traced));
        });
    }
}

impl<K, S, T> Writing<K, S, T> {
    fn holds(&self, traced: &Arc<KeyedTrace<K, T>>) -> bool {
        self.traces.get(&traced.number).is_some_and(|t| Arc::ptr_eq(t, traced))
    }
}

/// Changes a bucket, and removes it if it is empty then.
fn change<X>(buckets: &mut Buckets<X>, place: u64, f: impl FnOnce(&mut Bucket<X>)) {
    let mut bucket = buckets.get(&place).cloned().unwrap_or_default();
    f(&mut bucket);
    match bucket.is_empty() {
        true => drop(buckets.remove_mut(&place)),
        false => buckets.insert_mut(place, bucket),
    }
}

impl<K: Key, S, T> TracesByKey<K, S, T> {
    /// A table of at most so many traces, but of one at least.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            view: Snapshot::from_pointee(View::new(0)),
            writing: Mutex::new(Writing {
                traces: BTreeMap::new(),
                answers: VecDeque::new(),
                sweep_at: FEW,
                evicted: 0,
            }),
            limit: limit.max(1),
        }
    }

    /// The table as it is now.
    #[inline]
    pub(crate) fn view(&self) -> impl std::ops::Deref<Target = Arc<View<K, S, T>>> {
        self.view.load()
    }

    fn write(&self) -> MutexGuard<'_, Writing<K, S, T>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The traces in the order of insertion.
    pub(crate) fn traces(&self) -> Vec<Arc<KeyedTrace<K, T>>> {
        self.write().traces.values().cloned().collect()
    }

    /// The latest traces, at most so many, the latest first.
    pub(crate) fn latest(&self, most: usize) -> Vec<Arc<KeyedTrace<K, T>>> {
        self.write().traces.values().rev().take(most).cloned().collect()
    }

    /// The number of traces.
    pub(crate) fn len(&self) -> usize {
        self.write().traces.len()
    }

    /// How many traces were dropped because of the limit.
    pub(crate) fn evicted(&self) -> u64 {
        self.write().evicted
    }

    /// Adds a trace, unless there is a usable one for the same key, and removes the dead traces for
    /// the key. Returns the trace that stays.
    ///
    /// `usable` tells whether a trace serves the present call, `live` whether it can serve any.
    pub(crate) fn insert(
        &self,
        key: K,
        trace: T,
        usable: impl Fn(&T) -> bool,
        live: impl Fn(&T) -> bool,
    ) -> Arc<KeyedTrace<K, T>> {
        let mut writing = self.write();
        let before = self.view.load();
        if let Some(there) = before.exact(&key, usable) {
            return there.clone();
        }
        let mut view = View::clone(&before);
        for old in before.traces.get(&key.digest()).into_iter().flatten() {
            if old.key == key && !live(&old.trace) {
                view.remove(old);
                writing.traces.remove(&old.number);
            }
        }
        if writing.traces.len() >= writing.sweep_at.min(self.limit) {
            let stays = |t: &KeyedTrace<K, T>| !t.key.is_dead() && live(&t.trace);
            let dead = writing.traces.values().filter(|t| !stays(t)).cloned().collect();
            drop_traces(&mut view, &mut writing, dead);
            writing.sweep_at = FEW.max(2 * writing.traces.len());
        }
        if writing.traces.len() >= self.limit {
            let last_used =
                |t: &&Arc<KeyedTrace<K, T>>| (t.used_at.load(Ordering::Relaxed), t.number);
            let oldest = writing.traces.values().min_by_key(last_used).cloned();
            drop_traces(&mut view, &mut writing, Vec::from_iter(oldest));
            writing.evicted += 1;
        }
        let number = view.next;
        view.next += 1;
        let used_at = AtomicU64::new(number);
        let traced = Arc::new(KeyedTrace { key, trace: Arc::new(trace), number, used_at });
        view.add(&traced);
        writing.traces.insert(traced.number, traced.clone());
        let old = self.view.swap(Arc::new(view));
        drop(writing);
        // The old views are dropped after the lock is released.
        drop((old, before));
        traced
    }

    /// Remembers that a trace serves a call. `asked` is the [`View::next`] of the view that chose it.
    pub(crate) fn remember(
        &self,
        call: (u64, K, S),
        traced: &Arc<KeyedTrace<K, T>>,
        asked: u64,
        live: impl Fn(&T) -> bool,
    ) -> Arc<KnownCall<K, S, T>> {
        let (fingerprint, key, kept) = call;
        let answer = key != traced.key;
        let mut writing = self.write();
        let before = self.view.load();
        if answer {
            traced.use_at(before.next);
        }
        let bucket = before.calls.get(&fingerprint).map_or(&[][..], |b| &b[..]);
        let same = |c: &&Arc<KnownCall<K, S, T>>| Arc::ptr_eq(&c.traced, traced) && c.key == key;
        if let Some(there) = bucket.iter().find(same) {
            there.asked.fetch_max(asked, Ordering::Relaxed);
            return there.clone();
        }
        let (asked, used) = (AtomicU64::new(asked), AtomicBool::new(false));
        let traced = traced.clone();
        let call = Arc::new(KnownCall { key, kept, traced, fingerprint, answer, asked, used });
        if !writing.holds(&call.traced) {
            // The trace was removed meanwhile, and serves only this call.
            return call;
        }
        let mut view = View::clone(&before);
        let mut dropped = SmallVec::<[_; 2]>::new();
        if answer {
            let mut chances = MAX_CHANCES;
            while writing.answers.len() >= MAX_ANSWERS
                && let Some(oldest) = writing.answers.pop_front()
            {
                if chances > 0 && oldest.used.swap(false, Ordering::Relaxed) {
                    chances -= 1;
                    writing.answers.push_back(oldest);
                    continue;
                }
                change(&mut view.calls, oldest.fingerprint, |bucket| {
                    bucket.retain(|c| !Arc::ptr_eq(c, &oldest));
                });
                dropped.push(oldest);
            }
            writing.answers.push_back(call.clone());
        }
        change(&mut view.calls, fingerprint, |bucket| {
            bucket.retain(|c| live(&c.traced.trace) && !superseded(c, &call, before.next));
            bucket.push(call.clone());
        });
        let old = self.view.swap(Arc::new(view));
        drop(writing);
        drop((old, before, dropped));
        call
    }

    /// Drops the traces whose key `wanted` accepts. Returns their number.
    pub(crate) fn remove(&self, wanted: impl Fn(&K) -> bool) -> usize {
        let mut writing = self.write();
        let before = self.view.load();
        let mut view = View::clone(&before);
        let gone: Vec<_> = writing.traces.values().filter(|t| wanted(&t.key)).cloned().collect();
        let count = gone.len();
        drop_traces(&mut view, &mut writing, gone);
        let old = self.view.swap(Arc::new(view));
        drop(writing);
        drop((old, before));
        count
    }

    /// Drops all traces.
    pub(crate) fn clear(&self) {
        let mut writing = self.write();
        let view = View::new(self.view.load().next);
        let gone = (std::mem::take(&mut writing.traces), std::mem::take(&mut writing.answers));
        let old = self.view.swap(Arc::new(view));
        drop(writing);
        drop((old, gone));
    }
}

/// True for an outdated answer to the same call.
fn superseded<K: Key, S, T>(old: &KnownCall<K, S, T>, new: &KnownCall<K, S, T>, next: u64) -> bool {
    old.answer && old.key == new.key && old.asked.load(Ordering::Relaxed) != next
}

/// Drops traces, and the calls that they served. The previous view still holds them, so nothing is freed under the lock.
fn drop_traces<K: Key, S, T>(
    view: &mut View<K, S, T>,
    writing: &mut Writing<K, S, T>,
    gone: Vec<Arc<KeyedTrace<K, T>>>,
) {
    if gone.is_empty() {
        return;
    }
    for traced in &gone {
        view.remove(traced);
        writing.traces.remove(&traced.number);
    }
    let gone = |c: &Arc<KnownCall<K, S, T>>| !writing.holds(&c.traced);
    let buckets = view.calls.iter().filter(|(_, bucket)| bucket.iter().any(gone));
    for place in buckets.map(|(place, _)| *place).collect::<Vec<_>>() {
        change(&mut view.calls, place, |bucket| bucket.retain(|c| !gone(c)));
    }
    let traces = &writing.traces;
    let there = |c: &Arc<KnownCall<K, S, T>>| traces.contains_key(&c.traced.number);
    writing.answers.retain(there);
}
