//! State that is created once.

use std::any::{Any, type_name};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::context::initializing;
use super::identity::next_id;
use super::initialization::{Initialization, Postponed};
use super::scope::idle;
use super::{Identity, Presence};
use crate::sync::{Flight, Turn, WAITS};
use crate::types::{Result, bail};

/// How deep initializers of one cell may be nested. A task that a waiting thread took over may ask for
/// the cell now and then; an initializer that asks for its own cell would never end.
const MAX_NESTED: usize = 16;

/// Cells whose initializers run.
static CREATING: Flight<Creating> = Flight::new(&WAITS);

/// A cell whose initializer runs.
struct Creating {
    cell: Identity,
    holds: &'static str,
    at: &'static Location<'static>,
}

impl PartialEq for Creating {
    fn eq(&self, other: &Self) -> bool {
        self.cell == other.cell
    }
}

impl fmt::Display for Creating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the initializer of the `Late<{}>` at {}", self.holds, self.at)
    }
}

/// State that is created once, when it is first needed. In a traced function it is created outside the trace.
/// A cell has an identity from its construction on, so every instance of a model creates its own state.
/// Threads that ask at the same time wait for the first.
///
/// ```
/// use extype::prelude::*;
/// let bias = Late::<Variable>::new();
/// let v = bias.get_or_create(|| Variable::new(vec![0.0f32; 3]))?;
/// assert_eq!(bias.get_or_create(|| panic!("never"))?.id(), v.id());
/// # Ok::<(), Error>(())
/// ```
pub struct Late<T> {
    token: Arc<Token>,
    cell: OnceLock<Made<T>>,
    filled: Presence,
    vacancy: OnceLock<Vacancy<T>>,
}

/// What waits for the state of a cell to be made, if anything does.
pub(crate) type Vacancy<T> = Arc<Mutex<Option<Arc<dyn Awaits<T>>>>>;

/// Acts on state before anyone else sees it, such as by giving it restored values.
pub(crate) trait Awaits<T>: Send + Sync {
    fn made(&self, state: &T) -> Result<()>;

    /// For who knows the type.
    #[cfg(feature = "formats")]
    fn as_any(&self) -> &dyn Any;
}

/// What an initializer made.
struct Made<T> {
    state: T,
    /// The variables in it that traces give their first values.
    postponed: Box<[Postponed]>,
}

impl<T> Made<T> {
    fn is_complete(&self) -> bool {
        !self.postponed.iter().any(Postponed::is_pending)
    }
}

/// The number of a cell; lives as long as the cell, wherever the cell is moved.
struct Token(u64);

impl<T> Late<T> {
    /// An empty cell.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let bias = Late::<Variable>::new();
    /// assert!(bias.get().is_none());
    /// ```
    pub fn new() -> Self {
        let token = Arc::new(Token(next_id()));
        Self { token, cell: OnceLock::new(), filled: Presence::default(), vacancy: OnceLock::new() }
    }

    /// The state, created by `make` outside of every trace if it does not exist yet. `make` can use
    /// outer shapes and plain data, but not the values of symbolic tensors. If it succeeds it runs only once,
    /// even if many threads call this.
    ///
    /// The first value of a variable may be computed from symbolic tensors by ops. Then the variable has no value until
    /// the traced function runs and assigns it, if it has none by then. `make` is called in each trace before that.
    ///
    /// # Errors
    /// What `make` fails with; the cell then stays empty.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let weights = Late::<Variable>::new();
    /// let dense = function(|x: &Tensor| {
    ///     // The first call knows how many features there are.
    ///     let features = x.shape()[1];
    ///     let w = weights.get_or_create(|| Variable::new(ops::ones([features, 1], f32)?))?;
    ///     ops::matmul(x, w)
    /// });
    /// assert_eq!(dense.call(&tensor![[1.0f32, 2.0, 3.0]])?.item::<f32>()?, 6.0);
    ///
    /// let highest = Late::<Variable>::new();
    /// let relative = function(|x: &Tensor| {
    ///     // The first call assigns the first value.
    ///     let highest = highest.get_or_create(|| Variable::new(x.reduce_max(.., false)?))?;
    ///     ops::true_divide(x, highest)
    /// });
    /// assert_eq!(relative.call(&tensor![1.0f32, 4.0])?.as_slice::<f32>()?, &[0.25, 1.0]);
    /// assert_eq!(relative.call(&tensor![8.0f32, 2.0])?.as_slice::<f32>()?, &[2.0, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn get_or_create(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        let creating =
            || Creating { cell: self.id(), holds: type_name::<T>(), at: Location::caller() };
        let _landing = loop {
            if let Some(there) = self.complete() {
                return Ok(there);
            }
            if CREATING.mine(&creating(), |_| false).0 >= MAX_NESTED {
                bail!(
                    FailedPrecondition,
                    "the initializer of a `Late` asks for the cell that it creates"
                );
            }
            if let Turn::Mine(landing) = CREATING.turn(creating(), idle) {
                break landing;
            }
        };
        if let Some(there) = self.complete() {
            return Ok(there);
        }
        let before = self.cell.get().map_or(&[][..], |made| &made.postponed);
        let initialization = Rc::new(Initialization::new(before));
        let state = initializing(initialization.clone(), || self.received(make()?))
            .inspect_err(|_| self.filled.miss())?;
        let made = Made { state, postponed: initialization.postponed() };
        // A thread that could not wait may have been first: then its state is kept.
        let there = self.cell.get_or_init(|| made);
        self.filled.begin();
        Ok(&there.state)
    }

    /// State that was made, after what waits for it has seen it.
    fn received(&self, state: T) -> Result<T> {
        if let Some(vacancy) = self.vacancy.get() {
            let waits = vacancy.lock().unwrap_or_else(PoisonError::into_inner).clone();
            waits.map_or(Ok(()), |waits| waits.made(&state))?;
            // Not before: what failed is tried again.
            vacancy.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        Ok(state)
    }

    /// The place for what waits until the cell is filled.
    #[cfg(feature = "formats")]
    pub(crate) fn vacancy(&self) -> &Vacancy<T> {
        self.vacancy.get_or_init(Vacancy::default)
    }

    /// The state, if it was created and all of it has values.
    fn complete(&self) -> Option<&T> {
        self.cell.get().filter(|made| made.is_complete()).map(|made| &made.state)
    }

    /// The state, if it was created. A trace that got `None` here is not used any more once the state exists: the body is
    /// traced again.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let bias = Late::<Variable>::new();
    /// assert!(bias.get().is_none());
    /// bias.get_or_create(|| Variable::new([0.5f32]))?;
    /// assert_eq!(bias.get().unwrap().read()?.as_slice::<f32>()?, &[0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get(&self) -> Option<&T> {
        let there = self.peek();
        if there.is_none() {
            self.filled.miss();
        }
        there
    }

    /// A cell with this state, if there is any.
    pub(crate) fn with(state: Option<T>) -> Self {
        let cell = Self::new();
        if let Some(state) = state {
            let _ = cell.cell.set(Made { state, postponed: [].into() });
            cell.filled.begin();
        }
        cell
    }

    /// [`get`](Self::get) for callers whose trace does not depend on the result.
    pub(crate) fn peek(&self) -> Option<&T> {
        self.cell.get().map(|made| &made.state)
    }

    /// The identity of this cell, different from that of every other cell.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (a, b) = (Late::<Variable>::new(), Late::<Variable>::new());
    /// assert_ne!(a.id(), b.id());
    /// let before = a.id();
    /// a.get_or_create(|| Variable::new([0.5f32]))?;
    /// assert_eq!(a.id(), before);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn id(&self) -> Identity {
        Identity::Resource(self.token.0)
    }

    /// A weak reference that is alive as long as the cell is.
    pub(crate) fn lifetime(&self) -> Weak<dyn Any + Send + Sync> {
        let token: Arc<dyn Any + Send + Sync> = self.token.clone();
        Arc::downgrade(&token)
    }
}

impl<T> Default for Late<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Late<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.peek() {
            Some(x) => fmt::Debug::fmt(x, f),
            None => f.write_str("<not created yet>"),
        }
    }
}
