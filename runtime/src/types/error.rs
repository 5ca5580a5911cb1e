//! The one error type of the library.

use std::fmt;
use std::panic::Location;

use super::caller::caller;

/// The most contexts that an error keeps.
const MAX_CONTEXT: usize = 8;

/// What stands for contexts that are left out.
const LEFT_OUT: &str = "…";

/// A `Result` with the library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// TensorFlow's canonical kinds of failure.
///
/// ```
/// use extype::prelude::*;
/// let e = tensor![1, 2].gather(7, 0).unwrap_err();
/// match e.kind() {
///     ErrorKind::OutOfRange => assert!(e.message().contains('7')),
///     _ => panic!("{e}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument is wrong whatever the state of the system: dtype, shape, axis, structure.
    InvalidArgument,
    /// The state does not allow the operation: an uninitialized or deleted variable.
    FailedPrecondition,
    /// Something looked up by name does not exist.
    NotFound,
    /// Something that must be unique exists already.
    AlreadyExists,
    /// An index past the end, or the end of a sequence.
    OutOfRange,
    /// The operation is not supported for these arguments.
    Unimplemented,
    /// Stored data is damaged.
    DataLoss,
    /// Memory or another resource would be exhausted.
    ResourceExhausted,
    /// The operation was cancelled.
    Cancelled,
    /// A broken invariant: a bug in the library or in an extension of it.
    Internal,
}

/// The kinds with the numbers that TensorFlow gives them.
const CODES: [(ErrorKind, i64); 10] = [
    (ErrorKind::Cancelled, 1),
    (ErrorKind::InvalidArgument, 3),
    (ErrorKind::NotFound, 5),
    (ErrorKind::AlreadyExists, 6),
    (ErrorKind::ResourceExhausted, 8),
    (ErrorKind::FailedPrecondition, 9),
    (ErrorKind::OutOfRange, 11),
    (ErrorKind::Unimplemented, 12),
    (ErrorKind::Internal, 13),
    (ErrorKind::DataLoss, 15),
];

impl ErrorKind {
    /// The number that TensorFlow gives it.
    pub(crate) fn code(self) -> i64 {
        CODES.iter().find(|(kind, _)| *kind == self).map_or(2, |(_, code)| *code)
    }

    /// The kind with this number; `InvalidArgument` for an unknown number.
    pub(crate) fn of_code(code: i64) -> Self {
        CODES.iter().find(|(_, own)| *own == code).map_or(Self::InvalidArgument, |(kind, _)| *kind)
    }
}

/// What went wrong: its kind, the op, a message with the shapes and dtypes involved, the line of
/// user code that asked for it, and the traced function it happened in.
///
/// ```
/// use extype::prelude::*;
/// let e = tensor![1.0f32, 2.0].matmul(&tensor![[1.0f32]]).unwrap_err();
/// assert_eq!(e.kind(), ErrorKind::InvalidArgument);
/// assert_eq!(e.op(), Some("matmul"));
/// ```
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    op: Option<Box<str>>,
    message: String,
    location: Option<&'static Location<'static>>,
    /// True if the line is that of the running call. A node's line is more precise and replaces it.
    marked: bool,
    /// The function that was called there.
    function: Option<&'static str>,
    context: Vec<String>,
    source: Option<std::sync::Arc<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of this kind with this message, at the line of the running call of the library.
    ///
    /// ```
    /// use extype::prelude::*;
    /// fn unit(name: &str) -> Result<f64> {
    ///     match name {
    ///         "m" => Ok(1.0),
    ///         "km" => Ok(1000.0),
    ///         _ => Err(Error::new(ErrorKind::NotFound, format!("no unit `{name}`"))),
    ///     }
    /// }
    /// assert_eq!(unit("ft").unwrap_err().kind(), ErrorKind::NotFound);
    /// ```
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let caller = caller();
        let function = caller.and_then(|c| c.function());
        let made_of_ops = caller.is_some_and(|c| c.is_made_of_ops());
        Self(Box::new(Inner {
            kind,
            op: function.filter(|_| made_of_ops).map(Into::into),
            message: message.into(),
            location: caller.map(|c| c.location),
            marked: caller.is_some(),
            function,
            context: Vec::new(),
            source: None,
        }))
    }

    /// A wrong argument.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = Error::invalid("`rate` is above one");
    /// assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    /// assert_eq!(e.to_string(), "`rate` is above one");
    /// ```
    #[cold]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// A broken invariant.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = Error::internal("two masks of one value");
    /// assert_eq!(e.kind(), ErrorKind::Internal);
    /// ```
    #[cold]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// What is wrong with a file. An `impl From` would make `?` ambiguous in closures.
    #[cold]
    pub(crate) fn of_file(e: extype_formats::Error) -> Self {
        use extype_formats::ErrorKind as Other;
        let kind = match e.kind() {
            Other::InvalidArgument => ErrorKind::InvalidArgument,
            Other::NotFound => ErrorKind::NotFound,
            Other::OutOfRange => ErrorKind::OutOfRange,
            Other::Unimplemented => ErrorKind::Unimplemented,
            Other::DataLoss => ErrorKind::DataLoss,
            Other::ResourceExhausted => ErrorKind::ResourceExhausted,
            _ => ErrorKind::FailedPrecondition,
        };
        Self::new(kind, e.to_string()).with_source(e)
    }

    /// The canonical kind.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0];
    /// assert_eq!(ops::gather(&x, 5, 0).unwrap_err().kind(), ErrorKind::OutOfRange);
    /// assert_eq!(ops::gather(&x, 0, 5).unwrap_err().kind(), ErrorKind::InvalidArgument);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The op that failed, by the name of the function that users call.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = ops::add(tensor![1, 2], tensor![1, 2, 3]).unwrap_err();
    /// assert_eq!(e.op(), Some("add"));
    /// assert_eq!(Error::invalid("no call").op(), None);
    /// ```
    pub fn op(&self) -> Option<&str> {
        self.0.op.as_deref().or(self.0.function).filter(|name| !name.is_empty())
    }

    /// The message without op, line and context.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = ops::add(tensor![1, 2], tensor![1, 2, 3]).unwrap_err();
    /// assert_eq!(e.message(), "shapes [2] and [3] do not broadcast: axis 0 differs (2 ≠ 3)");
    /// assert!(e.to_string().starts_with(&format!("add: {}", e.message())));
    /// ```
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The line of user code that asked for the failing operation.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = ops::add(tensor![1, 2], tensor![1, 2, 3]).unwrap_err();
    /// assert_eq!(e.location().map(|l| l.line()), Some(line!() - 1));
    /// ```
    pub fn location(&self) -> Option<&'static Location<'static>> {
        self.0.location
    }

    /// The contexts that the failure happened in, innermost first. Of more than eight, `…` stands for those next to the
    /// last.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[tf_function]
    /// fn squared(x: &Tensor) -> Result<Tensor> {
    ///     ops::matmul(x, x)
    /// }
    /// let e = squared(&tensor![[1.0f32, 2.0]]).unwrap_err();
    /// assert!(e.context()[0].contains("squared"), "{e}");
    /// ```
    pub fn context(&self) -> &[String] {
        &self.0.context
    }

    /// Names the op, unless one is named already. An empty name means that the error belongs to no op.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = Error::invalid("the list is empty").with_op("median").with_op("sort");
    /// assert_eq!(e.op(), Some("median"));
    /// assert_eq!(e.to_string(), "median: the list is empty");
    /// ```
    #[must_use]
    pub fn with_op(mut self, op: &str) -> Self {
        self.0.op.get_or_insert_with(|| op.into());
        self
    }

    /// Records the user's line. An earlier record stays, unless it is only the line of the running call.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use std::panic::Location;
    /// #[track_caller]
    /// fn refuse() -> Error {
    ///     Error::invalid("no").with_location(Location::caller())
    /// }
    /// assert_eq!(refuse().location().map(|l| l.line()), Some(line!()));
    /// ```
    #[must_use]
    pub fn with_location(mut self, location: &'static Location<'static>) -> Self {
        if self.0.location.is_none() || self.0.marked {
            self.0.location = Some(location);
            self.0.marked = false;
        }
        self
    }

    /// Adds a context that the failure happened in.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = Error::invalid("an odd number").in_context("layer 3").in_context("`model`");
    /// assert_eq!(e.to_string(), "an odd number\n  in layer 3, in `model`");
    /// ```
    #[must_use]
    pub fn in_context(mut self, context: impl Into<String>) -> Self {
        // The innermost few say where it was and the outermost what was called; recursion would add one for each level.
        let contexts = &mut self.0.context;
        if contexts.len() == MAX_CONTEXT {
            contexts.truncate(MAX_CONTEXT - 2);
            contexts.push(LEFT_OUT.into());
        }
        contexts.push(context.into());
        self
    }

    /// Puts a path such as ``field `mask` `` before the message.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let e = tensor![1.0f32].shape().with_rank(2).unwrap_err();
    /// assert_eq!(e.prefixed("`matrix`").message(), "`matrix`: shape [1] has rank 1, not 2");
    /// ```
    #[must_use]
    pub fn prefixed(mut self, prefix: impl fmt::Display) -> Self {
        self.0.message = format!("{prefix}: {}", self.0.message);
        self
    }

    /// Keeps the error that caused this one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use std::error::Error as _;
    /// let cause = "ten".parse::<i32>().unwrap_err();
    /// let e = Error::invalid("the number of layers").with_source(cause.clone());
    /// assert_eq!(e.source().map(ToString::to_string), Some(cause.to_string()));
    /// ```
    #[must_use]
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(std::sync::Arc::new(source));
        self
    }
}

impl Clone for Error {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let e = &*self.0;
        if let Some(name) = self.op() {
            write!(f, "{name}: ")?;
        }
        f.write_str(&e.message)?;
        if e.location.is_some() || !e.context.is_empty() {
            f.write_str("\n  ")?;
        }
        if let Some(l) = e.location {
            write!(f, "at {}:{}:{}", l.file(), l.line(), l.column())?;
        }
        for (i, c) in e.context.iter().enumerate() {
            let comma = if i > 0 || e.location.is_some() { ", " } else { "" };
            let within = if c == LEFT_OUT { "" } else { "in " };
            write!(f, "{comma}{within}{c}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|s| &**s as &(dyn std::error::Error + 'static))
    }
}

/// `err!("text {}", x)`: an [`Error`] of kind `InvalidArgument`; `err!(NotFound, …)` of another.
macro_rules! err {
    ($kind:ident, $($text:tt)+) => {
        $crate::types::Error::new($crate::types::ErrorKind::$kind, format!($($text)+))
    };
    ($($text:tt)+) => { $crate::types::Error::invalid(format!($($text)+)) };
}

/// Returns with [`err!`].
macro_rules! bail {
    ($($text:tt)+) => { return ::core::result::Result::Err($crate::types::err!($($text)+)) };
}

pub(crate) use bail;
pub(crate) use err;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_has_op_message_line_and_context() {
        let e = err!("ranks differ: {} and {}", 1, 2).with_op("MatMul");
        assert_eq!(e.to_string(), "MatMul: ranks differ: 1 and 2");
        let e = e.with_op("Other").in_context("`step`");
        assert_eq!(e.to_string(), "MatMul: ranks differ: 1 and 2\n  in `step`");
        let l = Location::caller();
        let e = e.with_location(l).with_location(Location::caller());
        assert!(e.to_string().contains(&format!(
            "{}:{}:{}, in `step`",
            l.file(),
            l.line(),
            l.column()
        )));
    }

    #[test]
    fn of_many_contexts_the_innermost_and_the_outermost_stay() {
        let within = |n: usize| (1..=n).fold(err!("no"), |e, i| e.in_context(format!("`f{i}`")));
        let eight: Vec<String> = (1..=8).map(|i| format!("in `f{i}`")).collect();
        assert_eq!(within(8).to_string(), format!("no\n  {}", eight.join(", ")));
        for n in [9, 10, 100] {
            let told = format!("no\n  {}, …, in `f{n}`", eight[..6].join(", "));
            assert_eq!(within(n).to_string(), told);
        }
    }

    #[test]
    fn every_kind_is_the_one_of_its_code() {
        for (kind, code) in CODES {
            assert_eq!((kind.code(), ErrorKind::of_code(code)), (code, kind));
        }
    }

    #[test]
    fn results_are_small() {
        assert!(size_of::<Result<()>>() <= 8);
    }
}
